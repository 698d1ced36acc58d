/* What the peer says about keeping: STORED, UNBOUND, REFUSED (spec sections 4 and 5). */
#include "link/send.h"

enum { KIB = 1 << 10 };

static void emit(struct pl_link *link, struct pl_event event)
{
    link->env->sink->event(link->env->sink_ctx, link, &event);
}

static uint32_t slot_of(const struct pl_link *link, const struct pl_tx_stream *stream)
{
    return (uint32_t)(stream - link->tx.streams);
}

/* Lives whose bytes are all stored are settled; the newest stays, for what is given next. */
static void settle_lives(struct pl_tx_stream *stream)
{
    while (stream->lives_n > 1 && stream->lives[1].start <= stream->line.begin) {
        pl_sending_life_step(&stream->lives[0].machine, PL_SENDING_LIFE_ON_ALL_STORED);
        stream->lives_n--;
        for (unsigned i = 0; i < stream->lives_n; i++) {
            stream->lives[i] = stream->lives[i + 1];
        }
    }
}

/* The time from sending to STORED, smoothed as an RTT is (RFC 9002 section 5.3). */
static void sample_wait(struct pl_link *link, struct pl_tx_stream *stream, uint64_t now_us)
{
    struct pl_tx *tx = &link->tx;

    if (stream->sample_us == 0 || stream->line.begin < stream->sample_position) {
        return;
    }
    uint64_t sample = now_us - stream->sample_us;
    stream->sample_us = 0;
    if (tx->stored_wait_us == 0) {
        tx->stored_wait_us = sample + 1;
        tx->stored_wait_var_us = sample / 2;
        return;
    }
    uint64_t off = sample > tx->stored_wait_us ? sample - tx->stored_wait_us : tx->stored_wait_us - sample;
    tx->stored_wait_var_us = (3 * tx->stored_wait_var_us + off) / 4;
    tx->stored_wait_us = (7 * tx->stored_wait_us + sample) / 8 + 1;
}

static void free_to(struct pl_link *link, struct pl_tx_stream *stream, uint64_t number, uint64_t position,
                    uint64_t now_us)
{
    struct pl_memory *memory = &link->env->memory;

    pl_tx_unqueue(stream, stream->line.begin, position);
    pl_line_free_to(&stream->line, memory, position);
    stream->next = stream->next < position ? position : stream->next;
    stream->number = number + 1;
    stream->confirmed = number > stream->confirmed ? number : stream->confirmed;
    stream->ask_index = 0;
    settle_lives(stream);
    sample_wait(link, stream, now_us);
    pl_sent_settle_stored(link, stream);
    if (stream->line.begin == stream->line.end) {
        pl_sending_stream_step(&stream->machine, PL_SENDING_STREAM_ON_STORED);
    }
    pl_timer_stored(link, now_us);
    emit(link, (struct pl_event){.type = PL_EVENT_STORED, .stream = slot_of(link, stream), .number = number});
}

/* The last number a life can have as far as the stream knows: UINT64_MAX for the newest. */
static uint64_t last_number(const struct pl_tx_stream *stream, const struct pl_tx_life *life)
{
    unsigned at = (unsigned)(life - stream->lives);

    return at + 1 < stream->lives_n ? stream->lives[at + 1].first - 1 : UINT64_MAX;
}

static void free_numbers(struct pl_link *link, struct pl_tx_stream *stream, const struct pl_tx_life *life,
                         uint64_t number, uint64_t now_us)
{
    uint64_t last = last_number(stream, life);

    number = number > last ? last : number;
    if (number < stream->number) {
        return;
    }
    uint64_t end = pl_line_find(&stream->line, stream->number, number + 1);
    if (end != 0) {
        free_to(link, stream, number, end, now_us);
    } else {
        /* The peer holds more than this activation offered: a trim was lost with our last process. */
        emit(link, (struct pl_event){.type = PL_EVENT_BEYOND,
                                     .stream = slot_of(link, stream),
                                     .life = life->tag,
                                     .number = number});
    }
}

/* The window counts from the last stored record. An answer about less than we freed is old, or about a life
 * the peer does not follow: the first window must stay open then, or it can never say what is wrong. */
static void widen(struct pl_tx_stream *stream, const struct pl_frame_stored *frame)
{
    bool old = frame->number + 1 < stream->number;
    uint64_t most = old ? PL_WINDOW_FIRST_KIB : PL_WINDOW_MAX_KIB;
    uint64_t limit = stream->line.begin + (frame->window > most ? most : frame->window) * KIB;

    stream->limit = limit > stream->limit ? limit : stream->limit;
}

