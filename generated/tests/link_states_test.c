/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Every pair of state and event of every machine, and what the trace tells of it.
 */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <string.h>

#include "link/link_limits.h"
#include "link/link_states.h"

/* One answer of a machine. */
struct answer {
    uint8_t state;
    uint8_t event;
    unsigned guards;
    uint8_t next;
    uint8_t action;
};

static struct {
    const char *machine;
    const void *self;
    uint8_t from, event, to;
    int calls;
} traced;

static void trace(const char *machine, const void *self, uint8_t from, uint8_t event, uint8_t to)
{
    traced.machine = machine;
    traced.self = self;
    traced.from = from;
    traced.event = event;
    traced.to = to;
    traced.calls++;
}

/* clang-format off */
static const struct answer pl_link_activity_answers[] = {
    {PL_LINK_ACTIVITY_ACTIVE, PL_LINK_ACTIVITY_ON_RESTED, 0, PL_LINK_ACTIVITY_RESTING, 0},
    {PL_LINK_ACTIVITY_ACTIVE, PL_LINK_ACTIVITY_ON_UNREACHABLE, 0, PL_LINK_ACTIVITY_DORMANT, 0},
    {PL_LINK_ACTIVITY_ACTIVE, PL_LINK_ACTIVITY_ON_MALFORMED_REPORTED, 0, PL_LINK_ACTIVITY_MUTED, 0},
    {PL_LINK_ACTIVITY_ACTIVE, PL_LINK_ACTIVITY_ON_MUTE_OVER, 0, PL_LINK_ACTIVITY_ACTIVE, 0},
    {PL_LINK_ACTIVITY_ACTIVE, PL_LINK_ACTIVITY_ON_WOKEN, 0, PL_LINK_ACTIVITY_ACTIVE, 0},
    {PL_LINK_ACTIVITY_MUTED, PL_LINK_ACTIVITY_ON_RESTED, 0, PL_LINK_ACTIVITY_RESTING, 0},
    {PL_LINK_ACTIVITY_MUTED, PL_LINK_ACTIVITY_ON_UNREACHABLE, 0, PL_LINK_ACTIVITY_MUTED, 0},
    {PL_LINK_ACTIVITY_MUTED, PL_LINK_ACTIVITY_ON_MALFORMED_REPORTED, 0, PL_LINK_ACTIVITY_MUTED, 0},
    {PL_LINK_ACTIVITY_MUTED, PL_LINK_ACTIVITY_ON_MUTE_OVER, 0, PL_LINK_ACTIVITY_ACTIVE, 0},
    {PL_LINK_ACTIVITY_MUTED, PL_LINK_ACTIVITY_ON_WOKEN, 0, PL_LINK_ACTIVITY_MUTED, 0},
    {PL_LINK_ACTIVITY_DORMANT, PL_LINK_ACTIVITY_ON_RESTED, 0, PL_LINK_ACTIVITY_DORMANT, 0},
    {PL_LINK_ACTIVITY_DORMANT, PL_LINK_ACTIVITY_ON_UNREACHABLE, 0, PL_LINK_ACTIVITY_DORMANT, 0},
    {PL_LINK_ACTIVITY_DORMANT, PL_LINK_ACTIVITY_ON_MALFORMED_REPORTED, 0, PL_LINK_ACTIVITY_DORMANT, 0},
    {PL_LINK_ACTIVITY_DORMANT, PL_LINK_ACTIVITY_ON_MUTE_OVER, 0, PL_LINK_ACTIVITY_DORMANT, 0},
    {PL_LINK_ACTIVITY_DORMANT, PL_LINK_ACTIVITY_ON_WOKEN, 0, PL_LINK_ACTIVITY_ACTIVE, 0},
    {PL_LINK_ACTIVITY_RESTING, PL_LINK_ACTIVITY_ON_RESTED, 0, PL_LINK_ACTIVITY_RESTING, 0},
    {PL_LINK_ACTIVITY_RESTING, PL_LINK_ACTIVITY_ON_UNREACHABLE, 0, PL_LINK_ACTIVITY_RESTING, 0},
    {PL_LINK_ACTIVITY_RESTING, PL_LINK_ACTIVITY_ON_MALFORMED_REPORTED, 0, PL_LINK_ACTIVITY_RESTING, 0},
    {PL_LINK_ACTIVITY_RESTING, PL_LINK_ACTIVITY_ON_MUTE_OVER, 0, PL_LINK_ACTIVITY_RESTING, 0},
    {PL_LINK_ACTIVITY_RESTING, PL_LINK_ACTIVITY_ON_WOKEN, 0, PL_LINK_ACTIVITY_ACTIVE, 0},
};
/* clang-format on */

Test(link_states, pl_link_activity)
{
    size_t count = sizeof pl_link_activity_answers / sizeof pl_link_activity_answers[0];
    struct pl_link_activity m;

    pl_link_activity_init(&m);
    cr_expect_eq(m.state, PL_LINK_ACTIVITY_RESTING);
    cr_assert_geq(count, (size_t)PL_LINK_ACTIVITY_STATES * PL_LINK_ACTIVITY_EVENTS);
    pl_state_trace = trace;
    for (size_t i = 0; i < count; i++) {
        const struct answer *a = &pl_link_activity_answers[i];
        int calls = traced.calls;

        m.state = a->state;
        enum pl_link_activity_state next = pl_link_activity_step(&m, (enum pl_link_activity_event)a->event);
        cr_expect(next == a->next && m.state == a->next, "%s on %s: %s", pl_link_activity_state_name(a->state),
                  pl_link_activity_event_name(a->event), pl_link_activity_state_name(m.state));
        cr_expect(traced.calls == calls + 1 && traced.self == &m && traced.from == a->state
                  && traced.event == a->event &&
                  traced.to == a->next && strcmp(traced.machine, "Link Activity") == 0, "trace of answer %zu", i);
    }
    pl_state_trace = NULL;
    cr_expect_str_eq(pl_link_activity_state_name(PL_LINK_ACTIVITY_RESTING), "Resting");
    cr_expect_str_eq(pl_link_activity_state_name(PL_LINK_ACTIVITY_STATES), "unknown");
    cr_expect_str_eq(pl_link_activity_event_name(PL_LINK_ACTIVITY_ON_RESTED), "rested");
    cr_expect_str_eq(pl_link_activity_event_name(PL_LINK_ACTIVITY_EVENTS), "unknown");
}

