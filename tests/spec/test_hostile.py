"""No spec, however broken, gives anything but a good model or errors with line and column."""

import random
import re
import unittest

import language
from codegen import source

SEED = 20240607
MUTATIONS = 80
LINE = re.compile(r"^(tiny\.wire:\d+:\d+: (error|note): |    |tiny\.wire: 100 errors)")

NASTY = [
    "",
    "\n",
    "///",
    "/// docs only\n",
    "{" * 5000,
    "(" * 5000,
    "limit A = " + "(" * 3000 + "1" + ")" * 3000,
    "limit A = " + "+".join(["1"] * 3000),
    "struct A { B (8) where " + "not " * 3000 + "B = 1 }",
    "struct A { B (8) where " + " and ".join(["B != 1"] * 3000) + " }",
    "limit A = 2^64^64^64",
    "limit A = 9" + "9" * 5000,
    "limit A = 0x" + "f" * 5000,
    "struct A { B (524281) }",
    "struct A { B (18446744073709551616) }",
    "registry R closed { 0 = A, 2147483647 = B }\nstruct S { F (32) of R }",
    "registry R open { 99999999999 = A }",
    "limit A = size(A)",
    "struct A { B of A }",
    "vector A \"\" <> { }",
    "case A (0..255) of A { }",
    "family A (8)\ncase B (0..255) of A { }",
    "machine M { }",
    "machine M { otherwise stay; }",
    "machine M { state A initial; event e; any on e -> stay; }",
    "machine M { " + "".join(f"state S{i}; " for i in range(100)) + "event e; }",
    "protocol p prefix p\nprotocol p prefix p",
    "text A = \"\\\\\\\"\"",
    "text A = \"\u00e9\u2028\"",
    "limit \u00e9 = 4",
    "struct " + "Long " * 2000 + "{ A (8) }",
    "packet P { plain A (7) if B = 1 }",
    "packet P { sealed A 1..2 by T (8*8) }",
    "errors { 64 = OK }",
    "flag " + ", ".join(["a"] * 1000),
    "limit A = 4 <00>",
    "property P of Nobody always A",
    "property P of M once",
    "machine M { fact A; }\nproperty P of M always A implies A",
    "machine M { state A initial; event e; fact f; A on e -> A; }\nproperty P of M always " + "not " * 39
    + "f",
    "machine M { state A initial; event e; A on e -> A; }\nproperty P of M once A never " + "(" * 3000,
    "machine M { state A initial; event e; " + "fact f; " * 300 + "}\nproperty P of M always f = A",
    "reject X \"a\" <zz> A at 1",
]


class Hostile(unittest.TestCase):
    def check(self, text):
        found = language.errors_of(text)
        for line in found.split("\n"):
            if line:
                self.assertRegex(line, LINE)
        return found

    def test_nasty_texts(self):
        for text in NASTY:
            with self.subTest(text[:40]):
                self.check(text)
                self.check(language.base() + text + "\n")

    def test_mutations(self):
        chance = random.Random(SEED)
        for path in language.FOREIGN:
            with open(path, encoding="utf-8") as file:
                spec = file.read()
            refused = 0
            for number in range(MUTATIONS):
                with self.subTest(f"{path}: {number}"):
                    refused += bool(self.check(mutate(spec, chance)))
            self.assertGreater(refused, MUTATIONS // 2)

    def test_mutated_machines(self):
        """Machines and their properties alone, since a change of a long spec seldom meets them."""
        chance = random.Random(SEED)
        head, items = "protocol tiny prefix tiny\n", []
        for path in language.FOREIGN:
            text, _ = source.load(path)
            items += [x for _, x in text.items() if re.search(r"(?m)^(machine|property|limit \w+ Us) ", x)]
        refused = sum(bool(self.check(head + mutate("\n".join(items), chance))) for _ in range(2 * MUTATIONS))
        self.assertGreater(refused, MUTATIONS)


def mutate(text, chance):
    """Remove, repeat, move or replace a few words, or cut the text."""
    words = re.split(r"(\s+|[(){}\[\],;=<>])", text)
    for _ in range(chance.randint(1, 4)):
        at, other = chance.randrange(len(words)), chance.randrange(len(words))
        kind = chance.randrange(5)
        if kind == 0:
            del words[at : at + chance.randint(1, 3)]
        elif kind == 1:
            words.insert(at, words[other])
        elif kind == 2:
            words[at], words[other] = words[other], words[at]
        elif kind == 3:
            words[at] = chance.choice(
                ["-1", "0", "(i)", "..", "^", "\"", "<", "99999999999999999999", "\x7f", "of", "\u20ac"]
            )
        else:
            words = words[: max(1, at)] if chance.random() < 0.2 else words
    return "".join(words)


if __name__ == "__main__":
    unittest.main()