void pl_tx_stored(struct pl_arrival *arrival, const struct pl_frame_stored *frame)
{
    struct pl_link *link = arrival->link;
    struct pl_tx_stream *stream = pl_tx_by_life(link, frame->life);
    bool current = arrival->run == link->rx.current;

    if (stream == NULL) {
        return;
    }
    if (!stream->answered || frame->number > stream->answered_number) {
        stream->answered_number = frame->number;
    }
    stream->answered = true;
    if (stream->gap && frame->number >= stream->gap_upto) {
        stream->gap = false;
        pl_timer_stored(link, arrival->now_us);
    }
    struct pl_tx_life *life = pl_tx_life_of(stream, frame->life);
    if (life != NULL && frame->number > 0) {
        if (arrival->to == &link->tx.runs[link->tx.active]) {
            pl_sending_life_step(&life->machine, PL_SENDING_LIFE_ON_STORED_ABOVE_ZERO);
        }
        free_numbers(link, stream, life, frame->number, arrival->now_us);
    }
    if (current && frame->window > 0) {
        stream->resuming = true;
        widen(stream, frame);
    }
}

void pl_tx_unbound(struct pl_link *link, uint32_t tag)
{
    struct pl_tx_stream *stream = pl_tx_by_life(link, tag);
    struct pl_tx_life *life = stream != NULL ? pl_tx_life_of(stream, tag) : NULL;

    if (life != NULL) {
        pl_sending_life_step(&life->machine, PL_SENDING_LIFE_ON_UNBOUND);
    }
}

static void mute(struct pl_link *link, uint64_t now_us)
{
    uint64_t wait = (uint64_t)PL_MUTE_FIRST_US << link->tx.mute_step;

    if (now_us < link->tx.mute_until_us) {
        return;
    }
    if (wait >= PL_MUTE_MAX_US) {
        wait = PL_MUTE_MAX_US;
    } else {
        link->tx.mute_step++;
    }
    link->tx.mute_until_us = now_us + wait;
    pl_link_activity_step(&link->activity, PL_LINK_ACTIVITY_ON_MALFORMED_REPORTED);
    emit(link, (struct pl_event){.type = PL_EVENT_MUTED});
}

/* The rest of the life, and all later ones, are given again under a new birth. */
static void leave_birth(struct pl_tx_stream *stream, unsigned from)
{
    for (unsigned i = from; i < stream->lives_n; i++) {
        pl_sending_life_step(&stream->lives[i].machine, PL_SENDING_LIFE_ON_FORKED);
    }
}

/* Cuts the line where the fork begins: what follows is given again under a new birth by the driver. */
static void forked(struct pl_link *link, struct pl_tx_stream *stream, uint32_t tag, uint64_t number,
                   uint64_t now_us)
{
    struct pl_tx_life *life = pl_tx_life_of(stream, tag);
    uint64_t end = 0;

    if (life == NULL) {
        return;
    }
    pl_tx_life_at(stream, life->start > stream->line.begin ? life->start : stream->line.begin, &end);
    if (stream->line.end <= stream->line.begin || end <= stream->line.begin) {
        return; /* nothing of it is held */
    }
    if (number >= life->first) {
        free_numbers(link, stream, life, number, now_us);
        life = pl_tx_life_of(stream, tag);
    }
    uint64_t cut = life != NULL && life->start > stream->line.begin ? life->start : stream->line.begin;
    leave_birth(stream, life != NULL ? (unsigned)(life - stream->lives) : 0);
    if (life != NULL) {
        bool begun = life->start <= cut && life->start != cut;
        stream->lives_n = (unsigned)(life - stream->lives) + begun;
    } else {
        stream->lives_n = 0; /* all of it is stored: only later lives were left */
    }
    pl_tx_unqueue(stream, cut, stream->line.end);
    stream->next = stream->next > cut ? cut : stream->next;
    stream->line.end = cut;
    pl_line_free_to(&stream->line, &link->env->memory, stream->line.begin);
    stream->sample_us = 0;
    pl_sending_stream_step(&stream->machine, PL_SENDING_STREAM_ON_FORKED);
    emit(link, (struct pl_event){.type = PL_EVENT_FORKED,
                                 .stream = slot_of(link, stream),
                                 .life = tag,
                                 .number = number});
    pl_sending_stream_step(&stream->machine, PL_SENDING_STREAM_ON_REBORN);
}

