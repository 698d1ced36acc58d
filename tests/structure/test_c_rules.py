"""The C rules on this tree, and each with its planted fault."""
import c_rules
from planted import RuleTest


def function(name, lines):
    return f"int {name}(void)\n{{\n" + "    ;\n" * (lines - 3) + "}\n"


class FunctionLengthTest(RuleTest):
    def test_tree(self):
        self.assert_holds_here(c_rules.function_lengths)

    def test_longest(self):
        self.assert_clean(c_rules.function_lengths, {"tests/unit/a.c": function("f", 70)})
        self.assert_found(c_rules.function_lengths, {"tests/unit/a.c": function("f", 71)},
                          "tests/unit/a.c:1: f has 71")

    def test_median(self):
        shorts = {f"src/a/s{i}.c": function("s", 3) for i in range(3)}
        longer = {f"src/a/l{i}.c": function("l", 16) for i in range(4)}
        self.assert_clean(c_rules.function_lengths, shorts)
        self.assert_found(c_rules.function_lengths, {**shorts, **longer}, "src: the median")

    def test_share_of_long_ones(self):
        shorts = {f"src/a/s{i}.c": function("s", 3) for i in range(9)}
        self.assert_clean(c_rules.function_lengths, {**shorts, "src/a/b.c": function("b", 46)})
        few = {"src/a/a.c": function("a", 3), "src/a/c.c": function("c", 3), "src/a/b.c": function("b", 46)}
        self.assert_found(c_rules.function_lengths, few, "src: 1 of 3")


class UnitTestsTest(RuleTest):
    def test_tree(self):
        self.assert_holds_here(c_rules.unit_tests)

    def test_planted(self):
        pair = {"src/a/b.c": "", "tests/unit/a_b_test.c": "", "src/cli/send.c": "", "src/a/c_ragel.c": ""}
        self.assert_clean(c_rules.unit_tests, pair)
        self.assert_found(c_rules.unit_tests, {"src/a/b.c": ""}, "src/a/b.c:1: has no tests/unit/a_b_test.c")

    def test_exceptions_shrink(self):
        listed = {c_rules.UNTESTED: "# why\nsrc/a/b.c\n", "src/a/b.c": ""}
        self.assert_clean(c_rules.unit_tests, listed)
        self.assert_found(c_rules.unit_tests, {**listed, "tests/unit/a_b_test.c": ""}, c_rules.UNTESTED)


class BannedTest(RuleTest):
    def test_tree(self):
        self.assert_holds_here(c_rules.banned_functions)

    def test_planted(self):
        self.assert_clean(c_rules.banned_functions, {
            "src/a/b.c": "void f(void) { io->random(p, 1); snprintf(a, 1, b); } /* sprintf(x) */\n",
            "src/io/c.c": "void f(void) { clock_gettime(0, &t); }\n"})
        for name in ("sprintf", "strcpy", "rand", "time", "atoi"):
            text = f"\nint f(void) {{ return {name}(x); }}\n"
            self.assert_found(c_rules.banned_functions, {"src/a/b.c": text}, f"src/a/b.c:2: calls {name};")
        self.assert_found(c_rules.banned_functions, {"src/io/c.c": "void f(void) { sprintf(a); }\n"},
                          "src/io/c.c:1:")


class LiteralTest(RuleTest):
    def test_tree(self):
        self.assert_holds_here(c_rules.literals)

    def test_allowed(self):
        self.assert_clean(c_rules.literals, {
            "src/link/a.c": "/* The first timer. RFC 9002 6.2.2. */\n#define FIRST_US 333000\n"
                            "int f(int x) { return (x >> 24) + (1 << 20) + 8; }\n"
                            "enum {\n    BETA = 717, /* tenths, RFC 9438 4.6 */\n};\n"
                            "enum { ROOM = 65507 }; /* RFC 768 */\n",
            "src/store/b.c": "int f(void) { return 4096; }\n"})

    def test_planted(self):
        for text, line in (("int x = 9;\n", 1), ("\n#define SIZE 18\n", 2), ("\n\nint y = 0x1Fu;\n", 3),
                           ("/* RFC 9002 */\nint f(void) { return 12; }\n", 2),
                           ("enum {\n    A = 34,\n};\n", 2)):
            self.assert_found(c_rules.literals, {"src/wire/a.c": text}, f"src/wire/a.c:{line}: literal")
            self.assert_found(c_rules.literals, {"src/link/a.h": text}, f"src/link/a.h:{line}: literal")


class LineShapeTest(RuleTest):
    def test_tree(self):
        self.assert_holds_here(c_rules.line_shape)

    def test_planted(self):
        self.assert_clean(c_rules.line_shape, {"src/a/b.c": "x" * 110 + "\n"})
        table = "/* clang-format off */\n" + "x" * 120 + "\n/* clang-format on */\n"
        self.assert_clean(c_rules.line_shape, {"src/a/b.c": table})
        self.assert_found(c_rules.line_shape, {"src/a/b.c": table + "x" * 111}, "src/a/b.c:4:")
        for text in ("x" * 111, "\tx", "x "):
            self.assert_found(c_rules.line_shape, {"src/a/b.c": "\n" + text + "\n"}, "src/a/b.c:2:")


class LeftOpenTest(RuleTest):
    def test_tree(self):
        self.assert_holds_here(c_rules.left_open)

    def test_planted(self):
        self.assert_clean(c_rules.left_open, {"src/a/b.c": "/* to do so */\n"})
        self.assert_found(c_rules.left_open, {"src/a/b.c": "/* TO" + "DO: x */\n"}, "src/a/b.c:1:")


class GuardTest(RuleTest):
    def test_tree(self):
        self.assert_holds_here(c_rules.header_guards)

    def test_planted(self):
        self.assert_clean(c_rules.header_guards, {"src/a/b.h": "/* */\n#ifndef PL_A_B_H\n#define PL_A_B_H\n"})
        self.assert_found(c_rules.header_guards, {"src/a/b.h": "#ifndef B_H\n#define B_H\n"}, "src/a/b.h:1:")
