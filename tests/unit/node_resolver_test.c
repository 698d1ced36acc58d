/* The resolver: what it says of a packet, its budget, and the secrets it makes in the background. */
#include "node_world.h"

#include "crypto/hash.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct pl_resolver *resolver_of(struct nw *w)
{
    return &w->node->resolvers[0];
}

/* A packet of the device as its engine makes it, as the question of a contact. */
static void ask(struct nw *w, struct nw_device *d, struct pl_contact *contact)
{
    uint8_t *bytes = malloc(PL_BATCH_ROOM);
    struct pl_batch batch = {.bytes = bytes, .room_bytes = PL_BATCH_ROOM};
    nw_activate(d);
    nw_give(d, 1);
    cr_assert_eq(pl_link_send(d->link, w->now_us, &batch), 1);
    memset(contact, 0, sizeof *contact);
    contact->key_id = d->key_id ? d->key_id : pl_key_id(d->public_key, w->node_public);
    contact->packet = calloc(1, sizeof *contact->packet + batch.size);
    contact->packet->size = (uint16_t)batch.size;
    memcpy(contact->packet->bytes, bytes, batch.size);
    free(bytes);
}

static void end(struct pl_contact *contact)
{
    free(contact->packet);
    pl_contact_clear_answer(contact);
}

Test(node_resolver, says_whose_a_packet_is)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *d = nw_device(w, "one"), *stranger = nw_device(w, "two");
    struct pl_contact contact;
    nw_allow(w, 1);
    ask(w, stranger, &contact);
    pl_resolver_answer(resolver_of(w), &contact);
    cr_assert_eq(contact.answer.drop, PL_DROP_KEY_ID);
    end(&contact);
    ask(w, d, &contact);
    contact.packet->bytes[contact.packet->size - 1] ^= 1;
    pl_resolver_answer(resolver_of(w), &contact);
    cr_assert_eq(contact.answer.drop, PL_DROP_SEAL);
    contact.packet->bytes[contact.packet->size - 1] ^= 1;
    pl_resolver_answer(resolver_of(w), &contact);
    cr_assert_eq(contact.answer.drop, PL_DROP_NONE);
    cr_assert_eq(contact.answer.info.name_size, 3);
    cr_assert_not(contact.answer.shared);
    cr_assert_eq(contact.answer.rows.n, 0);
    end(&contact);
    nw_free(w);
}

Test(node_resolver, finds_the_right_one_of_four_and_says_that_they_share)
{
    struct nw *w = nw_new(NULL);
    struct pl_contact contact;
    for (unsigned i = 0; i < 4; i++) {
        char name[2] = {(char)('a' + i), 0};
        nw_device(w, name)->key_id = 77;
    }
    nw_allow(w, 4);
    for (size_t i = 0; i < 4; i++) {
        ask(w, &w->devices[i], &contact);
        pl_resolver_answer(resolver_of(w), &contact);
        cr_assert_eq(contact.answer.drop, PL_DROP_NONE);
        cr_assert(contact.answer.shared);
        cr_assert_arr_eq(contact.answer.info.public_key, w->devices[i].public_key, 32);
        end(&contact);
    }
    nw_free(w);
}

/* Puts the secret of one device into the memo as that of another, rightly signed: nature will not do it. */
static void share_secret(struct nw *w, const struct nw_device *from, const struct nw_device *to,
                         uint32_t link)
{
    struct pl_memo *memo = &w->node->memo;
    struct pl_secret secret;
    uint8_t digest[PL_SHA256_SIZE];
    struct pl_bytes parts[] = {
        {memo->own_public, sizeof memo->own_public},
        {to->public_key, sizeof to->public_key},
        {(const uint8_t *)&secret, sizeof secret},
    };
    cr_assert_eq(pl_secret_derive(&secret, w->node_key, w->node_public, from->public_key), PL_OK);
    pl_hash(parts, sizeof parts / sizeof parts[0], digest);
    cr_assert_eq(pl_secrets_put(memo->secrets, link, digest, (const uint8_t *)&secret), PL_OK);
}

Test(node_resolver, a_packet_that_opens_under_two_keys_is_nobodys)
{
    struct nw *w = nw_new(NULL);
    struct pl_contact contact;
    uint8_t side[3];
    for (unsigned i = 0; i < 3; i++) {
        char name[2] = {(char)('a' + i), 0};
        struct nw_device *d = nw_device(w, name);
        d->key_id = 5;
        side[i] = pl_secret_direction(d->public_key, w->node_public);
    }
    /* Of three keys two lie on the same side of the node's: their packets differ by the secret alone. */
    unsigned first = side[0] == side[1] || side[0] == side[2] ? 0 : 1;
    unsigned second = side[first] == side[first + 1] ? first + 1 : 2;
    nw_allow(w, 3);
    ask(w, &w->devices[first], &contact);
    pl_resolver_answer(resolver_of(w), &contact);
    cr_assert_eq(contact.answer.drop, PL_DROP_NONE);
    share_secret(w, &w->devices[first], &w->devices[second], second + 1);
    pl_contact_clear_answer(&contact);
    pl_resolver_answer(resolver_of(w), &contact);
    cr_assert_eq(contact.answer.drop, PL_DROP_SEAL);
    cr_assert(contact.answer.ambiguous);
    end(&contact);
    nw_free(w);
}