/* clang-format off */
static const struct answer pl_receive_run_answers[] = {
    {PL_RECEIVE_RUN_UNPROVEN, PL_RECEIVE_RUN_ON_PROVEN, 0, PL_RECEIVE_RUN_CURRENT, 0},
    {PL_RECEIVE_RUN_UNPROVEN, PL_RECEIVE_RUN_ON_ANOTHER_PROVEN, 0, PL_RECEIVE_RUN_UNPROVEN, 0},
    {PL_RECEIVE_RUN_UNPROVEN, PL_RECEIVE_RUN_ON_FAILURES_EXHAUSTED, 0, PL_RECEIVE_RUN_IGNORED, 0},
    {PL_RECEIVE_RUN_UNPROVEN, PL_RECEIVE_RUN_ON_EVICTED, 0, PL_RECEIVE_RUN_GONE, 0},
    {PL_RECEIVE_RUN_CURRENT, PL_RECEIVE_RUN_ON_PROVEN, 0, PL_RECEIVE_RUN_CURRENT, 0},
    {PL_RECEIVE_RUN_CURRENT, PL_RECEIVE_RUN_ON_ANOTHER_PROVEN, 0, PL_RECEIVE_RUN_PROVEN, 0},
    {PL_RECEIVE_RUN_CURRENT, PL_RECEIVE_RUN_ON_FAILURES_EXHAUSTED, 0, PL_RECEIVE_RUN_IGNORED, 0},
    {PL_RECEIVE_RUN_CURRENT, PL_RECEIVE_RUN_ON_EVICTED, 0, PL_RECEIVE_RUN_GONE, 0},
    {PL_RECEIVE_RUN_PROVEN, PL_RECEIVE_RUN_ON_PROVEN, 0, PL_RECEIVE_RUN_CURRENT, 0},
    {PL_RECEIVE_RUN_PROVEN, PL_RECEIVE_RUN_ON_ANOTHER_PROVEN, 0, PL_RECEIVE_RUN_PROVEN, 0},
    {PL_RECEIVE_RUN_PROVEN, PL_RECEIVE_RUN_ON_FAILURES_EXHAUSTED, 0, PL_RECEIVE_RUN_IGNORED, 0},
    {PL_RECEIVE_RUN_PROVEN, PL_RECEIVE_RUN_ON_EVICTED, 0, PL_RECEIVE_RUN_GONE, 0},
    {PL_RECEIVE_RUN_IGNORED, PL_RECEIVE_RUN_ON_PROVEN, 0, PL_RECEIVE_RUN_IGNORED, 0},
    {PL_RECEIVE_RUN_IGNORED, PL_RECEIVE_RUN_ON_ANOTHER_PROVEN, 0, PL_RECEIVE_RUN_IGNORED, 0},
    {PL_RECEIVE_RUN_IGNORED, PL_RECEIVE_RUN_ON_FAILURES_EXHAUSTED, 0, PL_RECEIVE_RUN_IGNORED, 0},
    {PL_RECEIVE_RUN_IGNORED, PL_RECEIVE_RUN_ON_EVICTED, 0, PL_RECEIVE_RUN_GONE, 0},
    {PL_RECEIVE_RUN_GONE, PL_RECEIVE_RUN_ON_PROVEN, 0, PL_RECEIVE_RUN_GONE, 0},
    {PL_RECEIVE_RUN_GONE, PL_RECEIVE_RUN_ON_ANOTHER_PROVEN, 0, PL_RECEIVE_RUN_GONE, 0},
    {PL_RECEIVE_RUN_GONE, PL_RECEIVE_RUN_ON_FAILURES_EXHAUSTED, 0, PL_RECEIVE_RUN_GONE, 0},
    {PL_RECEIVE_RUN_GONE, PL_RECEIVE_RUN_ON_EVICTED, 0, PL_RECEIVE_RUN_GONE, 0},
};
/* clang-format on */

Test(link_states, pl_receive_run)
{
    size_t count = sizeof pl_receive_run_answers / sizeof pl_receive_run_answers[0];
    struct pl_receive_run m;

    pl_receive_run_init(&m);
    cr_expect_eq(m.state, PL_RECEIVE_RUN_UNPROVEN);
    cr_assert_geq(count, (size_t)PL_RECEIVE_RUN_STATES * PL_RECEIVE_RUN_EVENTS);
    pl_state_trace = trace;
    for (size_t i = 0; i < count; i++) {
        const struct answer *a = &pl_receive_run_answers[i];
        int calls = traced.calls;

        m.state = a->state;
        enum pl_receive_run_state next = pl_receive_run_step(&m, (enum pl_receive_run_event)a->event);
        cr_expect(next == a->next && m.state == a->next, "%s on %s: %s", pl_receive_run_state_name(a->state),
                  pl_receive_run_event_name(a->event), pl_receive_run_state_name(m.state));
        cr_expect(traced.calls == calls + 1 && traced.self == &m && traced.from == a->state
                  && traced.event == a->event &&
                  traced.to == a->next && strcmp(traced.machine, "Receive Run") == 0, "trace of answer %zu", i);
    }
    pl_state_trace = NULL;
    cr_expect_str_eq(pl_receive_run_state_name(PL_RECEIVE_RUN_UNPROVEN), "Unproven");
    cr_expect_str_eq(pl_receive_run_state_name(PL_RECEIVE_RUN_STATES), "unknown");
    cr_expect_str_eq(pl_receive_run_event_name(PL_RECEIVE_RUN_ON_PROVEN), "proven");
    cr_expect_str_eq(pl_receive_run_event_name(PL_RECEIVE_RUN_EVENTS), "unknown");
}

/* spec/link.wire:518: once Current or Proven never Unproven */
Test(link_states, pl_receive_run_proof_lasts)
{
    static const uint8_t begin[] = {PL_RECEIVE_RUN_CURRENT, PL_RECEIVE_RUN_PROVEN};
    static const uint8_t never[] = {PL_RECEIVE_RUN_UNPROVEN};
    bool reached[PL_RECEIVE_RUN_STATES] = {false};
    bool more = true;

    for (size_t i = 0; i < sizeof begin; i++)
        reached[begin[i]] = true;
    while (more) {
        more = false;
        for (size_t i = 0; i < sizeof pl_receive_run_answers / sizeof pl_receive_run_answers[0]; i++) {
            const struct answer *a = &pl_receive_run_answers[i];
            struct pl_receive_run m = {a->state};

            if (!reached[a->state])
                continue;
            enum pl_receive_run_state next = pl_receive_run_step(&m, (enum pl_receive_run_event)a->event);
            more = more || !reached[next];
            reached[next] = true;
        }
    }
    for (size_t i = 0; i < sizeof never; i++)
        cr_expect(!reached[never[i]], "%s is reached", pl_receive_run_state_name(never[i]));
}

/* spec/link.wire:520: once Ignored never Unproven or Current or Proven */
Test(link_states, pl_receive_run_ignored_stays_out)
{
    static const uint8_t begin[] = {PL_RECEIVE_RUN_IGNORED};
    static const uint8_t never[] = {PL_RECEIVE_RUN_UNPROVEN, PL_RECEIVE_RUN_CURRENT, PL_RECEIVE_RUN_PROVEN};
    bool reached[PL_RECEIVE_RUN_STATES] = {false};
    bool more = true;

    for (size_t i = 0; i < sizeof begin; i++)
        reached[begin[i]] = true;
    while (more) {
        more = false;
        for (size_t i = 0; i < sizeof pl_receive_run_answers / sizeof pl_receive_run_answers[0]; i++) {
            const struct answer *a = &pl_receive_run_answers[i];
            struct pl_receive_run m = {a->state};

            if (!reached[a->state])
                continue;
            enum pl_receive_run_state next = pl_receive_run_step(&m, (enum pl_receive_run_event)a->event);
            more = more || !reached[next];
            reached[next] = true;
        }
    }
    for (size_t i = 0; i < sizeof never; i++)
        cr_expect(!reached[never[i]], "%s is reached", pl_receive_run_state_name(never[i]));
}

/* clang-format off */
static const struct answer pl_link_path_answers[] = {
    {PL_LINK_PATH_UNVALIDATED, PL_LINK_PATH_ON_ANSWERED, 0, PL_LINK_PATH_VALIDATED, 0},
    {PL_LINK_PATH_UNVALIDATED, PL_LINK_PATH_ON_CONFIGURED, 0, PL_LINK_PATH_VALIDATED, 0},
    {PL_LINK_PATH_UNVALIDATED, PL_LINK_PATH_ON_MOVED, 0, PL_LINK_PATH_UNVALIDATED, 0},
    {PL_LINK_PATH_VALIDATED, PL_LINK_PATH_ON_ANSWERED, 0, PL_LINK_PATH_VALIDATED, 0},
    {PL_LINK_PATH_VALIDATED, PL_LINK_PATH_ON_CONFIGURED, 0, PL_LINK_PATH_VALIDATED, 0},
    {PL_LINK_PATH_VALIDATED, PL_LINK_PATH_ON_MOVED, 0, PL_LINK_PATH_UNVALIDATED, 0},
};
/* clang-format on */

