"""Who may find a planted fault: each catcher builds what it needs in a copy of the tree and runs one kind of
test.

A catcher is a function of the copy's folder and, for some, of what of it is to be run. It returns None if
its tests pass there, and what they found if they fail. What can not be built raises Unbuildable: that is a
broken patch, not a fault found."""

import glob
import os
import re
import subprocess

LIMIT_S = 1800
SEEDS = os.environ.get("SEEDS", "300")
PRODUCT_SEEDS = os.environ.get("PRODUCT_SEEDS", "100")
FUZZ_S = os.environ.get("FUZZ_S", "10")
FUZZ_TARGETS = ("differential", "roundtrip", "payload", "senders", "keyfile")
# One of each: a peer of the other implementation on a clean and on a rough path, restarts, lives, losses.
SCENARIOS = (
    "one record",
    "rough, IPv6",
    "killed twice",
    "node's store lost",
    "outbox restored",
    "a life each",
    "given up",
    "refused",
)


class Unbuildable(Exception):
    """What the compiler or the generator said."""


def run(tree, *command, limit_s=LIMIT_S):
    """(status, output) of a command in the tree; one that hangs has failed."""
    try:
        done = subprocess.run(
            command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=limit_s
        )
    except subprocess.TimeoutExpired as late:
        return -1, (late.output or b"").decode(errors="replace") + f"\nnot ended within {limit_s} s\n"
    return done.returncode, done.stdout.decode(errors="replace")


def make(tree, *targets):
    status, text = run(tree, "make", "-s", "-j2", *targets)
    if status != 0:
        raise Unbuildable(text)


def plain(text):
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)


def first(text, *patterns):
    """What the first pattern that is found says, or the last line."""
    for pattern in patterns:
        found = re.search(pattern, plain(text))
        if found:
            return found[1] if found.groups() else found[0]
    lines = plain(text).strip().splitlines()
    return lines[-1] if lines else "no output"


def verdict(status, text, *patterns):
    return None if status == 0 else first(text, *patterns)


CRITERION = (r"\[FAIL\] (\w+::\w+)", r"(\w+::\w+): CRASH", r"([\w/]+\.c:\d+)")


def vectors(tree):
    """The tests made of the spec: vectors, rejects, cuts, borders, names, machines. Compiled apart: no layer
    of the product is needed for them."""
    runner = os.path.join(tree, "build", "vectors")
    folders = ("generated/link", "generated/tests")
    sources = [path for folder in folders for path in glob.glob(folder + "/*.c", root_dir=tree)]
    flags = ("-std=c11", "-D_GNU_SOURCE", "-O0", "-w", "-Igenerated", "-Itests")
    status, text = run(tree, "gcc", *flags, *sorted(sources), "-lcriterion", "-o", runner)
    if status != 0:
        raise Unbuildable(text)
    return verdict(*run(tree, "tests/run-unit", runner), *CRITERION)


def one_suite(tree, runner, suite):
    status, text = run(tree, runner, "-j2", "--filter", suite + "/*")
    if "Tested: 0" in text:
        raise Unbuildable(f"{runner}: no test is of the suite {suite}")
    return verdict(status, text, *CRITERION)


def unit(tree, suite=None):
    """All unit tests, or one suite of them."""
    make(tree, "build/tests/unit")
    if suite:
        return one_suite(tree, "build/tests/unit", suite)
    return verdict(*run(tree, "tests/run-unit", "build/tests/unit"), *CRITERION)


def engine(tree):
    """The simulator's engine runs."""
    make(tree, "build/sim")
    return verdict(*run(tree, "build/sim", "--engine", "--once", "--seeds", SEEDS), r"seed \d+[^\n]*")


def product(tree):
    """The simulator's product runs."""
    make(tree, "build/sim")
    command = ("build/sim", "--product", "--once", "--seeds", PRODUCT_SEEDS)
    return verdict(*run(tree, *command), r"seed \d+[^\n]*")


def spec_suite(name):
    def catch(tree):
        return verdict(
            *run(tree, "tests/spec/run", name),
            r"(?m)^AssertionError: ([^\n]*)",
            r"(?m)^(?:FAIL|ERROR): ([^\n]*)",
        )

    catch.__doc__ = f"tests/spec/test_{name}.py"
    return catch


def interop(tree, scenario=None):
    make(tree, "all", "crosscheck", "build/interop/purelink", "build/interop/libpurelink.so")
    wanted = [scenario] if scenario else SCENARIOS
    return verdict(*run(tree, "tests/interop/run", *wanted), r"(?m)^([^\n]*): FAILED")


def second_engine(tree, suite=None):
    """The second implementation's own tests, or one suite of them."""
    make(tree, "crosscheck", "build/crosscheck/tests")
    if suite:
        return one_suite(tree, "build/crosscheck/tests", suite)
    return verdict(*run(tree, "tests/crosscheck/run"), *CRITERION)


def fuzz(tree):
    """The fuzzers for some seconds each: the first that finds something."""
    make(tree, "fuzz-build")
    for target in FUZZ_TARGETS:
        status, text = run(tree, "fuzz/run", "--build", "build-fuzz", "--for", FUZZ_S + "s", target)
        if status != 0:
            crashes = first(text, r"FAILED: ([^\n]*)", r"(\d+ crashes, \d+ hangs)")
            return f"{target}: {crashes}"
    return None


def model(tree, configuration=None):
    wanted = [configuration] if configuration else []
    return verdict(*run(tree, "model/run", *wanted), r"(?m)^FAIL ([^\n]*)", r"model/run: ([^\n]*)")


# In the order in which they are asked when a patch names none: the quick ones first.
CATCHERS = {
    "vectors": vectors,
    "engine simulation": engine,
    "product simulation": product,
    "unit tests": unit,
    "oracle": spec_suite("oracle"),
    "dissector": spec_suite("dissector"),
    "second engine's tests": second_engine,
    "other spec": spec_suite("backends"),
    "interop": interop,
    "model": model,
    "fuzz-smoke": fuzz,
}
