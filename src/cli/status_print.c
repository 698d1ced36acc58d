/* status_print.c: status as text for people or as one JSON object: see status_print.h. */
#include "cli/status_print.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TIME_ROOM = 40, DAY_MS = 86400000 };

typedef unsigned long long ull;

static struct pl_bytes bytes_of(const void *p, size_t n)
{
    return (struct pl_bytes){p, n};
}

static void json_text(const char *name, struct pl_bytes text, const char *after)
{
    printf("\"%s\":", name);
    pl_json_string(stdout, text);
    fputs(after, stdout);
}

static const char *time_text(uint64_t wall_ms, char out[TIME_ROOM])
{
    time_t seconds = (time_t)(wall_ms / 1000);
    struct tm utc;

    if (wall_ms == 0 || !gmtime_r(&seconds, &utc) ||
        strftime(out, TIME_ROOM, "%Y-%m-%d %H:%M:%S UTC", &utc) == 0)
        snprintf(out, TIME_ROOM, "never");
    return out;
}

static void hex_text(const uint8_t *bytes, size_t n, char *out)
{
    for (size_t i = 0; i < n; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

/* Names come from peers: control characters must not drive a terminal. */
static void print_name(const uint8_t *name, size_t n)
{
    for (size_t i = 0; i < n; i++)
        putchar(name[i] < ' ' || name[i] == 0x7f ? '?' : name[i]);
}

static void json_member(void *ctx, const char *name, uint64_t number, const char *text)
{
    bool *any = ctx;

    fputs(*any ? "," : "", stdout);
    *any = true;
    if (text)
        json_text(name, bytes_of(text, strlen(text)), "");
    else
        printf("\"%s\":%llu", name, (ull)number);
}

static void json_store(const char *dir, const struct pl_store_status *s, const struct pl_node_status *node)
{
    char id[2 * sizeof s->store_id + 1];
    bool any = false;

    hex_text(s->store_id, sizeof s->store_id, id);
    fputs("{\"node\":", stdout);
    if (node) {
        fputs("{", stdout);
        pl_status_members(node, json_member, &any);
        fputs("}", stdout);
    } else {
        fputs("null", stdout);
    }
    fputs(",\"store\":{", stdout);
    json_text("directory", bytes_of(dir, strlen(dir)), ",");
    printf(
        "\"id\":\"%s\",\"links_known\":%llu,\"links_allowed\":%llu,\"list_generation\":%u,\"list_ms\":%llu,",
        id, (ull)s->links, (ull)s->allowed, s->list.generation, (ull)s->list.wall_ms);
    printf("\"blocks\":%llu,\"first_position\":%llu,\"end_position\":%llu,\"checkpoint_position\":%llu,",
           (ull)s->blocks, (ull)s->first_position, (ull)s->end_position, (ull)s->checkpoint_position);
    printf("\"last_commit_ms\":%llu,\"file_bytes\":%llu,\"map_bytes\":%llu,\"used_bytes\":%llu,",
           (ull)s->last_commit_ms, (ull)s->file_bytes, (ull)s->map_bytes, (ull)s->used_bytes);
    printf("\"readers\":%llu,\"damaged_blocks\":%llu,", (ull)s->readers, (ull)s->damaged_blocks);
    json_text("last_damage", bytes_of(s->last_damage.s, strlen(s->last_damage.s)), "}");
}

/* Counters are many: only those that count something. */
static void text_drop(void *ctx, const char *name, uint64_t number, const char *text)
{
    (void)ctx;
    if (!text && number > 0 && strncmp(name, "drops_", 6) == 0)
        printf("  dropped       %llu packets: %s\n", (ull)number, name + 6);
}

static void text_trouble(const struct pl_node_status *n)
{
    char when[TIME_ROOM];

    if (n->storing_failed)
        printf("  STORING FAILED: start the node again\n");
    if (n->store_full)
        printf("  STORE FULL: records are refused until there is room\n");
    if (n->senders_error_ms)
        printf("  senders       not taken since %s: %s\n", time_text(n->senders_error_ms, when),
               n->senders_error);
    if (n->last_error[0])
        printf("  last error    %s: %s\n", time_text(n->last_error_ms, when), n->last_error);
    if (n->last_event[0])
        printf("  last event    %s: %s\n", time_text(n->last_event_ms, when), n->last_event);
}

static void text_retention(const struct pl_node_status *n)
{
    if (n->keep_ms)
        printf("  keeps         records of the last %llu days\n", (ull)(n->keep_ms / DAY_MS));
    if (n->keep_bytes)
        printf("  keeps         %llu bytes of records\n", (ull)n->keep_bytes);
}

static void text_node(const struct pl_node_status *n)
{
    char when[TIME_ROOM];

    if (!n) {
        printf("  node          not running\n");
        return;
    }
    printf("  node          running, pid %llu, since %s\n", (ull)n->pid, time_text(n->started_ms, when));
    printf("  listens on    %s\n  public key    %s\n", n->listen, n->public_key);
    printf("  links active  %llu (%llu without a proven run), %llu bytes\n", (ull)n->links_active,
           (ull)n->links_unproven, (ull)n->memory_bytes);
    printf("  packets       %llu in, %llu out, %llu lost\n", (ull)n->packets_in, (ull)n->packets_out,
           (ull)n->lost_packets);
    printf("  records       %llu received, %llu repeated pieces, %llu commits\n", (ull)n->records_delivered,
           (ull)n->repeats, (ull)n->commits);
    pl_status_members(n, text_drop, NULL);
    text_retention(n);
    text_trouble(n);
}

static void text_store(const char *dir, const struct pl_store_status *s, const struct pl_node_status *node)
{
    char when[TIME_ROOM];

    printf("store %s\n", dir);
    text_node(node);
    printf("  links         %llu known, %llu allowed\n", (ull)s->links, (ull)s->allowed);
    printf("  list          generation %u, in force since %s\n", s->list.generation,
           time_text(s->list.wall_ms, when));
    printf("  log           %llu blocks, positions %llu to %llu, last commit %s\n", (ull)s->blocks,
           (ull)s->first_position, (ull)s->end_position, time_text(s->last_commit_ms, when));
    if (s->first_position)
        printf("  trimmed       positions 0 to %llu: records that were deleted by retention\n",
               (ull)s->first_position - 1);
    printf("  size          %llu bytes used of %llu in the file\n", (ull)s->used_bytes, (ull)s->file_bytes);
    if (s->damaged_blocks)
        printf("  damaged       %llu blocks set aside: %s\n", (ull)s->damaged_blocks, s->last_damage.s);
}

static void begin_list(struct pl_status_printer *printer)
{
    printer->begun = true;
    if (printer->json && !printer->no_list)
        fputs(",\"streams\":[", stdout);
}

void pl_status_store(struct pl_status_printer *printer, const char *dir, const struct pl_store_status *store,
                     const struct pl_node_status *node)
{
    if (printer->json)
        json_store(dir, store, node);
    else
        text_store(dir, store, node);
    begin_list(printer);
}

/* Whether one more stream may be printed; what stands before it is. */
static bool next_in_list(struct pl_status_printer *printer)
{
    if (printer->n == printer->limit) {
        printer->cut = true;
        return false;
    }
    if (printer->json)
        fputs(printer->n > 0 ? ",{" : "{", stdout);
    else
        fputs(printer->n > 0 ? "  " : "streams\n  ", stdout);
    printer->n++;
    return true;
}

bool pl_status_stream(struct pl_status_printer *printer, const struct pl_link_info *link,
                      const struct pl_row *row)
{
    if (!next_in_list(printer))
        return false;
    if (!printer->json) {
        print_name(link->name, link->name_size);
        printf(" / ");
        print_name(row->name, row->name_size);
        printf(": heard %llu, stored %llu, lost %llu, %llu bytes\n", (ull)row->heard, (ull)row->records,
               (ull)row->lost, (ull)row->bytes);
        return true;
    }
    json_text("name", bytes_of(link->name, link->name_size), ",");
    json_text("stream", bytes_of(row->name, row->name_size), ",");
    printf(
        "\"birth\":\"%016llx\",\"heard\":%llu,\"stored\":%llu,\"lost\":%llu,\"bytes\":%llu,\"allowed\":%s}",
        (ull)row->birth, (ull)row->heard, (ull)row->records, (ull)row->lost, (ull)row->bytes,
        link->allowed ? "true" : "false");
    return true;
}

void pl_status_outbox(struct pl_status_printer *printer, const char *dir, const struct pl_outbox_totals *t)
{
    if (!printer->json) {
        printf("outbox %s\n  held          %llu records, %llu bytes\n", dir, (ull)t->held_records,
               (ull)t->held_bytes);
        printf("  size          %llu bytes used of %llu in the file\n", (ull)t->used_bytes,
               (ull)t->file_bytes);
        if (t->damaged_rows || t->dropped_records)
            printf("  lost          %llu damaged rows set aside, %llu records dropped\n",
                   (ull)t->damaged_rows, (ull)t->dropped_records);
        begin_list(printer);
        return;
    }
    fputs("{\"outbox\":{", stdout);
    json_text("directory", bytes_of(dir, strlen(dir)), ",");
    printf("\"owner_pid\":%llu,\"held_records\":%llu,\"held_bytes\":%llu,\"file_bytes\":%llu,\"map_bytes\":%"
           "llu,",
           (ull)t->owner_pid, (ull)t->held_records, (ull)t->held_bytes, (ull)t->file_bytes,
           (ull)t->map_bytes);
    printf("\"used_bytes\":%llu,\"damaged_rows\":%llu,\"dropped_records\":%llu}",
           (ull)t->used_bytes, (ull)t->damaged_rows, (ull)t->dropped_records);
    begin_list(printer);
}

bool pl_status_birth(struct pl_status_printer *printer, const struct pl_outbox_status *b)
{
    if (!next_in_list(printer))
        return false;
    if (!printer->json) {
        print_name(b->name, b->name_size);
        printf(": given %llu, stored %llu, held %llu (%llu bytes)%s\n", (ull)(b->next_number - 1),
               (ull)b->freed_number, (ull)b->held_records, (ull)b->held_bytes,
               b->blocked ? ", waits for an older birth" : "");
        return true;
    }
    json_text("stream", bytes_of(b->name, b->name_size), ",");
    printf("\"birth\":\"%016llx\",\"next_number\":%llu,\"stored\":%llu,\"held_records\":%llu,", (ull)b->birth,
           (ull)b->next_number, (ull)b->freed_number, (ull)b->held_records);
    printf("\"held_bytes\":%llu,\"lives\":%llu,\"forked_ms\":%llu,\"blocked\":%s}", (ull)b->held_bytes,
           (ull)b->lives, (ull)b->forked_ms, b->blocked ? "true" : "false");
    return true;
}

void pl_status_end(struct pl_status_printer *printer)
{
    if (!printer->json)
        fputs(printer->cut ? "  and more\n" : "", stdout);
    else if (!printer->begun)
        fputs("{}\n", stdout);
    else if (printer->no_list)
        fputs("}\n", stdout);
    else
        printf("],\"streams_cut\":%s}\n", printer->cut ? "true" : "false");
}
