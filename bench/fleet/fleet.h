/* What the parts of purelink-fleet share. Many devices on the second engine (crosscheck/engine, on nettle),
 * each with a key and a source address and port of its own; nothing of src/ is in it. */
#ifndef FLEET_H
#define FLEET_H

#include "engine/link.h"

#include <stdio.h>

enum { FLEET_SOCKETS = 16, FLEET_DEVICES_MAX = 10000000, FLEET_NAME_BYTES = 16 };

enum fleet_exit { FLEET_USAGE = 64, FLEET_REFUSED = 65, FLEET_FAILED = 74, FLEET_KEPT = 75 };

enum fleet_command { FLEET_KEYS, FLEET_ONCE, FLEET_RUN, FLEET_WAKE };

struct fleet_options {
    enum fleet_command command;
    const char *seed;
    uint32_t devices;
    uint32_t node_address, from; /* IPv4, host order; device i sends from `from` + i */
    uint16_t node_port;
    uint8_t node_key[XC_KEY_BYTES], suite;
    uint64_t rate_per_s;    /* records given a second, of all devices */
    uint64_t period_ms;     /* run: between two records of one device */
    uint64_t for_s;         /* run: how long */
    uint64_t rest_ms;       /* wake: between the last record stored and the first wake */
    uint64_t idle_ms;       /* how long a device with all stored keeps its link */
    uint64_t timeout_s;     /* to wait for what is not stored, after the last record was given */
    uint64_t in_flight_max; /* devices with something unstored; once only */
    uint64_t record_bytes;
};

/* ---- keys.c ---- */

/* The private key of device number `device`: SHA-256 of a label, the seed and the number. */
void fleet_key(const char *seed, uint32_t device, uint8_t key[XC_KEY_BYTES]);

/* "d0000001" for device 0. */
void fleet_name(uint32_t device, char name[FLEET_NAME_BYTES]);

/* 44 characters of base64, as the node prints its key. False: it is none. */
bool fleet_key_from_text(const char *text, uint8_t key[XC_KEY_BYTES]);

/* The senders file of all devices. */
void fleet_print_senders(const struct fleet_options *options, FILE *out);

/* ---- options.c ---- */

/* Ends the program with what is wrong, on standard error. */
_Noreturn void fleet_fail(enum fleet_exit status, const char *what, const char *which);
void fleet_parse(int argc, char **argv, struct fleet_options *options);

/* ---- histogram and report: report.c ---- */

/* Counts by the time they took: 16 steps for each power of two, so that a percentile is off by 6 % at most.
 */
enum { FLEET_STEPS = 16, FLEET_BUCKETS = 40 * FLEET_STEPS };
struct fleet_times {
    uint64_t bucket[FLEET_BUCKETS], n, max_us;
};

struct fleet_counts {
    uint64_t made, stored, again, refused, unsent, stray;
};

struct fleet_report {
    struct fleet_counts counts;
    struct fleet_times recent, all; /* since the last line, and since the phase began */
    uint64_t start_us, line_us, cpu_us, start_cpu_us;
};

void fleet_report_start(struct fleet_report *report, uint64_t now_us);
void fleet_report_stored(struct fleet_report *report, uint64_t took_us);

/* The line of the last 100 ms; its percentiles are of what was stored in them, 0 if nothing was. */
void fleet_report_line(struct fleet_report *report, uint64_t now_us, uint64_t in_flight);
void fleet_report_result(const struct fleet_report *report, const struct fleet_options *options,
                         uint64_t now_us, uint64_t unstored);

/* ---- net.c ---- */

struct fleet_net {
    int fd[FLEET_SOCKETS];
    const struct fleet_options *options;
    struct xc_address node;
};

void fleet_net_open(struct fleet_net *net, const struct fleet_options *options);

/* From the device's own address and socket. False: the kernel did not take it; it is lost. */
bool fleet_net_send(const struct fleet_net *net, uint32_t device, const uint8_t *p, size_t n);

/* Takes what is waiting from the node, up to a batch; `each` is told for which device it is. */
void fleet_net_take(const struct fleet_net *net, void *context,
                    void (*each)(void *context, uint32_t device, const uint8_t *p, size_t n));
void fleet_net_wait(const struct fleet_net *net, uint64_t now_us, uint64_t until_us);
uint64_t fleet_now_us(void);

/* ---- timers.c ---- */

/* A device that is awake. Asleep it is a seed and a number, and what its stream has to remember. */
struct fleet_flight {
    struct xc_link *link;
    uint32_t device;
    uint64_t due_us;   /* the engine's timer; at rest, when the link is given up */
    size_t place;      /* in the heap */
    uint64_t *made_us; /* of records that are not stored, oldest first */
    size_t made_n, made_room;
};

struct fleet_timers {
    struct fleet_flight **heap; /* the earliest first */
    size_t n, room;
};

void fleet_timers_add(struct fleet_timers *timers, struct fleet_flight *flight);
void fleet_timers_moved(struct fleet_timers *timers, struct fleet_flight *flight);
void fleet_timers_remove(struct fleet_timers *timers, struct fleet_flight *flight);

/* ---- devices.c ---- */

struct fleet {
    const struct fleet_options *options;
    struct fleet_net net;
    struct fleet_timers timers;
    struct fleet_report report;
    struct fleet_flight **flight; /* by device; NULL: asleep */
    struct xc_rest *rest;         /* by device; NULL: devices wake only once. life 0: never woke */
    struct xc_pair *pair;         /* by device, as a device keeps it; NULL likewise */
    uint64_t unstored;            /* devices with something unstored */
};

void fleet_open(struct fleet *fleet, const struct fleet_options *options);
void fleet_close(struct fleet *fleet);

/* The device makes a record, whose time counts from made_us. */
void fleet_give(struct fleet *fleet, uint32_t device, uint64_t now_us, uint64_t made_us);
void fleet_tick(struct fleet *fleet, uint64_t now_us);
void fleet_take(struct fleet *fleet);

/* ---- phases.c ---- */

/* Carries out once, run or wake; returns the exit status. */
int fleet_carry_out(struct fleet *fleet);
void fleet_catch_signals(void);

#endif
