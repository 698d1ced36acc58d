/* xc-node: takes records of the peers it is told of, keeps them in memory, and writes them to files when a
 * signal ends it: --out DIR/PEER.NAME.BIRTH, with the peer's place among the options and the name in
 * hexadecimal, each record behind its number in eight bytes and its size in four. With --store it may be
 * killed: that file gets records and rows before they are called stored, and is read at the next start. */
#include "common.h"
#include "keep.h"

#include "engine/memory.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PEERS_MAX = 256 };

static const char usage[] = "xc-node --key FILE --listen ADDRESS:PORT --peer-key PUBLIC... [--suite 1|2] "
                            "[--out DIR] [--store FILE] [--trace FILE] [--extras] [--record-max BYTES] "
                            "[--say CODES]";

struct stream {
    struct stream *next;
    unsigned peer;
    uint64_t birth;
    uint8_t name[255];
    size_t name_n, n, room;
    uint64_t last; /* number */
    uint8_t *bytes;
};

struct node {
    struct stream *streams;
    struct peer {
        struct node *node;
        unsigned index;
        struct xc_link *link;
    } peer[PEERS_MAX];
    unsigned peers;
    FILE *trace, *store;
    int fd;
};

/* What stands before each part of the store. */
struct head {
    char kind; /* 'R' record, 'S' row of a stream, 'C' commit */
    uint8_t name_n;
    uint16_t peer;
    uint32_t n;
    uint64_t birth, number;
    uint8_t name[255];
};

struct options {
    bool extras;
    unsigned long record_max_bytes;
    const char *out, *trace, *store;
    uint8_t say[XC_SAY_MAX];
    size_t say_n;
    uint8_t key[XC_KEY_BYTES], peer[PEERS_MAX][XC_KEY_BYTES];
    unsigned peers;
    struct xc_address listen;
    int family;
    uint8_t suite;
};

static struct stream *stream_of(struct peer *peer, uint64_t birth, const uint8_t *name, size_t name_n)
{
    struct stream *stream;

    for (stream = peer->node->streams; stream != NULL; stream = stream->next)
        if (stream->peer == peer->index && stream->birth == birth)
            return stream;
    stream = xc_zeroed(sizeof *stream);
    stream->peer = peer->index;
    stream->birth = birth;
    memcpy(stream->name, name, name_n);
    stream->name_n = name_n;
    stream->next = peer->node->streams;
    peer->node->streams = stream;
    return stream;
}

static void put(FILE *file, const void *p, size_t n)
{
    if (n > 0 && fwrite(p, 1, n, file) != n)
        xc_fail(XC_EXIT_FAILED, "not written", "--store");
}

static void record(void *context, uint64_t birth, const uint8_t *name, size_t name_n, uint64_t number,
                   const uint8_t *bytes, size_t n)
{
    struct stream *stream = stream_of(context, birth, name, name_n);

    if (number <= stream->last)
        xc_fail(XC_EXIT_FAILED, "a record came twice", "engine");
    stream->last = number;
    stream->bytes = xc_room(stream->bytes, &stream->room, stream->n + 12 + n, 1);
    for (int i = 0; i < 8; i++)
        stream->bytes[stream->n++] = (uint8_t)(number >> (56 - 8 * i));
    for (int i = 0; i < 4; i++)
        stream->bytes[stream->n++] = (uint8_t)(n >> (24 - 8 * i));
    if (n > 0)
        memcpy(stream->bytes + stream->n, bytes, n);
    stream->n += n;
}

static void record_and_keep(void *context, uint64_t birth, const uint8_t *name, size_t name_n,
                            uint64_t number, const uint8_t *bytes, size_t n)
{
    struct peer *peer = context;
    struct head head = {'R', (uint8_t)name_n, (uint16_t)peer->index, (uint32_t)n, birth, number, {0}};

    record(context, birth, name, name_n, number, bytes, n);
    if (peer->node->store == NULL)
        return;
    memcpy(head.name, name, name_n);
    put(peer->node->store, &head, sizeof head);
    put(peer->node->store, bytes, n);
}

