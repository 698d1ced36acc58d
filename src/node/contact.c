/* The bounded memory of first contacts: see contact.h. */
#include "node/contact.h"

#include <stdlib.h>
#include <string.h>

#include "crypto/wipe.h"

enum pl_error pl_contacts_open(struct pl_contacts *contacts, uint32_t seed)
{
    contacts->packets_n = 0;
    return pl_hash_open(&contacts->by_key_id, PL_CONTACTS_MAX, seed);
}

void pl_contacts_close(struct pl_contacts *contacts)
{
    struct pl_hash *table = &contacts->by_key_id;

    while (table->slots && table->n > 0) {
        uint32_t at = 0;
        while (!table->slots[at].value)
            at++;
        pl_contacts_remove(contacts, table->slots[at].value);
    }
    pl_hash_close(table);
}

struct pl_contact *pl_contacts_find(const struct pl_contacts *contacts, uint32_t key_id)
{
    struct pl_hash_find find;

    return pl_hash_first(&contacts->by_key_id, key_id, &find);
}

struct pl_contact *pl_contacts_add(struct pl_contacts *contacts, uint32_t key_id)
{
    struct pl_contact *contact = calloc(1, sizeof *contact);

    if (!contact)
        return NULL;
    contact->key_id = key_id;
    contact->waiting_end = &contact->waiting;
    if (pl_hash_add(&contacts->by_key_id, key_id, contact) == PL_OK)
        return contact;
    free(contact);
    return NULL;
}

bool pl_contact_keep(struct pl_contacts *contacts, struct pl_contact *contact, const struct pl_packet *packet)
{
    struct pl_sealed *sealed;

    if (packet->size > PL_CONTACT_PACKET_MAX || contact->waiting_n >= PL_CONTACT_WAITING_MAX ||
        contacts->packets_n >= PL_CONTACTS_MAX)
        return false;
    sealed = malloc(sizeof *sealed + packet->size);
    if (!sealed)
        return false;
    sealed->next = NULL;
    sealed->route = packet->route;
    sealed->ecn = packet->ecn;
    sealed->size = (uint16_t)packet->size;
    memcpy(sealed->bytes, packet->bytes, packet->size);
    *contact->waiting_end = sealed;
    contact->waiting_end = &sealed->next;
    contact->waiting_n++;
    contacts->packets_n++;
    return true;
}

struct pl_sealed *pl_contact_take(struct pl_contact *contact)
{
    struct pl_sealed *sealed = contact->waiting;

    if (!sealed)
        return NULL;
    contact->waiting = sealed->next;
    if (!contact->waiting)
        contact->waiting_end = &contact->waiting;
    contact->waiting_n--;
    return sealed;
}

void pl_contact_drop_packet(struct pl_contacts *contacts, struct pl_sealed *packet)
{
    if (!packet)
        return;
    contacts->packets_n--;
    free(packet);
}

void pl_contact_clear_answer(struct pl_contact *contact)
{
    pl_rows_free(&contact->answer.rows);
    pl_wipe(&contact->answer, sizeof contact->answer);
}

void pl_contacts_remove(struct pl_contacts *contacts, struct pl_contact *contact)
{
    pl_hash_remove(&contacts->by_key_id, contact->key_id, contact);
    pl_contact_drop_packet(contacts, contact->packet);
    while (contact->waiting)
        pl_contact_drop_packet(contacts, pl_contact_take(contact));
    pl_contact_clear_answer(contact);
    free(contact);
}
