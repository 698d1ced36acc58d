/* Forged datagrams of the link that may lie. */
#include "forge.h"

#include <string.h>

#include "harness.h"
#include "null_aead.h"
#include "sim/engine.h"
#include "wire/payload.h"

enum { RUNS = 4, MADE_UP = 8, SMALL = 16, NEAR = 4096, DATAGRAM = 1200, DELAY_US = 1000 };

/* What was seen of one side. */
static struct seen {
    uint64_t runs[RUNS]; /* newest first, 0: none */
    uint32_t number;     /* last one of the newest */
    uint64_t challenge;  /* last one it sent */
    uint32_t made_up[MADE_UP];
} seen[2];

static struct pl_aead *sealer;

void forge_begin(void)
{
    memset(seen, 0, sizeof seen);
    if (sealer == NULL && pl_aead_new(&sealer, &fuzz_null_aead) != PL_OK) {
        fuzz_fail("no memory");
    }
}

static const struct pl_link_config *config_of(enum side side)
{
    return side == SIDE_NODE ? &engine.node_side[LIAR] : &engine.device_side[LIAR];
}

bool forge_side(const struct net_packet *packet, enum side *side)
{
    struct pl_header header;
    size_t used = 0;

    if (pl_header_decode(packet->bytes, packet->n, &header, &used) != PL_OK ||
        packet->n < PL_PACKET_OVERHEAD) {
        return false;
    }
    *side = header.key_id == config_of(SIDE_NODE)->key_id_out ? SIDE_NODE : SIDE_DEVICE;
    return header.key_id == config_of(*side)->key_id_out;
}

static void learn_run(struct seen *of, const struct pl_header *header)
{
    if (of->runs[0] != header->run) {
        memmove(of->runs + 1, of->runs, (RUNS - 1) * sizeof of->runs[0]);
        of->runs[0] = header->run;
    }
    of->number = header->packet_number;
}

void forge_learn(const struct net_packet *packet)
{
    struct pl_payload payload;
    struct pl_header header;
    size_t used = 0;
    enum side side;

    if (!forge_side(packet, &side) || pl_header_decode(packet->bytes, packet->n, &header, &used) != PL_OK) {
        return;
    }
    learn_run(&seen[side], &header);
    if (pl_payload_parse((struct pl_bytes){packet->bytes + PL_HEADER_SIZE, packet->n - PL_PACKET_OVERHEAD},
                         &payload, &used) != PL_OK) {
        return;
    }
    for (unsigned i = 0; i < payload.count; i++) {
        if (payload.frames[i].type == PL_FRAME_PATH_CHALLENGE) {
            seen[side].challenge = payload.frames[i].u.path_challenge.value;
        }
    }
}

static void seal(enum side side, const struct pl_header *header, uint8_t *packet, size_t text_n)
{
    const struct pl_link_config *config = config_of(side);
    struct pl_key key;

    pl_secret_run_key(&config->secret, header->suite, config->direction_out, 0, header->run, &key);
    if (!pl_aead_seal(sealer, &key, header->packet_number, (struct pl_bytes){packet, PL_HEADER_SIZE},
                      packet + PL_HEADER_SIZE, text_n)) {
        fuzz_fail("the null AEAD does not seal");
    }
}

void forge_reseal(struct net_packet *packet)
{
    struct pl_header header;
    size_t used = 0;
    enum side side;

    if (forge_side(packet, &side) && pl_header_decode(packet->bytes, packet->n, &header, &used) == PL_OK &&
        (header.suite == PL_SUITE_AES_128_GCM || header.suite == PL_SUITE_CHACHA20_POLY1305)) {
        seal(side, &header, packet->bytes, packet->n - PL_PACKET_OVERHEAD);
    }
}

/* ---- what small numbers stand for */

/* The nth newest life of the liar's outbox, 1 the newest; n itself if there are not so many. */
static uint32_t life_for(uint32_t n)
{
    const struct outbox *disk = &engine.devices[LIAR].disk;
    uint32_t left = n;

    if (n == 0 || n > SMALL) {
        return n;
    }
    for (size_t b = disk->births_n; b-- > 0;) {
        const struct out_birth *birth = &disk->births[b];
        if (left <= birth->lives_n) {
            return birth->lives[birth->lives_n - left].tag;
        }
        left -= (uint32_t)birth->lives_n;
    }
    return n;
}

