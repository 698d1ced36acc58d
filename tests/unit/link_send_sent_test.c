/* The ring of what is in flight. */
#include <criterion/criterion.h>

#include "link/send.h"
#include "link_puppet.h"

enum { S = 1000000 };

static struct pl_sent *add(struct pl_link *link, uint64_t now_us, uint16_t size)
{
    struct pl_sent *sent = pl_sent_add(link);

    sent->at = (uint32_t)now_us;
    sent->size = size;
    link->tx.in_flight_bytes += size;
    return sent;
}

Test(link_send_sent, it_grows_and_keeps_what_is_in_it)
{
    struct puppet *p = puppet_sender(1, 1);
    struct pl_link *link = p->end.link;

    for (uint32_t i = 0; i < 500; i++) {
        cr_assert(pl_sent_reserve(link, 1));
        add(link, p->now_us, 10)->number = i;
        if (i % 3 == 0 && i > 0) {
            pl_sent_at(&link->tx.sent, link->tx.sent.first)->piece.state = PL_SENT_PIECE_STORED;
            link->tx.in_flight_bytes -= 10;
            pl_sent_trim(link, p->now_us);
        }
        for (uint64_t at = link->tx.sent.first; at < link->tx.sent.next; at++) {
            cr_assert_eq(pl_sent_at(&link->tx.sent, at)->number, at);
        }
    }
    pl_sent_forget_slot(link, 0);
    cr_assert_eq(link->tx.in_flight_bytes, 0);
    pl_sent_trim(link, p->now_us);
    cr_assert_eq(link->tx.sent.first, link->tx.sent.next);
    cr_assert_eq(link->tx.sent.room, 0, "its memory is given back");
    puppet_end(p);
}

Test(link_send_sent, it_has_a_largest_size_and_may_find_no_memory)
{
    struct puppet *p = puppet_sender(2, 1);
    struct pl_link *link = p->end.link;

    cr_assert_not(pl_sent_reserve(link, (1 << 16) + 1));
    p->end.fail_from = p->end.gets + 1;
    p->end.fail_n = 1;
    cr_assert_not(pl_sent_reserve(link, 1000));
    cr_assert(pl_sent_reserve(link, 1000));
    cr_assert(pl_sent_reserve(link, 1 << 16));
    puppet_end(p);
}

/* Times are kept in 32 bits: right across their wrap, up to half an hour back. */
Test(link_send_sent, times_wrap)
{
    static const uint64_t nows[] = {5, S, UINT32_MAX, (uint64_t)UINT32_MAX + 1, (uint64_t)7 << 40};
    static const uint64_t ages[] = {0, 1, 1000, 60 * (uint64_t)S, (uint64_t)1 << 31};

    for (unsigned n = 0; n < 5; n++) {
        for (unsigned a = 0; a < 5; a++) {
            if (ages[a] <= nows[n]) {
                struct pl_sent sent = {.at = (uint32_t)(nows[n] - ages[a])};
                cr_assert_eq(pl_sent_time(&sent, nows[n]), nows[n] - ages[a]);
            }
        }
    }
}

/* A lost entry stays for three RTTs, so that a late ACK of it is recognised; an ancient one is given up. */
Test(link_send_sent, lost_entries_stay_a_while)
{
    struct puppet *p = puppet_sender(3, 1);
    struct pl_link *link = p->end.link;

    pl_rtt_sample(&link->tx.congestion.rtt, 10000, 0);
    cr_assert(pl_sent_reserve(link, 2));
    struct pl_sent *lost = add(link, p->now_us, 100);
    pl_sent_piece_step(&lost->piece, PL_SENT_PIECE_ON_LOST);
    link->tx.in_flight_bytes -= 100;
    pl_sent_trim(link, p->now_us + 30000);
    cr_assert_eq(link->tx.sent.next - link->tx.sent.first, 1);
    pl_sent_trim(link, p->now_us + 30001);
    cr_assert_eq(link->tx.sent.next - link->tx.sent.first, 0);
    cr_assert(pl_sent_reserve(link, 1));
    add(link, p->now_us, 100);
    pl_sent_trim(link, p->now_us + ((uint64_t)1 << 31));
    cr_assert_eq(link->tx.in_flight_bytes, 100);
    pl_sent_trim(link, p->now_us + ((uint64_t)1 << 31) + 1);
    cr_assert_eq(link->tx.in_flight_bytes, 0);
    puppet_end(p);
}
