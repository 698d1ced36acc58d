/* xc-device: gives framed records of a file to a node and ends when all are stored.
 *
 * Record number i of the file goes to stream number i modulo --streams; streams are called NAME, or NAME-0,
 * NAME-1 and so on. --life begins a life of the streams each so many records; --drop-refused gives up a
 * record that was refused for good. With --outbox it may be killed: started again in the same way, it goes on
 * from that file. Without, whoever ends it early loses what it held. */
#include "common.h"
#include "keep.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static const char usage[] =
    "xc-device --key FILE --node ADDRESS:PORT --node-key PUBLIC [--suite 1|2] [--stream NAME]"
    " [--streams N] [--timeout SECONDS] [--trace FILE] [--extras] [--life RECORDS] [--drop-refused]"
    " [--outbox FILE] RECORDS";

struct options {
    bool extras, drop_refused;
    unsigned long life_records;
    const char *stream, *trace, *outbox;
    uint8_t key[XC_KEY_BYTES], node_key[XC_KEY_BYTES];
    struct xc_address node;
    int family;
    unsigned long suite, streams, timeout_s;
};

struct device {
    bool drop_refused;
    const char *outbox;
    uint64_t mark; /* of the lives the outbox holds */
    struct xc_link *link;
    FILE *trace;
};

static void no_record(void *context, uint64_t birth, const uint8_t *name, size_t name_n, uint64_t number,
                      const uint8_t *bytes, size_t n)
{
    (void)context, (void)birth, (void)name, (void)name_n, (void)number, (void)bytes, (void)n;
}

static void no_lost(void *context, uint64_t birth, uint64_t from, uint64_t upto)
{
    (void)context, (void)birth, (void)from, (void)upto;
}

static void trace(void *context, bool sent, const char *line)
{
    xc_trace(((struct device *)context)->trace, sent, line);
}

static void take(void *context, const struct xc_address *from, const uint8_t *p, size_t n)
{
    xc_link_receive(((struct device *)context)->link, xc_now_us(), from, p, n);
}

static unsigned long number_of(const char *text, unsigned long most)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);

    if (*text < '0' || *text > '9' || *end != '\0' || n > most)
        xc_fail(XC_EXIT_USAGE, "not a number that is allowed", text);
    return n;
}

static void set_option(struct options *o, int option, const char *value)
{
    switch (option) {
    case 'k': xc_key_from_file(value, o->key); break;
    case 'n': o->family = xc_address_parse(value, &o->node); break;
    case 'p': xc_key_from_text(value, o->node_key); break;
    case 's': o->suite = number_of(value, XC_SUITE_CHACHA); break;
    case 'm': o->stream = value; break;
    case 'c': o->streams = number_of(value, 1000); break;
    case 't': o->timeout_s = number_of(value, 86400); break;
    case 'r': o->trace = value; break;
    case 'o': o->outbox = value; break;
    case 'x': o->extras = true; break;
    case 'd': o->drop_refused = true; break;
    case 'l': o->life_records = number_of(value, 1000000); break;
    default: xc_fail(XC_EXIT_USAGE, "usage", usage);
    }
}

static void parse(int argc, char **argv, struct options *o)
{
    static const struct option known[] = {
        {"key", required_argument, NULL, 'k'},      {"node", required_argument, NULL, 'n'},
        {"node-key", required_argument, NULL, 'p'}, {"suite", required_argument, NULL, 's'},
        {"stream", required_argument, NULL, 'm'},   {"streams", required_argument, NULL, 'c'},
        {"timeout", required_argument, NULL, 't'},  {"trace", required_argument, NULL, 'r'},
        {"extras", no_argument, NULL, 'x'},         {"drop-refused", no_argument, NULL, 'd'},
        {"life", required_argument, NULL, 'l'},     {"outbox", required_argument, NULL, 'o'},
        {0},
    };
    int option;

    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1)
        set_option(o, option, optarg);
    if (optind + 1 != argc || o->node.n == 0 || o->suite == 0 || o->streams == 0 || strlen(o->stream) > 240)
        xc_fail(XC_EXIT_USAGE, "usage", usage);
}

