"""codegen diff: each kind of change breaks whom it should, and the oracle agrees about each witness."""

import contextlib
import io
import os
import re
import subprocess
import unittest

import language
import readings
from codegen import __main__ as codegen

LINK = "spec/link.wire"

NUMBER_OF_REFUSED = (
    "  /// FORKED: the last stored of the life. TOO_LARGE, FRAMING: the record. Otherwise 0.\n  Number (i),\n"
)
# (title, [(text, its replacement)], what breaks for old readers, what for new ones, a note); None: nothing.
CHANGES = [
    ("nothing", [], [], [], None),
    (
        "a smaller limit",
        [("limit Detail Max = 128 ", "limit Detail Max = 100 ")],
        [],
        ["REFUSED: RANGE at 7"],
        "Detail Max",
    ),
    (
        "a larger limit",
        [
            ("limit Detail Max = 128 ", "limit Detail Max = 200 "),
            ('reject REFUSED "detail too long"', '// "'),
        ],
        ["REFUSED: RANGE at 7"],
        [],
        "128 to 200",
    ),
    (
        "a constraint gone",
        [("Upto (i) >= 1", "Upto (i)"), ('reject GAP "upto 0"', '// "')],
        ["GAP: RANGE at 5"],
        [],
        None,
    ),
    (
        "fewer frames",
        [("limit Frames Max = 64 ", "limit Frames Max = 32 ")],
        [],
        ["Packet: LIMIT at 32"],
        "Frames Max",
    ),
    ("another tag", [("sealed Frame 1..", "sealed Frame 0..")], ["Packet: EMPTY at 0"], [], None),
    (
        "another part",
        [("Cookie Value (8*Cookie Size) if Cookie = 1", "Cookie Value (8*Cookie Size)")],
        ["Packet: its parts differ"],
        ["Packet: its parts differ"],
        None,
    ),
    (
        "a number moved",
        [("2 = UNWANTED ", "22 = UNWANTED ")],
        ["Refusal: 22 means nothing, not UNWANTED"],
        ["Refusal: 2 means nothing, not UNWANTED"],
        None,
    ),
    ("a number added", [("8 = FRAMING ", '9 = SLOW "new",\n  8 = FRAMING ')], [], [], "9 = SLOW is new"),
    (
        "a type moved",
        [("case UNBOUND (0x0b)", "case UNBOUND (0x20)"), ("<0b", "<20")],
        ["UNBOUND: UNKNOWN_TYPE at 0"],
        ["UNBOUND: UNKNOWN_TYPE at 0"],
        None,
    ),
    (
        "two fields swapped",
        [
            (
                NUMBER_OF_REFUSED,
                "",
            ),
            ("  Detail Length (8) <= Detail Max,", "  Number (i),\n  Detail Length (8) <= Detail Max,"),
            ("a1b2c3d4 29 01 00>", "a1b2c3d4 01 29 00>"),
            ("00000000 00 07 03", "00000000 07 00 03"),
            ("00000001 00 4100 00>", "00000001 4100 00 00>"),
            ('reject REFUSED "life 0', '// "'),
            ('reject REFUSED "code', '// "'),
        ],
        ["REFUSED: read as: "],
        ["REFUSED: read as: "],
        None,
    ),
    (
        "a field renamed",
        [
            ("  Window (i),", "  Room (i),"),
            ("Window = 16 }", "Room = 16 }"),
            ("Window = 4096 }", "Room = 4096 }"),
        ],
        [],
        [],
        "other names",
    ),
    (
        "a timer",
        [("limit Link Idle Us = 30_000_000 ", "limit Link Idle Us = 40_000_000 ")],
        [],
        [],
        "Link Idle Us",
    ),
    (
        "an edge",
        [("Active on rested -> Resting;", "Active on rested -> Dormant;")],
        [],
        [],
        "machine Link Activity",
    ),
    (
        "a property",
        [
            (
                "\n/// A life of a stream at its receiver.",
                "\nproperty P of Receiving Stream once Taking never Named\n"
                "/// A life of a stream at its receiver.",
            )
        ],
        [],
        [],
        "property P: new",
    ),
    (
        "a flag",
        [("case ASK (0x09) of Frame, ack eliciting {", "case ASK (0x09) of Frame {")],
        [],
        [],
        "flags of ASK",
    ),
]


def run_diff(old, new):
    """(status, output) of the command."""
    said, wrong = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(wrong):
        status = codegen.main(["diff", old, new])
    return status, said.getvalue() + wrong.getvalue()


def sides(text):
    """The lines about old readers, new readers, and the notes."""
    parts = re.split(r"(?m)^\S.*:\n", text)[1:] + [""]
    return [
        [x.strip() for x in part.split("\n") if x.strip() not in ("", "nothing breaks")] for part in parts[:3]
    ]


class Diff(unittest.TestCase):
    def test_each_kind_of_change(self):
        with open(LINK, encoding="utf-8") as file:
            text = file.read()
        with language.folder() as root:
            path = os.path.join(root, "new.wire")
            for title, edits, for_old, for_new, note in CHANGES:
                with self.subTest(title):
                    self.change(text, path, edits, for_old, for_new, note)

    def change(self, text, path, edits, for_old, for_new, note):
        for good, other in edits:
            self.assertIn(good, text)
            text = text.replace(good, other)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        status, said = run_diff(LINK, path)
        self.assertEqual(status, 1 if for_old or for_new else 0, said)
        old, new, notes = sides(said)
        for lines, wanted in ((old, for_old), (new, for_new)):
            self.assertEqual(bool(lines), bool(wanted), said)
            for start in wanted:
                self.assertTrue(any(line.startswith(start) for line in lines), said)
        self.assertTrue(note is None or any(note in line for line in notes), said)
        self.witnesses(old, readings.oracle.load(path), readings.oracle.load(LINK))
        self.witnesses(new, readings.oracle.load(LINK), readings.oracle.load(path))

    def witnesses(self, lines, writer, reader):
        """The oracle takes the bytes by the writer's spec, and refuses them by the reader's as told."""
        for line in lines:
            what, how, *rest = line.split(": ")
            found = re.fullmatch(r"([A-Z_]+) at (\d+)", how)
            if found and what != "Packet":
                data = bytes.fromhex(rest[-1])
                name = "Frame" if what.isupper() else what
                self.assertTrue(readings.oracle.verdict(writer, name, data).startswith("OK "), line)
                self.assertEqual(readings.oracle.verdict(reader, name, data), f"{found[1]} {found[2]}", line)

    def test_bad_specs(self):
        with language.folder() as root:
            path = os.path.join(root, "bad.wire")
            with open(path, "w", encoding="utf-8") as file:
                file.write("protocol x\n")
            self.assertEqual(run_diff(LINK, path)[0], 2)
            self.assertEqual(run_diff(os.path.join(root, "none.wire"), LINK)[0], 2)

    def test_make(self):
        for arguments, status, word in (([f"OLD={LINK}"], 0, "nothing breaks"), ([], 2, "OLD=FILE")):
            command = ["make", "-s", "-f", "codegen/generate.mk", "spec-diff", *arguments]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(bool(done.returncode), bool(status), done.stderr)
            self.assertIn(word, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