Test(link_states, pl_link_path)
{
    size_t count = sizeof pl_link_path_answers / sizeof pl_link_path_answers[0];
    struct pl_link_path m;

    pl_link_path_init(&m);
    cr_expect_eq(m.state, PL_LINK_PATH_UNVALIDATED);
    cr_assert_geq(count, (size_t)PL_LINK_PATH_STATES * PL_LINK_PATH_EVENTS);
    pl_state_trace = trace;
    for (size_t i = 0; i < count; i++) {
        const struct answer *a = &pl_link_path_answers[i];
        int calls = traced.calls;

        m.state = a->state;
        enum pl_link_path_state next = pl_link_path_step(&m, (enum pl_link_path_event)a->event);
        cr_expect(next == a->next && m.state == a->next, "%s on %s: %s", pl_link_path_state_name(a->state),
                  pl_link_path_event_name(a->event), pl_link_path_state_name(m.state));
        cr_expect(traced.calls == calls + 1 && traced.self == &m && traced.from == a->state
                  && traced.event == a->event &&
                  traced.to == a->next && strcmp(traced.machine, "Link Path") == 0, "trace of answer %zu", i);
    }
    pl_state_trace = NULL;
    cr_expect_str_eq(pl_link_path_state_name(PL_LINK_PATH_UNVALIDATED), "Unvalidated");
    cr_expect_str_eq(pl_link_path_state_name(PL_LINK_PATH_STATES), "unknown");
    cr_expect_str_eq(pl_link_path_event_name(PL_LINK_PATH_ON_ANSWERED), "answered");
    cr_expect_str_eq(pl_link_path_event_name(PL_LINK_PATH_EVENTS), "unknown");
}

/* clang-format off */
static const struct answer pl_sending_stream_answers[] = {
    {PL_SENDING_STREAM_OPEN, PL_SENDING_STREAM_ON_STORED, 0, PL_SENDING_STREAM_SETTLED, 0},
    {PL_SENDING_STREAM_OPEN, PL_SENDING_STREAM_ON_REFUSED_FOR_NOW, 0, PL_SENDING_STREAM_BLOCKED, 0},
    {PL_SENDING_STREAM_OPEN, PL_SENDING_STREAM_ON_REFUSED_FOR_GOOD, 0, PL_SENDING_STREAM_STOPPED, 0},
    {PL_SENDING_STREAM_OPEN, PL_SENDING_STREAM_ON_FORKED, 0, PL_SENDING_STREAM_FORKED, 0},
    {PL_SENDING_STREAM_OPEN, PL_SENDING_STREAM_ON_REBORN, 0, PL_SENDING_STREAM_OPEN, 0},
    {PL_SENDING_STREAM_OPEN, PL_SENDING_STREAM_ON_DROPPED, 0, PL_SENDING_STREAM_OPEN, 0},
    {PL_SENDING_STREAM_OPEN, PL_SENDING_STREAM_ON_RESUMED, 0, PL_SENDING_STREAM_OPEN, 0},
    {PL_SENDING_STREAM_BLOCKED, PL_SENDING_STREAM_ON_STORED, 0, PL_SENDING_STREAM_SETTLED, 0},
    {PL_SENDING_STREAM_BLOCKED, PL_SENDING_STREAM_ON_REFUSED_FOR_NOW, 0, PL_SENDING_STREAM_BLOCKED, 0},
    {PL_SENDING_STREAM_BLOCKED, PL_SENDING_STREAM_ON_REFUSED_FOR_GOOD, 0, PL_SENDING_STREAM_STOPPED, 0},
    {PL_SENDING_STREAM_BLOCKED, PL_SENDING_STREAM_ON_FORKED, 0, PL_SENDING_STREAM_FORKED, 0},
    {PL_SENDING_STREAM_BLOCKED, PL_SENDING_STREAM_ON_REBORN, 0, PL_SENDING_STREAM_BLOCKED, 0},
    {PL_SENDING_STREAM_BLOCKED, PL_SENDING_STREAM_ON_DROPPED, 0, PL_SENDING_STREAM_BLOCKED, 0},
    {PL_SENDING_STREAM_BLOCKED, PL_SENDING_STREAM_ON_RESUMED, 0, PL_SENDING_STREAM_OPEN, 0},
    {PL_SENDING_STREAM_STOPPED, PL_SENDING_STREAM_ON_STORED, 0, PL_SENDING_STREAM_SETTLED, 0},
    {PL_SENDING_STREAM_STOPPED, PL_SENDING_STREAM_ON_REFUSED_FOR_NOW, 0, PL_SENDING_STREAM_STOPPED, 0},
    {PL_SENDING_STREAM_STOPPED, PL_SENDING_STREAM_ON_REFUSED_FOR_GOOD, 0, PL_SENDING_STREAM_STOPPED, 0},
    {PL_SENDING_STREAM_STOPPED, PL_SENDING_STREAM_ON_FORKED, 0, PL_SENDING_STREAM_FORKED, 0},
    {PL_SENDING_STREAM_STOPPED, PL_SENDING_STREAM_ON_REBORN, 0, PL_SENDING_STREAM_STOPPED, 0},
    {PL_SENDING_STREAM_STOPPED, PL_SENDING_STREAM_ON_DROPPED, 0, PL_SENDING_STREAM_OPEN, 0},
    {PL_SENDING_STREAM_STOPPED, PL_SENDING_STREAM_ON_RESUMED, 0, PL_SENDING_STREAM_OPEN, 0},
    {PL_SENDING_STREAM_FORKED, PL_SENDING_STREAM_ON_STORED, 0, PL_SENDING_STREAM_FORKED, 0},
    {PL_SENDING_STREAM_FORKED, PL_SENDING_STREAM_ON_REFUSED_FOR_NOW, 0, PL_SENDING_STREAM_FORKED, 0},
    {PL_SENDING_STREAM_FORKED, PL_SENDING_STREAM_ON_REFUSED_FOR_GOOD, 0, PL_SENDING_STREAM_FORKED, 0},
    {PL_SENDING_STREAM_FORKED, PL_SENDING_STREAM_ON_FORKED, 0, PL_SENDING_STREAM_FORKED, 0},
    {PL_SENDING_STREAM_FORKED, PL_SENDING_STREAM_ON_REBORN, 0, PL_SENDING_STREAM_OPEN, 0},
    {PL_SENDING_STREAM_FORKED, PL_SENDING_STREAM_ON_DROPPED, 0, PL_SENDING_STREAM_FORKED, 0},
    {PL_SENDING_STREAM_FORKED, PL_SENDING_STREAM_ON_RESUMED, 0, PL_SENDING_STREAM_FORKED, 0},
    {PL_SENDING_STREAM_SETTLED, PL_SENDING_STREAM_ON_STORED, 0, PL_SENDING_STREAM_SETTLED, 0},
    {PL_SENDING_STREAM_SETTLED, PL_SENDING_STREAM_ON_REFUSED_FOR_NOW, 0, PL_SENDING_STREAM_SETTLED, 0},
    {PL_SENDING_STREAM_SETTLED, PL_SENDING_STREAM_ON_REFUSED_FOR_GOOD, 0, PL_SENDING_STREAM_SETTLED, 0},
    {PL_SENDING_STREAM_SETTLED, PL_SENDING_STREAM_ON_FORKED, 0, PL_SENDING_STREAM_SETTLED, 0},
    {PL_SENDING_STREAM_SETTLED, PL_SENDING_STREAM_ON_REBORN, 0, PL_SENDING_STREAM_SETTLED, 0},
    {PL_SENDING_STREAM_SETTLED, PL_SENDING_STREAM_ON_DROPPED, 0, PL_SENDING_STREAM_SETTLED, 0},
    {PL_SENDING_STREAM_SETTLED, PL_SENDING_STREAM_ON_RESUMED, 0, PL_SENDING_STREAM_OPEN, 0},
};
/* clang-format on */

