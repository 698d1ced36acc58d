/* plain.c: packets in clear, with headers that fit them: see plain.h. */
#include "capture/plain.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"
#include "link/link_limits.h"

enum {
    LINK_RAW = 101,
    SNAP_BYTES = PL_CAPTURE_FRAME_MAX,
    IPV6_SIZE = 40,
    PROTOCOL_UDP = 17,
    CHECKSUM_AT = 6 /* in the UDP header */
};
static const uint32_t magic_nano = 0xa1b23c4d;

static enum pl_error failed(const struct pl_plain *plain, struct pl_text *why)
{
    return pl_file_error(plain->path, errno ? errno : EIO, why);
}

/* In this machine's order: the magic tells readers which that is. */
struct file_header {
    uint32_t magic;
    uint16_t major, minor;
    uint32_t zone, accuracy, snap_bytes, link_type;
};
_Static_assert(sizeof(struct file_header) == 24, "written whole");

enum pl_error pl_plain_open(struct pl_plain *plain, const char *path, struct pl_text *why)
{
    const struct file_header head = {
        .magic = magic_nano, .major = 2, .minor = 4, .snap_bytes = SNAP_BYTES, .link_type = LINK_RAW};
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    plain->path = path;
    plain->file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!plain->file) {
        enum pl_error e = failed(plain, why);
        if (fd >= 0)
            close(fd);
        return e;
    }
    return fwrite(&head, sizeof head, 1, plain->file) == 1 ? PL_OK : failed(plain, why);
}

static enum pl_error write_packet(struct pl_plain *plain, const struct pl_captured *frame,
                                  const uint8_t *packet, size_t n, size_t whole_n, struct pl_text *why)
{
    uint32_t head[4] = {(uint32_t)frame->seconds, frame->nanoseconds, (uint32_t)n, (uint32_t)whole_n};

    errno = 0;
    if (fwrite(head, sizeof head, 1, plain->file) == 1 && (n == 0 || fwrite(packet, n, 1, plain->file) == 1))
        return PL_OK;
    return failed(plain, why);
}

static void put_u16(uint8_t *p, size_t value)
{
    p[0] = (uint8_t)(value >> 8);
    p[1] = (uint8_t)value;
}

/* The Internet checksum (RFC 1071) of n bytes, added to `sum`. */
static uint32_t add_words(uint32_t sum, const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum += i % 2 ? p[i] : (uint32_t)p[i] << 8;
    return sum;
}

static uint16_t folded(uint32_t sum)
{
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

/* The checksum of UDP (RFC 768) with its pseudo header, over a datagram that is there whole. */
static uint16_t udp_checksum(const uint8_t *ip, size_t udp_at, size_t udp_n)
{
    bool is_ipv4 = ip[0] >> 4 == 4;
    uint32_t sum = add_words((uint32_t)udp_n + PROTOCOL_UDP, ip + (is_ipv4 ? 12 : 8), is_ipv4 ? 8 : 32);
    uint16_t checksum = folded(add_words(sum, ip + udp_at, udp_n));

    return checksum ? checksum : 0xffff;
}

/* Lengths and checksums of IP (RFC 791, RFC 8200) and UDP for a payload of n bytes. */
static void fit_headers(uint8_t *ip, size_t udp_at, size_t n, bool is_whole)
{
    size_t udp_n = PL_UDP_HEADER_SIZE + n;
    uint8_t *udp = ip + udp_at;

    put_u16(udp + 4, udp_n);
    put_u16(udp + CHECKSUM_AT, 0);
    if (is_whole)
        put_u16(udp + CHECKSUM_AT, udp_checksum(ip, udp_at, udp_n));
    if (ip[0] >> 4 == 4) {
        put_u16(ip + 2, udp_at + udp_n);
        put_u16(ip + 10, 0);
        put_u16(ip + 10, folded(add_words(0, ip, (size_t)(ip[0] & 0xf) * 4)));
    } else {
        put_u16(ip + 4, udp_at + udp_n - IPV6_SIZE);
    }
}

enum pl_error pl_plain_put(struct pl_plain *plain, const struct pl_captured *frame,
                           const struct pl_layers *layers, const struct pl_unsealed_packet *packet,
                           struct pl_text *why)
{
    size_t udp_at = layers->udp_at - layers->ip_at, head_n = udp_at + PL_UDP_HEADER_SIZE;
    uint8_t *payload = plain->packet + head_n;

    memcpy(plain->packet, frame->bytes.p + layers->ip_at, head_n);
    if (packet->sealed.n > 0)
        memcpy(payload, packet->sealed.p, packet->sealed.n);
    if (packet->result == PL_UNSEALED_OPEN) {
        memcpy(payload + PL_HEADER_SIZE, packet->plain.p, packet->plain.n);
        memset(payload + PL_HEADER_SIZE + packet->plain.n, 0, PL_TAG_SIZE);
    }
    fit_headers(plain->packet, udp_at, packet->whole_n, packet->sealed.n == packet->whole_n);
    return write_packet(plain, frame, plain->packet, head_n + packet->sealed.n, head_n + packet->whole_n,
                        why);
}

enum pl_error pl_plain_put_fragment(struct pl_plain *plain, const struct pl_captured *frame,
                                    const struct pl_layers *layers, struct pl_text *why)
{
    return write_packet(plain, frame, frame->bytes.p + layers->ip_at, layers->ip_n, layers->ip_whole_n, why);
}

enum pl_error pl_plain_close(struct pl_plain *plain, struct pl_text *why)
{
    FILE *file = plain->file;

    plain->file = NULL;
    errno = 0;
    return !file || fclose(file) == 0 ? PL_OK : failed(plain, why);
}
