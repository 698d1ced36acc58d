/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * State tables: a row a state, a column an event. A number is the next state, in the order of its enum.
 */
#include "link/link_states.h"

#include <stddef.h>

#include "link/link_limits.h"

void (*pl_state_trace)(const char *machine, const void *self, uint8_t from, uint8_t event, uint8_t to);

/* spec/link.wire:479 */
void pl_link_activity_init(struct pl_link_activity *m)
{
    m->state = PL_LINK_ACTIVITY_RESTING;
}

/* clang-format off */
static const uint8_t pl_link_activity_next[PL_LINK_ACTIVITY_STATES][PL_LINK_ACTIVITY_EVENTS] = {
    /*              rested  unreachable  malformed reported  mute over  woken */
    /* 0 Active    */ {      3,           2,                  1,         0,     0},
    /* 1 Muted     */ {      3,           1,                  1,         0,     1},
    /* 2 Dormant   */ {      2,           2,                  2,         2,     0},
    /* 3 Resting   */ {      3,           3,                  3,         3,     0},
};
/* clang-format on */

enum pl_link_activity_state pl_link_activity_step(struct pl_link_activity *m,
                                                  enum pl_link_activity_event event)
{
    uint8_t from = m->state;

    m->state = pl_link_activity_next[from][event];
    if (pl_state_trace)
        pl_state_trace("Link Activity", m, from, (uint8_t)event, m->state);
    return (enum pl_link_activity_state)m->state;
}

const char *pl_link_activity_state_name(uint8_t state)
{
    static const char *const names[] = {
        "Active",
        "Muted",
        "Dormant",
        "Resting",
    };

    return state < PL_LINK_ACTIVITY_STATES ? names[state] : "unknown";
}

const char *pl_link_activity_event_name(uint8_t event)
{
    static const char *const names[] = {
        "rested",
        "unreachable",
        "malformed reported",
        "mute over",
        "woken",
    };

    return event < PL_LINK_ACTIVITY_EVENTS ? names[event] : "unknown";
}

/* spec/link.wire:500 */
void pl_receive_run_init(struct pl_receive_run *m)
{
    m->state = PL_RECEIVE_RUN_UNPROVEN;
}

/* clang-format off */
static const uint8_t pl_receive_run_next[PL_RECEIVE_RUN_STATES][PL_RECEIVE_RUN_EVENTS] = {
    /*               proven  another proven  failures exhausted  evicted */
    /* 0 Unproven   */ {      1,              0,                  3,       4},
    /* 1 Current    */ {      1,              2,                  3,       4},
    /* 2 Proven     */ {      1,              2,                  3,       4},
    /* 3 Ignored    */ {      3,              3,                  3,       4},
    /* 4 Gone       */ {      4,              4,                  4,       4},
};
/* clang-format on */

enum pl_receive_run_state pl_receive_run_step(struct pl_receive_run *m, enum pl_receive_run_event event)
{
    uint8_t from = m->state;

    m->state = pl_receive_run_next[from][event];
    if (pl_state_trace)
        pl_state_trace("Receive Run", m, from, (uint8_t)event, m->state);
    return (enum pl_receive_run_state)m->state;
}

const char *pl_receive_run_state_name(uint8_t state)
{
    static const char *const names[] = {
        "Unproven",
        "Current",
        "Proven",
        "Ignored",
        "Gone",
    };

    return state < PL_RECEIVE_RUN_STATES ? names[state] : "unknown";
}

const char *pl_receive_run_event_name(uint8_t event)
{
    static const char *const names[] = {
        "proven",
        "another proven",
        "failures exhausted",
        "evicted",
    };

    return event < PL_RECEIVE_RUN_EVENTS ? names[event] : "unknown";
}

/* spec/link.wire:523 */
void pl_link_path_init(struct pl_link_path *m)
{
    m->state = PL_LINK_PATH_UNVALIDATED;
}

/* clang-format off */
static const uint8_t pl_link_path_next[PL_LINK_PATH_STATES][PL_LINK_PATH_EVENTS] = {
    /*                  answered  configured  moved */
    /* 0 Unvalidated   */ {        1,          1,     0},
    /* 1 Validated     */ {        1,          1,     0},
};
/* clang-format on */

enum pl_link_path_state pl_link_path_step(struct pl_link_path *m, enum pl_link_path_event event)
{
    uint8_t from = m->state;

    m->state = pl_link_path_next[from][event];
    if (pl_state_trace)
        pl_state_trace("Link Path", m, from, (uint8_t)event, m->state);
    return (enum pl_link_path_state)m->state;
}