Test(link_states, pl_sending_stream)
{
    size_t count = sizeof pl_sending_stream_answers / sizeof pl_sending_stream_answers[0];
    struct pl_sending_stream m;

    pl_sending_stream_init(&m);
    cr_expect_eq(m.state, PL_SENDING_STREAM_OPEN);
    cr_assert_geq(count, (size_t)PL_SENDING_STREAM_STATES * PL_SENDING_STREAM_EVENTS);
    pl_state_trace = trace;
    for (size_t i = 0; i < count; i++) {
        const struct answer *a = &pl_sending_stream_answers[i];
        int calls = traced.calls;

        m.state = a->state;
        enum pl_sending_stream_state next = pl_sending_stream_step(&m,
                                                                   (enum pl_sending_stream_event)a->event);
        cr_expect(next == a->next && m.state == a->next, "%s on %s: %s", pl_sending_stream_state_name(a->state),
                  pl_sending_stream_event_name(a->event), pl_sending_stream_state_name(m.state));
        cr_expect(traced.calls == calls + 1 && traced.self == &m && traced.from == a->state
                  && traced.event == a->event &&
                  traced.to == a->next && strcmp(traced.machine, "Sending Stream") == 0, "trace of answer %zu", i);
    }
    pl_state_trace = NULL;
    cr_expect_str_eq(pl_sending_stream_state_name(PL_SENDING_STREAM_OPEN), "Open");
    cr_expect_str_eq(pl_sending_stream_state_name(PL_SENDING_STREAM_STATES), "unknown");
    cr_expect_str_eq(pl_sending_stream_event_name(PL_SENDING_STREAM_ON_STORED), "stored");
    cr_expect_str_eq(pl_sending_stream_event_name(PL_SENDING_STREAM_EVENTS), "unknown");
}

/* clang-format off */
static const struct {
    uint8_t state;
    unsigned facts;
    const char *broken;
} pl_sending_stream_facts[] = {
    {PL_SENDING_STREAM_OPEN, 0, NULL},
    {PL_SENDING_STREAM_OPEN, 1, NULL},
    {PL_SENDING_STREAM_BLOCKED, 0, NULL},
    {PL_SENDING_STREAM_BLOCKED, 1, NULL},
    {PL_SENDING_STREAM_STOPPED, 0, NULL},
    {PL_SENDING_STREAM_STOPPED, 1, NULL},
    {PL_SENDING_STREAM_FORKED, 0, NULL},
    {PL_SENDING_STREAM_FORKED, 1, NULL},
    {PL_SENDING_STREAM_SETTLED, 0, NULL},
    {PL_SENDING_STREAM_SETTLED, 1, "Settled Streams Keep Nothing"},
};
/* clang-format on */

Test(link_states, pl_sending_stream_properties)
{
    for (size_t i = 0; i < sizeof pl_sending_stream_facts / sizeof pl_sending_stream_facts[0]; i++) {
        enum pl_sending_stream_state state = (enum pl_sending_stream_state)pl_sending_stream_facts[i].state;
        const char *wanted = pl_sending_stream_facts[i].broken;
        const char *said = pl_sending_stream_broken(state, pl_sending_stream_facts[i].facts);

        cr_expect(wanted == NULL ? said == NULL : said != NULL && strcmp(said, wanted) == 0, "facts %zu", i);
    }
}

/* clang-format off */
static const struct answer pl_sending_life_answers[] = {
    {PL_SENDING_LIFE_HELD, PL_SENDING_LIFE_ON_ANNOUNCED, 0, PL_SENDING_LIFE_ANNOUNCED, 0},
    {PL_SENDING_LIFE_HELD, PL_SENDING_LIFE_ON_STORED_ABOVE_ZERO, 0, PL_SENDING_LIFE_BOUND, 0},
    {PL_SENDING_LIFE_HELD, PL_SENDING_LIFE_ON_ALL_STORED, 0, PL_SENDING_LIFE_SETTLED, 0},
    {PL_SENDING_LIFE_HELD, PL_SENDING_LIFE_ON_NEW_RUN, 0, PL_SENDING_LIFE_HELD, 0},
    {PL_SENDING_LIFE_HELD, PL_SENDING_LIFE_ON_UNBOUND, 0, PL_SENDING_LIFE_HELD, 0},
    {PL_SENDING_LIFE_HELD, PL_SENDING_LIFE_ON_FORKED, 0, PL_SENDING_LIFE_SETTLED, 0},
    {PL_SENDING_LIFE_ANNOUNCED, PL_SENDING_LIFE_ON_ANNOUNCED, 0, PL_SENDING_LIFE_ANNOUNCED, 0},
    {PL_SENDING_LIFE_ANNOUNCED, PL_SENDING_LIFE_ON_STORED_ABOVE_ZERO, 0, PL_SENDING_LIFE_BOUND, 0},
    {PL_SENDING_LIFE_ANNOUNCED, PL_SENDING_LIFE_ON_ALL_STORED, 0, PL_SENDING_LIFE_SETTLED, 0},
    {PL_SENDING_LIFE_ANNOUNCED, PL_SENDING_LIFE_ON_NEW_RUN, 0, PL_SENDING_LIFE_HELD, 0},
    {PL_SENDING_LIFE_ANNOUNCED, PL_SENDING_LIFE_ON_UNBOUND, 0, PL_SENDING_LIFE_HELD, 0},
    {PL_SENDING_LIFE_ANNOUNCED, PL_SENDING_LIFE_ON_FORKED, 0, PL_SENDING_LIFE_SETTLED, 0},
    {PL_SENDING_LIFE_BOUND, PL_SENDING_LIFE_ON_ANNOUNCED, 0, PL_SENDING_LIFE_BOUND, 0},
    {PL_SENDING_LIFE_BOUND, PL_SENDING_LIFE_ON_STORED_ABOVE_ZERO, 0, PL_SENDING_LIFE_BOUND, 0},
    {PL_SENDING_LIFE_BOUND, PL_SENDING_LIFE_ON_ALL_STORED, 0, PL_SENDING_LIFE_SETTLED, 0},
    {PL_SENDING_LIFE_BOUND, PL_SENDING_LIFE_ON_NEW_RUN, 0, PL_SENDING_LIFE_HELD, 0},
    {PL_SENDING_LIFE_BOUND, PL_SENDING_LIFE_ON_UNBOUND, 0, PL_SENDING_LIFE_HELD, 0},
    {PL_SENDING_LIFE_BOUND, PL_SENDING_LIFE_ON_FORKED, 0, PL_SENDING_LIFE_SETTLED, 0},
    {PL_SENDING_LIFE_SETTLED, PL_SENDING_LIFE_ON_ANNOUNCED, 0, PL_SENDING_LIFE_SETTLED, 0},
    {PL_SENDING_LIFE_SETTLED, PL_SENDING_LIFE_ON_STORED_ABOVE_ZERO, 0, PL_SENDING_LIFE_SETTLED, 0},
    {PL_SENDING_LIFE_SETTLED, PL_SENDING_LIFE_ON_ALL_STORED, 0, PL_SENDING_LIFE_SETTLED, 0},
    {PL_SENDING_LIFE_SETTLED, PL_SENDING_LIFE_ON_NEW_RUN, 0, PL_SENDING_LIFE_SETTLED, 0},
    {PL_SENDING_LIFE_SETTLED, PL_SENDING_LIFE_ON_UNBOUND, 0, PL_SENDING_LIFE_SETTLED, 0},
    {PL_SENDING_LIFE_SETTLED, PL_SENDING_LIFE_ON_FORKED, 0, PL_SENDING_LIFE_SETTLED, 0},
};
/* clang-format on */

Test(link_states, pl_sending_life)
{
    size_t count = sizeof pl_sending_life_answers / sizeof pl_sending_life_answers[0];
    struct pl_sending_life m;

    pl_sending_life_init(&m);
    cr_expect_eq(m.state, PL_SENDING_LIFE_HELD);
    cr_assert_geq(count, (size_t)PL_SENDING_LIFE_STATES * PL_SENDING_LIFE_EVENTS);
    pl_state_trace = trace;
    for (size_t i = 0; i < count; i++) {
        const struct answer *a = &pl_sending_life_answers[i];
        int calls = traced.calls;

        m.state = a->state;
        enum pl_sending_life_state next = pl_sending_life_step(&m, (enum pl_sending_life_event)a->event);
        cr_expect(next == a->next && m.state == a->next, "%s on %s: %s", pl_sending_life_state_name(a->state),
                  pl_sending_life_event_name(a->event), pl_sending_life_state_name(m.state));
        cr_expect(traced.calls == calls + 1 && traced.self == &m && traced.from == a->state
                  && traced.event == a->event &&
                  traced.to == a->next && strcmp(traced.machine, "Sending Life") == 0, "trace of answer %zu", i);
    }
    pl_state_trace = NULL;
    cr_expect_str_eq(pl_sending_life_state_name(PL_SENDING_LIFE_HELD), "Held");
    cr_expect_str_eq(pl_sending_life_state_name(PL_SENDING_LIFE_STATES), "unknown");
    cr_expect_str_eq(pl_sending_life_event_name(PL_SENDING_LIFE_ON_ANNOUNCED), "announced");
    cr_expect_str_eq(pl_sending_life_event_name(PL_SENDING_LIFE_EVENTS), "unknown");
}

