"""Small trees with one planted fault, in a temporary folder."""
import tempfile
import unittest
from pathlib import Path

from tree import ROOT, Tree


class RuleTest(unittest.TestCase):
    """A rule must pass on the product's tree, pass on a clean small tree and find a planted fault."""

    def plant(self, files):
        folder = tempfile.TemporaryDirectory(prefix="purelink-structure-")
        self.addCleanup(folder.cleanup)
        for path, text in files.items():
            target = Path(folder.name, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode("latin-1"))
        return Tree(folder.name)

    def assert_none(self, found):
        if found:
            self.fail("\n" + "\n".join(found))

    def assert_holds_here(self, rule):
        self.assert_none(rule(Tree(ROOT)))

    def assert_found(self, rule, files, where):
        found = rule(self.plant(files))
        self.assertTrue(any(line.startswith(where) for line in found), f"{where} not among {found}")

    def assert_clean(self, rule, files):
        self.assert_none(rule(self.plant(files)))
