/* Sockets of a shard: which one an answer leaves by, and what becomes of a train the kernel does not take. */
#include "io/io.h"

#include "node/net.h"

#include <criterion/criterion.h>
#include <string.h>

struct pl_udp {
    struct pl_address local;
    unsigned sent;
};

static struct pl_udp sockets[4];
static unsigned opened;
static struct pl_send_outcome result;
static struct pl_udp_counters counters;
static size_t last_n, last_segment;
static struct pl_path last_path;

static enum pl_error udp_open(void *ctx, const struct pl_udp_options *options, struct pl_udp **out,
                              struct pl_text *why)
{
    (void)ctx;
    if (options->local.port == 13) {
        pl_text_set(why, "taken");
        return PL_E_BUSY;
    }
    *out = &sockets[opened++];
    (*out)->local = options->local;
    return PL_OK;
}

static void udp_close(void *ctx, struct pl_udp *udp)
{
    (void)ctx, (void)udp;
    opened--;
}

static struct pl_address udp_local(void *ctx, const struct pl_udp *udp)
{
    (void)ctx;
    return udp->local;
}

static const struct pl_udp_counters *udp_counters(void *ctx, const struct pl_udp *udp)
{
    (void)ctx, (void)udp;
    return &counters;
}

static struct pl_send_outcome udp_send(void *ctx, struct pl_udp *udp, const struct pl_train *batch)
{
    (void)ctx;
    udp->sent++;
    last_n = batch->n;
    last_segment = batch->segment_size;
    last_path = *batch->path;
    return result;
}

static const struct pl_io io = {.udp_open = udp_open,
                                .udp_close = udp_close,
                                .udp_local = udp_local,
                                .udp_counters = udp_counters,
                                .udp_send = udp_send};

static struct pl_address address(const char *text)
{
    struct pl_address out;
    cr_assert_eq(pl_address_parse(text, &out, NULL), PL_OK);
    return out;
}

static struct pl_net *net_of(size_t n, const char *const *texts)
{
    struct pl_address listen[4];
    struct pl_net *net;
    for (size_t i = 0; i < n; i++)
        listen[i] = address(texts[i]);
    cr_assert_eq(pl_net_open(&net, &io, listen, n, 1200, NULL), PL_OK);
    return net;
}

static struct pl_batch batch_to(const char *peer, const char *local, size_t n)
{
    static uint8_t bytes[4000];
    struct pl_path path = {address(peer), {0}};
    struct pl_batch batch = {
        .bytes = bytes, .size = n, .segment = 1000, .count = (unsigned)((n + 999) / 1000)};
    if (local)
        path.local = address(local);
    memcpy(batch.route.bytes, &path.peer, sizeof path.peer);
    memcpy(batch.route.bytes + PL_ROUTE_HALF, &path.local, sizeof path.local);
    return batch;
}

static const struct {
    const char *peer, *local;
    unsigned socket; /* 4: none */
} routes[] = {
    {"192.0.2.9:1", "192.0.2.1:7000", 0},         {"192.0.2.9:1", "192.0.2.2:7000", 1},
    {"192.0.2.9:1", "192.0.2.2:7001", 2},         {"192.0.2.9:1", NULL, 0},
    {"[2001:db8::9]:1", "[2001:db8::1]:7000", 3}, {"[2001:db8::9]:1", NULL, 3},
};

Test(node_net, an_answer_leaves_by_the_socket_its_question_came_to)
{
    const char *const listen[] = {"192.0.2.1:7000", "192.0.2.2:7000", "192.0.2.1:7001", "[2001:db8::1]:7000"};
    struct pl_net *net = net_of(4, listen);
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        struct pl_batch batch = batch_to(routes[i].peer, routes[i].local, 1000);
        unsigned before = sockets[routes[i].socket].sent;
        result = (struct pl_send_outcome){.result = PL_SEND_SENT, .segments = 1};
        if (routes[i].local && strcmp(routes[i].local, "192.0.2.2:7001") == 0)
            continue; /* two sockets fit by half: either may be taken */
        cr_assert_eq(pl_net_send(net, &batch, 5), PL_NET_SENT);
        cr_assert_eq(sockets[routes[i].socket].sent, before + 1, "route %zu", i);
    }
    pl_net_close(net);
    const char *const v4[] = {"192.0.2.1:7000"};
    net = net_of(1, v4);
    struct pl_batch batch = batch_to("[2001:db8::9]:1", NULL, 1000);
    cr_assert_eq(pl_net_send(net, &batch, 5), PL_NET_UNREACHABLE, "no socket of that family");
    pl_net_close(net);
    cr_assert_eq(opened, 0);
}

