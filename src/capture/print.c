/* print.c: what a line begins with, and the frames of a packet: see print.h. */
#include "capture/print.h"

#include <string.h>
#include <time.h>

#include "link/link_limits.h"

enum { HEAD_ROOM = 320, FRAME_ROOM = 8192, TIME_ROOM = 48 };

static const uint64_t year_10000_s = UINT64_C(253402300800);

static const char *print_time(const struct pl_captured *frame, char out[TIME_ROOM])
{
    time_t seconds = (time_t)frame->seconds;
    struct tm utc;
    char text[TIME_ROOM - 16];

    if (!frame->has_time || frame->seconds >= year_10000_s || !gmtime_r(&seconds, &utc) ||
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc) == 0)
        return "-";
    snprintf(out, TIME_ROOM, "%s.%09uZ", text, (unsigned)frame->nanoseconds);
    return out;
}

/* What all lines of a packet begin with. */
static void print_head(char out[HEAD_ROOM], const struct pl_captured *frame, const struct pl_layers *layers)
{
    char when[TIME_ROOM], from[PL_ADDRESS_TEXT_SIZE], to[PL_ADDRESS_TEXT_SIZE];

    snprintf(out, HEAD_ROOM, "%s %s > %s", print_time(frame, when),
             pl_address_print(&layers->from, from, sizeof from),
             pl_address_print(&layers->to, to, sizeof to));
}

static void print_header(char head[HEAD_ROOM], const struct pl_unsealed_packet *packet)
{
    size_t n = strlen(head);
    const char *sides = !packet->key ? "-" : packet->key->from_node ? "node>device" : "device>node";

    snprintf(head + n, HEAD_ROOM - n, " %s", sides);
    n = strlen(head);
    if (packet->has_header)
        snprintf(head + n, HEAD_ROOM - n, " key_id=0x%08x run=0x%016llx packet_number=0x%08x",
                 (unsigned)packet->header.key_id, (unsigned long long)packet->header.run,
                 (unsigned)packet->header.packet_number);
}

static bool print_frames(FILE *to, const char *head, struct pl_bytes plain)
{
    char text[FRAME_ROOM];
    size_t at = 0, end = 0;
    unsigned count = 0;
    enum pl_error e = plain.n == 0 ? PL_E_EMPTY : PL_OK;

    while (e == PL_OK && at < plain.n) {
        struct pl_frame frame;
        end = at;
        e = count++ < PL_FRAMES_MAX ? pl_frame_decode(plain, at, &frame, &end) : PL_E_LIMIT;
        if (e != PL_OK)
            break;
        pl_frame_print(text, sizeof text, &frame);
        fprintf(to, "%s %s\n", head, text);
        at = end;
    }
    if (e != PL_OK)
        fprintf(to, "%s malformed: %s at %zu\n", head, pl_error_name(e), end);
    return e == PL_OK;
}

static void print_reason(FILE *to, const char *head, const struct pl_unsealed_packet *p)
{
    switch (p->result) {
    case PL_UNSEALED_HEADER:
        fprintf(to, "%s not a packet: %s at %zu\n", head, pl_error_name(p->fault), p->fault_at);
        break;
    case PL_UNSEALED_SHORT:
        fprintf(to, "%s not a packet: %zu bytes are too short for one\n", head, p->whole_n);
        break;
    case PL_UNSEALED_NOT_SEALED:
        fprintf(to, "%s not opened: suite %u (%s) is not opened here\n", head, p->header.suite,
                pl_suite_name(p->header.suite));
        break;
    case PL_UNSEALED_CUT:
        fprintf(to, "%s not opened: only %zu of %zu bytes were captured\n", head, p->sealed.n, p->whole_n);
        break;
    case PL_UNSEALED_NO_KEY: fprintf(to, "%s not opened: no key of its run in the key log\n", head); break;
    default: fprintf(to, "%s not opened: forged, damaged or sealed with another key\n", head); break;
    }
}

bool pl_print_packet(FILE *to, const struct pl_captured *frame, const struct pl_layers *layers,
                     const struct pl_unsealed_packet *packet)
{
    char head[HEAD_ROOM];

    print_head(head, frame, layers);
    print_header(head, packet);
    if (packet->result == PL_UNSEALED_OPEN)
        return print_frames(to, head, packet->plain);
    print_reason(to, head, packet);
    return true;
}

void pl_print_fragment(FILE *to, const struct pl_captured *frame, const struct pl_layers *layers)
{
    char head[HEAD_ROOM];

    print_head(head, frame, layers);
    fprintf(to, "%s - fragment, not reassembled\n", head);
}