const char *pl_link_path_state_name(uint8_t state)
{
    static const char *const names[] = {
        "Unvalidated",
        "Validated",
    };

    return state < PL_LINK_PATH_STATES ? names[state] : "unknown";
}

const char *pl_link_path_event_name(uint8_t event)
{
    static const char *const names[] = {
        "answered",
        "configured",
        "moved",
    };

    return event < PL_LINK_PATH_EVENTS ? names[event] : "unknown";
}

/* spec/link.wire:535 */
void pl_sending_stream_init(struct pl_sending_stream *m)
{
    m->state = PL_SENDING_STREAM_OPEN;
}

/* clang-format off */
static const uint8_t pl_sending_stream_next[PL_SENDING_STREAM_STATES][PL_SENDING_STREAM_EVENTS] = {
    /*              stored  refused for now  refused for good  forked  reborn  dropped  resumed */
    /* 0 Open      */ {      4,               1,                2,      3,      0,       0,       0},
    /* 1 Blocked   */ {      4,               1,                2,      3,      1,       1,       0},
    /* 2 Stopped   */ {      4,               2,                2,      3,      2,       0,       0},
    /* 3 Forked    */ {      3,               3,                3,      3,      0,       3,       3},
    /* 4 Settled   */ {      4,               4,                4,      4,      4,       4,       0},
};
/* clang-format on */

enum pl_sending_stream_state pl_sending_stream_step(struct pl_sending_stream *m,
                                                    enum pl_sending_stream_event event)
{
    uint8_t from = m->state;

    m->state = pl_sending_stream_next[from][event];
    if (pl_state_trace)
        pl_state_trace("Sending Stream", m, from, (uint8_t)event, m->state);
    return (enum pl_sending_stream_state)m->state;
}

const char *pl_sending_stream_broken(enum pl_sending_stream_state state, unsigned facts)
{
    /* spec/link.wire:559: always Settled implies not kept */
    if ((state == PL_SENDING_STREAM_SETTLED) && ((facts & PL_SENDING_STREAM_FACT_KEPT) != 0))
        return "Settled Streams Keep Nothing";
    return NULL;
}

const char *pl_sending_stream_state_name(uint8_t state)
{
    static const char *const names[] = {
        "Open",
        "Blocked",
        "Stopped",
        "Forked",
        "Settled",
    };

    return state < PL_SENDING_STREAM_STATES ? names[state] : "unknown";
}

const char *pl_sending_stream_event_name(uint8_t event)
{
    static const char *const names[] = {
        "stored",
        "refused for now",
        "refused for good",
        "forked",
        "reborn",
        "dropped",
        "resumed",
    };

    return event < PL_SENDING_STREAM_EVENTS ? names[event] : "unknown";
}

/* spec/link.wire:562 */
void pl_sending_life_init(struct pl_sending_life *m)
{
    m->state = PL_SENDING_LIFE_HELD;
}

/* clang-format off */
static const uint8_t pl_sending_life_next[PL_SENDING_LIFE_STATES][PL_SENDING_LIFE_EVENTS] = {
    /*                announced  stored above zero  all stored  new run  unbound  forked */
    /* 0 Held        */ {         1,                 2,          3,       0,       0,      3},
    /* 1 Announced   */ {         1,                 2,          3,       0,       0,      3},
    /* 2 Bound       */ {         2,                 2,          3,       0,       0,      3},
    /* 3 Settled     */ {         3,                 3,          3,       3,       3,      3},
};
/* clang-format on */

enum pl_sending_life_state pl_sending_life_step(struct pl_sending_life *m, enum pl_sending_life_event event)
{
    uint8_t from = m->state;

    m->state = pl_sending_life_next[from][event];
    if (pl_state_trace)
        pl_state_trace("Sending Life", m, from, (uint8_t)event, m->state);
    return (enum pl_sending_life_state)m->state;
}

const char *pl_sending_life_broken(enum pl_sending_life_state state, unsigned facts)
{
    /* spec/link.wire:583: always Settled implies not kept */
    if ((state == PL_SENDING_LIFE_SETTLED) && ((facts & PL_SENDING_LIFE_FACT_KEPT) != 0))
        return "Settled Lives Keep Nothing";
    /* spec/link.wire:585: always Settled implies safe */
    if ((state == PL_SENDING_LIFE_SETTLED) && ((facts & PL_SENDING_LIFE_FACT_SAFE) == 0))
        return "Nothing Is Lost";
    /* spec/link.wire:586: always Bound implies known */
    if ((state == PL_SENDING_LIFE_BOUND) && ((facts & PL_SENDING_LIFE_FACT_KNOWN) == 0))
        return "Bound Lives Are Known";
    return NULL;
}

