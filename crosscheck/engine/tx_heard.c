/* What the sender hears: acknowledgements and what they show to be lost, STORED, UNBOUND, REFUSED. */
#include "inner.h"

#include <stdlib.h>
#include <string.h>

/* The ranges of an ACK, from the highest down; each `from` up to and with `to`. */
struct acked {
    struct xc_range range[XC_ACK_RANGES_MAX];
    size_t n;
};

static void read_ranges(const struct xc_tree *tree, size_t place, struct acked *acked)
{
    uint64_t to = xc_get(tree, place, "largest"), from = to - xc_get(tree, place, "first_range");
    const struct xc_value *list = xc_value_of(tree, place, "ranges");
    size_t item = (size_t)(list - tree->values) + 1;

    acked->range[0] = (struct xc_range){from, to};
    acked->n = 1;
    for (uint64_t i = 0; i < list->number; i++) {
        to = from - xc_get(tree, item, "gap") - 2;
        from = to - xc_get(tree, item, "length");
        acked->range[acked->n++] = (struct xc_range){from, to};
        item = tree->values[item].next;
    }
}

static bool covers(const struct acked *acked, uint64_t number)
{
    for (size_t i = 0; i < acked->n; i++)
        if (acked->range[i].from <= number && number <= acked->range[i].to)
            return true;
    return false;
}

static void sample_rtt(struct xc_tx *tx, uint64_t rtt_us, uint64_t delay_us)
{
    if (delay_us > XC_ACK_DELAY_MAX_US)
        delay_us = XC_ACK_DELAY_MAX_US;
    if (rtt_us > delay_us)
        rtt_us -= delay_us;
    uint64_t off = rtt_us > tx->srtt_us ? rtt_us - tx->srtt_us : tx->srtt_us - rtt_us;
    if (tx->srtt_us == 0) {
        tx->srtt_us = rtt_us > 0 ? rtt_us : 1;
        tx->var_us = rtt_us / 2;
        return;
    }
    tx->var_us = (3 * tx->var_us + off) / 4;
    tx->srtt_us = (7 * tx->srtt_us + rtt_us) / 8;
    if (tx->srtt_us == 0)
        tx->srtt_us = 1;
}

/* The bytes of a packet: to be sent again, or no more since they arrived after all. */
void xc_tx_requeue(struct xc_link *link, const struct xc_sent *sent, bool again)
{
    struct xc_tx_stream *stream;

    for (size_t i = 0; i < sent->pieces; i++) {
        const struct xc_piece *piece = &sent->piece[i];
        struct xc_tx_life *life = xc_tx_find(link, piece->life, &stream);
        if (life == NULL)
            continue;
        if (again)
            xc_tx_again(life, piece->offset, piece->offset + piece->n);
        else
            xc_ranges_remove(&life->todo, piece->offset, piece->offset + piece->n);
    }
}

static void note_asks(struct xc_link *link, const struct xc_sent *sent)
{
    struct xc_tx_stream *stream;

    for (size_t i = 0; i < sent->asks; i++)
        if (xc_tx_find(link, sent->asked[i], &stream) != NULL && sent->number > stream->progress_index)
            stream->ask_acked = true;
}

/* Marks what arrived; returns whether anything did that was in flight. */
static bool mark_arrived(struct xc_taking *t, const struct acked *acked, uint64_t delay_us)
{
    struct xc_tx *tx = &t->link->tx;
    bool any = false;

    for (size_t i = 0; i < tx->sent_n; i++) {
        struct xc_sent *sent = &tx->sent[i];
        if (!covers(acked, sent->number))
            continue;
        if (sent->state == XC_IN_FLIGHT) {
            any = true;
            tx->in_flight--;
            if (sent->number == acked->range[0].to)
                sample_rtt(tx, t->now_us - sent->sent_us, delay_us);
        }
        if (sent->state != XC_ARRIVED) {
            xc_tx_requeue(t->link, sent, false);
            note_asks(t->link, sent);
        }
        sent->state = XC_ARRIVED;
        sent->acked_by = t->run->id;
    }
    return any;
}

/* Lost: sent three packets or an eighth more than a round trip before one that arrived. What another run of
 * the peer has acknowledged and its current one has not is gone with that run. */