static uint64_t birth_for(uint64_t n)
{
    const struct outbox *disk = &engine.devices[LIAR].disk;

    return n > 0 && n <= disk->births_n ? disk->births[disk->births_n - n].birth : n;
}

static uint32_t tag_for(enum side reader, uint32_t n)
{
    return n < RUNS ? (uint32_t)(seen[reader].runs[n] >> 32) : n;
}

static uint64_t number_for(enum side reader, uint64_t n)
{
    return n < NEAR && n <= seen[reader].number ? seen[reader].number - n : n;
}

static void translate(struct pl_frame *frame, enum side reader)
{
    switch (frame->type) {
    case PL_FRAME_TO: frame->u.to.run_tag = tag_for(reader, frame->u.to.run_tag); break;
    case PL_FRAME_ACK:
    case PL_FRAME_ACK_ECN: frame->u.ack.largest = number_for(reader, frame->u.ack.largest); break;
    case PL_FRAME_STREAM:
        frame->u.stream.life = life_for(frame->u.stream.life);
        frame->u.stream.life_before = life_for(frame->u.stream.life_before);
        frame->u.stream.birth = birth_for(frame->u.stream.birth);
        break;
    case PL_FRAME_RECORDS:
    case PL_FRAME_RECORDS_LENGTH: frame->u.records.life = life_for(frame->u.records.life); break;
    case PL_FRAME_GAP: frame->u.gap.life = life_for(frame->u.gap.life); break;
    case PL_FRAME_ASK: frame->u.ask.life = life_for(frame->u.ask.life); break;
    case PL_FRAME_STORED: frame->u.stored.life = life_for(frame->u.stored.life); break;
    case PL_FRAME_UNBOUND: frame->u.unbound.life = life_for(frame->u.unbound.life); break;
    case PL_FRAME_REFUSED: frame->u.refused.life = life_for(frame->u.refused.life); break;
    case PL_FRAME_PATH_RESPONSE:
        if (frame->u.path_response.value < SMALL) {
            frame->u.path_response.value = seen[reader].challenge;
        }
        break;
    default: break;
    }
}

/* Writes the payload with its small numbers replaced; as it is if it is malformed. */
static size_t write_text(enum side reader, const uint8_t *p, size_t n, uint8_t *out, size_t room)
{
    struct pl_payload payload;
    size_t fault = 0, at = 0;

    if (pl_payload_parse((struct pl_bytes){p, n}, &payload, &fault) != PL_OK) {
        memcpy(out, p, n);
        return n;
    }
    for (unsigned i = 0; i < payload.count; i++) {
        translate(&payload.frames[i], reader);
        at += pl_frame_encode(out + at, room - at, &payload.frames[i]);
    }
    return at;
}

static struct pl_header header_for(enum side side, unsigned run, int number)
{
    const struct pl_link_config *config = config_of(side);
    struct seen *of = &seen[side];
    uint32_t *last = run == 0 ? &of->number : &of->made_up[run % MADE_UP];

    *last += (uint32_t)number;
    return (struct pl_header){
        .version = PL_VERSION,
        .suite = config->suite,
        .key_id = config->key_id_out,
        .run = run == 0 ? of->runs[0] : (uint64_t)run << 32 | run,
        .packet_number = *last,
    };
}

void forge_send(enum side side, unsigned run, int number, const uint8_t *payload, size_t n, uint32_t from)
{
    uint32_t device = engine.devices[LIAR].address;
    struct pl_header header = header_for(side, run, number);
    uint8_t packet[DATAGRAM];
    size_t text_n = write_text(side == SIDE_NODE ? SIDE_DEVICE : SIDE_NODE, payload, n,
                               packet + PL_HEADER_SIZE, sizeof packet - PL_PACKET_OVERHEAD);

    if (pl_header_encode(packet, sizeof packet, &header) != PL_HEADER_SIZE) {
        return;
    }
    seal(side, &header, packet, text_n);
    from = from != 0 ? from : side == SIDE_NODE ? ENGINE_NODE_ADDRESS : device;
    net_inject(from, side == SIDE_NODE ? device : ENGINE_NODE_ADDRESS, packet, PL_PACKET_OVERHEAD + text_n,
               DELAY_US);
}