/* clang-format off */
static const struct {
    uint8_t state;
    unsigned facts;
    const char *broken;
} pl_sending_life_facts[] = {
    {PL_SENDING_LIFE_HELD, 0, NULL},
    {PL_SENDING_LIFE_HELD, 1, NULL},
    {PL_SENDING_LIFE_HELD, 2, NULL},
    {PL_SENDING_LIFE_HELD, 3, NULL},
    {PL_SENDING_LIFE_HELD, 4, NULL},
    {PL_SENDING_LIFE_HELD, 5, NULL},
    {PL_SENDING_LIFE_HELD, 6, NULL},
    {PL_SENDING_LIFE_HELD, 7, NULL},
    {PL_SENDING_LIFE_ANNOUNCED, 0, NULL},
    {PL_SENDING_LIFE_ANNOUNCED, 1, NULL},
    {PL_SENDING_LIFE_ANNOUNCED, 2, NULL},
    {PL_SENDING_LIFE_ANNOUNCED, 3, NULL},
    {PL_SENDING_LIFE_ANNOUNCED, 4, NULL},
    {PL_SENDING_LIFE_ANNOUNCED, 5, NULL},
    {PL_SENDING_LIFE_ANNOUNCED, 6, NULL},
    {PL_SENDING_LIFE_ANNOUNCED, 7, NULL},
    {PL_SENDING_LIFE_BOUND, 0, "Bound Lives Are Known"},
    {PL_SENDING_LIFE_BOUND, 1, "Bound Lives Are Known"},
    {PL_SENDING_LIFE_BOUND, 2, "Bound Lives Are Known"},
    {PL_SENDING_LIFE_BOUND, 3, "Bound Lives Are Known"},
    {PL_SENDING_LIFE_BOUND, 4, NULL},
    {PL_SENDING_LIFE_BOUND, 5, NULL},
    {PL_SENDING_LIFE_BOUND, 6, NULL},
    {PL_SENDING_LIFE_BOUND, 7, NULL},
    {PL_SENDING_LIFE_SETTLED, 0, "Nothing Is Lost"},
    {PL_SENDING_LIFE_SETTLED, 1, "Settled Lives Keep Nothing"},
    {PL_SENDING_LIFE_SETTLED, 2, NULL},
    {PL_SENDING_LIFE_SETTLED, 3, "Settled Lives Keep Nothing"},
    {PL_SENDING_LIFE_SETTLED, 4, "Nothing Is Lost"},
    {PL_SENDING_LIFE_SETTLED, 5, "Settled Lives Keep Nothing"},
    {PL_SENDING_LIFE_SETTLED, 6, NULL},
    {PL_SENDING_LIFE_SETTLED, 7, "Settled Lives Keep Nothing"},
};
/* clang-format on */

Test(link_states, pl_sending_life_properties)
{
    for (size_t i = 0; i < sizeof pl_sending_life_facts / sizeof pl_sending_life_facts[0]; i++) {
        enum pl_sending_life_state state = (enum pl_sending_life_state)pl_sending_life_facts[i].state;
        const char *wanted = pl_sending_life_facts[i].broken;
        const char *said = pl_sending_life_broken(state, pl_sending_life_facts[i].facts);

        cr_expect(wanted == NULL ? said == NULL : said != NULL && strcmp(said, wanted) == 0, "facts %zu", i);
    }
}

/* clang-format off */
static const struct answer pl_sent_piece_answers[] = {
    {PL_SENT_PIECE_IN_FLIGHT, PL_SENT_PIECE_ON_ACKNOWLEDGED, 0, PL_SENT_PIECE_RECEIVED, 0},
    {PL_SENT_PIECE_IN_FLIGHT, PL_SENT_PIECE_ON_LOST, 0, PL_SENT_PIECE_LOST, 0},
    {PL_SENT_PIECE_IN_FLIGHT, PL_SENT_PIECE_ON_RECEIVER_RESTARTED, 0, PL_SENT_PIECE_REQUEUED, 0},
    {PL_SENT_PIECE_IN_FLIGHT, PL_SENT_PIECE_ON_STORED, 0, PL_SENT_PIECE_STORED, 0},
    {PL_SENT_PIECE_LOST, PL_SENT_PIECE_ON_ACKNOWLEDGED, 0, PL_SENT_PIECE_RECEIVED, 0},
    {PL_SENT_PIECE_LOST, PL_SENT_PIECE_ON_LOST, 0, PL_SENT_PIECE_LOST, 0},
    {PL_SENT_PIECE_LOST, PL_SENT_PIECE_ON_RECEIVER_RESTARTED, 0, PL_SENT_PIECE_LOST, 0},
    {PL_SENT_PIECE_LOST, PL_SENT_PIECE_ON_STORED, 0, PL_SENT_PIECE_STORED, 0},
    {PL_SENT_PIECE_RECEIVED, PL_SENT_PIECE_ON_ACKNOWLEDGED, 0, PL_SENT_PIECE_RECEIVED, 0},
    {PL_SENT_PIECE_RECEIVED, PL_SENT_PIECE_ON_LOST, 0, PL_SENT_PIECE_RECEIVED, 0},
    {PL_SENT_PIECE_RECEIVED, PL_SENT_PIECE_ON_RECEIVER_RESTARTED, 0, PL_SENT_PIECE_RECEIVED, 0},
    {PL_SENT_PIECE_RECEIVED, PL_SENT_PIECE_ON_STORED, 0, PL_SENT_PIECE_STORED, 0},
    {PL_SENT_PIECE_REQUEUED, PL_SENT_PIECE_ON_ACKNOWLEDGED, 0, PL_SENT_PIECE_RECEIVED, 0},
    {PL_SENT_PIECE_REQUEUED, PL_SENT_PIECE_ON_LOST, 0, PL_SENT_PIECE_REQUEUED, 0},
    {PL_SENT_PIECE_REQUEUED, PL_SENT_PIECE_ON_RECEIVER_RESTARTED, 0, PL_SENT_PIECE_REQUEUED, 0},
    {PL_SENT_PIECE_REQUEUED, PL_SENT_PIECE_ON_STORED, 0, PL_SENT_PIECE_STORED, 0},
    {PL_SENT_PIECE_STORED, PL_SENT_PIECE_ON_ACKNOWLEDGED, 0, PL_SENT_PIECE_STORED, 0},
    {PL_SENT_PIECE_STORED, PL_SENT_PIECE_ON_LOST, 0, PL_SENT_PIECE_STORED, 0},
    {PL_SENT_PIECE_STORED, PL_SENT_PIECE_ON_RECEIVER_RESTARTED, 0, PL_SENT_PIECE_STORED, 0},
    {PL_SENT_PIECE_STORED, PL_SENT_PIECE_ON_STORED, 0, PL_SENT_PIECE_STORED, 0},
};
/* clang-format on */

