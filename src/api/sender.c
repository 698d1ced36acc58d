/* sender.c: part 2 of purelink.h over src/device. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "api/common.h"
#include "api/keylog.h"
#include "api/suite.h"
#include "device/device.h"
#include "io/io.h"

enum { RECORDS_AT_ONCE = 256 };

struct purelink_sender {
    struct pl_device *device;
    struct pl_api_keylog keylog;
};

static struct pl_bytes text_bytes(const char *text)
{
    return (struct pl_bytes){(const uint8_t *)text, strlen(text)};
}

/* What a caller that was built with an earlier header does not give is zero. */
static struct purelink_sender_config read_config(const struct purelink_sender_config *given)
{
    enum { FIRST_SIZE = offsetof(struct purelink_sender_config, keylog) };
    struct purelink_sender_config c = {0};
    if (given && given->size >= FIRST_SIZE)
        memcpy(&c, given, given->size < sizeof c ? given->size : sizeof c);
    return c;
}

static enum purelink_error check_config(const struct purelink_sender_config *c,
                                        struct purelink_reason *reason)
{
    struct pl_text why = {""};
    if (c->size == 0)
        pl_text_set(&why, "the configuration's size is not that of struct purelink_sender_config");
    else if (!c->private_key || !c->node_key || !c->node || !c->outbox)
        pl_text_set(&why, "private_key, node_key, node and outbox must all be given");
    else if (c->outbox_max_bytes != 0 && c->outbox_max_bytes < PURELINK_OUTBOX_MIN)
        pl_text_set(&why, "outbox_max_bytes must be 0 or at least %d", (int)PURELINK_OUTBOX_MIN);
    else
        return PURELINK_OK;
    return pl_api_fail(PL_E_USAGE, &why, reason);
}

static enum pl_error open_parts(struct purelink_sender *s, const struct purelink_sender_config *config,
                                struct pl_text *why)
{
    struct pl_device_config inner = {
        .private_key = config->private_key,
        .node_key = config->node_key,
        .node = config->node,
        .outbox_dir = config->outbox,
        .outbox_max_bytes = config->outbox_max_bytes,
        .poll_us = config->poll_ms * 1000,
        .io = &pl_io_linux,
        .run_key = config->keylog ? pl_api_keylog_put : NULL,
        .run_key_ctx = &s->keylog,
    };
    enum pl_error e = pl_api_suite(config->suite, &inner.suite, why);
    if (e == PL_OK)
        e = pl_api_keylog_open(&s->keylog, config->keylog, false, why);
    return e == PL_OK ? pl_device_open(&s->device, &inner, why) : e;
}

enum purelink_error purelink_sender_open(struct purelink_sender **out,
                                         const struct purelink_sender_config *config,
                                         struct purelink_reason *reason)
{
    struct purelink_sender_config c = read_config(config);
    *out = NULL;
    enum purelink_error wrong = check_config(&c, reason);
    if (wrong != PURELINK_OK)
        return wrong;
    struct pl_text why = {""};
    struct purelink_sender *s = calloc(1, sizeof *s);
    enum pl_error e = s ? open_parts(s, &c, &why) : PL_E_NO_MEMORY;
    if (e == PL_OK)
        *out = s;
    else
        purelink_sender_close(s);
    return pl_api_fail(e, &why, reason);
}

void purelink_sender_close(struct purelink_sender *sender)
{
    if (!sender)
        return;
    pl_device_close(sender->device);
    pl_api_keylog_close(&sender->keylog);
    free(sender);
}

enum purelink_error purelink_sender_put(struct purelink_sender *sender, const char *stream, const void *data,
                                        size_t size)
{
    struct pl_bytes record = {data, size};
    return pl_api_error(pl_device_put(sender->device, text_bytes(stream), &record, 1, NULL, NULL));
}

enum purelink_error purelink_sender_put_many(struct purelink_sender *sender, const char *stream,
                                             const struct purelink_record *records, size_t count,
                                             size_t *taken)
{
    struct pl_bytes inner[RECORDS_AT_ONCE];
    enum pl_error e = PL_OK;
    size_t at = 0;
    while (at < count && e == PL_OK) {
        size_t n = 0, put = 0;
        for (; n < RECORDS_AT_ONCE && at + n < count; n++)
            inner[n] = (struct pl_bytes){records[at + n].data, records[at + n].size};
        e = pl_device_put(sender->device, text_bytes(stream), inner, n, &put, NULL);
        at += put;
    }
    if (taken)
        *taken = at;
    return pl_api_error(e);
}