/* It names a record that is not held any more: dropped meanwhile, or the packet was overtaken. */
static bool is_old(const struct pl_tx_stream *stream, const struct pl_frame_refused *frame)
{
    bool names_record = frame->code == PL_REFUSAL_TOO_LARGE || frame->code == PL_REFUSAL_FRAMING;

    return names_record && frame->number < stream->number;
}

/* Of a refused stream the peer holds nothing above STORED: all of it will have to go again. */
static void refused(struct pl_arrival *arrival, struct pl_tx_stream *stream,
                    const struct pl_frame_refused *frame)
{
    struct pl_link *link = arrival->link;
    bool news = stream->refused_code != frame->code;
    bool soft = frame->code == PL_REFUSAL_STORE_FULL || frame->code == PL_REFUSAL_PAUSED ||
                frame->code == PL_REFUSAL_LIMIT;

    pl_sending_stream_step(&stream->machine, soft ? PL_SENDING_STREAM_ON_REFUSED_FOR_NOW
                                                  : PL_SENDING_STREAM_ON_REFUSED_FOR_GOOD);
    stream->resuming = false;
    stream->refused_code = (uint8_t)frame->code;
    stream->next = stream->line.begin;
    stream->sample_us = 0;
    pl_tx_unqueue(stream, 0, UINT64_MAX);
    pl_sent_forget_slot(link, slot_of(link, stream)); /* not acknowledged, and no loss */
    if (!soft) {
        /* STORED for what precedes the refused record may still be on its way, or be lost on it. */
        bool more = frame->number > stream->number;
        stream->refused_ask_us = arrival->now_us + (more ? PL_TIMER_FIRST_US : PL_REFUSED_ASK_US);
    }
    if (news) {
        emit(link, (struct pl_event){.type = PL_EVENT_REFUSED,
                                     .stream = slot_of(link, stream),
                                     .life = frame->life,
                                     .number = frame->number,
                                     .code = frame->code,
                                     .detail = frame->detail});
    }
}

void pl_tx_refused(struct pl_arrival *arrival, const struct pl_frame_refused *frame)
{
    struct pl_link *link = arrival->link;

    if (frame->code == PL_REFUSAL_MALFORMED) {
        mute(link, arrival->now_us);
        return;
    }
    struct pl_tx_stream *stream = pl_tx_by_life(link, frame->life);
    if (stream == NULL) {
        return;
    }
    if (arrival->run != link->rx.current) {
        /* Not believed of a run that proved nothing. But a full store leaves pieces unacknowledged: only
         * a packet without any can bring the ACK that proves the run. */
        stream->bare_probe = true;
        return;
    }
    if (frame->code == PL_REFUSAL_FORKED) {
        forked(link, stream, frame->life, frame->number, arrival->now_us);
    } else if (frame->code <= PL_REFUSAL_FRAMING && !is_old(stream, frame)) {
        refused(arrival, stream, frame);
    }
}

static void resume(struct pl_link *link, struct pl_tx_stream *stream, uint64_t now_us)
{
    pl_sending_stream_step(&stream->machine, PL_SENDING_STREAM_ON_RESUMED);
    stream->refused_code = 0;
    pl_timer_stored(link, now_us);
    emit(link, (struct pl_event){.type = PL_EVENT_RESUMED, .stream = slot_of(link, stream)});
}

/* The peer answered our ASK with less than we freed: it went back in time. */
static void fell_behind(struct pl_link *link, struct pl_tx_stream *stream)
{
    stream->ask_index = 0;
    emit(link, (struct pl_event){.type = PL_EVENT_BEHIND,
                                 .stream = slot_of(link, stream),
                                 .number = stream->answered_number});
}

void pl_tx_answers_end(struct pl_arrival *arrival)
{
    struct pl_link *link = arrival->link;

    for (unsigned i = 0; i < link->tx.streams_room; i++) {
        struct pl_tx_stream *stream = &link->tx.streams[i];
        bool resuming = stream->resuming, answered = stream->answered;
        stream->resuming = stream->answered = false;
        if (!stream->used) {
            continue;
        }
        if (resuming && stream->refused_code != 0) {
            resume(link, stream, arrival->now_us);
        }
        bool asked = stream->ask_index != 0 && arrival->acked_index >= stream->ask_index;
        if (answered && asked && !stream->gap && stream->answered_number < stream->confirmed) {
            fell_behind(link, stream);
        }
    }
}