Test(node_net, keeps_the_rest_of_a_train_and_sends_it_first)
{
    const char *const listen[] = {"192.0.2.1:7000"};
    struct pl_net *net = net_of(1, listen);
    struct pl_batch batch = batch_to("192.0.2.9:1", "192.0.2.1:7000", 2500);
    result = (struct pl_send_outcome){.result = PL_SEND_AGAIN, .segments = 1};
    cr_assert(pl_net_ready(net, 5));
    cr_assert_eq(pl_net_send(net, &batch, 5), PL_NET_SENT);
    cr_assert_eq(pl_net_resume_us(net), UINT64_MAX, "the kernel says when");
    result = (struct pl_send_outcome){.result = PL_SEND_AGAIN, .segments = 0};
    cr_assert_not(pl_net_ready(net, 6));
    cr_assert_eq(last_n, 1500);
    cr_assert_eq(last_segment, 1000);
    cr_assert_eq(last_path.peer.port, 1);
    result = (struct pl_send_outcome){.result = PL_SEND_SENT, .segments = 2};
    cr_assert(pl_net_ready(net, 7));
    unsigned sent = sockets[0].sent;
    cr_assert(pl_net_ready(net, 8));
    cr_assert_eq(sockets[0].sent, sent, "nothing is left");
    pl_net_close(net);
}

Test(node_net, pauses_after_a_loss_and_tells_what_is_unreachable)
{
    const char *const listen[] = {"192.0.2.1:7000"};
    struct pl_net *net = net_of(1, listen);
    struct pl_batch batch = batch_to("192.0.2.9:1", NULL, 2500);
    result = (struct pl_send_outcome){.result = PL_SEND_LOST};
    cr_assert_eq(pl_net_send(net, &batch, 100), PL_NET_SENT);
    cr_assert_not(pl_net_ready(net, 101));
    cr_assert_eq(pl_net_resume_us(net), 1100);
    cr_assert(pl_net_ready(net, 1100));
    result = (struct pl_send_outcome){.result = PL_SEND_UNREACHABLE};
    cr_assert_eq(pl_net_send(net, &batch, 2000), PL_NET_UNREACHABLE);
    result = (struct pl_send_outcome){.result = PL_SEND_UNREACHABLE, .segments = 1};
    cr_assert_eq(pl_net_send(net, &batch, 2000), PL_NET_SENT, "some of it went: the rest is lost");
    result = (struct pl_send_outcome){.result = PL_SEND_TOO_BIG};
    cr_assert_eq(pl_net_send(net, &batch, 2000), PL_NET_SENT);
    pl_net_close(net);
}

Test(node_net, a_socket_that_does_not_open_leaves_none_open)
{
    struct pl_address listen[2] = {address("192.0.2.1:7000"), address("192.0.2.1:13")};
    struct pl_text why;
    struct pl_net *net;
    cr_assert_eq(pl_net_open(&net, &io, listen, 2, 1200, &why), PL_E_BUSY);
    cr_assert_str_eq(why.s, "taken");
    cr_assert_null(net);
    cr_assert_eq(opened, 0);
    cr_assert_eq(pl_net_open(&net, &io, listen, 0, 1200, &why), PL_E_LIMIT);
    cr_assert_eq(pl_net_open(&net, &io, listen, 17, 1200, &why), PL_E_LIMIT);
}

Test(node_net, adds_up_what_the_sockets_count)
{
    const char *const listen[] = {"192.0.2.1:7000", "192.0.2.2:7000"};
    struct pl_net *net = net_of(2, listen);
    struct pl_net_figures figures;
    counters = (struct pl_udp_counters){
        .received_datagrams = 3, .send_forbidden = 2, .send_other = 1, .receive_buffer_bytes = 77};
    pl_net_figures(net, &figures);
    cr_assert_eq(figures.received, 6);
    cr_assert_eq(figures.send_failures, 6);
    cr_assert_eq(figures.receive_buffer_bytes, 77);
    pl_net_close(net);
}