enum purelink_error purelink_sender_set_position(struct purelink_sender *sender, const char *source,
                                                 const void *bytes, size_t size)
{
    if (size > PURELINK_POSITION_MAX)
        return PURELINK_E_TOO_LARGE;
    struct pl_bytes position = {bytes, size};
    return pl_api_error(pl_device_set_input(sender->device, text_bytes(source), position, NULL));
}

enum purelink_error purelink_sender_position(struct purelink_sender *sender, const char *source, void *bytes,
                                             size_t *size)
{
    return pl_api_error(pl_device_input(sender->device, text_bytes(source), bytes, size));
}

enum purelink_error purelink_sender_commit(struct purelink_sender *sender, struct purelink_reason *reason)
{
    struct pl_text why = {""};
    return pl_api_fail(pl_device_commit(sender->device, &why), &why, reason);
}

void purelink_sender_abort(struct purelink_sender *sender)
{
    pl_device_abort(sender->device);
}

enum purelink_error purelink_sender_drop(struct purelink_sender *sender, const char *stream, uint64_t upto,
                                         struct purelink_reason *reason)
{
    struct pl_text why = {""};
    return pl_api_fail(pl_device_drop(sender->device, text_bytes(stream), upto, &why), &why, reason);
}

static uint64_t until(int64_t timeout_ms)
{
    uint64_t now_us = pl_io_linux.now_us(pl_io_linux.ctx);
    if (timeout_ms < 0 || (uint64_t)timeout_ms > (UINT64_MAX - now_us) / 1000)
        return UINT64_MAX;
    return now_us + (uint64_t)timeout_ms * 1000;
}

static enum purelink_error why_failed(const struct purelink_sender *sender)
{
    struct pl_device_status status;
    pl_device_status(sender->device, &status);
    enum purelink_error e = pl_api_error(status.last_error);
    return e == PURELINK_OK ? PURELINK_E_STORE : e;
}

enum purelink_error purelink_sender_run(struct purelink_sender *sender, int64_t timeout_ms)
{
    bool stopped = false;
    switch (pl_device_run(sender->device, until(timeout_ms), &stopped)) {
    case PL_DEVICE_STORED: return stopped ? PURELINK_E_CLOSED : PURELINK_OK;
    case PL_DEVICE_REFUSED: return stopped ? PURELINK_E_CLOSED : PURELINK_E_REFUSED;
    case PL_DEVICE_FAILED: return why_failed(sender);
    default: return stopped ? PURELINK_E_CLOSED : PURELINK_E_TIMEOUT;
    }
}

void purelink_sender_stop(struct purelink_sender *sender)
{
    pl_device_stop(sender->device);
}

static void copy_text(char *out, const uint8_t *text, size_t size)
{
    memcpy(out, text, size);
    out[size] = 0;
}

void purelink_sender_status(const struct purelink_sender *sender, struct purelink_sender_status *status)
{
    struct pl_device_status inner;
    pl_device_status(sender->device, &inner);
    *status = (struct purelink_sender_status){
        .given_records = inner.given_records,
        .stored_records = inner.stored_records,
        .held_records = inner.held_records,
        .held_bytes = inner.held_bytes,
        .damaged_rows = inner.damaged_rows,
        .lost_records = inner.lost_records,
        .packets_sent = inner.packets_out,
        .packets_received = inner.packets_in,
        .packets_lost = inner.lost_packets,
        .rtt_us = inner.srtt_us,
        .forks = inner.forks,
        .refused_code = inner.refused_code,
        .unreachable = inner.unreachable,
        .last_error = pl_api_error(inner.last_error),
    };
    copy_text(status->refused_stream, inner.refused_name, inner.refused_name_size);
    copy_text(status->refused_detail, inner.detail, inner.detail_size);
    memcpy(status->last_reason, inner.last_reason.s, sizeof status->last_reason);
    struct pl_text why = {""};
    status->keylog_lost = pl_api_keylog_lost(&sender->keylog, &why);
    memcpy(status->keylog_error, why.s, sizeof status->keylog_error);
    if (inner.node.family != PL_ADDRESS_NONE)
        pl_address_print(&inner.node, status->node_address, sizeof status->node_address);
}
