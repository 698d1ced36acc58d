/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Every pair of state and event of every machine, and what the trace tells of it.
 */
#include <criterion/criterion.h>
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
