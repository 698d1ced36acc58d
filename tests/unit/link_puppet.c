/* A peer moved by hand, frame by frame. See link_puppet.h. */
#include "link_puppet.h"

#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "link/link_varint.h"

struct puppet *puppet_new(uint64_t seed)
{
    struct puppet *p = calloc(1, sizeof *p);

    cr_assert(p != NULL);
    p->answers = calloc(PUPPET_ANSWERS, sizeof p->answers[0]);
    cr_assert(p->answers != NULL);
    side_pair(&p->self, &p->end, seed);
    p->now_us = 5000000;
    p->from = p->self.here;
    p->suite = PL_SUITE_AES_128_GCM;
    puppet_new_run(p);
    return p;
}

void puppet_open(struct puppet *p)
{
    side_open(&p->end, p->now_us);
    cr_assert(p->end.link != NULL);
}

void puppet_end(struct puppet *p)
{
    side_end(&p->self);
    side_end(&p->end);
    free(p->answers);
    free(p);
}

void puppet_give(struct puppet *p, uint32_t life, uint64_t first, uint32_t before, unsigned n, size_t size)
{
    struct pl_place from = {.number = first, .life = life, .life_first = first, .life_before = before};
    static uint8_t record[1 << 16];
    uint32_t slot = 0;

    if (!p->gives) {
        struct pl_bytes name = {(const uint8_t *)"door", 4};
        cr_assert_eq(pl_link_stream_add(p->end.link, 77, name, &from, &slot), PL_OK);
        cr_assert_eq(slot, 0);
        p->gives = true;
    }
    size_t framed = pl_varint_encode(record, size) + size;
    for (unsigned i = 0; i < n; i++) {
        struct pl_bytes bytes = {record, framed};
        cr_assert_eq(pl_link_offer(p->end.link, 0, life, first, before, bytes), framed);
    }
}

struct puppet *puppet_sender(uint64_t seed, unsigned records)
{
    struct puppet *p = puppet_new(seed);

    p->end.has_peer = true;
    p->end.peer = p->self.here;
    puppet_open(p);
    puppet_give(p, 0xa0a0a0a0, 1, 0, records, 1000);
    return p;
}

void puppet_new_run(struct puppet *p)
{
    p->self.env.random(&p->self, &p->run, sizeof p->run);
    p->number = 1000;
}

void puppet_frame(struct puppet *p, const struct pl_frame *frame)
{
    size_t n = pl_frame_encode(p->payload + p->payload_n, sizeof p->payload - p->payload_n, frame);

    cr_assert(n > 0, "a frame of type %u is not valid", frame->type);
    p->payload_n += n;
}

void puppet_raw(struct puppet *p, const void *bytes, size_t n)
{
    memcpy(p->payload + p->payload_n, bytes, n);
    p->payload_n += n;
}

void puppet_ping(struct puppet *p)
{
    puppet_frame(p, &(struct pl_frame){.type = PL_FRAME_PING});
}

void puppet_stream(struct puppet *p, uint32_t life, uint64_t first, uint32_t before, uint64_t birth,
                   const char *name)
{
    struct pl_frame f = {.type = PL_FRAME_STREAM};

    f.u.stream = (struct pl_frame_stream){.life = life,
                                          .first_number = first,
                                          .life_before = before,
                                          .birth = birth,
                                          .name = {(const uint8_t *)name, strlen(name)}};
    puppet_frame(p, &f);
}

void puppet_piece(struct puppet *p, uint32_t life, uint64_t offset, const void *bytes, size_t n)
{
    struct pl_frame f = {.type = PL_FRAME_RECORDS_LENGTH};

    f.u.records_length = (struct pl_frame_records){.life = life, .offset = offset, .bytes = {bytes, n}};
    puppet_frame(p, &f);
}

void puppet_sixes(struct puppet *p, uint32_t life, uint64_t offset, size_t n)
{
    uint8_t bytes[1200];

    cr_assert(n <= sizeof bytes);
    for (size_t i = 0; i < n; i++) {
        uint64_t at = offset + i;
        bytes[i] = at % 6 == 0 ? 5 : (uint8_t)(life + at / 6);
    }
    puppet_piece(p, life, offset, bytes, n);
}

void puppet_prove(struct puppet *p)
{
    puppet_ping(p);
    cr_assert(puppet_send(p) == PL_DROP_NONE);
    puppet_collect(p);
    puppet_ack(p, p->end_number, p->end_number);
    cr_assert(puppet_send(p) == PL_DROP_NONE);
    cr_assert(pl_link_is_proven(p->end.link));
}

void puppet_ask(struct puppet *p, uint32_t life)
{
    puppet_frame(p, &(struct pl_frame){.type = PL_FRAME_ASK, .u.ask = {.life = life}});
}

void puppet_gap(struct puppet *p, uint32_t life, uint64_t upto, uint64_t offset)
{
    puppet_frame(p, &(struct pl_frame){.type = PL_FRAME_GAP,
                                       .u.gap = {.life = life, .upto = upto, .offset = offset}});
}

void puppet_to(struct puppet *p)
{
    uint32_t tag = (uint32_t)(p->end_run >> 32);

    cr_assert(tag != 0, "there is no run to speak to");
    puppet_frame(p, &(struct pl_frame){.type = PL_FRAME_TO, .u.to = {.run_tag = tag}});
}

void puppet_ack(struct puppet *p, uint32_t low, uint32_t high)
{
    puppet_to(p);
    puppet_frame(p, &(struct pl_frame){.type = PL_FRAME_ACK,
                                       .u.ack = {.largest = high, .first_range = high - low}});
}