Test(link_states, pl_sent_piece)
{
    size_t count = sizeof pl_sent_piece_answers / sizeof pl_sent_piece_answers[0];
    struct pl_sent_piece m;

    pl_sent_piece_init(&m);
    cr_expect_eq(m.state, PL_SENT_PIECE_IN_FLIGHT);
    cr_assert_geq(count, (size_t)PL_SENT_PIECE_STATES * PL_SENT_PIECE_EVENTS);
    pl_state_trace = trace;
    for (size_t i = 0; i < count; i++) {
        const struct answer *a = &pl_sent_piece_answers[i];
        int calls = traced.calls;

        m.state = a->state;
        enum pl_sent_piece_state next = pl_sent_piece_step(&m, (enum pl_sent_piece_event)a->event);
        cr_expect(next == a->next && m.state == a->next, "%s on %s: %s", pl_sent_piece_state_name(a->state),
                  pl_sent_piece_event_name(a->event), pl_sent_piece_state_name(m.state));
        cr_expect(traced.calls == calls + 1 && traced.self == &m && traced.from == a->state
                  && traced.event == a->event &&
                  traced.to == a->next && strcmp(traced.machine, "Sent Piece") == 0, "trace of answer %zu", i);
    }
    pl_state_trace = NULL;
    cr_expect_str_eq(pl_sent_piece_state_name(PL_SENT_PIECE_IN_FLIGHT), "In Flight");
    cr_expect_str_eq(pl_sent_piece_state_name(PL_SENT_PIECE_STATES), "unknown");
    cr_expect_str_eq(pl_sent_piece_event_name(PL_SENT_PIECE_ON_ACKNOWLEDGED), "acknowledged");
    cr_expect_str_eq(pl_sent_piece_event_name(PL_SENT_PIECE_EVENTS), "unknown");
}

/* clang-format off */
static const struct {
    uint8_t state;
    unsigned facts;
    const char *broken;
} pl_sent_piece_facts[] = {
    {PL_SENT_PIECE_IN_FLIGHT, 0, NULL},
    {PL_SENT_PIECE_IN_FLIGHT, 1, NULL},
    {PL_SENT_PIECE_IN_FLIGHT, 2, NULL},
    {PL_SENT_PIECE_IN_FLIGHT, 3, NULL},
    {PL_SENT_PIECE_IN_FLIGHT, 4, NULL},
    {PL_SENT_PIECE_IN_FLIGHT, 5, NULL},
    {PL_SENT_PIECE_IN_FLIGHT, 6, NULL},
    {PL_SENT_PIECE_IN_FLIGHT, 7, NULL},
    {PL_SENT_PIECE_LOST, 0, NULL},
    {PL_SENT_PIECE_LOST, 1, NULL},
    {PL_SENT_PIECE_LOST, 2, NULL},
    {PL_SENT_PIECE_LOST, 3, NULL},
    {PL_SENT_PIECE_LOST, 4, NULL},
    {PL_SENT_PIECE_LOST, 5, NULL},
    {PL_SENT_PIECE_LOST, 6, NULL},
    {PL_SENT_PIECE_LOST, 7, NULL},
    {PL_SENT_PIECE_RECEIVED, 0, "Received Is There"},
    {PL_SENT_PIECE_RECEIVED, 1, NULL},
    {PL_SENT_PIECE_RECEIVED, 2, NULL},
    {PL_SENT_PIECE_RECEIVED, 3, NULL},
    {PL_SENT_PIECE_RECEIVED, 4, NULL},
    {PL_SENT_PIECE_RECEIVED, 5, NULL},
    {PL_SENT_PIECE_RECEIVED, 6, NULL},
    {PL_SENT_PIECE_RECEIVED, 7, NULL},
    {PL_SENT_PIECE_REQUEUED, 0, NULL},
    {PL_SENT_PIECE_REQUEUED, 1, NULL},
    {PL_SENT_PIECE_REQUEUED, 2, NULL},
    {PL_SENT_PIECE_REQUEUED, 3, NULL},
    {PL_SENT_PIECE_REQUEUED, 4, NULL},
    {PL_SENT_PIECE_REQUEUED, 5, NULL},
    {PL_SENT_PIECE_REQUEUED, 6, NULL},
    {PL_SENT_PIECE_REQUEUED, 7, NULL},
    {PL_SENT_PIECE_STORED, 0, "Stored Is Committed"},
    {PL_SENT_PIECE_STORED, 1, NULL},
    {PL_SENT_PIECE_STORED, 2, "Stored Is Committed"},
    {PL_SENT_PIECE_STORED, 3, NULL},
    {PL_SENT_PIECE_STORED, 4, "Stored Is Committed"},
    {PL_SENT_PIECE_STORED, 5, NULL},
    {PL_SENT_PIECE_STORED, 6, "Stored Is Committed"},
    {PL_SENT_PIECE_STORED, 7, NULL},
};
/* clang-format on */

Test(link_states, pl_sent_piece_properties)
{
    for (size_t i = 0; i < sizeof pl_sent_piece_facts / sizeof pl_sent_piece_facts[0]; i++) {
        enum pl_sent_piece_state state = (enum pl_sent_piece_state)pl_sent_piece_facts[i].state;
        const char *wanted = pl_sent_piece_facts[i].broken;
        const char *said = pl_sent_piece_broken(state, pl_sent_piece_facts[i].facts);

        cr_expect(wanted == NULL ? said == NULL : said != NULL && strcmp(said, wanted) == 0, "facts %zu", i);
    }
}

/* spec/link.wire:613: once Lost or Received or Requeued never In Flight */
Test(link_states, pl_sent_piece_sent_once)
{
    static const uint8_t begin[] = {PL_SENT_PIECE_LOST, PL_SENT_PIECE_RECEIVED, PL_SENT_PIECE_REQUEUED};
    static const uint8_t never[] = {PL_SENT_PIECE_IN_FLIGHT};
    bool reached[PL_SENT_PIECE_STATES] = {false};
    bool more = true;

    for (size_t i = 0; i < sizeof begin; i++)
        reached[begin[i]] = true;
    while (more) {
        more = false;
        for (size_t i = 0; i < sizeof pl_sent_piece_answers / sizeof pl_sent_piece_answers[0]; i++) {
            const struct answer *a = &pl_sent_piece_answers[i];
            struct pl_sent_piece m = {a->state};

            if (!reached[a->state])
                continue;
            enum pl_sent_piece_state next = pl_sent_piece_step(&m, (enum pl_sent_piece_event)a->event);
            more = more || !reached[next];
            reached[next] = true;
        }
    }
    for (size_t i = 0; i < sizeof never; i++)
        cr_expect(!reached[never[i]], "%s is reached", pl_sent_piece_state_name(never[i]));
}

/* clang-format off */
static const struct answer pl_receiving_stream_answers[] = {
    {PL_RECEIVING_STREAM_NAMED, PL_RECEIVING_STREAM_ON_TAKEN, 0, PL_RECEIVING_STREAM_TAKING, 0},
    {PL_RECEIVING_STREAM_NAMED, PL_RECEIVING_STREAM_ON_REFUSED, 0, PL_RECEIVING_STREAM_REFUSING, 0},
    {PL_RECEIVING_STREAM_NAMED, PL_RECEIVING_STREAM_ON_CLEARED, 0, PL_RECEIVING_STREAM_NAMED, 0},
    {PL_RECEIVING_STREAM_NAMED, PL_RECEIVING_STREAM_ON_GAP, 0, PL_RECEIVING_STREAM_TAKING, 0},
    {PL_RECEIVING_STREAM_TAKING, PL_RECEIVING_STREAM_ON_TAKEN, 0, PL_RECEIVING_STREAM_TAKING, 0},
    {PL_RECEIVING_STREAM_TAKING, PL_RECEIVING_STREAM_ON_REFUSED, 0, PL_RECEIVING_STREAM_REFUSING, 0},
    {PL_RECEIVING_STREAM_TAKING, PL_RECEIVING_STREAM_ON_CLEARED, 0, PL_RECEIVING_STREAM_TAKING, 0},
    {PL_RECEIVING_STREAM_TAKING, PL_RECEIVING_STREAM_ON_GAP, 0, PL_RECEIVING_STREAM_TAKING, 0},
    {PL_RECEIVING_STREAM_REFUSING, PL_RECEIVING_STREAM_ON_TAKEN, 0, PL_RECEIVING_STREAM_REFUSING, 0},
    {PL_RECEIVING_STREAM_REFUSING, PL_RECEIVING_STREAM_ON_REFUSED, 0, PL_RECEIVING_STREAM_REFUSING, 0},
    {PL_RECEIVING_STREAM_REFUSING, PL_RECEIVING_STREAM_ON_CLEARED, 0, PL_RECEIVING_STREAM_TAKING, 0},
    {PL_RECEIVING_STREAM_REFUSING, PL_RECEIVING_STREAM_ON_GAP, 0, PL_RECEIVING_STREAM_TAKING, 0},
};
/* clang-format on */

