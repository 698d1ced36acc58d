/* send_loop.c: one turn reads what may be read, commits it, works on the network, and waits for whichever
 * comes first: input, an answer, the next tick of the rate. */
#include "cli/send_loop.h"

#include <poll.h>
#include <string.h>

#include "cli/command.h"

enum {
    TICK_MS = 20,                 /* of a limited rate, and of looking at input and network in turn */
    AT_REST_MS = 1000,            /* wait for input while nothing is to be sent */
    SHOW_MS = 200,                /* wait for the network while nothing is to be read */
    SIGNAL_MS = 2000,             /* after a signal, for what is on its way */
    FULL_MS = 100,                /* before a full outbox is tried again */
    AHEAD_BYTES = 8 * 1024 * 1024 /* held in the outbox before a file, which stays where it is, is read on */
};

struct state {
    const struct pl_send_loop *loop;
    struct pl_gathered gathered;
    struct pl_progress progress;
    bool input_ended;
    bool input_failed;
    bool full_told, keys_lost_told;
    uint64_t taken_ms;  /* when the last record was taken */
    uint64_t ticked_ms; /* up to when tokens of the rate were given out */
    uint64_t tokens;    /* thousandths of a record */
};

static void pause_ms(uint64_t ms)
{
    poll(NULL, 0, (int)ms);
}

/* Records the rate lets through now; at most a second's worth gathers while the disk is slow. */
static size_t allowed(struct state *s, uint64_t now_ms)
{
    uint64_t rate = s->loop->rate;
    if (rate == 0)
        return PL_GATHER_RECORDS;
    uint64_t past_ms = now_ms - s->ticked_ms;
    s->ticked_ms = now_ms;
    s->tokens += (past_ms < 1000 ? past_ms : 1000) * rate;
    if (s->tokens > 1000 * rate)
        s->tokens = 1000 * rate;
    return s->tokens / 1000;
}

static bool is_far_ahead(const struct state *s)
{
    struct purelink_sender_status status;
    if (!pl_input_is_file(s->loop->input))
        return false;
    purelink_sender_status(s->loop->sender, &status);
    return status.held_bytes > AHEAD_BYTES;
}

static void note_input(struct state *s, enum purelink_error e, const struct pl_text *why)
{
    if (e == PURELINK_OK || e == PURELINK_E_AGAIN)
        return;
    s->input_ended = true;
    s->input_failed = e != PURELINK_E_CLOSED;
    if (!s->input_failed)
        return;
    pl_progress_end(&s->progress, s->loop->sender);
    pl_complain("send", "%s", why->s[0] ? why->s : purelink_strerror(e));
}

/* Reads and commits a batch. False with *status set when the outbox failed. */
static bool commit_batch(struct state *s, uint64_t now_ms, int *status)
{
    struct purelink_reason reason = {""};
    size_t records = s->gathered.records;
    enum purelink_error e = pl_gathered_commit(&s->gathered, s->loop->input, s->loop->sender, &reason);
    if (e == PURELINK_OK) {
        s->full_told = false;
        if (records > 0)
            s->taken_ms = now_ms;
        return true;
    }
    if (e != PURELINK_E_STORE_FULL || !s->full_told) {
        pl_progress_end(&s->progress, s->loop->sender);
        pl_complain("send", "%s: %s", s->loop->outbox, reason.text);
    }
    s->full_told = e == PURELINK_E_STORE_FULL;
    *status = e == PURELINK_E_NAME      ? PL_EXIT_USAGE
              : e == PURELINK_E_REFUSED ? PL_EXIT_REFUSED
                                        : PL_EXIT_FAILED;
    return s->full_told;
}

enum turn { TURN_MORE, TURN_LATER, TURN_NO_INPUT, TURN_ENDED, TURN_FULL, TURN_FAILED };

/* Takes from the input what may be taken now. */
static enum turn take(struct state *s, uint64_t now_ms, int *status)
{
    struct pl_text why = {""};
    enum purelink_error e = PURELINK_OK;
    size_t before = s->gathered.records;
    size_t max = s->input_ended ? 0 : allowed(s, now_ms);
    if (s->gathered.records == 0 && is_far_ahead(s))
        return s->input_ended ? TURN_ENDED : TURN_LATER;
    if (max > 0 && !s->full_told)
        e = pl_gather(&s->gathered, s->loop->input, max, &why);
    if (s->loop->rate > 0)
        s->tokens -= 1000 * (s->gathered.records - before);
    note_input(s, e, &why);
    if (!commit_batch(s, now_ms, status))
        return TURN_FAILED;
    if (s->full_told)
        return TURN_FULL;
    if (s->input_ended)
        return TURN_ENDED;
    return e == PURELINK_E_AGAIN ? TURN_NO_INPUT : max == 0 || s->loop->rate > 0 ? TURN_LATER : TURN_MORE;
}

/* How long the network may take before the input is looked at again. */
static int64_t network_ms(const struct state *s, enum turn turn)
{
    struct purelink_sender_status status;
    switch (turn) {
    case TURN_MORE: return 0;
    case TURN_ENDED: return SHOW_MS;
    case TURN_FULL: return FULL_MS;
    case TURN_NO_INPUT:
        purelink_sender_status(s->loop->sender, &status);
        return s->loop->input->options.follow || status.unreachable ? PL_LINES_POLL_MS : TICK_MS;
    default: return TICK_MS;
    }
}

