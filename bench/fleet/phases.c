/* When records are made: once each, each period, or one device after the other once all were at rest. */
#include "fleet.h"

#include <signal.h>

enum { LINE_US = 100000, MAKE_AT_ONCE = 256 };

static volatile sig_atomic_t stopped;

static void stop(int number)
{
    (void)number;
    stopped = 1;
}

void fleet_catch_signals(void)
{
    struct sigaction action = {.sa_handler = stop};

    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
}

/* Record n is of device n modulo all, due n times the interval after the start. */
struct phase {
    uint64_t start_us, total, made, last_made_us;
    double interval_us;
    uint64_t unstored_max; /* no record is made while so many devices wait */
    bool by_the_clock;     /* a record's time counts from when it was due, not from when it was made */
};

static uint64_t due_us(const struct phase *phase)
{
    return phase->start_us + (uint64_t)((double)phase->made * phase->interval_us);
}

static void make_due(struct fleet *fleet, struct phase *phase)
{
    uint64_t now_us = fleet_now_us();

    for (int i = 0; i < MAKE_AT_ONCE && phase->made < phase->total && due_us(phase) <= now_us &&
                    fleet->unstored < phase->unstored_max;
         i++) {
        uint32_t device = (uint32_t)(phase->made % fleet->options->devices);
        fleet_give(fleet, device, now_us, phase->by_the_clock ? due_us(phase) : now_us);
        phase->made++;
        phase->last_made_us = now_us = fleet_now_us();
    }
}

static void turn(struct fleet *fleet, struct phase *phase)
{
    make_due(fleet, phase);
    uint64_t now_us = fleet_now_us(), until_us = fleet->report.line_us + LINE_US;

    fleet_tick(fleet, now_us);
    if (now_us >= until_us) {
        fleet_report_line(&fleet->report, now_us, fleet->unstored);
        until_us = now_us + LINE_US;
    }
    if (phase->made < phase->total && fleet->unstored < phase->unstored_max && due_us(phase) < until_us)
        until_us = due_us(phase);
    if (fleet->timers.n > 0 && fleet->timers.heap[0]->due_us < until_us)
        until_us = fleet->timers.heap[0]->due_us;
    fleet_net_wait(&fleet->net, now_us, until_us);
    fleet_take(fleet);
}

/* Until all is stored, or the time after the last record is over. */
static void carry_out(struct fleet *fleet, struct phase *phase)
{
    uint64_t timeout_us = fleet->options->timeout_s * 1000000;

    phase->start_us = phase->last_made_us = fleet_now_us();
    while (!stopped && (phase->made < phase->total || fleet->unstored > 0)) {
        turn(fleet, phase);
        if (fleet_now_us() - phase->last_made_us > timeout_us &&
            (phase->made == phase->total || fleet->unstored >= phase->unstored_max))
            break;
    }
}

static struct phase once(const struct fleet_options *o)
{
    return (struct phase){
        .total = o->devices, .interval_us = 1e6 / (double)o->rate_per_s, .unstored_max = o->in_flight_max};
}

static struct phase periodic(const struct fleet_options *o)
{
    return (struct phase){.total =
                              (uint64_t)((double)o->devices * (double)o->for_s * 1000 / (double)o->period_ms),
                          .interval_us = (double)o->period_ms * 1000 / (double)o->devices,
                          .unstored_max = UINT64_MAX,
                          .by_the_clock = true};
}

static void rest(struct fleet *fleet)
{
    struct phase nothing = {0};
    uint64_t until_us = fleet_now_us() + fleet->options->rest_ms * 1000;

    while (!stopped && fleet_now_us() < until_us)
        turn(fleet, &nothing);
    fleet_report_start(&fleet->report, fleet_now_us());
}

int fleet_carry_out(struct fleet *fleet)
{
    const struct fleet_options *o = fleet->options;
    struct phase phase = o->command == FLEET_RUN ? periodic(o) : once(o);

    carry_out(fleet, &phase);
    if (o->command == FLEET_WAKE && !stopped && fleet->unstored == 0 && fleet->report.counts.refused == 0) {
        rest(fleet);
        phase = once(o);
        phase.unstored_max = 1;
        carry_out(fleet, &phase);
    }
    uint64_t now_us = fleet_now_us();
    fleet_report_line(&fleet->report, now_us, fleet->unstored);
    fleet_report_result(&fleet->report, o, now_us, fleet->unstored);
    if (fleet->report.counts.refused > 0)
        return FLEET_REFUSED;
    return fleet->report.counts.stored == phase.total ? 0 : FLEET_KEPT;
}