Test(link_states, pl_receiving_stream)
{
    size_t count = sizeof pl_receiving_stream_answers / sizeof pl_receiving_stream_answers[0];
    struct pl_receiving_stream m;

    pl_receiving_stream_init(&m);
    cr_expect_eq(m.state, PL_RECEIVING_STREAM_NAMED);
    cr_assert_geq(count, (size_t)PL_RECEIVING_STREAM_STATES * PL_RECEIVING_STREAM_EVENTS);
    pl_state_trace = trace;
    for (size_t i = 0; i < count; i++) {
        const struct answer *a = &pl_receiving_stream_answers[i];
        int calls = traced.calls;

        m.state = a->state;
        enum pl_receiving_stream_state next = pl_receiving_stream_step(&m,
                                                                       (enum pl_receiving_stream_event)a->event);
        cr_expect(next == a->next && m.state == a->next, "%s on %s: %s", pl_receiving_stream_state_name(a->state),
                  pl_receiving_stream_event_name(a->event), pl_receiving_stream_state_name(m.state));
        cr_expect(traced.calls == calls + 1 && traced.self == &m && traced.from == a->state
                  && traced.event == a->event &&
                  traced.to == a->next && strcmp(traced.machine, "Receiving Stream") == 0, "trace of answer %zu", i);
    }
    pl_state_trace = NULL;
    cr_expect_str_eq(pl_receiving_stream_state_name(PL_RECEIVING_STREAM_NAMED), "Named");
    cr_expect_str_eq(pl_receiving_stream_state_name(PL_RECEIVING_STREAM_STATES), "unknown");
    cr_expect_str_eq(pl_receiving_stream_event_name(PL_RECEIVING_STREAM_ON_TAKEN), "taken");
    cr_expect_str_eq(pl_receiving_stream_event_name(PL_RECEIVING_STREAM_EVENTS), "unknown");
}

/* clang-format off */
static const struct {
    uint8_t state;
    unsigned facts;
    const char *broken;
} pl_receiving_stream_facts[] = {
    {PL_RECEIVING_STREAM_NAMED, 0, NULL},
    {PL_RECEIVING_STREAM_NAMED, 1, NULL},
    {PL_RECEIVING_STREAM_TAKING, 0, "Takers Have Rows"},
    {PL_RECEIVING_STREAM_TAKING, 1, NULL},
    {PL_RECEIVING_STREAM_REFUSING, 0, NULL},
    {PL_RECEIVING_STREAM_REFUSING, 1, NULL},
};
/* clang-format on */

Test(link_states, pl_receiving_stream_properties)
{
    for (size_t i = 0; i < sizeof pl_receiving_stream_facts / sizeof pl_receiving_stream_facts[0]; i++) {
        enum pl_receiving_stream_state state = (enum pl_receiving_stream_state)pl_receiving_stream_facts[i].state;
        const char *wanted = pl_receiving_stream_facts[i].broken;
        const char *said = pl_receiving_stream_broken(state, pl_receiving_stream_facts[i].facts);

        cr_expect(wanted == NULL ? said == NULL : said != NULL && strcmp(said, wanted) == 0, "facts %zu", i);
    }
}

/* clang-format off */
static const struct answer pl_receiving_life_answers[] = {
    {PL_RECEIVING_LIFE_WAITING, PL_RECEIVING_LIFE_ON_REACHED, 0, PL_RECEIVING_LIFE_CURRENT, 0},
    {PL_RECEIVING_LIFE_WAITING, PL_RECEIVING_LIFE_ON_FOLLOWED, 0, PL_RECEIVING_LIFE_WAITING, 0},
    {PL_RECEIVING_LIFE_WAITING, PL_RECEIVING_LIFE_ON_CONTRADICTED, 0, PL_RECEIVING_LIFE_FORKED, 0},
    {PL_RECEIVING_LIFE_CURRENT, PL_RECEIVING_LIFE_ON_REACHED, 0, PL_RECEIVING_LIFE_CURRENT, 0},
    {PL_RECEIVING_LIFE_CURRENT, PL_RECEIVING_LIFE_ON_FOLLOWED, 0, PL_RECEIVING_LIFE_PAST, 0},
    {PL_RECEIVING_LIFE_CURRENT, PL_RECEIVING_LIFE_ON_CONTRADICTED, 0, PL_RECEIVING_LIFE_CURRENT, 0},
    {PL_RECEIVING_LIFE_PAST, PL_RECEIVING_LIFE_ON_REACHED, 0, PL_RECEIVING_LIFE_PAST, 0},
    {PL_RECEIVING_LIFE_PAST, PL_RECEIVING_LIFE_ON_FOLLOWED, 0, PL_RECEIVING_LIFE_PAST, 0},
    {PL_RECEIVING_LIFE_PAST, PL_RECEIVING_LIFE_ON_CONTRADICTED, 0, PL_RECEIVING_LIFE_PAST, 0},
    {PL_RECEIVING_LIFE_FORKED, PL_RECEIVING_LIFE_ON_REACHED, 0, PL_RECEIVING_LIFE_FORKED, 0},
    {PL_RECEIVING_LIFE_FORKED, PL_RECEIVING_LIFE_ON_FOLLOWED, 0, PL_RECEIVING_LIFE_FORKED, 0},
    {PL_RECEIVING_LIFE_FORKED, PL_RECEIVING_LIFE_ON_CONTRADICTED, 0, PL_RECEIVING_LIFE_FORKED, 0},
};
/* clang-format on */

Test(link_states, pl_receiving_life)
{
    size_t count = sizeof pl_receiving_life_answers / sizeof pl_receiving_life_answers[0];
    struct pl_receiving_life m;

    pl_receiving_life_init(&m);
    cr_expect_eq(m.state, PL_RECEIVING_LIFE_WAITING);
    cr_assert_geq(count, (size_t)PL_RECEIVING_LIFE_STATES * PL_RECEIVING_LIFE_EVENTS);
    pl_state_trace = trace;
    for (size_t i = 0; i < count; i++) {
        const struct answer *a = &pl_receiving_life_answers[i];
        int calls = traced.calls;

        m.state = a->state;
        enum pl_receiving_life_state next = pl_receiving_life_step(&m,
                                                                   (enum pl_receiving_life_event)a->event);
        cr_expect(next == a->next && m.state == a->next, "%s on %s: %s", pl_receiving_life_state_name(a->state),
                  pl_receiving_life_event_name(a->event), pl_receiving_life_state_name(m.state));
        cr_expect(traced.calls == calls + 1 && traced.self == &m && traced.from == a->state
                  && traced.event == a->event &&
                  traced.to == a->next && strcmp(traced.machine, "Receiving Life") == 0, "trace of answer %zu", i);
    }
    pl_state_trace = NULL;
    cr_expect_str_eq(pl_receiving_life_state_name(PL_RECEIVING_LIFE_WAITING), "Waiting");
    cr_expect_str_eq(pl_receiving_life_state_name(PL_RECEIVING_LIFE_STATES), "unknown");
    cr_expect_str_eq(pl_receiving_life_event_name(PL_RECEIVING_LIFE_ON_REACHED), "reached");
    cr_expect_str_eq(pl_receiving_life_event_name(PL_RECEIVING_LIFE_EVENTS), "unknown");
}