/* One transaction: what was delivered since the last one, and the rows that say so. */
static void commit(struct node *node)
{
    struct head head = {.kind = 'S'};
    bool any = false;

    for (unsigned i = 0; node->store != NULL && i < node->peers; i++) {
        head.peer = (uint16_t)i;
        any |= xc_rows_save(node->peer[i].link, node->store, &head, sizeof head);
    }
    head.kind = 'C';
    if (any) {
        put(node->store, &head, sizeof head);
        if (fflush(node->store) != 0 || fdatasync(fileno(node->store)) != 0)
            xc_fail(XC_EXIT_FAILED, "not written", "--store");
    }
    for (unsigned i = 0; i < node->peers; i++)
        xc_link_commit(node->peer[i].link);
}

/* Where the last commit ends. */
static long committed(FILE *file)
{
    struct head head;
    long end = 0;

    while (fread(&head, sizeof head, 1, file) == 1) {
        if (head.kind == 'C')
            end = ftell(file);
        else if (head.kind == 'S' && !xc_row_skip(file))
            break;
        else if (head.kind == 'R' && fseek(file, (long)head.n, SEEK_CUR) != 0)
            break;
    }
    return end;
}

static void load_record(struct node *node, const struct head *head)
{
    uint8_t *bytes = xc_zeroed(head->n);

    if (head->n > 0 && fread(bytes, head->n, 1, node->store) != 1)
        xc_fail(XC_EXIT_FAILED, "not what was written to it", "--store");
    record(&node->peer[head->peer], head->birth, head->name, head->name_n, head->number, bytes, head->n);
    free(bytes);
}

/* What was not committed when the process ended is cut off. */
static void load(struct node *node, const char *path)
{
    struct head head;

    fclose(xc_open_file(path, "ab"));
    node->store = xc_open_file(path, "r+b");
    long end = committed(node->store);
    rewind(node->store);
    while (ftell(node->store) < end && fread(&head, sizeof head, 1, node->store) == 1) {
        if (head.peer >= node->peers)
            xc_fail(XC_EXIT_FAILED, "of a peer that is not given", path);
        if (head.kind == 'R')
            load_record(node, &head);
        else if (head.kind == 'S' && !xc_row_load(node->peer[head.peer].link, node->store))
            xc_fail(XC_EXIT_FAILED, "not what was written to it", path);
    }
    if (fflush(node->store) != 0 || ftruncate(fileno(node->store), end) != 0 ||
        fseek(node->store, end, SEEK_SET) != 0)
        xc_fail(XC_EXIT_FAILED, "not to be cut", path);
}

static void lost(void *context, uint64_t birth, uint64_t from, uint64_t upto)
{
    const struct peer *peer = context;

    fprintf(stderr, "crosscheck: peer %u, birth %016llx: records %llu to %llu are lost\n", peer->index,
            (unsigned long long)birth, (unsigned long long)from, (unsigned long long)upto);
}

static void trace(void *context, bool sent, const char *line)
{
    xc_trace(((struct peer *)context)->node->trace, sent, line);
}

static void take(void *context, const struct xc_address *from, const uint8_t *p, size_t n)
{
    struct node *node = context;

    for (unsigned i = 0; i < node->peers; i++)
        if (strcmp(xc_link_receive(node->peer[i].link, xc_now_us(), from, p, n), "KEY_ID") != 0)
            return;
}

static void set_option(struct options *o, int option, const char *value)
{
    switch (option) {
    case 'k': xc_key_from_file(value, o->key); break;
    case 'l': o->family = xc_address_parse(value, &o->listen); break;
    case 'p':
        if (o->peers == PEERS_MAX)
            xc_fail(XC_EXIT_USAGE, "too many peers", value);
        xc_key_from_text(value, o->peer[o->peers++]);
        break;
    case 's':
        if (strcmp(value, "1") != 0 && strcmp(value, "2") != 0)
            xc_fail(XC_EXIT_USAGE, "not a suite", value);
        o->suite = (uint8_t)(*value - '0');
        break;
    case 'o': o->out = value; break;
    case 'r': o->trace = value; break;
    case 't': o->store = value; break;
    case 'y': o->say_n = xc_say_parse(value, o->say); break;
    case 'x': o->extras = true; break;
    case 'm': o->record_max_bytes = strtoul(value, NULL, 10); break;
    default: xc_fail(XC_EXIT_USAGE, "usage", usage);
    }
}

