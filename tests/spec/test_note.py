"""A frame added to a copy of the spec alone is decoded, encoded, printed, documented and tested."""

import os
import unittest

import build
import language

NOTE = '''
/// A remark.
case NOTE (0x11) of Frame, ack eliciting {
  Name Length (8) >= 1,
  Name (8*Name Length) text,
  Value (i),
}
vector NOTE "a name and a number" <11 02 6869 4100> { Name = "hi", Value = 256 }
vector NOTE "the largest number"  <11 01 78 ffffffffffffffff> { Name = "x", Value = 0x3fffffffffffffff }
reject NOTE "no name"      <11 00 00> RANGE at 1
reject NOTE "name cut"     <11 03 6869> TRUNCATED at 2
reject NOTE "value cut"    <11 01 78 41> TRUNCATED at 3
'''

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
                file.write(spec + NOTE)
            build.generated(path, root)
            runner, text = build.compile_all(root, "link")
            self.assertIsNotNone(runner, text)
            passing, failing, text = build.run_tests(runner)
            self.assertEqual(failing, 0, text)
            self.assertGreater(passing, 10)
            self.documented(root)
            self.used(root)

    def documented(self, root):
        with open(os.path.join(root, "docs", "link.md"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("### NOTE (ack eliciting)", text)
        self.assertIn("| 0x11 | [NOTE](#note) | ack eliciting |", text)
        with open(os.path.join(root, "tests", "link_vectors.c"), encoding="utf-8") as file:
            self.assertIn("NOTE: a name and a number", file.read())

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
