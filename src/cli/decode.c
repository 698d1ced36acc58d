/* decode.c: prints the packets of a capture file, opened with the keys of a key log. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "capture/keys.h"
#include "capture/layers.h"
#include "capture/plain.h"
#include "capture/print.h"
#include "capture/unseal.h"
#include "cli/command.h"
#include "cli/options.h"

enum { PORT_MAX = 65535, KEY_ID_AT = 2, KEY_ID_END = 6 };

struct arguments {
    const char *keylog, *write;
    uint64_t port; /* 0: told by key ids */
};

struct counts {
    uint64_t opened, malformed, no_key, forged, unread; /* packets; unread: cut, too short, not sealed */
    uint64_t fragments, others, cut_frames, strange_frames;
    uint32_t strange_link_type; /* of the first of strange_frames */
};

/* Too large for the stack. */
struct decoder {
    const struct arguments *arguments;
    const char *name; /* of the capture */
    struct pl_capture *capture;
    struct pl_capture_keys keys;
    struct pl_unsealer unsealer;
    struct pl_plain plain;
    struct counts counts;
    int output_errno; /* why standard output failed; 0: it did not */
};

static int fail(enum pl_error e, const struct pl_text *why)
{
    pl_complain("decode", "%s", why->s[0] ? why->s : pl_error_doc(e));
    bool is_usage = e == PL_E_NOT_FOUND || e == PL_E_PERMISSION || e == PL_E_EXISTS || e == PL_E_EMPTY ||
                    e == PL_E_UNKNOWN_TYPE;
    return is_usage ? PL_EXIT_USAGE : PL_EXIT_FAILED;
}

/* With a port all of it is shown, whatever it is; without, what names a key id of the key log. */
static bool is_wanted(const struct decoder *d, const struct pl_captured *frame,
                      const struct pl_layers *layers)
{
    const uint8_t *p = frame->bytes.p + layers->udp_at + PL_UDP_HEADER_SIZE;
    uint64_t port = d->arguments->port;

    if (port != 0)
        return layers->from.port == port || layers->to.port == port;
    if (layers->payload_n < KEY_ID_END)
        return false;
    p += KEY_ID_AT;
    uint32_t key_id = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    return pl_capture_keys_has_id(&d->keys, key_id);
}

static void count_packet(struct counts *counts, const struct pl_unsealed_packet *packet, bool is_good)
{
    switch (packet->result) {
    case PL_UNSEALED_OPEN:
        counts->opened++;
        counts->malformed += !is_good;
        break;
    case PL_UNSEALED_NO_KEY: counts->no_key++; break;
    case PL_UNSEALED_FORGED: counts->forged++; break;
    default: counts->unread++; break;
    }
}

static void note_output(struct decoder *d, bool has_failed)
{
    if (has_failed && d->output_errno == 0)
        d->output_errno = errno ? errno : EIO;
}

/* One packet after another: a train looks like one datagram. */
static enum pl_error take_datagram(struct decoder *d, const struct pl_captured *frame,
                                   const struct pl_layers *layers, struct pl_text *why)
{
    const uint8_t *p = frame->bytes.p + layers->udp_at + PL_UDP_HEADER_SIZE;
    size_t size = pl_train_size((struct pl_bytes){p, layers->payload_n}), at = 0;
    enum pl_error e = PL_OK;

    do {
        struct pl_unsealed_packet packet;
        size_t there = layers->payload_n - at, sent = layers->payload_whole_n - at;
        if (size < layers->payload_n && sent > size)
            sent = size;
        pl_unseal(&d->unsealer, (struct pl_bytes){p + at, there < sent ? there : sent}, sent, &packet);
        count_packet(&d->counts, &packet, pl_print_packet(stdout, frame, layers, &packet));
        note_output(d, ferror(stdout));
        if (d->plain.file)
            e = pl_plain_put(&d->plain, frame, layers, &packet, why);
        at += sent;
    } while (e == PL_OK && at < layers->payload_n);
    return e;
}

/* Only the first fragment has ports to choose by. */
static enum pl_error take_fragment(struct decoder *d, const struct pl_captured *frame,
                                   const struct pl_layers *layers, struct pl_text *why)
{
    uint64_t port = d->arguments->port;
    bool has_ports = layers->from.port != 0 || layers->to.port != 0;

    if (port != 0 && has_ports && layers->from.port != port && layers->to.port != port) {
        d->counts.others++;
        return PL_OK;
    }
    d->counts.fragments++;
    pl_print_fragment(stdout, frame, layers);
    note_output(d, ferror(stdout));
    return d->plain.file ? pl_plain_put_fragment(&d->plain, frame, layers, why) : PL_OK;
}

static enum pl_error take_frame(struct decoder *d, const struct pl_captured *frame, struct pl_text *why)
{
    struct pl_layers layers;

    switch (pl_layers_find(frame->link_type, frame->bytes, &layers)) {
    case PL_FOUND_UDP:
        if (is_wanted(d, frame, &layers))
            return take_datagram(d, frame, &layers, why);
        d->counts.others++;
        return PL_OK;
    case PL_FOUND_FRAGMENT: return take_fragment(d, frame, &layers, why);
    case PL_FOUND_CUT: d->counts.cut_frames++; return PL_OK;
    case PL_FOUND_LINK_TYPE:
        if (d->counts.strange_frames++ == 0)
            d->counts.strange_link_type = frame->link_type;
        return PL_OK;
    default: d->counts.others++; return PL_OK;
    }
}

