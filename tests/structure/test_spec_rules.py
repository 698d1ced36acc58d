"""The rules about the spec's names and numbers on this tree, and each with its planted fault."""
import json

import spec_rules
from planted import RuleTest

MODEL = {spec_rules.MODEL: json.dumps({
    "limits": {"PL_TAG_SIZE": 16}, "texts": {"PL_LABEL_ID": "purelink id"}, "errors": {"PL_E_RANGE": 3},
    "types": {"PL_FRAME_ACK": [3, 3]},
    "machines": {"Sent Piece": {"states": ["In Flight"], "events": ["lost"]}},
    "registries": {"Suite": {"PL_SUITE_COOKIE": 0},
                   "Refusal": {"PL_REFUSAL_FORKED": 1, "PL_REFUSAL_UNWANTED": 2}}})}


class SpecRuleTest(RuleTest):
    def tree_with(self, path, text):
        return {**MODEL, path: text}


class RedefinedTest(SpecRuleTest):
    def test_tree(self):
        self.assert_holds_here(spec_rules.redefined_names)

    def test_planted(self):
        clean = ("enum { PL_OTHER = 1 };\n#define PL_MINE PL_TAG_SIZE\n"
                 "int t[] = { PL_TAG_SIZE, PL_E_RANGE };\n")
        self.assert_clean(spec_rules.redefined_names, self.tree_with("src/node/a.c", clean))
        for text in ("#define PL_TAG_SIZE 16\n", "enum { PL_SENT_PIECE_IN_FLIGHT };\n",
                     "enum x { A, PL_FRAME_ACK = 3 };\n",
                     "enum { PL_SUITE_COOKIE, B };\n", "enum e { B,\nPL_SENT_PIECE_ON_LOST };\n"):
            self.assert_found(spec_rules.redefined_names, self.tree_with("src/node/a.c", text),
                              "src/node/a.c:")


class TextTest(SpecRuleTest):
    def test_tree(self):
        self.assert_holds_here(spec_rules.typed_texts)

    def test_planted(self):
        self.assert_clean(spec_rules.typed_texts, self.tree_with("src/crypto/a.c", 'char *a = "purelink";\n'))
        text = '\nchar *a = "purelink id";\n'
        self.assert_found(spec_rules.typed_texts, self.tree_with("src/crypto/a.c", text), "src/crypto/a.c:2:")


class NumberTest(SpecRuleTest):
    def test_tree(self):
        self.assert_holds_here(spec_rules.typed_numbers)

    def test_planted(self):
        clean = "int f(void) { return h.suite == PL_SUITE_COOKIE && h.kind == 1 && r.code == 0; }\n"
        self.assert_clean(spec_rules.typed_numbers, self.tree_with("src/link/a.c", clean))
        for text in ("int f(void) { return h.suite == 0; }\n", "int f(void) { return p->type != 3; }\n",
                     "void f(void) { r.code = 2; }\n", "void f(void) { switch (t) { case 3: break; } }\n"):
            self.assert_found(spec_rules.typed_numbers, self.tree_with("src/link/a.c", text),
                              "src/link/a.c:1:")


class StateTest(SpecRuleTest):
    def test_tree(self):
        self.assert_holds_here(spec_rules.written_states)

    def test_planted(self):
        clean = ("struct x a = {.state = name(1)};\n"
                 "int f(void) { return m->state == PL_SENT_PIECE_IN_FLIGHT; }\n")
        self.assert_clean(spec_rules.written_states, self.tree_with("src/link/a.c", clean))
        for text in ("void f(void) { m->state = 1; }\n",
                     "struct m a = {.state = PL_SENT_PIECE_IN_FLIGHT};\n"):
            self.assert_found(spec_rules.written_states, self.tree_with("src/link/a.c", text),
                              "src/link/a.c:1:")
