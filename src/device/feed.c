/* feed.c: from the outbox into the engine: which streams are sent, from where, and how far.
 *
 * Only what pl_outbox_read gives is offered, and that gives only what a commit made durable: write-ahead
 * holds without a look at the order of calls. */
#include <stdlib.h>
#include <string.h>

#include "device/parts.h"

static struct pl_feed *feed_of_line(struct pl_device *d, uint32_t line)
{
    struct pl_feed *free_one = NULL;
    for (size_t i = 0; i < PL_STREAMS_MAX; i++) {
        struct pl_feed *feed = &d->feeds[i];
        if (feed->used && feed->line == line)
            return feed;
        if (!feed->used && !free_one)
            free_one = feed;
    }
    return free_one;
}

static void follow(struct pl_feed *feed, const struct pl_sending *s)
{
    if (feed->first_held < s->freed.number)
        feed->first_held = s->freed.number;
    feed->held = feed->first_held < s->next.number;
    feed->next = s->next.number;
    feed->end = s->next.position;
    feed->newest = s->newest;
}

void pl_device_refresh(struct pl_device *d, struct pl_feed *feed)
{
    struct pl_sending s;
    if (pl_outbox_stream(d->outbox, PL_DEVICE_LINK, feed->stream, &s) == PL_OK)
        follow(feed, &s);
    else
        feed->held = false;
    if (!feed->held && !feed->newest)
        d->changed = true;
}

void pl_device_reopen(struct pl_device *d, struct pl_feed *feed)
{
    if (feed->in_link)
        pl_link_stream_remove(d->link, feed->slot);
    feed->in_link = feed->gap_waits = false;
    feed->notes = 0;
    feed->refused_code = 0;
}

/* The oldest birth with a record held is fed; the next takes its place once it is settled. */
static void sync_stream(struct pl_device *d, const struct pl_sending *s)
{
    struct pl_feed *feed = feed_of_line(d, s->line);
    if (!feed || s->blocked)
        return;
    if (feed->used && feed->stream != s->stream) {
        pl_device_refresh(d, feed);
        if (feed->held)
            return;
        pl_device_reopen(d, feed);
        feed->used = false;
    }
    if (!feed->used)
        *feed = (struct pl_feed){
            .used = true, .line = s->line, .stream = s->stream, .position = s->freed.position};
    follow(feed, s);
}

void pl_device_sync(struct pl_device *d)
{
    struct pl_sending s;
    if (!d->changed)
        return;
    for (size_t i = 0; pl_outbox_stream_at(d->outbox, i, &s) == PL_OK; i++)
        if (s.link == PL_DEVICE_LINK)
            sync_stream(d, &s);
    d->changed = false;
}

static const struct pl_known_life *remember(struct pl_feed *feed, const struct pl_sending_life *life)
{
    if (feed->known_n == PL_LIVES_REMEMBERED) {
        memmove(feed->known, feed->known + 1, sizeof feed->known - sizeof feed->known[0]);
        feed->known_n--;
    }
    struct pl_known_life *known = &feed->known[feed->known_n++];
    *known = (struct pl_known_life){.tag = life->tag, .before = life->before, .first = life->first_number};
    return known;
}

static bool pick(const struct pl_sending_life *lives, size_t n, uint32_t tag, struct pl_sending_life *out)
{
    for (size_t i = 0; i < n; i++)
        if (lives[i].tag == tag) {
            *out = lives[i];
            return true;
        }
    return false;
}

/* A device that restarts often while the node is away gathers lives without a bound: few fit the stack,
 * others the heap. */
bool pl_device_find_life(const struct pl_device *d, const struct pl_feed *feed, uint32_t tag,
                         struct pl_sending_life *out)
{
    struct pl_sending_life few[PL_DEVICE_LIVES], *lives = few;
    size_t n = 0;
    if (pl_outbox_lives(d->outbox, PL_DEVICE_LINK, feed->stream, few, PL_DEVICE_LIVES, &n) != PL_OK)
        return false;
    if (n > PL_DEVICE_LIVES && !pick(few, PL_DEVICE_LIVES, tag, out)) {
        size_t room = n;
        lives = calloc(room, sizeof *lives);
        if (!lives || pl_outbox_lives(d->outbox, PL_DEVICE_LINK, feed->stream, lives, room, &n) != PL_OK)
            n = 0;
    }
    bool found = pick(lives, n > PL_DEVICE_LIVES && lives == few ? PL_DEVICE_LIVES : n, tag, out);
    if (lives != few)
        free(lives);
    return found;
}

