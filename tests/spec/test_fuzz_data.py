"""Seeds, dictionary and mutator come from any spec, not only from the product's."""

import os
import unittest

import build
import language
import readings
from language import SPECS
from readings import Reading
from test_fuzz import Mutator, seeds

OUTPUTS = 6000
COMPARED = 1500


class FuzzData(unittest.TestCase):
    def test_seeds_and_dictionary(self):
        for spec in SPECS:
            with self.subTest(spec), language.folder() as root:
                build.generated(spec, root, tools=False)
                reading = Reading(spec)
                given = set(seeds(os.path.join(root, "fuzz", f"{reading.protocol}_seeds.txt")).values())
                subjects = self.fuzzed(reading)
                wanted = {data for subject, data in self.vectors(reading) if subject in subjects and data}
                self.assertLessEqual(wanted, given)
                with open(os.path.join(root, "fuzz", f"{reading.protocol}.dict"), encoding="utf-8") as file:
                    for line in file:
                        self.assertRegex(line, r'^#|^[a-z0-9_]+="(\\x[0-9a-f]{2}){1,128}"$')

    @staticmethod
    def vectors(reading):
        return [(reading.subject(v["of"]), v["bytes"]) for v in reading.spec.vectors]

    @staticmethod
    def sealed(reading):
        """The first family that stands in a sealed part, or None."""
        parts = [p for x in reading.spec.packets for p in x["parts"] if p["kind"] == "sealed"]
        return readings.key(parts[0]["name"]) if parts else None

    def fuzzed(self, reading):
        """What the fuzzers' inputs are made of: members of a sealed part, or structs if there is none."""
        family = self.sealed(reading)
        return {reading.subjects.index(family)} if family else set(range(len(reading.spec.structs)))

    def test_mutator(self):
        """From one short input every type comes up, and the second codec and the oracle agree on all."""
        for spec in SPECS:
            reading = Reading(spec)
            family = self.sealed(reading)
            if family is None:
                continue
            with self.subTest(spec), language.folder() as root:
                build.generated(spec, root, tools=False)
                mutator = Mutator(root, reading.protocol)
                cases = [c for c in reading.spec.cases if readings.key(c["family"]) == family]
                start = min((data for s, data in self.vectors(reading) if s in self.fuzzed(reading)), key=len)
                inputs = [("*", mutator.fuzz(start, start)) for _ in range(OUTPUTS)]
                types = {data[0] for _, data in inputs if data}
                for case in cases:
                    self.assertTrue(types & set(range(case["first"], case["last"] + 1)), case["name"])
                inputs = inputs[:COMPARED]
                judged = [reading.judged(*one) for one in inputs]
                second = readings.answers(readings.crosscheck(reading, root), inputs)
                said = {"crosscheck": second, "oracle": judged}
                self.assertEqual(readings.disagreement(inputs, said), "")
                self.assertGreater(sum(line.startswith("OK ") for line in judged), len(judged) // 10)


if __name__ == "__main__":
    unittest.main()
