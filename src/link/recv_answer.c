/* Answers: TO, ACK, STORED, UNBOUND, REFUSED, PATH_CHALLENGE in one packet (spec section 4,
 * "Answers"). One for each link and commit; at once on PING, ASK, a new gap, a raised window; else
 * within 25 ms. They are never sent again for their own sake: ASK brings them back. */
#include "link/recv.h"

#include "link/path.h"
#include "link/send.h"

enum { KIB = 1 << 10 };

/* An answer packet in the making. */
struct answer {
    struct pl_link *link;
    uint64_t now_us;
    uint8_t *out;
    size_t room, size;
    unsigned frames;
    struct pl_route to;
};

static bool ready(const struct pl_link *link, const struct pl_due *due)
{
    if (!due->after_commit) {
        return true;
    }
    for (unsigned i = 0; i < link->rx.streams_n; i++) {
        const struct pl_rx_stream *stream = &link->rx.streams[i];
        if (stream->number == due->stream) {
            return stream->stored == stream->heard && stream->stored_life == stream->life;
        }
    }
    return true;
}

static bool has_news(const struct pl_link *link)
{
    const struct pl_rx *rx = &link->rx;

    for (unsigned i = 0; i < rx->runs_n; i++) {
        if (rx->runs[i]->news) {
            return true;
        }
    }
    for (unsigned i = 0; i < rx->streams_n; i++) {
        if (rx->streams[i].answer) {
            return true;
        }
    }
    for (unsigned i = 0; i < rx->due_n; i++) {
        if (ready(link, &rx->due[i])) {
            return true;
        }
    }
    return false;
}

uint64_t pl_answer_deadline(const struct pl_link *link)
{
    if (!has_news(link)) {
        return PL_NEVER;
    }
    return link->rx.answer_now ? 0 : link->rx.answer_us;
}

bool pl_answer_due(const struct pl_link *link, uint64_t now_us)
{
    return pl_answer_deadline(link) <= now_us;
}

/* The run whose TO heads the answer: the current one if it has news, else the one heard of last
 * that has, else one whose route a stream or a refusal waits for. */
static struct pl_rx_run *head_run(struct pl_rx *rx)
{
    struct pl_rx_run *best = NULL;

    if (rx->current != NULL && rx->current->news) {
        return rx->current;
    }
    for (unsigned i = 0; i < rx->runs_n; i++) {
        struct pl_rx_run *run = rx->runs[i];
        if (run->news && (best == NULL || run->newest_us > best->newest_us)) {
            best = run;
        }
    }
    return best;
}

/* The run through which a route is known: the current one first, then the latest. */
static struct pl_rx_run *run_of_route(struct pl_rx *rx, const struct pl_route *route)
{
    struct pl_rx_run *best = NULL;

    for (unsigned i = 0; i < rx->runs_n; i++) {
        struct pl_rx_run *run = rx->runs[i];
        if (!pl_route_same_peer(&run->route, route)) {
            continue;
        }
        bool later = best != rx->current && best != NULL && run->newest_us > best->newest_us;
        if (best == NULL || run == rx->current || later) {
            best = run;
        }
    }
    return best;
}

static struct pl_rx_run *waiting_run(struct pl_link *link)
{
    struct pl_rx *rx = &link->rx;

    for (unsigned i = 0; i < rx->streams_n; i++) {
        if (rx->streams[i].answer) {
            struct pl_rx_run *run = run_of_route(rx, &rx->streams[i].by);
            if (run != NULL) {
                return run;
            }
            rx->streams[i].answer = false; /* the run was evicted: ASK asks again */
        }
    }
    for (unsigned i = 0; i < rx->due_n; i++) {
        struct pl_rx_run *run = ready(link, &rx->due[i]) ? run_of_route(rx, &rx->due[i].to) : NULL;
        if (run != NULL) {
            return run;
        }
    }
    rx->due_n = 0;
    return NULL;
}

static bool put(struct answer *a, size_t written)
{
    a->size += written;
    a->frames += written != 0;
    return written != 0;
}

/* Leaves frames for what rides along behind the answer; the rest of it goes in the next packet. */
static bool frames_left(const struct answer *a)
{
    return a->frames < PL_FRAMES_MAX / 2;
}

