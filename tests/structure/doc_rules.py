"""Rules on documents: what they name exists, so that they cannot go stale in silence.

Each rule takes a Tree and returns findings, one line each: "path:line: what is wrong".
"""
import posixpath
import re

CHECKED = ("docs/architecture.md", "docs/traps.md")
UNIT = re.compile(r"(?<![\w./])([a-z0-9_]+)/([a-z0-9_]+)(?![\w./])")
METHOD = re.compile(r"\b(\w+\.py)/(\w+)")
FILE = re.compile(r"`([a-z]+/[a-z0-9_]+\.[ch])`((?:,? `\w+`)*)")
NAME = re.compile(r"`(\w+)`")
LINK = re.compile(r"\[[^]]*\]\(([^)#:]+)(?:#[^)]*)?\)")
TEST = re.compile(r"^\s*Test\((\w+),\s*(\w+)", re.MULTILINE)


def _unit_tests(tree):
    sources = (p for p in tree.paths if p.endswith("_test.c"))
    return {test for path in sources for test in TEST.findall(tree.text(path))}


def _method_exists(tree, file, method):
    paths = (p for p in tree.paths if p.startswith("tests/") and posixpath.basename(p) == file)
    return any(re.search(rf"def {method}\b", tree.text(p)) for p in paths)


def _missing_tests(tree, line, tests):
    suites = {suite for suite, _ in tests}
    for suite, test in UNIT.findall(line):
        if suite in suites and (suite, test) not in tests:
            yield f"there is no test {suite}/{test}"
    for file, method in METHOD.findall(line):
        if not _method_exists(tree, file, method):
            yield f"there is no test {file}/{method}"


def _missing_code(tree, line, words):
    for file, names in FILE.findall(line):
        path = "src/" + file
        if path not in tree.paths:
            yield f"there is no {path}"
            continue
        for name in NAME.findall(names):
            if not re.search(rf"\b{name}\b", tree.text(path)):
                yield f"{path} has no {name}"
    for name in NAME.findall(line):
        if name not in words:
            yield f"nothing is called {name}"


def names(tree):
    """The table of traps and the way through the code name tests, files and functions: each exists."""
    tests = _unit_tests(tree)
    code = [p for p in tree.paths if p.startswith(("src/", "tests/sim/", "include/")) and p.endswith((".c", ".h"))]
    words = set(re.findall(r"\w+", " ".join(tree.text(p) for p in code)))
    return [f"{path}:{number}: {wrong}"
            for path in CHECKED if path in tree.paths for number, line in enumerate(tree.lines(path), 1)
            for wrong in (*_missing_tests(tree, line, tests), *_missing_code(tree, line, words))]


def links(tree):
    """A relative link in a document leads to a file of the tree."""
    found = []
    for path in (p for p in tree.paths if p.endswith(".md")):
        for number, line in enumerate(tree.lines(path), 1):
            for target in LINK.findall(line):
                whole = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
                if not (tree.root / whole).exists():
                    found.append(f"{path}:{number}: leads nowhere: {target}")
    return found
