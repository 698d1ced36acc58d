"""Specs that must be refused, with the exact words; and files that are no specs."""

import os
import unittest

import language


class Golden(unittest.TestCase):
    def test_base_is_good(self):
        self.assertEqual(language.errors_of(language.base()), "")

    def test_every_section(self):
        sections = language.sections("errors.txt")
        self.assertGreater(len(sections), 80)
        for title, text in sections:
            with self.subTest(title):
                added, expected = text.split("\n--- \n")
                spec = added + "\n" if title.startswith("alone") else language.base() + added + "\n"
                self.assertEqual(language.errors_of(spec), expected.rstrip("\n"))
                self.assertRegex(expected, r"^tiny\.wire:\d+:\d+: error: ")

    def test_errors_of_several_items_come_at_once(self):
        found = language.errors_of(
            language.base() + "limit A = =\nlimit B = None\nstruct C { D (8) > 255 }\n"
        )
        self.assertEqual(found.count(": error: "), 3)

    def test_many_errors_are_cut(self):
        found = language.errors_of(language.base() + "".join(f"limit A{i} = None\n" for i in range(500)))
        self.assertEqual(found.count(": error: "), 100)
        self.assertIn("100 errors; more may follow", found)


class Files(unittest.TestCase):
    def refused(self, data, message):
        with language.folder() as folder:
            path = os.path.join(folder, "bad.wire")
            with open(path, "wb") as file:
                file.write(data)
            status, text = language.run([path, "--out", os.path.join(folder, "out")])
            self.assertEqual(status, 1)
            self.assertRegex(text, message)
            self.assertFalse(os.path.exists(os.path.join(folder, "out")))

    def test_not_utf8(self):
        self.refused(b"// ok\n\xff\xfe", r"bad\.wire:2:1: error: not UTF-8")

    def test_control_character(self):
        self.refused(b"// ok\nlimit \x00", r"bad\.wire:2:7: error: a control character")

    def test_too_large(self):
        self.refused(b"//\n" * 400_000, r"bad\.wire:1:1: error: larger than 1048576 bytes")

    def test_missing_file(self):
        status, text = language.run(["no/such.wire"])
        self.assertEqual(status, 1)
        self.assertIn("no/such.wire:1:1: error: cannot be read: No such file or directory", text)

    def test_output_is_a_file(self):
        with language.folder() as folder:
            path = os.path.join(folder, "out")
            with open(path, "w", encoding="utf-8"):
                pass
            status, text = language.run(["tests/spec/dns.wire", "--out", path, "--no-tools"])
            self.assertEqual(status, 1)
            self.assertIn("codegen: error: ", text)

    def test_tool_missing(self):
        path = os.environ["PATH"]
        with language.folder() as folder:
            os.environ["PATH"] = folder
            try:
                status, text = language.run(["tests/spec/dns.wire", "--out", folder])
            finally:
                os.environ["PATH"] = path
        self.assertEqual(status, 1)
        self.assertIn("ragel is not installed (Debian: apt-get install ragel)", text)


if __name__ == "__main__":
    unittest.main()
