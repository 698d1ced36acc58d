"""The output: the same bytes every time, as committed, readable, without traces of the machine."""

import os
import re
import subprocess
import sys
import unittest

import build
import language
from codegen import compare

LINK = "spec/link.wire"


def run_elsewhere(spec, out, seed):
    """The generator in a process of its own with another hash seed."""
    subprocess.run(
        [sys.executable, "-B", "-m", "codegen", spec, "--out", out],
        check=True,
        cwd=language.ROOT,
        env=os.environ | {"PYTHONHASHSEED": seed, "TZ": "Asia/Tokyo", "LC_ALL": "C"},
    )


class Output(unittest.TestCase):
    def test_reproducible(self):
        with language.folder() as first, language.folder() as second:
            run_elsewhere(LINK, first, "1")
            run_elsewhere(LINK, second, "2")
            self.assertEqual(compare.differences(first, second), [])

    def test_committed_output_is_fresh(self):
        with language.folder() as root:
            build.generated(LINK, root)
            self.assertEqual(compare.differences(root, "generated"), [])

    def test_compare_sees_a_difference(self):
        with language.folder() as first, language.folder() as second:
            for folder, text in ((first, "a"), (second, "b")):
                with open(os.path.join(folder, "x.c"), "w", encoding="utf-8") as file:
                    file.write(text)
            with open(os.path.join(second, "old.c"), "w", encoding="utf-8"):
                pass
            found = compare.differences(first, second)
            self.assertEqual(len(found), 2)
            self.assertIn("old.c: no longer generated", found[0])

    def test_no_path_of_this_machine(self):
        with language.folder() as root:
            build.generated(LINK, root)
            for path in compare.files(root):
                text = compare.read(root, path).decode()
                self.assertNotIn(root, text, path)
                self.assertNotIn(language.ROOT, text, path)
                if path.endswith((".c", ".h", ".rl")):
                    self.assertTrue(text.isascii(), path)

    def test_checks_name_their_line(self):
        with open(LINK, encoding="utf-8") as file:
            lines = file.read().split("\n")
        for name in ("link_validate.c", "link_decode.rl"):
            text = compare.read("generated", "link/" + name).decode()
            places = re.findall(r"/\* spec/link\.wire:(\d+): (where .*?|[<>!=]+ .*?) \*/", text)
            self.assertGreater(len(places), 10)
            for number, rule in places:
                squeezed = re.sub(r"\s", "", lines[int(number) - 1])
                self.assertIn(re.sub(r"\s", "", rule), squeezed)

    def test_functions_and_files_stay_short(self):
        for path in sorted(compare.files("generated")):
            if path.startswith("link/") and path.endswith(".c") and "_decode" not in path:
                text = compare.read("generated", path).decode()
                self.assertLess(text.count("\n"), 600, path)
                for body in re.findall(r"(?ms)^\{\n(.*?)^\}\n", text):
                    self.assertLessEqual(body.count("\n"), 70, path)


if __name__ == "__main__":
    unittest.main()
