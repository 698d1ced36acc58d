"""Runs the generator for the tests: on a text, on a file, with the outcome as text."""

import contextlib
import io
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, ROOT)

from codegen import __main__ as codegen  # noqa: E402
from codegen import checker, reader, source  # noqa: E402


LINK = "spec/link.wire"
# Every other spec here passes through every back end too; base.wire is what errors.txt adds to.
FOREIGN = sorted(
    f"tests/spec/{name}" for name in os.listdir(HERE) if name.endswith(".wire") and name != "base.wire"
)
SPECS = [LINK, *FOREIGN]


def base():
    with open(os.path.join(HERE, "base.wire"), encoding="utf-8") as file:
        return file.read()


def errors_of(text, path="tiny.wire"):
    """The errors the generator prints for a spec of this text; "" for a good one."""
    spec = source.Source(path, text)
    found = source.Diagnostics(spec)
    with contextlib.suppress(source.SpecError):
        tree = reader.read(spec, found)
        checker.check(tree, spec, found)
    return found.text()


def model_of(path):
    text, found = source.load(path)
    found.stop_if_any()
    return checker.check(reader.read(text, found), text, found)


def run(arguments):
    """(status, standard error) of the command line."""
    caught = io.StringIO()
    with contextlib.redirect_stderr(caught):
        status = codegen.main(arguments)
    return status, caught.getvalue()


def sections(name):
    """(title, text) of each === section of a file."""
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        parts = file.read().split("=== ")[1:]
    return [tuple(part.split("\n", 1)) for part in parts]


def folder():
    return tempfile.TemporaryDirectory(prefix="purelink-spec-")
