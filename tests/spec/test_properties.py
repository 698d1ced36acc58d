"""Properties of machines in Promela: Spin finds what breaks them and takes what does not.

Without spin the tests are skipped and say how to get it; scripts/check installs it."""

import os
import re
import shutil
import unittest

import build
import language

TABLES = "promela/dns.pml"
ASKED = ":: (m) == DNS_QUERY_ASKED && (event) == DNS_QUERY_ON_CANCEL -> m = DNS_QUERY_FAILED"
# A world of one machine: what it knows is the same at each step.
WORLD = """
#include "promela/dns.pml"
active proctype world()
{
    byte m = DNS_QUERY_INITIAL;
    dns_query_check(m, FACTS);
    dns_query_step(m, DNS_QUERY_ON_ASK, 0);
    dns_query_check(m, FACTS);
    dns_query_step(m, DNS_QUERY_ON_ANSWER, 0);
    dns_query_check(m, FACTS)
}
"""


def spin(root, text, defines):
    """What Spin's checker says about a model."""
    path = os.path.join(root, "world.pml")
    with open(os.path.join(root, "world.c"), "w", encoding="utf-8") as file:
        file.write(text)
    for command in (
        ["gcc", "-E", "-P", "-w", "-I.", *[f"-D{d}" for d in defines], "world.c", "-o", path],
        ["spin", "-a", path],
        ["gcc", "-O1", "-w", "-DSAFETY", "-o", "pan", "pan.c"],
        ["./pan"],
    ):
        status, said = build.command(command, root)
        assert status == 0, said
    return said


@unittest.skipUnless(shutil.which("spin"), "spin is not installed (Debian: apt-get install spin)")
class Properties(unittest.TestCase):
    def test_always(self):
        with language.folder() as root:
            build.generated("tests/spec/dns.wire", root, tools=False)
            self.assertIn("errors: 0", spin(root, WORLD, ["FACTS=DNS_QUERY_FACT_MATCHED"]))
            self.assertIn("assertion violated dns_query_answers_match", spin(root, WORLD, ["FACTS=0"]))

    def test_once(self):
        with language.folder() as root:
            build.generated("tests/spec/dns.wire", root, tools=False)
            with open(os.path.join(root, TABLES), encoding="utf-8") as file:
                tables = file.read()
            self.assertIn("errors: 0", spin(root, tables, ["DNS_QUERY_ALONE"]))
            broken = tables.replace(ASKED, ASKED.replace("FAILED", "IDLE"))
            self.assertNotEqual(broken, tables)
            said = spin(root, broken, ["DNS_QUERY_ALONE"])
            self.assertTrue(re.search(r"assertion violated .*dns_query_asked_for_good", said), said)


if __name__ == "__main__":
    unittest.main()
