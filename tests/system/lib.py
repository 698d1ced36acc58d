"""Shared by the tests with real processes: one node and its devices in a folder, on free ports of loopback; whatever
was started ends with the test, also when it fails or is told to stop."""
import atexit
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

PURELINK = os.environ.get("PURELINK", str(pathlib.Path(__file__).resolve().parents[2] / "build" / "purelink"))
LIMIT_S = 60
USAGE, REFUSED, FAILED, KEPT = 64, 65, 74, 75
_started = []


def folder():
    """The empty folder the runner gave, or a new one that goes away at the end."""
    if len(sys.argv) > 1:
        return pathlib.Path(sys.argv.pop(1))
    made = pathlib.Path(os.popen("mktemp -d").read().strip())
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def _end_all():
    for process in _started:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
    for process in _started:
        process.wait()


atexit.register(_end_all)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


def spawn(*args, **more):
    process = subprocess.Popen([str(a) for a in args], **more)
    _started.append(process)
    return process


def run(*args, timeout=LIMIT_S, **more):
    """purelink with these arguments to its end."""
    return subprocess.run([PURELINK, *map(str, args)], capture_output=True, timeout=timeout, **more)


def free_port(host="127.0.0.1"):
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as s:
        s.bind((host.strip("[]"), 0))
        return s.getsockname()[1]


def wait_for(what, truth, limit_s=LIMIT_S):
    """Asks until the answer is true (and returns it); fails when it is not within the limit."""
    deadline = time.monotonic() + limit_s
    while True:
        value = truth()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"no {what} within {limit_s} s")
        time.sleep(0.01)


def lines(n, width=0):
    """n numbered lines; `width` pads each."""
    return b"".join(b"%d %s\n" % (i, b"x" * width) for i in range(n))


class Node:
    """A running `serve`; what it says goes to a file, so that it never waits for a reader."""

    def __init__(self, site, options, ready=True):
        self.said_path = site.dir / "node.err"
        self.offset = self.said_path.stat().st_size if self.said_path.exists() else 0
        with open(self.said_path, "ab") as err:
            self.process = spawn(PURELINK, "serve", *options, stderr=err, stdin=subprocess.DEVNULL)
        if ready:
            self.wait_ready()

    def said(self):
        return self.said_path.read_bytes()[self.offset:].decode(errors="replace")

    def wait_ready(self):
        wait_for("ready node", lambda: ": ready" in self.said() or self.process.poll() is not None)
        if self.process.poll() is not None:
            raise AssertionError(f"the node ended with {self.process.returncode}: {self.said()}")

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        return self.process.wait(LIMIT_S)

    def stop(self):
        status = self.kill(signal.SIGTERM) if self.process.poll() is None else self.process.returncode
        if status != 0:
            raise AssertionError(f"the node ended with {status}: {self.said()}")


class Site:
    """Keys, a senders file and a store for one node; outboxes for its devices."""

    def __init__(self, directory, host="127.0.0.1", devices=("sensor",)):
        self.dir = pathlib.Path(directory)
        self.dir.mkdir(parents=True, exist_ok=True)
        self.host = host
        self.port = free_port(host)
        self.store = self.dir / "store"
        self.senders = self.dir / "senders"
        run("genkey", self.dir / "node.key")
        self.node_key = run("pubkey", self.dir / "node.key").stdout.decode().strip()
        self.senders.write_text("".join(self.sender_line(name) for name in devices))
        self.device = devices[0]

    def sender_line(self, name):
        run("genkey", self.dir / f"{name}.key")
        return name + " " + run("pubkey", self.dir / f"{name}.key").stdout.decode()

    def serve_options(self, *more):
        return ["--key", self.dir / "node.key", "--senders", self.senders, "--store", self.store, "--listen",
                f"{self.host}:{self.port}", *more]

    def serve(self, *more, ready=True):
        return Node(self, self.serve_options(*more), ready)

    def send_options(self, *more, device=None, stream="s", port=None, host=None, outbox=None):
        device = device or self.device
        return ["send", "--key", self.dir / f"{device}.key", "--node", f"{host or self.host}:{port or self.port}",
                "--node-key", self.node_key, "--outbox", outbox or self.dir / f"{device}.box", "--stream", stream,
                *more]

    def send(self, *more, input=b"", status=0, **which):
        """Sends to the end; returns what it said."""
        result = run(*self.send_options(*more, **which), input=input)
        said = result.stderr.decode(errors="replace")
        if result.returncode != status:
            raise AssertionError(f"send ended with {result.returncode}, not {status}: {said}")
        return said

    def start_send(self, *more, said=subprocess.DEVNULL, stdin=subprocess.DEVNULL, **which):
        return spawn(PURELINK, *self.send_options(*more, **which), stdin=stdin, stderr=said)

    def tail(self, *more):
        result = run("tail", "--store", self.store, *more)
        if result.returncode != 0:
            raise AssertionError(f"tail ended with {result.returncode}: {result.stderr.decode()}")
        return result.stdout

    def status(self):
        return _status("--store", self.store)

    def outbox_status(self, device=None):
        return _status("--outbox", self.dir / f"{device or self.device}.box")

    def stored(self):
        """Records stored, over all streams; 0 while there is no store yet."""
        status = self.status()
        return sum(s["stored"] for s in status["streams"]) if status else 0

    def given(self):
        """Records the device's outbox took, over all streams."""
        status = self.outbox_status()
        return sum(s["next_number"] - 1 for s in status["streams"]) if status else 0


def _status(*where):
    result = run("status", *where, "--json")
    return json.loads(result.stdout) if result.returncode == 0 else None


def expect_same(expected, found, what):
    """Byte for byte; a difference is shown by its place and the lines there."""
    if expected == found:
        return
    at = next((i for i, (a, b) in enumerate(zip(expected, found)) if a != b), min(len(expected), len(found)))
    line = expected.count(b"\n", 0, at)
    raise AssertionError(f"{what}: {len(found)} bytes instead of {len(expected)}; first difference in line {line + 1}: "
                         f"{expected[at - 20:at + 40]!r} became {found[at - 20:at + 40]!r}")


def run_tests():
    """Runs the tests of the calling script and ends with the line the runner counts."""
    tests = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    outcome = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
    bad = len(outcome.failures) + len(outcome.errors)
    print(f"{outcome.testsRun - bad} passed, {bad} failed")
    sys.exit(1 if bad else 0)