static void mark_lost(struct xc_taking *t, uint64_t largest)
{
    struct xc_tx *tx = &t->link->tx;
    uint64_t late_us = tx->srtt_us + tx->srtt_us / 8 + 1000;
    const struct xc_peer_run *current = xc_run_current(t->link);

    for (size_t i = 0; i < tx->sent_n; i++) {
        struct xc_sent *sent = &tx->sent[i];
        if (sent->number >= largest)
            continue;
        bool lost = sent->state == XC_IN_FLIGHT &&
                    (sent->number + XC_LOSS_PACKETS <= largest || t->now_us - sent->sent_us > late_us);
        bool gone = sent->state == XC_ARRIVED && t->run == current && sent->acked_by != current->id;
        if (!lost && !gone)
            continue;
        if (lost)
            tx->in_flight--;
        sent->state = XC_LOST;
        xc_tx_requeue(t->link, sent, true);
    }
}

/* A packet is remembered while it is in flight or a piece of it is not stored. */
static void forget_stored(struct xc_link *link)
{
    struct xc_tx *tx = &link->tx;
    struct xc_tx_stream *stream;
    size_t kept = 0;

    for (size_t i = 0; i < tx->sent_n; i++) {
        const struct xc_sent *sent = &tx->sent[i];
        bool needed = sent->state == XC_IN_FLIGHT;
        for (size_t j = 0; j < sent->pieces && !needed; j++) {
            const struct xc_tx_life *life = xc_tx_find(link, sent->piece[j].life, &stream);
            needed = life != NULL && sent->piece[j].offset + sent->piece[j].n > life->stored_end;
        }
        if (needed)
            tx->sent[kept++] = *sent;
    }
    tx->sent_n = kept;
}

void xc_tx_ack(struct xc_taking *t, size_t place)
{
    struct xc_link *link = t->link;
    const struct xc_own_run *own = &link->own;
    struct acked acked;
    bool newest = true;

    read_ranges(t->tree, place, &acked);
    uint64_t largest = acked.range[0].to;
    bool lies = largest >= own->next || acked.range[acked.n - 1].from < own->first;
    if (lies || (own->skipped != 0 && covers(&acked, own->skipped)))
        return;
    for (size_t i = 0; i < link->runs; i++)
        newest = newest && (&link->run[i] == t->run || link->run[i].acked_index < largest + 1);
    if (t->run->acked_index < largest + 1)
        t->run->acked_index = largest + 1;
    if (newest)
        xc_run_prove(link, t->run);
    if (mark_arrived(t, &acked, xc_get(t->tree, place, "delay")))
        link->tx.timeouts = 0;
    mark_lost(t, largest);
    forget_stored(link);
}

/* The time from the last sending to STORED, smoothed; the wait before an ASK follows it. */
static void sample_stored(struct xc_taking *t)
{
    struct xc_tx *tx = &t->link->tx;
    uint64_t took_us = t->now_us - tx->last_sent_us;

    tx->stored_us = tx->stored_us == 0 ? took_us + 1 : (7 * tx->stored_us + took_us) / 8 + 1;
    tx->asks = 0;
}

/* The highest number of a birth that is stored or was given up; 0: none. */
static uint64_t freed_of(const struct xc_tx_stream *stream, uint64_t birth)
{
    const struct xc_tx_life *oldest = stream->n > 0 ? &stream->life[0] : NULL;

    if (oldest != NULL && oldest->birth == birth && oldest->stored > 0)
        return oldest->first + oldest->stored - 1;
    if (stream->last.tag != 0 && stream->last.birth == birth)
        return stream->last.first + stream->last.count - 1;
    return 0;
}

/* A stream whose last life is settled, by that life's tag: what is held of it comes behind. */
static struct xc_tx_stream *settled_stream(struct xc_link *link, uint32_t tag)
{
    for (size_t i = 0; i < link->tx.n; i++)
        if (link->tx.stream[i].last.tag == tag)
            return &link->tx.stream[i];
    return NULL;
}

/* The highest number that STOREDs of this packet name for the stream: a life without a record yet has one
 * with 0 beside that of the life before. */
static uint64_t told(const struct xc_taking *t, const struct xc_tx_stream *stream)
{
    const struct xc_value *values = t->tree->values;
    uint64_t highest = 0;

    for (size_t place = 0; place < t->tree->n; place = values[place].next) {
        if (values[place].number != XC_STORED)
            continue;
        uint32_t life = (uint32_t)xc_get(t->tree, place, "life");
        uint64_t number = xc_get(t->tree, place, "number");
        struct xc_tx_stream *other = settled_stream(t->link, life);
        xc_tx_find(t->link, life, &other);
        if (other == stream && number > highest)
            highest = number;
    }
    return highest;
}