static bool put_to(struct answer *a, const struct pl_rx_run *run)
{
    enum { TAG_SHIFT = 1 << 5 }; /* a run's first PL_RUN_TAG_SIZE bytes are its tag */
    struct pl_frame_to to = {.run_tag = (uint32_t)(run->id >> TAG_SHIFT)};

    return put(a, pl_to_encode(a->out + a->size, a->room - a->size, &to));
}

/* RFC 9000 section 19.3.1: gap and length of each further range, counted down from the first. */
static size_t put_ranges(uint8_t *out, size_t room, const struct pl_range32 *ranges, unsigned n)
{
    size_t size = 0;

    for (unsigned i = 1; i < n; i++) {
        struct pl_ack_range range = {
            .gap = ranges[i - 1].low - ranges[i].high - 2,
            .length = ranges[i].high - ranges[i].low,
        };
        size += pl_ack_range_encode(out + size, room - size, &range);
    }
    return size;
}

static bool put_ack_ecn(struct answer *a, const struct pl_rx_run *run, const struct pl_frame_ack *ack)
{
    struct pl_frame_ack_ecn ecn = {
        .largest = ack->largest,
        .delay = ack->delay,
        .range_count = ack->range_count,
        .first_range = ack->first_range,
        .ranges = ack->ranges,
        .ect0 = run->ect0,
        .ect1 = run->ect1,
        .ce = run->ce,
    };

    return put(a, pl_ack_ecn_encode(a->out + a->size, a->room - a->size, &ecn));
}

static void put_ack(struct answer *a, struct pl_rx_run *run)
{
    struct pl_range32 ranges[PL_ACK_RANGES_MAX];
    uint8_t bytes[PL_ACK_RANGES_MAX * 2 * sizeof(uint64_t)];
    unsigned n = pl_window_ranges(&run->window, ranges, PL_ACK_RANGES_MAX);

    run->news = false;
    if (n == 0) {
        return;
    }
    struct pl_frame_ack ack = {
        .largest = ranges[0].high,
        .delay = ranges[0].high == run->window.largest ? a->now_us - run->largest_us : 0,
        .range_count = n - 1,
        .first_range = ranges[0].high - ranges[0].low,
        .ranges = {bytes, put_ranges(bytes, sizeof bytes, ranges, n)},
    };
    if ((run->ect0 | run->ect1 | run->ce) != 0) {
        put_ack_ecn(a, run, &ack);
    } else {
        put(a, pl_ack_encode(a->out + a->size, a->room - a->size, &ack));
    }
    a->link->env->counters.acks_out++;
}

static bool put_one_stored(struct answer *a, const struct pl_rx_stream *stream, uint32_t life,
                           uint64_t number)
{
    struct pl_frame_stored stored = {.life = life, .number = number, .window = stream->window_kib};

    return put(a, pl_stored_encode(a->out + a->size, a->room - a->size, &stored));
}

/* STORED for the life of the last stored number, and for the life asked after if it is another. */
static bool put_stored(struct answer *a, struct pl_rx_stream *stream)
{
    uint32_t asked = stream->asked_life;
    bool room = true;

    if (stream->stored_life != 0) {
        room = put_one_stored(a, stream, stream->stored_life, stream->stored);
    }
    if (room && asked != 0 && asked != stream->stored_life) {
        const struct pl_rx_life *life = pl_rx_life_of(stream, asked);
        room = put_one_stored(a, stream, asked, life != NULL ? life->stored : 0);
    } else if (room && stream->stored_life == 0 && asked == 0 && stream->life != 0) {
        room = put_one_stored(a, stream, stream->life, 0);
    }
    return room;
}

static bool is_refused(const struct pl_rx_stream *stream)
{
    return stream->refused_code != 0;
}

static void put_all_stored(struct answer *a)
{
    struct pl_rx *rx = &a->link->rx;

    for (unsigned i = 0; i < rx->streams_n; i++) {
        struct pl_rx_stream *stream = &rx->streams[i];
        if (!stream->answer || !pl_route_same_peer(&stream->by, &a->to)) {
            continue;
        }
        if (is_refused(stream) && stream->stored == 0) {
            stream->answer = false;
            continue;
        }
        if (!frames_left(a) || !put_stored(a, stream)) {
            return;
        }
        stream->answer = false;
        stream->asked_life = 0;
    }
}

