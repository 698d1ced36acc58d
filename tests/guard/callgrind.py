"""Instructions by source file out of callgrind's output (its manual, "Callgrind Format Specification").

Only what is purelink's own counts: code of src/ and generated/, and what the compiler put inline into it. Libraries
and the simulator do not.
"""
import re
import subprocess
import tempfile
from pathlib import Path

OWN = re.compile(r"(?:^|/)(src/[a-z]+/[^/]+|generated/link/[^/]+|tests/guard/planted\.c)$")
COST = re.compile(r"[+*-]?[0-9]*\s*([0-9]+)$")


class Trouble(Exception):
    """Nothing can be measured here; the text says why."""


def own_name(path):
    found = OWN.search(path)
    return found.group(1) if found else None


def instructions(lines):
    """{file: instructions}, each function's own without those of what it calls. Code that was put inline counts
    for the file it stands in, if that is ours, else for the function it was put into."""
    counted = {}
    of_function = of_line = None
    called = False
    for line in lines:
        key, equals, value = line.partition("=")
        if key in ("fl", "fi", "fe") and equals:
            of_line = own_name(value)
            if key == "fl":
                of_function = of_line
        elif key == "fn" and equals:
            of_function = of_line
        elif key == "calls" and equals:
            called = True
        elif COST.match(line.strip()):
            owner = of_line or of_function
            if owner and not called:
                counted[owner] = counted.get(owner, 0) + int(COST.match(line.strip()).group(1))
            called = False
    return counted


def measure(program, function, record_bytes, records):
    """Runs the workload; counts below `function`. Returns (what the program printed, {file: instructions})."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out")
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--compress-strings=no",
                   "--compress-pos=no", f"--toggle-collect={function}", program, str(record_bytes), str(records)]
        try:
            # The faster AES-GCM asks for more of a processor than valgrind plays.
            ran = subprocess.run(command, env={"AEAD": "openssl", "PATH": "/usr/bin:/bin"}, text=True,
                                 capture_output=True)
        except FileNotFoundError:
            raise Trouble("valgrind is not installed: apt-get install valgrind")
        if ran.returncode != 0 or not out.exists():
            raise Trouble(f"{program} {record_bytes} {records}: {ran.stderr.strip()[-800:]}")
        counted = instructions(out.read_text(errors="replace").splitlines())
    if not counted:
        raise Trouble(f"{program}: no instruction of src/ was seen; was it built with -g?")
    return ran.stdout, counted
