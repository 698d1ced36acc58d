/* The kernel's world: clocks that go forward, randomness that differs. */
#include <criterion/criterion.h>
#include <string.h>

#include "io/io.h"
#include "io/syscalls.h"

static const struct pl_io *const io = &pl_io_linux;

Test(io_linux, the_clock_never_goes_back)
{
    uint64_t before = io->now_us(io->ctx);
    for (int i = 0; i < 100000; i++) {
        uint64_t now = io->now_us(io->ctx);
        cr_assert_geq(now, before);
        before = now;
    }
    cr_assert_gt(io->wall_ms(io->ctx), 1600000000000u);
    cr_assert_lt(io->now_us(io->ctx), 1600000000000000u, "time since boot, not since 1970");
}

Test(io_linux, random_bytes_fill_all_and_differ)
{
    static uint8_t one[100000], two[100000];
    size_t same = 0;
    io->random(io->ctx, one, sizeof one);
    io->random(io->ctx, two, sizeof two);
    for (size_t i = 0; i < sizeof one; i++)
        same += one[i] == two[i];
    cr_assert_lt(same, 1000, "one in 256 is expected");
    memset(one, 0, 16);
    io->random(io->ctx, one, 0);
    cr_assert_eq(one[0], 0);
}

Test(io_linux, the_table_is_whole)
{
    const struct pl_io *t = io;
    cr_assert(t->now_us && t->wall_ms && t->random && t->udp_open && t->udp_close && t->udp_local);
    cr_assert(t->udp_counters && t->udp_send && t->udp_receive && t->wake_open && t->wake_close && t->wake &&
              t->wait);
}
