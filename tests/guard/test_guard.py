"""The guard's own parts: what counts as ours, and what is called dearer."""
import copy
import unittest

import callgrind
import judge

OUT = """# callgrind format
positions: line
events: Ir
summary: 999

ob=/x/build/guard
fl=/x/src/wire/walk.c
fn=pl_walk
10 5
fi=/x/generated/link/link_varint.h
+3 7
fe=/x/src/wire/walk.c
cfi=/usr/lib/string.c
cfn=memcpy
calls=3 20
11 4000
12 1
fi=/usr/include/bits/string_fortified.h
30 2

fl=/x/tests/sim/net.c
fn=net_send
9 100
fi=/x/src/io/io.h
9 3

ob=/usr/lib/libcrypto.so.3
fl=???
fn=EVP_EncryptUpdate
0 500
"""


def measure():
    return {"records": 100, "packets": 10, "sends": 2, "answers": 1,
            "sender": {"src/a/a.c": 1000}, "receiver": {"src/a/a.c": 1000, "src/b/b.c": 2000}}


def failed(old, new):
    return [text for passed, text in judge.judge_size(61, old, new, True) if not passed]


class Callgrind(unittest.TestCase):
    def test_counts_only_what_is_ours(self):
        self.assertEqual(callgrind.instructions(OUT.splitlines()),
                         {"src/wire/walk.c": 5 + 1 + 2, "generated/link/link_varint.h": 7, "src/io/io.h": 3})

    def test_knows_ours_by_its_folder(self):
        self.assertEqual(callgrind.own_name("/x/src/p/src/link/ranges.c"), "src/link/ranges.c")
        for other in ("/x/tests/sim/net.c", "???", "./malloc/./malloc/malloc.c", "/x/mysrc/link/ranges.c"):
            self.assertIsNone(callgrind.own_name(other))


class Judge(unittest.TestCase):
    def test_nothing_changed(self):
        self.assertEqual(failed(measure(), measure()), [])

    def test_three_percent_more_is_allowed_and_a_little_beyond_is_not(self):
        new = measure()
        new["receiver"]["src/b/b.c"] = 2090
        self.assertEqual(failed(measure(), new), [])
        new["receiver"]["src/b/b.c"] = 2091
        [text] = failed(measure(), new)
        for part in ("61 B", "receiver", "30.91", "30.00", "+3.0 %", "src/b/b.c +0.91", "make guard-accept"):
            self.assertIn(part, text)

    def test_a_new_file_is_named(self):
        new = measure()
        new["sender"]["src/c/c.c"] = 500
        self.assertIn("src/c/c.c +5.00", failed(measure(), new)[0])

    def test_improvement_is_said(self):
        new = measure()
        new["sender"]["src/a/a.c"] = 900
        said = [text for passed, text in judge.judge_size(61, measure(), new, True) if passed and "better" in text]
        self.assertEqual(len(said), 1)
        self.assertIn("sender", said[0])

    def test_packets_are_counted_exactly(self):
        for key, change, name in (("answers", 1, "acks a packet"), ("sends", 1, "segments a send"),
                                  ("packets", 1, "packets a record")):
            new = copy.deepcopy(measure())
            new[key] += change
            self.assertTrue(any(name in text for text in failed(measure(), new)), name)
            new[key] -= 2 * change
            self.assertFalse(any(name in text for text in failed(measure(), new)), name)

    def test_another_compilers_instructions_are_not_judged(self):
        new = measure()
        new["sender"]["src/a/a.c"] = 9000
        self.assertTrue(all(passed for passed, _ in judge.judge_size(61, measure(), new, False)))


if __name__ == "__main__":
    unittest.main()