const struct pl_known_life *pl_device_life(struct pl_device *d, struct pl_feed *feed, uint32_t tag)
{
    struct pl_sending_life life;
    for (unsigned i = 0; i < feed->known_n; i++)
        if (feed->known[i].tag == tag)
            return &feed->known[i];
    return pl_device_find_life(d, feed, tag, &life) ? remember(feed, &life) : NULL;
}

bool pl_device_place(struct pl_device *d, struct pl_feed *feed, uint64_t number, struct pl_place *out,
                     uint64_t *position)
{
    struct pl_outbox_place at;
    if (pl_outbox_locate(d->outbox, PL_DEVICE_LINK, feed->stream, number, &at) != PL_OK)
        return false;
    const struct pl_known_life *life = pl_device_life(d, feed, at.life);
    if (!life)
        return false;
    *out = (struct pl_place){.number = number,
                             .life = at.life,
                             .life_first = life->first,
                             .life_before = life->before,
                             .offset = at.offset};
    *position = at.position;
    return true;
}

/* Makes the stream one of the link's, from the first record held on. */
static bool enter(struct pl_device *d, struct pl_feed *feed)
{
    struct pl_sending s;
    struct pl_place from;
    enum pl_error e = pl_outbox_stream(d->outbox, PL_DEVICE_LINK, feed->stream, &s);
    if (e == PL_OK && !pl_device_place(d, feed, feed->first_held, &from, &feed->position))
        e = PL_E_STORE_DAMAGED;
    if (e == PL_OK)
        e = pl_link_stream_add(d->link, s.birth, (struct pl_bytes){s.name, s.name_size}, &from, &feed->slot);
    if (e == PL_OK) {
        feed->in_link = true;
        if (feed->dropped)
            pl_device_tell_dropped(d, feed);
        return true;
    }
    struct pl_text why;
    pl_text_set(&why, "stream %u of the outbox: cannot be sent: %s", feed->stream, pl_error_name(e));
    pl_device_report(d, e, &why);
    return false;
}

static size_t offer(struct pl_device *d, struct pl_feed *feed, const struct pl_held *held)
{
    const struct pl_known_life *life = pl_device_life(d, feed, held->life);
    if (!life)
        return 0;
    return pl_link_offer(d->link, feed->slot, life->tag, life->first, life->before, held->bytes);
}

/* The last byte ends a record. */
static bool ends_whole(const struct pl_held *held)
{
    return held->last_number + 1 == held->first_number + held->ends;
}

static void read_failed(struct pl_device *d, struct pl_feed *feed, enum pl_error e)
{
    struct pl_text why;
    if (e == PL_E_NOT_FOUND) {
        pl_device_reopen(d, feed); /* trimmed meanwhile: again from what is held */
        return;
    }
    pl_text_set(&why, "stream %u of the outbox: cannot be read: %s", feed->stream, pl_error_name(e));
    if (e != PL_E_AGAIN)
        pl_device_report(d, e, &why);
}

/* Reads and offers one piece. False when there is nothing more to do for now. */
static bool feed_piece(struct pl_device *d, struct pl_feed *feed)
{
    struct pl_held held;
    size_t room_bytes = pl_link_room(d->link, feed->slot);
    if (room_bytes == 0 || feed->gap_waits || feed->position >= feed->end)
        return false;
    if (room_bytes > sizeof d->buffer)
        room_bytes = sizeof d->buffer;
    enum pl_error e =
        pl_outbox_read(d->outbox, PL_DEVICE_LINK, feed->stream, feed->position, d->buffer, room_bytes, &held);
    if (e != PL_OK) {
        read_failed(d, feed, e);
        return false;
    }
    if (held.lost) {
        feed->damage = held;
        feed->gap_waits = true;
        return true;
    }
    size_t taken = offer(d, feed, &held);
    if (taken == held.bytes.n && ends_whole(&held))
        pl_link_mark(d->link, feed->slot, held.last_number + 1);
    feed->position += taken;
    d->offered_bytes += taken;
    return taken > 0 && taken == held.bytes.n;
}

/* Offers what the engine has room for. */
void pl_device_feed(struct pl_device *d)
{
    for (size_t i = 0; d->link && i < PL_STREAMS_MAX; i++) {
        struct pl_feed *feed = &d->feeds[i];
        if (!feed->used || (feed->notes & PL_NOTE_FORKED))
            continue;
        if (!feed->in_link && !(feed->held && enter(d, feed)))
            continue;
        while (feed_piece(d, feed))
            continue;
        if (feed->gap_waits && feed->first_held >= feed->damage.first_number)
            pl_device_damage(d, feed);
    }
}

bool pl_device_holds(const struct pl_device *d)
{
    for (size_t i = 0; i < PL_STREAMS_MAX; i++)
        if (d->feeds[i].used && d->feeds[i].held)
            return true;
    return false;
}
