/* First contacts: what waits, in which order, and how much of it. */
#include "node/contact.h"

#include <criterion/criterion.h>

static struct pl_packet packet_of(uint8_t *bytes, size_t n)
{
    return (struct pl_packet){.bytes = bytes, .size = n};
}

Test(node_contact, packets_wait_in_order_up_to_a_limit)
{
    struct pl_contacts contacts;
    uint8_t bytes[PL_CONTACT_PACKET_MAX + 1];
    cr_assert_eq(pl_contacts_open(&contacts, 1), PL_OK);
    cr_assert_null(pl_contacts_find(&contacts, 9));
    struct pl_contact *contact = pl_contacts_add(&contacts, 9);
    cr_assert_eq(pl_contacts_find(&contacts, 9), contact);
    cr_assert_null(pl_contact_take(contact));
    for (int round = 0; round < 2; round++) {
        for (uint8_t i = 0; i < PL_CONTACT_WAITING_MAX; i++) {
            struct pl_packet packet = packet_of(bytes, 100);
            bytes[0] = i;
            cr_assert(pl_contact_keep(&contacts, contact, &packet));
        }
        struct pl_packet more = packet_of(bytes, 100);
        cr_assert_not(pl_contact_keep(&contacts, contact, &more));
        for (uint8_t i = 0; i < PL_CONTACT_WAITING_MAX; i++) {
            struct pl_sealed *sealed = pl_contact_take(contact);
            cr_assert_eq(sealed->bytes[0], i);
            pl_contact_drop_packet(&contacts, sealed);
        }
        cr_assert_eq(contacts.packets_n, 0);
    }
    struct pl_packet large = packet_of(bytes, sizeof bytes), largest = packet_of(bytes, sizeof bytes - 1);
    cr_assert_not(pl_contact_keep(&contacts, contact, &large));
    cr_assert(pl_contact_keep(&contacts, contact, &largest));
    pl_contacts_remove(&contacts, contact);
    cr_assert_eq(contacts.packets_n, 0);
    cr_assert_null(pl_contacts_find(&contacts, 9));
    pl_contacts_close(&contacts);
}

Test(node_contact, all_together_are_bounded_and_closing_frees_them)
{
    struct pl_contacts contacts;
    uint8_t bytes[10] = {0};
    struct pl_packet packet = packet_of(bytes, sizeof bytes);
    cr_assert_eq(pl_contacts_open(&contacts, 1), PL_OK);
    for (uint32_t i = 0; i < PL_CONTACTS_MAX; i++) {
        struct pl_contact *contact = pl_contacts_add(&contacts, i);
        cr_assert_not_null(contact);
        cr_assert(pl_contact_keep(&contacts, contact, &packet));
    }
    cr_assert_null(pl_contacts_add(&contacts, PL_CONTACTS_MAX));
    cr_assert_not(pl_contact_keep(&contacts, pl_contacts_find(&contacts, 5), &packet));
    pl_contacts_close(&contacts);
}

Test(node_contact, an_answer_is_cleared_with_its_rows)
{
    struct pl_contact contact = {0};
    contact.answer.rows.p = NULL;
    contact.answer.shared = true;
    contact.answer.secret.inner[0] = 5;
    pl_contact_clear_answer(&contact);
    cr_assert_not(contact.answer.shared);
    cr_assert_eq(contact.answer.secret.inner[0], 0);
}
