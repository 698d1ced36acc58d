"""Compiles generated C with its generated tests and runs them."""

import glob
import os
import re
import subprocess

import language
from codegen import render

FLAGS = [
    "-std=c11",
    "-D_GNU_SOURCE",
    "-O1",
    "-g",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wshadow",
    "-Wstrict-prototypes",
    "-Wmissing-prototypes",
    "-Wvla",
]
# Ragel's output falls through on purpose; Criterion's macros declare their own functions.
RAGEL_FLAGS = ["-Wno-implicit-fallthrough", "-Wno-unused-const-variable"]
TEST_FLAGS = ["-Wno-missing-prototypes"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def command(arguments, cwd, given=None):
    done = subprocess.run(
        arguments, cwd=cwd, capture_output=True, text=True, check=False, timeout=300, input=given
    )
    return done.returncode, done.stdout + done.stderr


def compile_one(root, source, compiler="gcc", more=()):
    """Compile one C file; returns its object, or None, and what the compiler said."""
    target = source[:-2] + ".o"
    extra = RAGEL_FLAGS if "_decode" in source else TEST_FLAGS if "/tests/" in source else []
    status, text = command([compiler, *FLAGS, *extra, *more, "-I.", "-c", source, "-o", target], root)
    return (None if status else target), text


def compile_all(root, protocol, compiler="gcc", more=()):
    """Compile all C below root into a test runner; returns its path, or None, and the compiler's words."""
    sources = sorted(
        glob.glob(os.path.join(root, protocol, "*.c")) + glob.glob(os.path.join(root, "tests", "*.c"))
    )
    for source in sources:
        made, text = compile_one(root, source, compiler, more)
        if made is None:
            return None, text
    return link(root, [source[:-2] + ".o" for source in sources], compiler, more)


def link(root, objects, compiler="gcc", more=()):
    runner = os.path.join(root, "runner")
    status, text = command([compiler, *more, *objects, "-lcriterion", "-o", runner], root)
    return (None if status else runner), text


def run_tests(runner):
    """(passing, failing, text) of a Criterion runner."""
    status, text = command([runner, "-j2"], os.path.dirname(runner))
    found = re.search(r"Tested: (\d+) \| Passing: (\d+) \| Failing: (\d+) \| Crashing: (\d+)", text)
    if not found:
        return 0, 1, text
    tested, passing, failing, crashing = map(int, found.groups())
    return passing, failing + crashing + (status != 0 and passing == tested), text


def generated(spec, root, tools=True):
    """Generate a spec below root; AssertionError with the errors if it is refused."""
    status, text = language.run([spec, "--out", root] + ([] if tools else ["--no-tools"]))
    assert status == 0, text


def with_style(root, model, style):
    """The same decoder in another of Ragel's styles."""
    render.ragel(root, model, style)