static void parse(int argc, char **argv, struct options *o)
{
    static const struct option known[] = {
        {"key", required_argument, NULL, 'k'},
        {"listen", required_argument, NULL, 'l'},
        {"peer-key", required_argument, NULL, 'p'},
        {"suite", required_argument, NULL, 's'},
        {"out", required_argument, NULL, 'o'},
        {"trace", required_argument, NULL, 'r'},
        {"extras", no_argument, NULL, 'x'},
        {"record-max", required_argument, NULL, 'm'},
        {"store", required_argument, NULL, 't'},
        {"say", required_argument, NULL, 'y'},
        {0},
    };
    int option;

    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1)
        set_option(o, option, optarg);
    if (optind != argc || o->listen.n == 0 || o->peers == 0)
        xc_fail(XC_EXIT_USAGE, "usage", usage);
}

static void open_links(struct node *node, const struct options *o)
{
    for (unsigned i = 0; i < o->peers; i++) {
        struct peer *peer = &node->peer[i];
        struct xc_link_config config = {.suite = o->suite, .accepts = true, .extras = o->extras};
        *peer = (struct peer){node, i, NULL};
        config.record_max_bytes = o->record_max_bytes;
        config.say = o->say;
        config.say_n = o->say_n;
        config.outside = (struct xc_outside){peer, xc_random, record_and_keep, lost, NULL};
        if (o->trace != NULL)
            config.outside.trace = trace;
        if (!xc_pair_make(&config.pair, o->key, o->peer[i]))
            xc_fail(XC_EXIT_USAGE, "not a key of a device", "--peer-key");
        peer->link = xc_link_new(&config);
    }
    node->peers = o->peers;
}

static void serve(struct node *node)
{
    while (!xc_stopped()) {
        xc_wait(node->fd, UINT64_MAX);
        if (xc_take_all(node->fd, node, take) == 0)
            continue;
        commit(node);
        for (unsigned i = 0; i < node->peers; i++)
            xc_send_all(node->fd, node->peer[i].link);
    }
}

static void write_stream(const struct stream *stream, const char *dir)
{
    char path[1024], name[2 * sizeof stream->name + 1] = "";

    for (size_t i = 0; i < stream->name_n; i++)
        snprintf(name + 2 * i, 3, "%02x", stream->name[i]);
    snprintf(path, sizeof path, "%s/%u.%s.%016llx", dir, stream->peer, name,
             (unsigned long long)stream->birth);
    FILE *file = xc_open_file(path, "wb");
    if (fwrite(stream->bytes, 1, stream->n, file) != stream->n || fclose(file) != 0)
        xc_fail(XC_EXIT_FAILED, "not written", path);
}

static void close_all(struct node *node, const char *out)
{
    while (node->streams != NULL) {
        struct stream *stream = node->streams;
        if (out != NULL)
            write_stream(stream, out);
        node->streams = stream->next;
        free(stream->bytes);
        free(stream);
    }
    for (unsigned i = 0; i < node->peers; i++)
        xc_link_free(node->peer[i].link);
    if (node->trace != NULL)
        fclose(node->trace);
    close(node->fd);
}

int main(int argc, char **argv)
{
    static struct options o = {.suite = XC_SUITE_AES};
    static struct node node;
    char name[80];

    parse(argc, argv, &o);
    xc_catch_signals();
    if (o.trace != NULL)
        node.trace = xc_open_file(o.trace, "w");
    open_links(&node, &o);
    if (o.store != NULL)
        load(&node, o.store);
    node.fd = xc_socket(o.family, &o.listen, o.extras);
    xc_socket_name(node.fd, name, sizeof name);
    fprintf(stderr, "crosscheck: ready, listening on %s\n", name);
    serve(&node);
    close_all(&node, o.out);
    return 0;
}
