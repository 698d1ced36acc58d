"""Rules on plain text: ASCII, no machine's own paths, file lengths, a head comment that says what for.

Each rule takes a Tree and returns findings, one line each: "path:line: what is wrong".
"""
import re

MAX_FILE_LINES = 600
CODE = (".c", ".h", ".py", ".rl", ".mk", ".wire", ".sh", ".j2", ".lark", ".map")
# The names of no machine belong in the tree: absolute folders of whoever worked on it.
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|farm|home/\w+|root|tmp/pl)/")


def is_code(path):
    return path.endswith(CODE) or path.startswith(("scripts/", ".ci/")) or path == "Makefile"


def ascii_only(tree):
    found = []
    for path in filter(is_code, tree.paths):
        for number, line in enumerate(tree.bytes(path).split(b"\n"), 1):
            if any(byte > 126 for byte in line):
                found.append(f"{path}:{number}: byte outside ASCII")
    return found


def no_machine_paths(tree):
    found = []
    for path in tree.paths:
        for number, line in enumerate(tree.lines(path), 1):
            hit = MACHINE_PATH.search(line)
            if hit:
                found.append(f"{path}:{number}: path of one machine: {hit.group()}")
    return found


def file_length(tree):
    hand = [p for p in tree.paths if is_code(p) and not p.startswith(("generated/", "spec/"))
            and not p.endswith("_ragel.c")]
    counts = ((path, tree.text(path).count("\n")) for path in hand)
    return [f"{path}:{n}: {n} lines; a hand-written file stays under {MAX_FILE_LINES}"
            for path, n in counts if n >= MAX_FILE_LINES]


def head_comment(tree):
    """The first lines of a source say why the file exists."""
    found = []
    for path in tree.hand_written_c():
        if not tree.text(path).lstrip().startswith(("/*", "//")):
            found.append(f"{path}:1: does not open with a comment that says what the file is for")
    return found
