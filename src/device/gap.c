/* gap.c: records that can not be sent any more, and how the node is told so that the stream can go on. */
#include "device/parts.h"

static void report_lost(struct pl_device *d, const struct pl_feed *feed, uint64_t from, uint64_t upto,
                        const char *cause)
{
    struct pl_text why;
    pl_text_set(&why, "stream %u of the outbox: records %llu to %llu are lost: %s", feed->stream,
                (unsigned long long)from, (unsigned long long)upto, cause);
    pl_device_report(d, PL_E_STORE_DAMAGED, &why);
    d->counts.lost_records += upto - from + 1;
}

/* True if that was not told before. */
bool pl_device_tell_gap(struct pl_device *d, struct pl_feed *feed, uint64_t upto, uint32_t tag,
                        uint64_t offset)
{
    const struct pl_known_life *life = pl_device_life(d, feed, tag);
    if (!life)
        return false;
    pl_link_gap(d->link, feed->slot, tag, life->first, life->before, upto, offset);
    bool first_time = upto > feed->gap_upto;
    feed->gap_upto = first_time ? upto : feed->gap_upto;
    return first_time;
}

/* Damaged rows come next and all before them is stored: the node is told, and what follows goes on. */
void pl_device_damage(struct pl_device *d, struct pl_feed *feed)
{
    const struct pl_held *damage = &feed->damage;
    struct pl_place after;
    uint64_t position;
    uint64_t end = damage->offset + (damage->next_position - damage->position);
    d->counts.damaged_rows++;
    feed->gap_waits = false;
    feed->position = damage->next_position;
    if (pl_device_place(d, feed, damage->last_number + 1, &after, &position))
        pl_link_stream_place(d->link, feed->slot, &after);
    if (pl_device_tell_gap(d, feed, damage->last_number, damage->life, end))
        report_lost(d, feed, damage->first_number, damage->last_number, "damaged on the disk");
}

/* Everything below what is held is lost to the node: numbers up to the last freed. */
static bool tell_freed(struct pl_device *d, struct pl_feed *feed, uint64_t *upto)
{
    struct pl_sending s;
    if (pl_outbox_stream(d->outbox, PL_DEVICE_LINK, feed->stream, &s) != PL_OK || s.freed.life == 0)
        return false;
    *upto = s.freed.number - 1;
    return pl_device_tell_gap(d, feed, *upto, s.freed.life, s.freed.offset);
}

/* The peer holds less than was freed here: from there again if the outbox still has it, else from what it
 * has, and the peer is told of the rest. */
void pl_device_behind(struct pl_device *d, struct pl_feed *feed, uint64_t number)
{
    struct pl_place from;
    struct pl_sending s;
    uint64_t upto;
    if (pl_outbox_stream(d->outbox, PL_DEVICE_LINK, feed->stream, &s) != PL_OK)
        return;
    uint64_t first = number + 1 < s.freed.number ? s.freed.number : number + 1;
    if (pl_device_place(d, feed, first, &from, &feed->position))
        pl_link_stream_place(d->link, feed->slot, &from);
    if (first > number + 1 && tell_freed(d, feed, &upto))
        report_lost(d, feed, number + 1, upto, "the node does not have them, and they are held no more");
}

void pl_device_tell_dropped(struct pl_device *d, struct pl_feed *feed)
{
    uint64_t upto;
    feed->dropped = false;
    (void)tell_freed(d, feed, &upto); /* counted when they were dropped */
}
