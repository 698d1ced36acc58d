"""The text rules on this tree, and each with its planted fault."""
import text_rules
from planted import RuleTest


class AsciiTest(RuleTest):
    def test_tree(self):
        self.assert_holds_here(text_rules.ascii_only)

    def test_planted(self):
        self.assert_clean(text_rules.ascii_only, {"src/a/b.c": "/* x */\n"})
        self.assert_found(text_rules.ascii_only, {"src/a/b.c": "/* x */\n/* \xb5s */\n"}, "src/a/b.c:2:")


class MachinePathTest(RuleTest):
    def test_tree(self):
        self.assert_holds_here(text_rules.no_machine_paths)

    def test_planted(self):
        self.assert_clean(text_rules.no_machine_paths, {"docs/a.md": "see network/workload and /var/log\n"})
        self.assert_found(text_rules.no_machine_paths, {"docs/a.md": "x\nsee /" + "work/main\n"},
                          "docs/a.md:2:")
        self.assert_found(text_rules.no_machine_paths, {"docs/a.md": "/" + "root/.bashrc\n"}, "docs/a.md:1:")


class FileLengthTest(RuleTest):
    def test_tree(self):
        self.assert_holds_here(text_rules.file_length)

    def test_planted(self):
        self.assert_clean(text_rules.file_length, {"src/a/b.c": "\n" * 599, "generated/c.c": "\n" * 900})
        self.assert_found(text_rules.file_length, {"src/a/b.c": "\n" * 600}, "src/a/b.c:600:")


class HeadCommentTest(RuleTest):
    def test_tree(self):
        self.assert_holds_here(text_rules.head_comment)

    def test_planted(self):
        self.assert_clean(text_rules.head_comment, {"src/a/b.c": "/* What b is for. */\n"})
        self.assert_found(text_rules.head_comment, {"src/a/b.c": "#include <x.h>\n"}, "src/a/b.c:1:")