Test(node_resolver, makes_secrets_in_the_background_so_that_the_budget_is_for_strangers)
{
    struct nw *w = nw_new(NULL);
    struct pl_resolver *resolver = resolver_of(w);
    struct nw_device *d = nw_device(w, "d");
    struct pl_secret secret;
    struct pl_contact contact;
    resolver->background = false;
    nw_allow(w, 1);
    ask(w, d, &contact);
    resolver->secret_credit_us = 0;
    pl_resolver_answer(resolver, &contact);
    cr_assert_eq(contact.answer.drop, PL_DROP_BUDGET);
    cr_assert_eq(atomic_load(&resolver->secrets_made), 0);
    resolver->background = true;
    nw_run(w, w->now_us + 1000);
    cr_assert(pl_memo_get(&w->node->memo, 1, d->public_key, &secret));
    resolver->secret_credit_us = 0;
    pl_contact_clear_answer(&contact);
    pl_resolver_answer(resolver, &contact);
    cr_assert_eq(contact.answer.drop, PL_DROP_NONE);
    end(&contact);
    nw_free(w);
}

/* The ring between shard and resolver never runs empty, and still all that are allowed get their secrets.
 */
Test(node_resolver, a_flood_of_questions_does_not_stop_the_background)
{
    enum { ALLOWED = 6, FLOOD = 32 };
    static struct pl_contact strangers[FLOOD];
    struct nw *w = nw_new(NULL);
    struct pl_resolver *resolver = resolver_of(w);
    struct pl_resolver_edge *edge = &w->node->resolver_edges[0];
    resolver->background = false;
    for (unsigned i = 0; i < ALLOWED; i++) {
        char name[2] = {(char)('a' + i), 0};
        nw_device(w, name);
    }
    nw_allow(w, ALLOWED);
    resolver->background = true;
    for (unsigned step = 1; step <= ALLOWED; step++) {
        struct pl_secret secret;
        for (unsigned i = 0; i < FLOOD; i++) {
            strangers[i] = (struct pl_contact){.check_n = 1, .check = {99}};
            cr_assert(pl_ring_push(&edge->questions, &strangers[i]));
        }
        cr_assert_eq(pl_resolver_step(resolver, w->now_us), w->now_us);
        for (unsigned i = 0; i < FLOOD; i++)
            cr_assert_eq(pl_ring_pop(&edge->answers), &strangers[i], "the questions are answered too");
        for (unsigned i = 0; i < ALLOWED; i++)
            cr_assert_eq(pl_memo_get(&w->node->memo, i + 1, w->devices[i].public_key, &secret), i < step,
                         "link %u after step %u", i + 1, step);
    }
    nw_free(w);
}

Test(node_resolver, the_budget_comes_back_with_time)
{
    struct nw *w = nw_new(NULL);
    struct pl_resolver *resolver = resolver_of(w);
    (void)pl_resolver_step(resolver, w->now_us);
    resolver->secret_credit_us = 0;
    (void)pl_resolver_step(resolver, w->now_us + 20000);
    cr_assert_eq(resolver->secret_credit_us, 20000, "enough for one");
    (void)pl_resolver_step(resolver, w->now_us + 3600000000u);
    cr_assert_eq(resolver->secret_credit_us, 1000000, "never more than a second's worth");
    nw_free(w);
}

Test(node_resolver, checks_who_is_still_allowed)
{
    struct nw *w = nw_new(NULL);
    struct pl_contact contact = {.check_n = 3, .check = {1, 2, 99}};
    nw_device(w, "a");
    nw_device(w, "b");
    nw_allow(w, 2);
    nw_allow(w, 1);
    pl_resolver_answer(resolver_of(w), &contact);
    cr_assert_not(contact.denied[0]);
    cr_assert(contact.denied[1]);
    cr_assert(contact.denied[2], "a link that never was");
    nw_free(w);
}

Test(node_resolver, says_who_shares_a_key_id_after_a_new_list)
{
    struct nw *w = nw_new(NULL);
    struct pl_contact contact = {.check_n = 3, .check = {1, 2, 3}};
    nw_device(w, "a")->key_id = 5;
    nw_device(w, "b")->key_id = 5;
    nw_device(w, "c");
    nw_allow(w, 3);
    pl_resolver_answer(resolver_of(w), &contact);
    cr_assert(contact.shares[0] && contact.shares[1]);
    cr_assert_not(contact.shares[2]);
    nw_free(w);
}
