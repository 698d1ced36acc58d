"""The scanner on the shapes our sources use."""
import unittest

import c_scan

SOURCE = r'''/* head { */
#include "a/b.h"
#define TWICE(x) \
    { (x) * 2 }
struct s { int a; };
static const int table[] = { 1, 0x10, 'x' };
enum e { A = 1 };

__attribute__((noinline)) static int one(int a,
                                         int b)
{
    const char *s = "{";
    if (a) { return 1 << 20; }
    return b;
}
void two(void) { }
Test(suite, three)
{
    one(1, 2);
}
'''


class ScanTest(unittest.TestCase):
    def test_functions(self):
        self.assertEqual([("one", 9, 7), ("two", 16, 1), ("Test", 17, 4)], c_scan.functions(SOURCE))

    def test_linkage_block(self):
        text = 'extern "C" {\nint f(int a);\nstatic inline int g(void)\n{\n}\n}\n'
        self.assertEqual([("g", 3, 3)], c_scan.functions(text))

    def test_includes(self):
        text = '/* #include "no.h"\n */\n#include "a/b.h"\n#  include <c.h>\n'
        self.assertEqual([(3, False, "a/b.h"), (4, True, "c.h")], c_scan.includes(text))

    def test_numbers(self):
        values = [c_scan.number_value(t) for t in ("0", "010", "0x1fULL", "12u", "1.5", "1e9")]
        self.assertEqual([0, 8, 31, 12, None, None], values)

    def test_lines(self):
        names = {t.text: t.line for t in c_scan.code_tokens(SOURCE) if t.kind == "name"}
        self.assertEqual((7, 16), (names["A"], names["two"]))
