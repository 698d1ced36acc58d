/* xc-node: takes records of the peers it is told of, keeps them in memory, and writes them to files when a
 * signal ends it: --out DIR/PEER.NAME.BIRTH, with the peer's place among the options and the name in
 * hexadecimal, each record behind its number in eight bytes and its size in four. */
#include "common.h"

#include "engine/memory.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PEERS_MAX = 256 };

static const char usage[] = "xc-node --key FILE --listen ADDRESS:PORT --peer-key PUBLIC... [--suite 1|2] "
                            "[--out DIR] [--trace FILE] [--extras] [--record-max BYTES]";

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
    FILE *trace;
    int fd;
};

struct options {
    bool extras;
    unsigned long record_max_bytes;
    const char *out, *trace;
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
        config.outside = (struct xc_outside){peer, xc_random, record, lost, o->trace != NULL ? trace : NULL};
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
        for (unsigned i = 0; i < node->peers; i++) {
            xc_link_commit(node->peer[i].link);
            xc_send_all(node->fd, node->peer[i].link);
        }
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
    node.fd = xc_socket(o.family, &o.listen, o.extras);
    xc_socket_name(node.fd, name, sizeof name);
    fprintf(stderr, "crosscheck: ready, listening on %s\n", name);
    serve(&node);
    close_all(&node, o.out);
    return 0;
}