const char *pl_sending_life_state_name(uint8_t state)
{
    static const char *const names[] = {
        "Held",
        "Announced",
        "Bound",
        "Settled",
    };

    return state < PL_SENDING_LIFE_STATES ? names[state] : "unknown";
}

const char *pl_sending_life_event_name(uint8_t event)
{
    static const char *const names[] = {
        "announced",
        "stored above zero",
        "all stored",
        "new run",
        "unbound",
        "forked",
    };

    return event < PL_SENDING_LIFE_EVENTS ? names[event] : "unknown";
}

/* spec/link.wire:589 */
void pl_sent_piece_init(struct pl_sent_piece *m)
{
    m->state = PL_SENT_PIECE_IN_FLIGHT;
}

/* clang-format off */
static const uint8_t pl_sent_piece_next[PL_SENT_PIECE_STATES][PL_SENT_PIECE_EVENTS] = {
    /*                acknowledged  lost  receiver restarted  stored */
    /* 0 In Flight   */ {            2,    1,                  3,      4},
    /* 1 Lost        */ {            2,    1,                  1,      4},
    /* 2 Received    */ {            2,    2,                  2,      4},
    /* 3 Requeued    */ {            2,    3,                  3,      4},
    /* 4 Stored      */ {            4,    4,                  4,      4},
};
/* clang-format on */

enum pl_sent_piece_state pl_sent_piece_step(struct pl_sent_piece *m, enum pl_sent_piece_event event)
{
    uint8_t from = m->state;

    m->state = pl_sent_piece_next[from][event];
    if (pl_state_trace)
        pl_state_trace("Sent Piece", m, from, (uint8_t)event, m->state);
    return (enum pl_sent_piece_state)m->state;
}

const char *pl_sent_piece_broken(enum pl_sent_piece_state state, unsigned facts)
{
    /* spec/link.wire:610: always Stored implies committed */
    if ((state == PL_SENT_PIECE_STORED) && ((facts & PL_SENT_PIECE_FACT_COMMITTED) == 0))
        return "Stored Is Committed";
    /* spec/link.wire:611: always Received implies committed or in memory or restarted */
    if ((state == PL_SENT_PIECE_RECEIVED) && ((((facts & PL_SENT_PIECE_FACT_COMMITTED) == 0)
                                               && ((facts & PL_SENT_PIECE_FACT_IN_MEMORY) == 0))
                                                   && ((facts & PL_SENT_PIECE_FACT_RESTARTED) == 0)))
        return "Received Is There";
    return NULL;
}

const char *pl_sent_piece_state_name(uint8_t state)
{
    static const char *const names[] = {
        "In Flight",
        "Lost",
        "Received",
        "Requeued",
        "Stored",
    };

    return state < PL_SENT_PIECE_STATES ? names[state] : "unknown";
}

const char *pl_sent_piece_event_name(uint8_t event)
{
    static const char *const names[] = {
        "acknowledged",
        "lost",
        "receiver restarted",
        "stored",
    };

    return event < PL_SENT_PIECE_EVENTS ? names[event] : "unknown";
}

/* spec/link.wire:616 */
void pl_receiving_stream_init(struct pl_receiving_stream *m)
{
    m->state = PL_RECEIVING_STREAM_NAMED;
}

/* clang-format off */
static const uint8_t pl_receiving_stream_next[PL_RECEIVING_STREAM_STATES][PL_RECEIVING_STREAM_EVENTS] = {
    /*               taken  refused  cleared  gap */
    /* 0 Named      */ {     1,       2,       0,   1},
    /* 1 Taking     */ {     1,       2,       1,   1},
    /* 2 Refusing   */ {     2,       2,       1,   1},
};
/* clang-format on */

enum pl_receiving_stream_state pl_receiving_stream_step(struct pl_receiving_stream *m,
                                                        enum pl_receiving_stream_event event)
{
    uint8_t from = m->state;

    m->state = pl_receiving_stream_next[from][event];
    if (pl_state_trace)
        pl_state_trace("Receiving Stream", m, from, (uint8_t)event, m->state);
    return (enum pl_receiving_stream_state)m->state;
}

const char *pl_receiving_stream_broken(enum pl_receiving_stream_state state, unsigned facts)
{
    /* spec/link.wire:632: always Taking implies row */
    if ((state == PL_RECEIVING_STREAM_TAKING) && ((facts & PL_RECEIVING_STREAM_FACT_ROW) == 0))
        return "Takers Have Rows";
    return NULL;
}

