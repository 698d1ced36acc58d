"""A frame added to a copy of the spec alone is decoded, encoded, printed, documented and tested."""

import os
import re
import unittest

import build
import language
import readings
from test_diff import run_diff

FOR_FUZZERS = {"link_seeds.txt": "frame_note_0 11026869", "link.dict": 'frame_note_type_17="\\x11"'}
DOC = "docs/changing-the-wire.md"


def blocks(mark):
    """The fenced blocks of the document that begin with this mark."""
    with open(DOC, encoding="utf-8") as file:
        found = re.findall(r"(?ms)^```(\w*)\n(.*?)^```$", file.read())
    return [text for word, text in found if word == mark]


USE = r'''
#include <stdio.h>
#include <string.h>
#include "link/link_frames.h"

int main(void)
{
    uint8_t out[64];
    char line[128];
    size_t end = 0;
    struct pl_frame got;
    struct pl_frame_note note = {.name = {(const uint8_t *)"hello", 5}, .value = 7};
    size_t n = pl_note_encode(out, sizeof out, &note);

    if (n != 8 || pl_frame_decode((struct pl_bytes){out, n}, 0, &got, &end) != PL_OK || end != n)
        return 1;
    if (got.type != PL_FRAME_NOTE || !pl_frame_is_ack_eliciting(got.type) || got.u.note.value != 7)
        return 2;
    pl_frame_print(line, sizeof line, &got);
    puts(line);
    return 0;
}
'''


class Note(unittest.TestCase):
    def test_note(self):
        with open("spec/link.wire", encoding="utf-8") as file:
            spec = file.read()
        with language.folder() as root:
            path = os.path.join(root, "link.wire")
            with open(path, "w", encoding="utf-8") as file:
                file.write(spec + "\n" + blocks("wire")[0])
            build.generated(path, root)
            runner, text = build.compile_all(root, "link")
            self.assertIsNotNone(runner, text)
            passing, failing, text = build.run_tests(runner)
            self.assertEqual(failing, 0, text)
            self.assertGreater(passing, 10)
            self.documented(root)
            self.used(root)
            self.broken(path)
            self.second_reading(path, root)

    def documented(self, root):
        with open(os.path.join(root, "docs", "link.md"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("### NOTE (ack eliciting)", text)
        self.assertIn("| 0x11 | [NOTE](#note) | ack eliciting |", text)
        with open(os.path.join(root, "tests", "link_vectors.c"), encoding="utf-8") as file:
            self.assertIn("NOTE: a name and a number", file.read())

    def broken(self, path):
        """What the document says about old readers is what the command says."""
        told = blocks("")[0]
        self.assertTrue(told.startswith("$ make spec-diff"), told)
        self.assertEqual(run_diff("spec/link.wire", path), (1, told.split("\n", 1)[1]))

    def second_reading(self, path, root):
        """The second codec and the oracle read it; the dissector knows it."""
        reading = readings.Reading(path)
        inputs = [one for one in reading.examples() if one[1][:1] == b"\x11"]
        self.assertEqual(len(inputs), 5)
        said = readings.answers(readings.crosscheck(reading, root), inputs)
        self.assertEqual(said, [reading.judged(*one) for one in inputs])
        with open(os.path.join(root, "wireshark", "purelink.lua"), encoding="utf-8") as file:
            self.assertIn("purelink.note.value", file.read())
        for name, word in FOR_FUZZERS.items():
            with open(os.path.join(root, "fuzz", name), encoding="utf-8") as file:
                self.assertIn(word, file.read())

    def used(self, root):
        main = os.path.join(root, "main.c")
        with open(main, "w", encoding="utf-8") as file:
            file.write(USE)
        objects = [
            os.path.join(root, "link", name)
            for name in sorted(os.listdir(os.path.join(root, "link")))
            if name.endswith(".o")
        ]
        program = os.path.join(root, "main")
        status, text = build.command(["gcc", "-std=c11", "-I.", main, *objects, "-o", program], root)
        self.assertEqual(status, 0, text)
        status, text = build.command([program], root)
        self.assertEqual((status, text), (0, 'NOTE name="hello" value=7\n'))


if __name__ == "__main__":
    unittest.main()