static void tell_counts(const struct decoder *d)
{
    const struct counts *c = &d->counts;

    pl_complain(
        "decode",
        "%s: packets opened %llu (malformed %llu), without a key %llu, forged or damaged %llu, not read "
        "%llu; fragments %llu, other frames %llu",
        d->name, (unsigned long long)c->opened, (unsigned long long)c->malformed,
        (unsigned long long)c->no_key, (unsigned long long)c->forged, (unsigned long long)c->unread,
        (unsigned long long)c->fragments, (unsigned long long)c->others);
    if (c->cut_frames > 0)
        pl_complain("decode", "%s: %llu frames were cut before their UDP payload: capture more bytes of each",
                    d->name, (unsigned long long)c->cut_frames);
    if (c->strange_frames > 0)
        pl_complain("decode", "%s: %llu frames are of link types not read (the first: %u)", d->name,
                    (unsigned long long)c->strange_frames, (unsigned)c->strange_link_type);
}

/* To the end, the first fault, or until nobody listens. */
static int print_all(struct decoder *d)
{
    struct pl_text why = {""};
    struct pl_captured frame;
    enum pl_error e = PL_OK;

    while (e == PL_OK && d->output_errno == 0) {
        e = pl_capture_next(d->capture, &frame, &why);
        if (e == PL_OK)
            e = take_frame(d, &frame, &why);
    }
    note_output(d, fflush(stdout) != 0);
    struct pl_text closing = {""};
    enum pl_error closed = pl_plain_close(&d->plain, &closing);
    /* Whoever read our output has had enough; but what is to be written is to be whole. */
    if (d->output_errno == EPIPE && !d->arguments->write)
        return PL_EXIT_OK;
    if (d->output_errno != 0) {
        pl_complain("decode", "standard output: %s", strerror(d->output_errno));
        return PL_EXIT_FAILED;
    }
    tell_counts(d);
    if (e != PL_E_CLOSED) {
        pl_complain("decode", "%s", why.s);
        return PL_EXIT_FAILED;
    }
    return closed == PL_OK ? PL_EXIT_OK : fail(closed, &closing);
}

static FILE *open_file(const char *path)
{
    FILE *file = fopen(path, "rbe");

    if (!file)
        pl_complain("decode", "%s: %s", path, strerror(errno));
    return file;
}

static int read_keys(struct decoder *d)
{
    struct pl_text why = {""};
    const char *path = d->arguments->keylog;
    FILE *file = open_file(path);

    if (!file)
        return PL_EXIT_USAGE;
    enum pl_error e = pl_capture_keys_read(&d->keys, file, path, &why);
    fclose(file);
    if (d->keys.skipped > 0)
        pl_complain("decode", "%s: %llu lines skipped, the first is line %llu: %s", path,
                    (unsigned long long)d->keys.skipped, (unsigned long long)d->keys.skipped_line,
                    d->keys.skipped_why);
    return e == PL_OK ? PL_EXIT_OK : fail(e, &why);
}

static int decode_file(struct decoder *d, FILE *file)
{
    struct pl_text why = {""};
    enum pl_error e = pl_capture_open(&d->capture, file, d->name, &why);

    if (e == PL_OK)
        e = pl_unsealer_open(&d->unsealer, &d->keys);
    if (e == PL_OK && d->arguments->write)
        e = pl_plain_open(&d->plain, d->arguments->write, &why);
    int status = e == PL_OK ? print_all(d) : fail(e, &why);
    (void)pl_plain_close(&d->plain, NULL);
    pl_unsealer_close(&d->unsealer);
    pl_capture_close(d->capture);
    return status;
}

static int decode(const struct arguments *a, const char *path)
{
    bool is_input = strcmp(path, "-") == 0;
    struct decoder *d = calloc(1, sizeof *d);

    if (!d) {
        pl_complain("decode", "no memory");
        return PL_EXIT_FAILED;
    }
    d->arguments = a;
    d->name = is_input ? "standard input" : path;
    signal(SIGPIPE, SIG_IGN);
    int status = read_keys(d);
    FILE *file = status != PL_EXIT_OK ? NULL : is_input ? stdin : open_file(path);
    if (file)
        status = decode_file(d, file);
    else if (status == PL_EXIT_OK)
        status = PL_EXIT_USAGE;
    if (file && !is_input)
        fclose(file);
    pl_capture_keys_free(&d->keys);
    explicit_bzero(d, sizeof *d);
    free(d);
    return status;
}

int pl_command_decode(int argc, char **argv)
{
    struct arguments a = {0};
    struct pl_texts operands;
    const struct pl_option table[] = {
        {"keylog", "FILE", "keys, as --keylog of send and serve wrote them", PL_OPTION_TEXT, true, &a.keylog,
         0, 0},
        {"port", "N", "show all UDP of this port, also what is of no key in the log", PL_OPTION_NUMBER, false,
         &a.port, 1, PORT_MAX},
        {"write", "FILE", "write an unsealed capture (pcap) for the dissector; must not exist",
         PL_OPTION_TEXT, false, &a.write, 0, 0},
    };
    const struct pl_options options = {
        .command = "decode",
        .synopsis = "--keylog FILE [OPTION]... CAPTURE",
        .about = "Prints the packets of a capture (pcap or pcapng, - is standard input), a line for each "
                 "frame.\n\n"
                 "Exit status: 0 the capture was read to its end, whatever was in it; 64 wrong usage,\n"
                 "or a file that is not what it should be; 74 the capture is damaged or cut off, or a\n"
                 "file or the system failed.",
        .table = table,
        .n = sizeof table / sizeof table[0],
        .operands_min = 1,
        .operands_max = 1,
    };
    enum pl_parsed parsed = pl_options_parse(&options, argc, argv, &operands);
    int status = parsed == PL_PARSED_HELP ? PL_EXIT_OK : PL_EXIT_USAGE;

    if (parsed == PL_PARSED_OK)
        status = decode(&a, operands.items[0]);
    pl_texts_free(&operands);
    return status;
}