/* The peer holds less than was freed, and an ASK since the last progress was answered: those records are in
 * no place any more. */
static void look_for_gap(struct xc_taking *t, struct xc_tx_stream *stream, uint64_t freed)
{
    if (told(t, stream) >= freed) {
        if (stream->gap_due)
            xc_tx_all_again(stream);
        stream->gap_due = false;
    } else if (stream->ask_acked) {
        stream->gap_due = true;
        t->link->tx.probe = true;
    }
}

/* Whether the packet also refuses the life: then its STORED ends no refusal. */
static bool refused_too(const struct xc_taking *t, uint32_t life)
{
    const struct xc_value *values = t->tree->values;

    for (size_t place = 0; place < t->tree->n; place = values[place].next)
        if (values[place].number == XC_REFUSED && xc_get(t->tree, place, "life") == life)
            return true;
    return false;
}

void xc_tx_stored(struct xc_taking *t, size_t place)
{
    struct xc_link *link = t->link;
    uint32_t tag = (uint32_t)xc_get(t->tree, place, "life");
    uint64_t number = xc_get(t->tree, place, "number"), window = xc_get(t->tree, place, "window");
    struct xc_tx_stream *stream = settled_stream(link, tag);
    struct xc_tx_life *life = xc_tx_find(link, tag, &stream);

    if (stream == NULL)
        return;
    uint64_t birth = life != NULL ? life->birth : stream->last.birth, freed = freed_of(stream, birth);
    if (life != NULL && number > 0) {
        life->bound = true;
        xc_tx_settle(stream, (size_t)(life - stream->life), number);
    }
    if (freed_of(stream, birth) != freed) {
        stream->progress_index = link->own.next - 1;
        stream->ask_acked = false;
        sample_stored(t);
    }
    look_for_gap(t, stream, freed_of(stream, birth));
    if (t->run != xc_run_current(link))
        return;
    stream->window_bytes = (window < XC_WINDOW_MAX_KIB ? window : XC_WINDOW_MAX_KIB) * 1024;
    if (window > 0 && stream->state != XC_OPEN && !refused_too(t, tag)) {
        stream->state = XC_OPEN;
        stream->refused = 0;
        xc_tx_all_again(stream);
    }
}

void xc_tx_unbound(struct xc_taking *t, size_t place)
{
    struct xc_tx_stream *stream;
    struct xc_tx_life *life = xc_tx_find(t->link, (uint32_t)xc_get(t->tree, place, "life"), &stream);

    if (life == NULL || !life->sent)
        return;
    life->bound = false;
    t->link->tx.probe = true;
}

/* A second fork within the interval waits: the stream stops and whoever looks is told. */
static void forked(struct xc_taking *t, struct xc_tx_stream *stream, struct xc_tx_life *life, uint64_t number)
{
    if (stream->forked && t->now_us - stream->forked_us < XC_FORK_INTERVAL_US) {
        stream->state = XC_STOPPED;
        stream->refused = XC_FORKED;
        stream->refused_number = 0;
        return;
    }
    stream->forked = true;
    stream->forked_us = t->now_us;
    xc_tx_reborn(t->link, stream, (size_t)(life - stream->life), number);
}

void xc_tx_refused(struct xc_taking *t, size_t place)
{
    struct xc_link *link = t->link;
    struct xc_tx_stream *stream;
    uint64_t code = xc_get(t->tree, place, "code");

    if (code == XC_MALFORMED) {
        link->tx.muted_until_us = t->now_us + XC_MUTE_US;
        return;
    }
    struct xc_tx_life *life = xc_tx_find(link, (uint32_t)xc_get(t->tree, place, "life"), &stream);
    if (life == NULL || t->run != xc_run_current(link))
        return;
    if (code == XC_FORKED) {
        forked(t, stream, life, xc_get(t->tree, place, "number"));
        return;
    }
    bool final = code == XC_UNWANTED || code == XC_TOO_LARGE || code == XC_FRAMING;
    bool named = code == XC_TOO_LARGE || code == XC_FRAMING;
    if (named && xc_get(t->tree, place, "number") <= freed_of(stream, life->birth))
        return; /* it was given up already, and the GAP that tells is on its way */
    stream->state = final ? XC_STOPPED : XC_BLOCKED;
    stream->refused = code;
    stream->refused_number = named ? xc_get(t->tree, place, "number") : 0;
}