static size_t put_due(struct answer *a, const struct pl_due *due)
{
    uint8_t *out = a->out + a->size;
    size_t room = a->room - a->size;

    if (due->code == 0) {
        struct pl_frame_unbound unbound = {.life = due->life};
        return pl_unbound_encode(out, room, &unbound);
    }
    struct pl_frame_refused refused = {.life = due->life, .number = due->number, .code = due->code};
    const char *name = pl_refusal_name(due->code);
    refused.detail.p = (const uint8_t *)name;
    for (refused.detail.n = 0; name[refused.detail.n] != 0; refused.detail.n++) {
    }
    return pl_refused_encode(out, room, &refused);
}

/* A forked life's number is what is durable by now. */
static void settle_number(struct pl_link *link, struct pl_due *due)
{
    struct pl_rx_stream *stream = due->after_commit ? pl_rx_by_number(&link->rx, due->stream) : NULL;
    const struct pl_rx_life *life = stream != NULL ? pl_rx_life_of(stream, due->life) : NULL;

    if (life != NULL) {
        due->number = life->stored;
    }
}

static void put_all_due(struct answer *a)
{
    struct pl_rx *rx = &a->link->rx;
    unsigned kept = 0;

    for (unsigned i = 0; i < rx->due_n; i++) {
        struct pl_due *due = &rx->due[i];
        settle_number(a->link, due);
        bool goes = ready(a->link, due) && pl_route_same_peer(&due->to, &a->to) && frames_left(a);
        if (!goes || !put(a, put_due(a, due))) {
            rx->due[kept++] = *due;
        }
    }
    rx->due_n = kept;
}

/* From a run's second packet on, or in the first answer if there is a reason to know better. */
static bool wants_challenge(struct pl_link *link, const struct pl_rx_run *run)
{
    if (pl_runs_is_proven(run)) {
        return !pl_path_is_free(link, &run->route) && run->packets > 1;
    }
    return run->packets > 1 || run->wants_proof || pl_runs_proven_n(&link->rx) > 0 ||
           pl_tx_unstored_bytes(link) > 0;
}

static void put_challenge(struct answer *a, const struct pl_rx_run *run)
{
    struct pl_frame_path_challenge challenge = {
        .value = pl_path_challenge(a->link, run->id, &a->to, 0, a->now_us)};

    if (wants_challenge(a->link, run)) {
        put(a, pl_path_challenge_encode(a->out + a->size, a->room - a->size, &challenge));
    }
}

/* Bytes of payload that may go to the run's route: all there is room for, or what is left of three
 * times what came from there. */
static size_t allowance(const struct pl_link *link, const struct pl_rx_run *run, size_t room, uint64_t now_us)
{
    if (pl_path_is_free(link, &run->route)) {
        return room;
    }
    if (now_us - run->credit_us > PL_CREDIT_TIME_US || run->credit_bytes < PL_PACKET_OVERHEAD) {
        return 0;
    }
    size_t credit = run->credit_bytes - PL_PACKET_OVERHEAD;
    return credit < room ? credit : room;
}

/* What was due to a route that may not be sent to waits for ASK. */
static void give_up(struct pl_rx *rx, struct pl_rx_run *run)
{
    unsigned kept = 0;

    run->news = false;
    for (unsigned i = 0; i < rx->streams_n; i++) {
        rx->streams[i].answer &= !pl_route_same_peer(&rx->streams[i].by, &run->route);
    }
    for (unsigned i = 0; i < rx->due_n; i++) {
        if (!pl_route_same_peer(&rx->due[i].to, &run->route)) {
            rx->due[kept++] = rx->due[i];
        }
    }
    rx->due_n = kept;
}

static void put_other_acks(struct answer *a, const struct pl_rx_run *head)
{
    struct pl_rx *rx = &a->link->rx;

    for (unsigned i = 0; i < rx->runs_n; i++) {
        struct pl_rx_run *run = rx->runs[i];
        if (run != head && run->news && pl_route_same_peer(&run->route, &a->to) && put_to(a, run)) {
            put_ack(a, run);
        }
    }
}