void puppet_stored(struct puppet *p, uint32_t life, uint64_t number, uint64_t window_kib)
{
    puppet_frame(p, &(struct pl_frame){
                        .type = PL_FRAME_STORED,
                        .u.stored = {.life = life, .number = number, .window = window_kib}});
}

void puppet_refused(struct puppet *p, uint32_t life, uint64_t number, uint64_t code)
{
    puppet_frame(p, &(struct pl_frame){.type = PL_FRAME_REFUSED,
                                       .u.refused = {.life = life, .number = number, .code = code}});
}

enum pl_drop puppet_send(struct puppet *p)
{
    return puppet_send_as(p, p->number++);
}

enum pl_drop puppet_send_as(struct puppet *p, uint32_t number)
{
    uint8_t packet[1600];
    struct pl_key key;
    struct pl_header header = {.version = PL_VERSION,
                               .suite = p->suite,
                               .key_id = p->self.config.key_id_out,
                               .run = p->run,
                               .packet_number = number};

    cr_assert(pl_header_encode(packet, sizeof packet, &header) == PL_HEADER_SIZE);
    memcpy(packet + PL_HEADER_SIZE, p->payload, p->payload_n);
    pl_secret_run_key(&p->self.config.secret, p->suite, p->self.config.direction_out, 0, p->run, &key);
    /* numbers are repeated on purpose here: no nonce hook */
    pl_aead_trace(p->self.env.aead, NULL, NULL);
    cr_assert(pl_aead_seal(p->self.env.aead, &key, number, (struct pl_bytes){packet, PL_HEADER_SIZE},
                           packet + PL_HEADER_SIZE, p->payload_n));
    size_t n = p->payload_n + PL_PACKET_OVERHEAD;
    p->payload_n = 0;
    return side_receive(&p->end, packet, n, &p->from, p->ecn, p->now_us);
}

static void take(struct puppet *p, const uint8_t *bytes, size_t n, const struct pl_route *route)
{
    struct puppet_answer *a = &p->answers[p->answers_n++];
    struct pl_header header;
    size_t used = 0;

    cr_assert(p->answers_n < PUPPET_ANSWERS);
    cr_assert(n <= sizeof a->plain && pl_header_decode(bytes, n, &header, &used) == PL_OK);
    a->route = *route;
    p->end_run = a->run = header.run;
    p->end_number = a->number = header.packet_number;
    a->n = n;
    cr_assert(side_peek(&p->end, bytes, n, a->plain, &a->payload), "an answer does not open or parse");
}

unsigned puppet_collect(struct puppet *p)
{
    static uint8_t bytes[PL_BATCH_ROOM];
    struct pl_batch batch = {.bytes = bytes, .room_bytes = sizeof bytes};

    p->answers_n = 0;
    while (pl_link_send(p->end.link, p->now_us, &batch) > 0) {
        for (size_t at = 0; at < batch.size; at += batch.segment) {
            size_t n = batch.size - at < batch.segment ? batch.size - at : batch.segment;
            take(p, bytes + at, n, &batch.route);
        }
    }
    cr_assert(pl_link_deadline(p->end.link) > p->now_us, "a link that has nothing to send is due");
    return p->answers_n;
}

const struct pl_frame *puppet_find(const struct puppet *p, uint8_t type, unsigned i)
{
    for (unsigned a = 0; a < p->answers_n; a++) {
        const struct pl_payload *payload = &p->answers[a].payload;
        for (unsigned f = 0; f < payload->count; f++) {
            if (payload->frames[f].type == type && i-- == 0) {
                return &payload->frames[f];
            }
        }
    }
    return NULL;
}

unsigned puppet_count(const struct puppet *p, uint8_t type)
{
    unsigned n = 0;

    while (puppet_find(p, type, n) != NULL) {
        n++;
    }
    return n;
}

/* Whether an ACK covers the number: RFC 9000 section 19.3.1. */
static bool covers(const struct pl_frame_ack *ack, uint32_t number)
{
    uint64_t high = ack->largest, low = ack->largest - ack->first_range;
    const uint8_t *at = ack->ranges.p;
    size_t left = ack->ranges.n;

    for (;;) {
        struct pl_ack_range range;
        size_t used = 0;
        if (number >= low && number <= high) {
            return true;
        }
        if (left == 0) {
            return false;
        }
        cr_assert(pl_ack_range_decode(at, left, &range, &used) == PL_OK);
        high = low - range.gap - 2;
        low = high - range.length;
        at += used;
        left -= used;
    }
}

bool puppet_acked(const struct puppet *p, uint32_t number)
{
    const struct pl_frame *f;

    for (unsigned i = 0; (f = puppet_find(p, PL_FRAME_ACK, i)) != NULL; i++) {
        if (covers(&f->u.ack, number)) {
            return true;
        }
    }
    return false;
}

uint64_t puppet_stored_of(const struct puppet *p, uint32_t life)
{
    const struct pl_frame *f;
    uint64_t best = UINT64_MAX;

    for (unsigned i = 0; (f = puppet_find(p, PL_FRAME_STORED, i)) != NULL; i++) {
        if (f->u.stored.life == life && (best == UINT64_MAX || f->u.stored.number > best)) {
            best = f->u.stored.number;
        }
    }
    return best;
}

uint64_t puppet_refused_of(const struct puppet *p, uint32_t life, uint64_t *number)
{
    const struct pl_frame *f;

    for (unsigned i = 0; (f = puppet_find(p, PL_FRAME_REFUSED, i)) != NULL; i++) {
        if (f->u.refused.life == life) {
            if (number != NULL) {
                *number = f->u.refused.number;
            }
            return f->u.refused.code;
        }
    }
    return 0;
}
