/* Fuzz target: a key log and a capture file, as `purelink decode` reads them: two bytes say how long the log
 * is, the rest is the capture.
 *
 * What is found in a frame lies in the frame; a fault has a line that says why; lines and the unsealed
 * capture are written whatever was read. */
#include "harness.h"

#include <string.h>

#include "capture/capture.h"
#include "capture/keys.h"
#include "capture/layers.h"
#include "capture/plain.h"
#include "capture/print.h"
#include "capture/unseal.h"

enum { FRAMES_MAX = 1 << 16, LENGTH_BYTES = 2 };

static struct reading {
    struct pl_capture_keys keys;
    struct pl_unsealer unsealer;
    struct pl_plain plain;
    FILE *sink;
} reading;

void fuzz_begin(void)
{
    reading.sink = fopen("/dev/null", "w");
    if (reading.sink == NULL) {
        fuzz_fail("/dev/null cannot be written");
    }
}

static void check_fault(const char *what, enum pl_error error, const struct pl_text *why)
{
    if (error != PL_OK && error != PL_E_CLOSED && (why->s[0] == 0 || strpbrk(why->s, "\n\r\033") != NULL)) {
        fuzz_fail("%s: %s, and no line that says why: %s", what, pl_error_name(error), why->s);
    }
}

static void take_datagram(const struct pl_captured *frame, const struct pl_layers *layers)
{
    const uint8_t *p = frame->bytes.p + layers->udp_at + PL_UDP_HEADER_SIZE;
    size_t size = pl_train_size((struct pl_bytes){p, layers->payload_n}), at = 0;

    if (layers->udp_at + PL_UDP_HEADER_SIZE + layers->payload_n > frame->bytes.n ||
        layers->ip_at + layers->ip_n > frame->bytes.n || layers->payload_n > layers->payload_whole_n) {
        fuzz_fail("a datagram of %zu bytes at %zu in a frame of %zu", layers->payload_n, layers->udp_at,
                  frame->bytes.n);
    }
    do {
        struct pl_unsealed_packet packet;
        struct pl_text why = {""};
        size_t there = layers->payload_n - at, sent = layers->payload_whole_n - at;
        sent = size < layers->payload_n && sent > size ? size : sent;
        pl_unseal(&reading.unsealer, (struct pl_bytes){p + at, there < sent ? there : sent}, sent, &packet);
        pl_print_packet(reading.sink, frame, layers, &packet);
        check_fault("plain", pl_plain_put(&reading.plain, frame, layers, &packet, &why), &why);
        at += sent;
        if (sent == 0 && layers->payload_n > 0) {
            fuzz_fail("a train of packets of no bytes");
        }
    } while (at < layers->payload_n);
}

static void take_frame(const struct pl_captured *frame)
{
    struct pl_layers layers;
    struct pl_text why = {""};

    switch (pl_layers_find(frame->link_type, frame->bytes, &layers)) {
    case PL_FOUND_UDP: take_datagram(frame, &layers); break;
    case PL_FOUND_FRAGMENT:
        pl_print_fragment(reading.sink, frame, &layers);
        check_fault("fragment", pl_plain_put_fragment(&reading.plain, frame, &layers, &why), &why);
        break;
    default: break;
    }
}

static void read_capture(FILE *file)
{
    struct pl_capture *capture = NULL;
    struct pl_captured frame;
    struct pl_text why = {""};
    enum pl_error error = pl_capture_open(&capture, file, "input", &why);
    unsigned frames = 0;

    check_fault("open", error, &why);
    while (error == PL_OK) {
        error = pl_capture_next(capture, &frame, &why);
        check_fault("next", error, &why);
        if (error == PL_OK) {
            take_frame(&frame);
        }
        if (++frames > FRAMES_MAX) {
            fuzz_fail("a capture without an end");
        }
    }
    pl_capture_close(capture);
}

static FILE *file_of(const uint8_t *p, size_t n)
{
    static uint8_t nothing[1];
    FILE *file = fmemopen(n > 0 ? (void *)p : nothing, n > 0 ? n : 1, "r");

    if (file == NULL) {
        fuzz_fail("no file in memory");
    }
    return file;
}

void fuzz_one(const uint8_t *p, size_t n)
{
    size_t log_n = n < LENGTH_BYTES ? 0 : (size_t)p[0] << 8 | p[1];
    struct pl_text why = {""};

    if (n < LENGTH_BYTES) {
        return;
    }
    p += LENGTH_BYTES;
    n -= LENGTH_BYTES;
    log_n = log_n < n ? log_n : n;
    memset(&reading.keys, 0, sizeof reading.keys);
    reading.plain.file = reading.sink;
    FILE *log = file_of(p, log_n), *file = file_of(p + log_n, n - log_n);
    check_fault("keys", pl_capture_keys_read(&reading.keys, log, "log", &why), &why);
    if (pl_unsealer_open(&reading.unsealer, &reading.keys) == PL_OK) {
        read_capture(file);
        pl_unsealer_close(&reading.unsealer);
    }
    pl_capture_keys_free(&reading.keys);
    fclose(log);
    fclose(file);
}
