/* Bytes that are next in a stream: whole records leave for the commit chunk, the part of one that
 * is not yet whole is kept (spec section 6, "Window").
 *
 * Records are delivered from where they lie, in runs: the driver's copy into its chunk is the only
 * one. A record cut by a packet's edge is put together here. */
#include "link/recv.h"

#include <string.h>

#include "link/link_varint.h"
#include "link/memory.h"
#include "wire/walk.h"

enum { KIB = 1 << 10, PART_KEPT_MAX = 2 * KIB };

/* What was said of a life before its first record. */
static struct pl_frame_stream first_words(const struct pl_rx_stream *stream, const struct pl_rx_life *life)
{
    return (struct pl_frame_stream){
        .life = stream->life,
        .first_number = life->span.first,
        .life_before = life->before,
        .birth = stream->birth,
        .name = stream->name,
    };
}

static void deliver(struct pl_link *link, struct pl_rx_stream *stream, struct pl_bytes bytes, uint64_t count)
{
    struct pl_env *env = link->env;
    struct pl_rx_life *life = pl_rx_life_of(stream, stream->life);
    struct pl_frame_stream begins;
    struct pl_delivery delivery = {
        .stream = stream->number,
        .life = stream->life,
        .first_number = stream->heard + 1,
        .first_offset = stream->offset,
        .count = (uint32_t)count,
        .bytes = bytes,
    };

    if (stream->heard + 1 == life->span.first) {
        begins = first_words(stream, life);
        delivery.begins = &begins;
    }

    stream->heard += count;
    stream->offset += bytes.n;
    stream->position += bytes.n;
    life->span.last = stream->heard;
    life->span.end = stream->offset;
    env->room_bytes -= bytes.n;
    env->counters.records_delivered += count;
    pl_receiving_stream_step(&stream->machine, PL_RECEIVING_STREAM_ON_TAKEN);
    env->sink->deliver(env->sink_ctx, link, &delivery);
}

/* The stream cannot go on at its next record: the sender is told, nothing of it is held. */
static void refuse(struct pl_link *link, struct pl_rx_stream *stream, enum pl_error fault)
{
    struct pl_event event = {
        .type = PL_EVENT_REFUSING,
        .stream = stream->number,
        .life = stream->life,
        .number = stream->heard + 1,
        .code = fault == PL_E_TOO_LARGE ? PL_REFUSAL_TOO_LARGE : PL_REFUSAL_FRAMING,
    };

    stream->refused_code = (uint8_t)event.code;
    stream->refused_life = stream->life;
    stream->refused_number = event.number;
    pl_held_drop_all(link, stream);
    pl_part_drop(link, stream);
    pl_receiving_stream_step(&stream->machine, PL_RECEIVING_STREAM_ON_REFUSED);
    link->env->counters.refusals++;
    link->env->sink->event(link->env->sink_ctx, link, &event);
}

/* A record that ends beyond the window needs a wider one, told at once. */
static void widen_window(struct pl_link *link, struct pl_rx_stream *stream)
{
    uint64_t end = stream->position - stream->stored_position + stream->part_need;

    if (end > stream->window_kib * KIB) {
        stream->window_kib = (end + KIB - 1) / KIB;
        stream->answer = true;
        link->rx.answer_now = true;
    }
}

/* Reads the size field of the part, if it is whole by now. */
static enum pl_error part_size(const struct pl_link *link, struct pl_rx_stream *stream)
{
    uint64_t size = 0;
    size_t head = 0;
    enum pl_error error = pl_varint_decode(stream->part, stream->part_n, &size, &head);

    if (error == PL_E_TRUNCATED) {
        return PL_OK;
    }
    if (error != PL_OK) {
        return PL_E_NOT_SHORTEST;
    }
    if (size > link->env->settings.record_max_bytes) {
        return PL_E_TOO_LARGE;
    }
    stream->part_need = head + (size_t)size;
    return PL_OK;
}

static void part_release(struct pl_link *link, struct pl_rx_stream *stream)
{
    stream->part_n = 0;
    stream->part_need = 0;
    if (stream->part_room > PART_KEPT_MAX) {
        pl_part_drop(link, stream);
    }
}

/* Adds to the part what it lacks, at most `bytes`. Returns how many were used, SIZE_MAX if there is
 * no memory for them. */
static size_t part_fill(struct pl_link *link, struct pl_rx_stream *stream, struct pl_bytes bytes)
{
    size_t wanted = stream->part_need != 0 ? stream->part_need - stream->part_n : 1;
    size_t used = wanted < bytes.n ? wanted : bytes.n;
    size_t room = stream->part_need != 0 ? stream->part_need : stream->part_n + used;

    if (!pl_part_reserve(link, stream, room)) {
        return SIZE_MAX;
    }
    memcpy(stream->part + stream->part_n, bytes.p, used);
    stream->part_n += used;
    return used;
}

/* Goes on with the record that was cut. *bytes is moved past what was used. False: no memory. */
static bool part_go_on(struct pl_link *link, struct pl_rx_stream *stream, struct pl_bytes *bytes)
{
    while (bytes->n > 0 && stream->part_n > 0 && stream->refused_code == 0) {
        size_t used = part_fill(link, stream, *bytes);
        if (used == SIZE_MAX) {
            return false;
        }
        bytes->p += used;
        bytes->n -= used;
        enum pl_error error = stream->part_need == 0 ? part_size(link, stream) : PL_OK;
        if (error != PL_OK) {
            refuse(link, stream, error);
        } else if (stream->part_need != 0 && stream->part_n == stream->part_need) {
            deliver(link, stream, (struct pl_bytes){stream->part, stream->part_n}, 1);
            part_release(link, stream);
        }
    }
    if (stream->part_need != 0) {
        widen_window(link, stream);
    }
    return true;
}

/* Begins a part with the bytes of a record that is cut at the end. */
static bool part_begin(struct pl_link *link, struct pl_rx_stream *stream, struct pl_bytes bytes, size_t need)
{
    if (!pl_part_reserve(link, stream, need != 0 ? need : bytes.n)) {
        return false;
    }
    memcpy(stream->part, bytes.p, bytes.n);
    stream->part_n = bytes.n;
    stream->part_need = need;
    if (need != 0) {
        widen_window(link, stream);
    }
    return true;
}

/* Bytes the commit chunk must have room for if these come in. */
static size_t room_needed(const struct pl_rx_stream *stream, size_t n)
{
    if (stream->part_n == 0) {
        return n;
    }
    bool completes = stream->part_need == 0 || stream->part_n + n >= stream->part_need;
    return completes ? stream->part_n + n : 0;
}

bool pl_rx_take(struct pl_link *link, struct pl_rx_stream *stream, struct pl_bytes bytes)
{
    if (room_needed(stream, bytes.n) > link->env->room_bytes) {
        return false;
    }
    if (!part_go_on(link, stream, &bytes)) {
        return false;
    }
    if (bytes.n == 0 || stream->refused_code != 0) {
        return true;
    }
    struct pl_walk walk = pl_walk(bytes, UINT32_MAX, link->env->settings.record_max_bytes);
    if (walk.count > 0) {
        deliver(link, stream, (struct pl_bytes){bytes.p, walk.whole_bytes}, walk.count);
        bytes.p += walk.whole_bytes;
        bytes.n -= walk.whole_bytes;
    }
    if (walk.fault != PL_OK) {
        refuse(link, stream, walk.fault);
        return true;
    }
    return bytes.n == 0 || part_begin(link, stream, bytes, walk.cut_bytes);
}
