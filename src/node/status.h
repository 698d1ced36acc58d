/*
 * What a running node says of itself: the file status.json in the store's folder.
 *
 * It is one JSON object, one member a line, numbers and strings only, members always in the same order; that
 * makes it readable by any JSON parser, by people, and by the small reader here. It is replaced as a whole
 * (written into status.json.new, then the two change names), at most once a second and only when something
 * changed, and never flushed: after a power cut it may be empty or old, and is then as good as absent.
 * Nothing depends on it but `purelink status`. Blanks fill it up to whole blocks, so that it can be written
 * again on a disk that has become full, which is when it is wanted most.
 *
 * Member names are stable: new ones may come, none changes its meaning.
 */
#ifndef PL_NODE_STATUS_H
#define PL_NODE_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "io/text.h"
#include "link/link_limits.h"
#include "link/link_types.h"

enum {
    PL_STATUS_BYTES_MAX = 16384, /* the file is never longer */
    PL_STATUS_LISTEN_MAX = 1024
};

struct pl_node_status {
    uint64_t pid;
    uint64_t started_ms, updated_ms;   /* wall clock */
    char public_key[48];               /* base64 */
    char listen[PL_STATUS_LISTEN_MAX]; /* addresses, a space between */

    uint64_t links_active, links_unproven, first_contacts;
    uint64_t links_made, links_swept, links_evicted, links_denied;
    uint64_t memory_bytes; /* of active links */

    uint64_t datagrams_received, datagrams_sent, send_failures, receive_buffer_bytes;
    uint64_t packets_in, packets_out, bytes_in, bytes_out;
    uint64_t records_delivered, repeats, pieces_left, pieces_held;
    uint64_t answers, probes, lost_packets, runs_proven, forks, gaps, refusals, malformed;
    uint64_t drops[PL_DROP_COUNT]; /* by reason; members "drops_..." */
    uint64_t secrets_made, ambiguous_packets, damaged_links;

    uint64_t keep_ms, keep_bytes; /* retention; 0: none */
    uint64_t commits, commit_failures, last_commit_ms;
    uint64_t store_full;     /* 1: records are refused until there is room */
    uint64_t storing_failed; /* 1: for good, the node must be started again */
    char last_error[240];
    uint64_t last_error_ms;
    char last_event[240];
    uint64_t last_event_ms;
    char senders_error[240];   /* why the senders file was not taken; the list before stays in force */
    uint64_t senders_error_ms; /* since when; 0: it was taken */
};

/* Writes the text of the file to `out` (PL_STATUS_BYTES_MAX). Returns its length. */
size_t pl_status_print(const struct pl_node_status *status, char *out, size_t room);

/* Reads it back. Members not known are skipped, missing ones are 0. PL_E_STORE_DAMAGED: not such a text. */
enum pl_error pl_status_parse(const char *text, size_t n, struct pl_node_status *out);

/* Replaces DIR/status.json. PL_E_STORE_FULL, PL_E_IO: the old one stays. */
enum pl_error pl_status_write(const char *dir, const struct pl_node_status *status, struct pl_text *why);

/* Reads DIR/status.json. PL_E_NOT_FOUND, PL_E_PERMISSION, PL_E_IO, PL_E_STORE_DAMAGED. */
enum pl_error pl_status_read(const char *dir, struct pl_node_status *out, struct pl_text *why);

/* Calls each(ctx, name, is_text, number, text) for every member in order. text is NULL for numbers. */
typedef void pl_status_each(void *ctx, const char *name, uint64_t number, const char *text);
void pl_status_members(const struct pl_node_status *status, pl_status_each *each, void *ctx);

/* Writes a JSON string (RFC 8259 section 7), quotes included: UTF-8 passes, what is not UTF-8 becomes U+FFFD,
 * so that any bytes make a valid text. */
void pl_json_string(FILE *to, struct pl_bytes text);

/* Whether the bytes are valid UTF-8 (RFC 3629). */
bool pl_is_utf8(struct pl_bytes text);

#endif