/* clang-format off */
static const struct {
    uint8_t state;
    unsigned facts;
    const char *broken;
} pl_receiving_life_facts[] = {
    {PL_RECEIVING_LIFE_WAITING, 0, NULL},
    {PL_RECEIVING_LIFE_WAITING, 1, "One Life Goes On"},
    {PL_RECEIVING_LIFE_WAITING, 2, "Only Followers Are Taken"},
    {PL_RECEIVING_LIFE_WAITING, 3, "One Life Goes On"},
    {PL_RECEIVING_LIFE_CURRENT, 0, "One Life Goes On"},
    {PL_RECEIVING_LIFE_CURRENT, 1, NULL},
    {PL_RECEIVING_LIFE_CURRENT, 2, "One Life Goes On"},
    {PL_RECEIVING_LIFE_CURRENT, 3, NULL},
    {PL_RECEIVING_LIFE_PAST, 0, NULL},
    {PL_RECEIVING_LIFE_PAST, 1, "One Life Goes On"},
    {PL_RECEIVING_LIFE_PAST, 2, NULL},
    {PL_RECEIVING_LIFE_PAST, 3, "One Life Goes On"},
    {PL_RECEIVING_LIFE_FORKED, 0, NULL},
    {PL_RECEIVING_LIFE_FORKED, 1, "One Life Goes On"},
    {PL_RECEIVING_LIFE_FORKED, 2, "Only Followers Are Taken"},
    {PL_RECEIVING_LIFE_FORKED, 3, "One Life Goes On"},
};
/* clang-format on */

Test(link_states, pl_receiving_life_properties)
{
    for (size_t i = 0; i < sizeof pl_receiving_life_facts / sizeof pl_receiving_life_facts[0]; i++) {
        enum pl_receiving_life_state state = (enum pl_receiving_life_state)pl_receiving_life_facts[i].state;
        const char *wanted = pl_receiving_life_facts[i].broken;
        const char *said = pl_receiving_life_broken(state, pl_receiving_life_facts[i].facts);

        cr_expect(wanted == NULL ? said == NULL : said != NULL && strcmp(said, wanted) == 0, "facts %zu", i);
    }
}

/* spec/link.wire:656: once Current or Past never Waiting or Forked */
Test(link_states, pl_receiving_life_no_late_fork)
{
    static const uint8_t begin[] = {PL_RECEIVING_LIFE_CURRENT, PL_RECEIVING_LIFE_PAST};
    static const uint8_t never[] = {PL_RECEIVING_LIFE_WAITING, PL_RECEIVING_LIFE_FORKED};
    bool reached[PL_RECEIVING_LIFE_STATES] = {false};
    bool more = true;

    for (size_t i = 0; i < sizeof begin; i++)
        reached[begin[i]] = true;
    while (more) {
        more = false;
        for (size_t i = 0; i < sizeof pl_receiving_life_answers / sizeof pl_receiving_life_answers[0]; i++) {
            const struct answer *a = &pl_receiving_life_answers[i];
            struct pl_receiving_life m = {a->state};

            if (!reached[a->state])
                continue;
            enum pl_receiving_life_state next = pl_receiving_life_step(&m,
                                                                       (enum pl_receiving_life_event)a->event);
            more = more || !reached[next];
            reached[next] = true;
        }
    }
    for (size_t i = 0; i < sizeof never; i++)
        cr_expect(!reached[never[i]], "%s is reached", pl_receiving_life_state_name(never[i]));
}

/* clang-format off */
static const struct answer pl_mtu_probe_answers[] = {
    {PL_MTU_PROBE_BASE, PL_MTU_PROBE_ON_BASE_CONFIRMED, 0, PL_MTU_PROBE_SEARCHING, 0},
    {PL_MTU_PROBE_BASE, PL_MTU_PROBE_ON_PROBE_ACKNOWLEDGED, 0, PL_MTU_PROBE_BASE, 0},
    {PL_MTU_PROBE_BASE, PL_MTU_PROBE_ON_PROBE_LOST, 0, PL_MTU_PROBE_BASE, 0},
    {PL_MTU_PROBE_BASE, PL_MTU_PROBE_ON_BLACK_HOLE, 0, PL_MTU_PROBE_BROKEN, 0},
    {PL_MTU_PROBE_BASE, PL_MTU_PROBE_ON_RAISED, 0, PL_MTU_PROBE_BASE, 0},
    {PL_MTU_PROBE_SEARCHING, PL_MTU_PROBE_ON_BASE_CONFIRMED, 0, PL_MTU_PROBE_SEARCHING, 0},
    {PL_MTU_PROBE_SEARCHING, PL_MTU_PROBE_ON_PROBE_ACKNOWLEDGED, 0, PL_MTU_PROBE_SEARCHING, 0},
    {PL_MTU_PROBE_SEARCHING, PL_MTU_PROBE_ON_PROBE_LOST, 0, PL_MTU_PROBE_COMPLETE, 0},
    {PL_MTU_PROBE_SEARCHING, PL_MTU_PROBE_ON_BLACK_HOLE, 0, PL_MTU_PROBE_BASE, 0},
    {PL_MTU_PROBE_SEARCHING, PL_MTU_PROBE_ON_RAISED, 0, PL_MTU_PROBE_SEARCHING, 0},
    {PL_MTU_PROBE_COMPLETE, PL_MTU_PROBE_ON_BASE_CONFIRMED, 0, PL_MTU_PROBE_COMPLETE, 0},
    {PL_MTU_PROBE_COMPLETE, PL_MTU_PROBE_ON_PROBE_ACKNOWLEDGED, 0, PL_MTU_PROBE_COMPLETE, 0},
    {PL_MTU_PROBE_COMPLETE, PL_MTU_PROBE_ON_PROBE_LOST, 0, PL_MTU_PROBE_COMPLETE, 0},
    {PL_MTU_PROBE_COMPLETE, PL_MTU_PROBE_ON_BLACK_HOLE, 0, PL_MTU_PROBE_BASE, 0},
    {PL_MTU_PROBE_COMPLETE, PL_MTU_PROBE_ON_RAISED, 0, PL_MTU_PROBE_SEARCHING, 0},
    {PL_MTU_PROBE_BROKEN, PL_MTU_PROBE_ON_BASE_CONFIRMED, 0, PL_MTU_PROBE_SEARCHING, 0},
    {PL_MTU_PROBE_BROKEN, PL_MTU_PROBE_ON_PROBE_ACKNOWLEDGED, 0, PL_MTU_PROBE_BROKEN, 0},
    {PL_MTU_PROBE_BROKEN, PL_MTU_PROBE_ON_PROBE_LOST, 0, PL_MTU_PROBE_BROKEN, 0},
    {PL_MTU_PROBE_BROKEN, PL_MTU_PROBE_ON_BLACK_HOLE, 0, PL_MTU_PROBE_BROKEN, 0},
    {PL_MTU_PROBE_BROKEN, PL_MTU_PROBE_ON_RAISED, 0, PL_MTU_PROBE_BROKEN, 0},
};
/* clang-format on */

Test(link_states, pl_mtu_probe)
{
    size_t count = sizeof pl_mtu_probe_answers / sizeof pl_mtu_probe_answers[0];
    struct pl_mtu_probe m;

    pl_mtu_probe_init(&m);
    cr_expect_eq(m.state, PL_MTU_PROBE_BASE);
    cr_assert_geq(count, (size_t)PL_MTU_PROBE_STATES * PL_MTU_PROBE_EVENTS);
    pl_state_trace = trace;
    for (size_t i = 0; i < count; i++) {
        const struct answer *a = &pl_mtu_probe_answers[i];
        int calls = traced.calls;

        m.state = a->state;
        enum pl_mtu_probe_state next = pl_mtu_probe_step(&m, (enum pl_mtu_probe_event)a->event);
        cr_expect(next == a->next && m.state == a->next, "%s on %s: %s", pl_mtu_probe_state_name(a->state),
                  pl_mtu_probe_event_name(a->event), pl_mtu_probe_state_name(m.state));
        cr_expect(traced.calls == calls + 1 && traced.self == &m && traced.from == a->state
                  && traced.event == a->event &&
                  traced.to == a->next && strcmp(traced.machine, "Mtu Probe") == 0, "trace of answer %zu", i);
    }
    pl_state_trace = NULL;
    cr_expect_str_eq(pl_mtu_probe_state_name(PL_MTU_PROBE_BASE), "Base");
    cr_expect_str_eq(pl_mtu_probe_state_name(PL_MTU_PROBE_STATES), "unknown");
    cr_expect_str_eq(pl_mtu_probe_event_name(PL_MTU_PROBE_ON_BASE_CONFIRMED), "base confirmed");
    cr_expect_str_eq(pl_mtu_probe_event_name(PL_MTU_PROBE_EVENTS), "unknown");
}
