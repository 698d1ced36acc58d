"""Specs that must be refused, with the exact words; and files that are no specs."""

import ast
import glob
import os
import re
import unittest

import language


# Nothing is known to bring them about: they guard the generator against itself.
UNREACHED = (
    "the vector is not canonical: it encodes as <.*>",
    "an expression is nested too deeply",
    "this item is nested too deeply",
    "docs without an item below them",
)


def messages(path):
    """The errors a file of the generator may print, as patterns."""
    with open(path, encoding="utf-8") as file:
        calls = [node for node in ast.walk(ast.parse(file.read())) if isinstance(node, ast.Call)]
    for call in calls:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        place = {"error": 1, "refuse": 0}.get(name, len(call.args))
        if place < len(call.args):
            argument = call.args[place]
            both = [argument.body, argument.orelse] if isinstance(argument, ast.IfExp) else [argument]
            yield from (pattern(one) for one in both if isinstance(one, (ast.Constant, ast.JoinedStr)))


def pattern(node):
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "".join(re.escape(x.value) if isinstance(x, ast.Constant) else ".*" for x in parts)


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

    def test_every_check_has_a_section(self):
        expected = "".join(text.split("\n--- \n")[1] for _, text in language.sections("errors.txt"))
        with open(__file__, encoding="utf-8") as file:
            expected += file.read()
        unreached = {re.escape(text).replace(re.escape(".*"), ".*") for text in UNREACHED}
        found = {text for path in glob.glob("codegen/*.py") for text in messages(path)}
        self.assertGreater(len(found), 100)
        missing = {text for text in found if not re.search("error: " + text, expected)}
        self.assertEqual(missing - {".*"}, unreached)

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
