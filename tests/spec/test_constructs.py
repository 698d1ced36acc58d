"""Every construct of the notation is in the manual and in a spec that passes through every back end."""

import re
import unittest

import language
from codegen import reader, source


def rules_used(path):
    text, _ = source.load(path)
    used = set()
    for _, item in text.items():
        if any(line.strip() and not line.startswith("//") for line in item.split("\n")):
            used |= {str(tree.data) for tree in reader.parser().parse(item).iter_subtrees()}
    return used


class Constructs(unittest.TestCase):
    def test_every_rule_is_used(self):
        known = {rule.alias or str(rule.origin.name) for rule in reader.parser().rules}
        known = {str(name) for name in known if not str(name).startswith("_")}
        used = set().union(*map(rules_used, language.SPECS))
        # Rules that only pass their child on leave no node.
        inlined = {
            "item",
            "field",
            "width",
            "extent",
            "suffix",
            "part",
            "machine_item",
            "target",
            "value",
            "expr",
            "disjunction",
            "conjunction",
            "negation",
            "comparison",
            "sum",
            "product",
            "power",
            "atom",
        }
        self.assertEqual(known - used - inlined, set())

    def test_every_keyword_is_in_the_manual(self):
        with open("spec/README.md", encoding="utf-8") as file:
            manual = file.read()
        with open(reader.GRAMMAR, encoding="utf-8") as file:
            grammar = file.read()
        keywords = set(re.findall(r'"([a-z]+)"', grammar))
        self.assertGreater(len(keywords), 30)
        code = " ".join(re.findall(r"```(.*?)```", manual, re.DOTALL)) + " ".join(
            re.findall(r"`(.*?)`", manual)
        )
        for word in sorted(keywords):
            self.assertRegex(code, rf"\b{word}\b", f"{word} has no example in spec/README.md")


if __name__ == "__main__":
    unittest.main()
