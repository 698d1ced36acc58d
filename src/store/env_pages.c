/* The pages of LMDB 0.9's trees as they lie in the file (mdb.c, MDB_page, MDB_node, MDB_db).
 *
 * A transaction that takes a page at the end of the file and gives it back leaves it unwritten: the file may
 * then be shorter than its last page says, and sound. Whether it is can only be told by looking at what is in
 * use. Everything is read with pread into one buffer, checked before it is believed, and bounded: a damaged
 * file costs a refusal, never a loop. */
#include "store/env_pages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PAGE_BRANCH = 0x01,
    PAGE_LEAF = 0x02,
    PAGE_OVERFLOW = 0x04,
    PAGE_LEAF_FIXED = 0x20,
    NODE_BIG = 0x01,
    NODE_TREE = 0x02,
    HEADER = 2 * sizeof(size_t), /* number, then flags at 10 and bounds at 12 where pointers have 64 bits */
    NODE_HEADER = 8,
    DEPTH_MAX = 128 /* a tree in a tree in a tree, each at most 32 deep */
};

struct page_head {
    size_t number;
    uint16_t pad, flags, lower, upper;
};

struct tree_record {
    uint32_t pad;
    uint16_t flags, depth;
    size_t branch_pages, leaf_pages, overflow_pages, entries, root;
};

struct walk {
    int fd;
    size_t page_size;
    uint64_t pages, visits;
    uint8_t *page;
    struct {
        size_t number;
        unsigned next; /* node */
    } stack[DEPTH_MAX];
    size_t depth;
    int number; /* errno of a read that failed */
};

static bool read_page(struct walk *w, size_t number, struct page_head *head)
{
    ssize_t n;

    if (number < 2 || number >= w->pages) {
        return false;
    }
    n = pread(w->fd, w->page, w->page_size, (off_t)(number * w->page_size));
    w->number = n < 0 ? errno : 0;
    if (n != (ssize_t)w->page_size) {
        return false;
    }
    memcpy(head, w->page, sizeof *head);
    return head->number == number;
}

static bool push(struct walk *w, size_t number)
{
    if (number == SIZE_MAX) {
        return true;
    }
    if (w->depth == DEPTH_MAX || ++w->visits > w->pages) {
        return false;
    }
    w->stack[w->depth].number = number;
    w->stack[w->depth++].next = 0;
    return true;
}

/* The pages of a large value follow its first one. Spoils the buffer. */
static bool overflow_present(struct walk *w, size_t number)
{
    struct page_head head;
    uint32_t pages;

    if (!read_page(w, number, &head) || (head.flags & PAGE_OVERFLOW) == 0) {
        return false;
    }
    memcpy(&pages, &head.lower, sizeof pages);
    return pages > 0 && pages <= w->pages - number;
}

/* One node of a leaf: its value may be a tree, or lie on pages of its own. */
static bool leaf_node(struct walk *w, const uint8_t *node, size_t room)
{
    uint16_t flags, key_size;
    struct tree_record tree;
    size_t number;

    memcpy(&flags, node + 4, sizeof flags);
    memcpy(&key_size, node + 6, sizeof key_size);
    const uint8_t *value = node + NODE_HEADER + key_size;
    room = room < (size_t)NODE_HEADER + key_size ? 0 : room - NODE_HEADER - key_size;
    if ((flags & NODE_BIG) != 0) {
        memcpy(&number, value, room < sizeof number ? 0 : sizeof number);
        return room >= sizeof number && overflow_present(w, number);
    }
    if ((flags & NODE_TREE) != 0) {
        if (room < sizeof tree) {
            return false;
        }
        memcpy(&tree, value, sizeof tree);
        return push(w, tree.root);
    }
    return true;
}

static bool branch_node(struct walk *w, const uint8_t *node)
{
    uint16_t part[3];
    uint64_t number;

    memcpy(part, node, sizeof part);
    number = (uint64_t)part[0] | (uint64_t)part[1] << 16 | (uint64_t)part[2] << 32;
    return push(w, sizeof(size_t) == sizeof number ? (size_t)number : (size_t)(uint32_t)number);
}

/* Looks at the next node of the page on top of the stack, or leaves the page. */
static bool step(struct walk *w)
{
    struct page_head head;
    uint16_t at;
    unsigned index = w->stack[w->depth - 1].next++;

    if (!read_page(w, w->stack[w->depth - 1].number, &head) || head.lower < HEADER ||
        head.lower > w->page_size) {
        return false;
    }
    if ((head.flags & PAGE_LEAF_FIXED) != 0 || index >= (head.lower - (size_t)HEADER) / sizeof at) {
        w->depth--;
        return true;
    }
    memcpy(&at, w->page + HEADER + index * sizeof at, sizeof at);
    if ((size_t)at + NODE_HEADER > w->page_size || (head.flags & (PAGE_BRANCH | PAGE_LEAF)) == 0) {
        return false;
    }
    if ((head.flags & PAGE_BRANCH) != 0) {
        return branch_node(w, w->page + at);
    }
    return leaf_node(w, w->page + at, w->page_size - at);
}

int pl_env_pages_present(int fd, size_t page_size, uint64_t pages, const size_t *roots, size_t roots_n,
                         bool *present)
{
    struct walk w = {.fd = fd, .page_size = page_size, .pages = pages, .page = malloc(page_size)};

    *present = w.page != NULL;
    w.number = *present ? 0 : ENOMEM;
    for (size_t i = 0; i < roots_n && *present; i++) {
        *present = push(&w, roots[i]);
        while (*present && w.depth > 0) {
            *present = step(&w);
        }
    }
    free(w.page);
    return w.number;
}
