/* purelink-fleet: many devices against one node, to size it. `keys` writes their senders file; `once`, `run`
 * and `wake` send, with a line of JSON each 100 ms and a RESULT at the end. */
#include "fleet.h"

#include <errno.h>
#include <string.h>

int main(int argc, char **argv)
{
    static struct fleet fleet;
    struct fleet_options options;

    fleet_parse(argc, argv, &options);
    if (options.command == FLEET_KEYS) {
        fleet_print_senders(&options, stdout);
        if (fflush(stdout) != 0)
            fleet_fail(FLEET_FAILED, strerror(errno), "standard output");
        return 0;
    }
    fleet_catch_signals();
    fleet_open(&fleet, &options);
    int status = fleet_carry_out(&fleet);
    fleet_close(&fleet);
    if (ferror(stdout) != 0)
        fleet_fail(FLEET_FAILED, "not all of the report was written", "standard output");
    return status;
}