/* Works on the network for as long as that turn leaves time. */
static enum purelink_error work(struct state *s, enum turn turn)
{
    enum purelink_error e = purelink_sender_run(s->loop->sender, network_ms(s, turn));
    if (e == PURELINK_OK && turn == TURN_NO_INPUT)
        pl_input_wait(s->loop->input, s->loop->input->options.follow ? PL_LINES_POLL_MS : AT_REST_MS);
    else if (e == PURELINK_OK && (turn == TURN_LATER || turn == TURN_FULL))
        pause_ms(TICK_MS);
    return e;
}

static void tell_refusal(const struct state *s)
{
    struct purelink_sender_status status;
    purelink_sender_status(s->loop->sender, &status);
    const char *name = purelink_refusal_name(status.refused_code);
    bool says_more = status.refused_detail[0] && strcmp(status.refused_detail, name) != 0;
    pl_complain("send", "stream %s: refused by the node with code %llu (%s)%s%s; kept in %s",
                status.refused_stream, (unsigned long long)status.refused_code, name, says_more ? ": " : "",
                says_more ? status.refused_detail : "", s->loop->outbox);
}

static void tell_kept(const struct state *s, const char *cause)
{
    struct purelink_sender_status status;
    purelink_sender_status(s->loop->sender, &status);
    pl_complain("send", "%s: %llu records are kept in %s and not stored yet%s%s", cause,
                (unsigned long long)status.held_records, s->loop->outbox,
                status.last_reason[0] ? "; last: " : "", status.last_reason);
    if (status.refused_code != 0)
        tell_refusal(s);
}

/* A signal came: what is on its way gets a moment, a second signal none. */
static int end_by_signal(struct state *s)
{
    enum purelink_error e = PURELINK_E_CLOSED;
    uint64_t until_ms = purelink_now_ms() + SIGNAL_MS;
    while (*s->loop->signals == 1 && e == PURELINK_E_CLOSED && purelink_now_ms() < until_ms)
        e = purelink_sender_run(s->loop->sender, SIGNAL_MS);
    bool all_read = s->input_ended || s->loop->input->options.follow;
    if (e == PURELINK_OK && all_read && s->gathered.records == 0)
        return PL_EXIT_OK;
    pl_progress_end(&s->progress, s->loop->sender);
    tell_kept(s, all_read ? "stopped by a signal" : "stopped by a signal before the end of the input");
    return PL_EXIT_KEPT;
}

/* Whether the loop ends after this turn, and with what status. */
static bool is_over(struct state *s, enum turn turn, enum purelink_error e, int *status)
{
    uint64_t now_ms = purelink_now_ms();
    if (*s->loop->signals > 0) {
        *status = end_by_signal(s);
        return true;
    }
    if (e == PURELINK_OK && turn == TURN_ENDED) {
        *status = s->input_failed ? PL_EXIT_FAILED : PL_EXIT_OK;
        return true;
    }
    if (e != PURELINK_OK && e != PURELINK_E_TIMEOUT && e != PURELINK_E_CLOSED) {
        pl_progress_end(&s->progress, s->loop->sender);
        *status = e == PURELINK_E_REFUSED ? PL_EXIT_REFUSED : PL_EXIT_FAILED;
        if (e == PURELINK_E_REFUSED)
            tell_refusal(s);
        else
            tell_kept(s, purelink_strerror(e));
        return true;
    }
    if ((turn == TURN_ENDED || turn == TURN_FULL) && s->loop->has_timeout &&
        now_ms - s->taken_ms >= s->loop->timeout_ms) {
        pl_progress_end(&s->progress, s->loop->sender);
        tell_kept(s, "the time is up");
        *status = PL_EXIT_KEPT;
        return true;
    }
    return false;
}

/* Once while it goes on, and at the end. */
static void tell_keys_lost(struct state *s, bool at_end)
{
    struct purelink_sender_status status;
    purelink_sender_status(s->loop->sender, &status);
    if (status.keylog_lost == 0 || (s->keys_lost_told && !at_end))
        return;
    s->keys_lost_told = true;
    pl_progress_end(&s->progress, s->loop->sender);
    pl_complain("send", "%llu keys are missing from the key log: %s", (unsigned long long)status.keylog_lost,
                status.keylog_error);
}

int pl_send_loop(const struct pl_send_loop *loop)
{
    struct state s = {.loop = loop, .taken_ms = purelink_now_ms(), .ticked_ms = purelink_now_ms()};
    int status = PL_EXIT_OK;
    pl_progress_start(&s.progress, s.taken_ms);
    for (;;) {
        enum turn turn = take(&s, purelink_now_ms(), &status);
        if (turn == TURN_FAILED || is_over(&s, turn, work(&s, turn), &status))
            break;
        if (loop->keylog)
            tell_keys_lost(&s, false);
        pl_progress_draw(&s.progress, loop->sender, purelink_now_ms());
    }
    pl_progress_end(&s.progress, loop->sender);
    if (loop->keylog)
        tell_keys_lost(&s, true);
    pl_gathered_free(&s.gathered);
    return status;
}