const char *pl_receiving_stream_state_name(uint8_t state)
{
    static const char *const names[] = {
        "Named",
        "Taking",
        "Refusing",
    };

    return state < PL_RECEIVING_STREAM_STATES ? names[state] : "unknown";
}

const char *pl_receiving_stream_event_name(uint8_t event)
{
    static const char *const names[] = {
        "taken",
        "refused",
        "cleared",
        "gap",
    };

    return event < PL_RECEIVING_STREAM_EVENTS ? names[event] : "unknown";
}

/* spec/link.wire:635 */
void pl_receiving_life_init(struct pl_receiving_life *m)
{
    m->state = PL_RECEIVING_LIFE_WAITING;
}

/* clang-format off */
static const uint8_t pl_receiving_life_next[PL_RECEIVING_LIFE_STATES][PL_RECEIVING_LIFE_EVENTS] = {
    /*              reached  followed  contradicted */
    /* 0 Waiting   */ {       1,        0,            3},
    /* 1 Current   */ {       1,        2,            1},
    /* 2 Past      */ {       2,        2,            2},
    /* 3 Forked    */ {       3,        3,            3},
};
/* clang-format on */

enum pl_receiving_life_state pl_receiving_life_step(struct pl_receiving_life *m,
                                                    enum pl_receiving_life_event event)
{
    uint8_t from = m->state;

    m->state = pl_receiving_life_next[from][event];
    if (pl_state_trace)
        pl_state_trace("Receiving Life", m, from, (uint8_t)event, m->state);
    return (enum pl_receiving_life_state)m->state;
}

const char *pl_receiving_life_broken(enum pl_receiving_life_state state, unsigned facts)
{
    /* spec/link.wire:652: always Current = named */
    if ((state == PL_RECEIVING_LIFE_CURRENT) != ((facts & PL_RECEIVING_LIFE_FACT_NAMED) != 0))
        return "One Life Goes On";
    /* spec/link.wire:654: always taken implies Current or Past */
    if (((facts & PL_RECEIVING_LIFE_FACT_TAKEN) != 0) && ((state != PL_RECEIVING_LIFE_CURRENT)
                                                          && (state != PL_RECEIVING_LIFE_PAST)))
        return "Only Followers Are Taken";
    return NULL;
}

const char *pl_receiving_life_state_name(uint8_t state)
{
    static const char *const names[] = {
        "Waiting",
        "Current",
        "Past",
        "Forked",
    };

    return state < PL_RECEIVING_LIFE_STATES ? names[state] : "unknown";
}

const char *pl_receiving_life_event_name(uint8_t event)
{
    static const char *const names[] = {
        "reached",
        "followed",
        "contradicted",
    };

    return event < PL_RECEIVING_LIFE_EVENTS ? names[event] : "unknown";
}

/* spec/link.wire:659 */
void pl_mtu_probe_init(struct pl_mtu_probe *m)
{
    m->state = PL_MTU_PROBE_BASE;
}

/* clang-format off */
static const uint8_t pl_mtu_probe_next[PL_MTU_PROBE_STATES][PL_MTU_PROBE_EVENTS] = {
    /*                base confirmed  probe acknowledged  probe lost  black hole  raised */
    /* 0 Base        */ {              1,                  0,          0,          3,      0},
    /* 1 Searching   */ {              1,                  1,          2,          0,      1},
    /* 2 Complete    */ {              2,                  2,          2,          0,      1},
    /* 3 Broken      */ {              1,                  3,          3,          3,      3},
};
/* clang-format on */

enum pl_mtu_probe_state pl_mtu_probe_step(struct pl_mtu_probe *m, enum pl_mtu_probe_event event)
{
    uint8_t from = m->state;

    m->state = pl_mtu_probe_next[from][event];
    if (pl_state_trace)
        pl_state_trace("Mtu Probe", m, from, (uint8_t)event, m->state);
    return (enum pl_mtu_probe_state)m->state;
}

const char *pl_mtu_probe_state_name(uint8_t state)
{
    static const char *const names[] = {
        "Base",
        "Searching",
        "Complete",
        "Broken",
    };

    return state < PL_MTU_PROBE_STATES ? names[state] : "unknown";
}

const char *pl_mtu_probe_event_name(uint8_t event)
{
    static const char *const names[] = {
        "base confirmed",
        "probe acknowledged",
        "probe lost",
        "black hole",
        "raised",
    };

    return event < PL_MTU_PROBE_EVENTS ? names[event] : "unknown";
}
