"""Both codecs against the oracle, which reads the spec by itself: value, error and offset are the same.

SPEC_SEED=N changes the inputs; the seed is printed."""

import glob
import os
import re
import subprocess
import sys
import unittest

import language
import readings
from language import FOREIGN, LINK, SPECS
from readings import Reading

PAYLOADS = 100_000
OTHERS = 6_000
ORACLE = [sys.executable, "crosscheck/oracle/oracle.py"]


def ask(*arguments):
    command = [*ORACLE, *arguments]
    done = subprocess.run(command, cwd=language.ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


class Examples(unittest.TestCase):
    """The oracle alone: every vector gives its values and every reject its error at its offset."""

    def test_vectors_and_rejects(self):
        for path in SPECS:
            spec = readings.oracle.load(path)
            self.assertGreater(len(spec.vectors), 20)
            for one in spec.vectors:
                with self.subTest(f"{one['of']}: {one['title']}"):
                    layout, values, end = spec.decode(one["of"], one["bytes"])
                    self.assertEqual(end, len(one["bytes"]))
                    for name, value in one["values"].items():
                        self.assertEqual(as_written(values[name]), as_written(value))
                    self.assertEqual(spec.encode(layout, one["values"]), one["bytes"])
            for one in spec.rejects:
                said = readings.oracle.verdict(spec, one["of"], one["bytes"])
                self.assertEqual(said, f"{one['error']} {one['offset']}", one["title"])

    def test_the_second_codec_includes_nothing_of_the_first(self):
        for path in glob.glob("crosscheck/codec/*.[ch]"):
            with open(path, encoding="utf-8") as file:
                for header in re.findall(r'#include "(.*?)"', file.read()):
                    self.assertEqual(header, "codec.h", path)

    def test_no_code_of_the_generator(self):
        for name in os.listdir("crosscheck/oracle"):
            if name.endswith(".py"):
                with open(os.path.join("crosscheck/oracle", name), encoding="utf-8") as file:
                    for line in file:
                        self.assertNotRegex(line, r"^\s*(import|from)\s+(codegen|lark|jinja2)\b")


def as_written(value):
    """A value without the lengths in its structs, which no vector gives."""
    if isinstance(value, dict):
        return {k: as_written(v) for k, v in value.items() if k != "length"}
    return [as_written(x) for x in value] if isinstance(value, list) else value


class CommandLine(unittest.TestCase):
    def test_payload(self):
        self.assertEqual(ask("0900000007" "01"), (0, "OK 6 ASK life=0x00000007 | PING\n"))

    def test_refused(self):
        lines = "OK 2 PING | PADDING length=0\nRANGE 1\nEMPTY 0\n"
        self.assertEqual(ask("0100", "0900000000", ""), (1, lines))

    def test_one(self):
        self.assertEqual(ask("--of", "ASK", "090000000700"), (1, "TRAILING 5\n"))

    def test_encode(self):
        self.assertEqual(ask("--encode", "ASK { Life = 7 }"), (0, "0900000007\n"))

    def test_bad_input_is_told(self):
        no_file, no_name = ["--spec", "nothing.wire", "01"], ["--of", "Nobody", "01"]
        for bad in (["0"], no_file, no_name, ["--encode", "ASK { Life"]):
            status, text = ask(*bad)
            self.assertEqual(status, 2)
            self.assertIn("oracle: error: ", text)
            self.assertNotIn("Traceback", text)


class Codecs(unittest.TestCase):
    def agree(self, reading, payloads):
        inputs = reading.examples() + list(readings.mutated_subjects(reading, OTHERS))
        inputs += readings.mutated_payloads(reading, payloads)
        print(f"{reading.path}: {len(inputs)} inputs, seed {readings.SEED}")
        with language.folder() as root:
            product = readings.answers(readings.product(reading, root), inputs)
            second = readings.answers(readings.crosscheck(reading, root), inputs)
        judged = [reading.judged(*one) for one in inputs]
        said = {"product": product, "crosscheck": second, "oracle": judged}
        self.assertEqual(readings.disagreement(inputs, said), "")
        good = sum(line.startswith("OK ") for line in judged)
        self.assertGreater(min(good, len(judged) - good), len(judged) // 10)

    def test_link(self):
        self.agree(Reading(LINK), PAYLOADS)

    def test_others(self):
        for spec in FOREIGN:
            with self.subTest(spec):
                self.agree(Reading(spec), 0)


if __name__ == "__main__":
    unittest.main()