static void reset_when_done(struct pl_link *link)
{
    if (!has_news(link)) {
        link->rx.answer_now = false;
        link->rx.answer_us = PL_NEVER;
        link->rx.unanswered = 0;
    }
}

/* Begins an answer to the first run that may be answered; what is due to others is given up on the way. */
static struct pl_rx_run *begin(struct answer *a, size_t room)
{
    struct pl_link *link = a->link;
    struct pl_rx_run *run;

    while ((run = head_run(&link->rx)) != NULL || (run = waiting_run(link)) != NULL) {
        a->to = run->route;
        a->room = allowance(link, run, room, a->now_us);
        if (put_to(a, run)) {
            return run;
        }
        give_up(&link->rx, run);
    }
    return NULL;
}

size_t pl_answer_write(struct pl_link *link, uint64_t now_us, uint8_t *out, size_t room,
                       struct pl_route *to)
{
    struct answer a = {.link = link, .now_us = now_us, .out = out};
    struct pl_rx_run *run = begin(&a, room);

    if (run == NULL) {
        reset_when_done(link);
        return 0;
    }
    *to = run->route;
    if (run->news) {
        put_ack(&a, run);
    }
    put_all_stored(&a);
    put_all_due(&a);
    put_other_acks(&a, run);
    bool said = a.frames > 1;
    put_challenge(&a, run);
    if (!said) { /* what is due has no room there, or no frame can say it: not to be tried for ever */
        give_up(&link->rx, run);
        reset_when_done(link);
    }
    if (a.frames == 1) {
        return 0; /* a TO alone says nothing */
    }
    if (!pl_path_is_free(link, &run->route)) {
        size_t spent = a.size + PL_PACKET_OVERHEAD;
        run->credit_bytes -= spent < run->credit_bytes ? spent : run->credit_bytes;
    }
    link->env->counters.answers++;
    reset_when_done(link);
    return a.size;
}

void pl_link_unrefuse(struct pl_link *link, uint64_t now_us)
{
    (void)now_us;
    for (unsigned i = 0; i < link->rx.streams_n; i++) {
        struct pl_rx_stream *stream = &link->rx.streams[i];
        if (stream->refused_soft) {
            if (stream->life == 0 && stream->waiting_n > 0) {
                stream->asked_life = stream->waiting[0].tag; /* nothing of the stream was ever taken */
            }
            stream->refused_soft = false;
            pl_receiving_stream_step(&stream->machine, PL_RECEIVING_STREAM_ON_CLEARED);
            stream->answer = true;
            link->rx.answer_now = true;
        }
    }
}

/* A stream that has stored half a window since it last grew may have twice as much under way: as a
 * congestion window in slow start, however small the commits are. */
static void grow_window(const struct pl_link *link, struct pl_rx_stream *stream)
{
    uint64_t most = link->env->settings.window_max_kib;
    uint64_t since = stream->stored_position - stream->grown_position;

    if (2 * since > stream->window_kib * KIB && stream->window_kib < most) {
        stream->window_kib = 2 * stream->window_kib < most ? 2 * stream->window_kib : most;
        stream->grown_position = stream->stored_position;
    }
}

void pl_link_committed(struct pl_link *link, uint32_t number, uint32_t tag, uint64_t stored,
                       uint64_t offset, uint64_t now_us)
{
    struct pl_rx_stream *stream = pl_rx_by_number(&link->rx, number);
    struct pl_rx_life *life = stream != NULL ? pl_rx_life_of(stream, tag) : NULL;

    (void)now_us;
    if (life == NULL || stored <= stream->stored) {
        return;
    }
    uint64_t position = life->start + offset;
    for (struct pl_rx_life *earlier = stream->lives; earlier < life; earlier++) {
        earlier->stored = earlier->span.last;
    }
    stream->stored = life->stored = stored;
    stream->stored_life = tag;
    stream->stored_position = position;
    grow_window(link, stream);
    stream->answer = true;
    link->rx.answer_now = true;
}