/* The next record of {size (4), record}...; false at the end. The bytes are the caller's to free. */
static bool read_record(FILE *file, const char *path, uint8_t **bytes, size_t *n)
{
    uint8_t size[4];
    size_t got = fread(size, 1, sizeof size, file);

    if (got == 0)
        return false;
    *n = (size_t)size[0] << 24 | (size_t)size[1] << 16 | (size_t)size[2] << 8 | size[3];
    if (got < sizeof size || *n > 1 << 24 || (*bytes = malloc(*n + 1)) == NULL)
        xc_fail(XC_EXIT_FAILED, "not framed records", path);
    if (fread(*bytes, 1, *n, file) != *n)
        xc_fail(XC_EXIT_FAILED, "ends in a record", path);
    return true;
}

static void give_all(struct xc_link *link, const struct options *o, const char *path)
{
    FILE *file = xc_open_file(path, "rb");
    uint8_t *bytes;
    size_t n;
    char name[256];

    for (unsigned long i = 0; read_record(file, path, &bytes, &n); i++) {
        int length = o->streams == 1 ? snprintf(name, sizeof name, "%s", o->stream)
                                     : snprintf(name, sizeof name, "%s-%lu", o->stream, i % o->streams);
        if (o->life_records > 0 && i % o->life_records == 0)
            xc_link_new_lives(link);
        xc_link_give(link, (const uint8_t *)name, (size_t)length, bytes, n);
        free(bytes);
    }
    fclose(file);
}

/* Nothing of a life leaves before the outbox holds it. */
static void keep(struct device *device)
{
    uint64_t mark = xc_lives_mark(device->link);

    if (device->outbox == NULL || device->mark == mark)
        return;
    xc_lives_save(device->link, device->outbox);
    device->mark = mark;
}

static int run(struct device *device, int fd, uint64_t until_us)
{
    struct xc_link *link = device->link;

    while (!xc_stopped() && xc_now_us() < until_us) {
        keep(device);
        xc_send_all(fd, link);
        if (xc_link_held(link) == 0)
            return 0;
        if (device->drop_refused && xc_link_drop_refused(link) > 0)
            continue;
        if (xc_link_held(link) == xc_link_stopped(link))
            return XC_EXIT_REFUSED;
        uint64_t due_us = xc_link_due_us(link);
        xc_wait(fd, due_us < until_us ? due_us : until_us);
        xc_take_all(fd, device, take);
    }
    return XC_EXIT_KEPT;
}

int main(int argc, char **argv)
{
    struct options o = {.stream = "s", .suite = XC_SUITE_AES, .streams = 1, .timeout_s = 60};
    struct device device = {0};

    parse(argc, argv, &o);
    xc_catch_signals();
    struct xc_link_config config = {.suite = (uint8_t)o.suite, .extras = o.extras, .peer = o.node};
    config.outside =
        (struct xc_outside){&device, xc_random, no_record, no_lost, o.trace != NULL ? trace : NULL};
    if (!xc_pair_make(&config.pair, o.key, o.node_key))
        xc_fail(XC_EXIT_USAGE, "not a key of a node", "--node-key");
    if (o.trace != NULL)
        device.trace = xc_open_file(o.trace, "w");
    device.link = xc_link_new(&config);
    device.drop_refused = o.drop_refused;
    device.outbox = o.outbox;
    if (o.outbox == NULL || !xc_lives_load(device.link, o.outbox))
        give_all(device.link, &o, argv[argc - 1]);
    int status = run(&device, xc_socket(o.family, NULL, o.extras), xc_now_us() + o.timeout_s * 1000000);
    if (status != 0)
        fprintf(stderr, "crosscheck: %llu records are not stored\n",
                (unsigned long long)xc_link_held(device.link));
    xc_link_free(device.link);
    if (device.trace != NULL)
        fclose(device.trace);
    return status;
}
