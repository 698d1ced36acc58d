"""The rules on documents on this tree, and each with its planted fault."""
import doc_rules
from planted import RuleTest

CODE = {
    "src/a/b.c": "/* b */\nvoid seal(void);\n",
    "tests/unit/a_b_test.c": "Test(a_b, seals)\n{\n}\n",
    "tests/system/kill.py": "def both(name):\n    pass\n",
}
ROW = "| x | `a/b.c` `seal` | a_b/seals, kill.py/both |\n"


class NamesTest(RuleTest):
    def test_tree(self):
        self.assert_holds_here(doc_rules.names)

    def test_planted(self):
        self.assert_clean(doc_rules.names, {**CODE, "docs/traps.md": ROW})
        for good, bad in (("a_b/seals", "a_b/opens"), ("kill.py/both", "kill.py/none"), ("a/b.c", "a/c.c"),
                          ("`seal`", "`open_it`"), ("| x |", "| x `gone` |")):
            self.assert_found(doc_rules.names, {**CODE, "docs/traps.md": "\n" + ROW.replace(good, bad)},
                              "docs/traps.md:2:")


class LinksTest(RuleTest):
    def test_tree(self):
        self.assert_holds_here(doc_rules.links)

    def test_planted(self):
        self.assert_clean(doc_rules.links, {"docs/a.md": "[b](b.md#x) [web](https://example.org/)\n",
                                            "docs/b.md": "[a](../docs/a.md)\n"})
        self.assert_found(doc_rules.links, {"docs/a.md": "see\n[b](b.md)\n"}, "docs/a.md:2:")
