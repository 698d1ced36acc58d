"""purelink-fleet against a node: each device's record is stored once, over a node that is killed too; a device that
slept goes on with its stream; what is not stored is said by the exit status."""
import collections
import ipaddress
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
import unittest

from lib import FAILED, KEPT, LIMIT_S, USAGE, Site, folder, run_tests, spawn, wait_for

DIR = folder()
BUILD = pathlib.Path(os.environ.get("BUILD", pathlib.Path(__file__).resolve().parents[2] / "build"))
FLEET = BUILD / "bench" / "purelink-fleet"
DEVICES = 100


def fleet(*args):
    command = [str(a) for a in (FLEET, *args)]
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)


def result_of(text):
    last = text.splitlines()[-1]
    assert last.startswith("RESULT "), last
    return json.loads(last[len("RESULT "):])


class FleetTest(unittest.TestCase):
    def setUp(self):
        self.site = Site(DIR / self.id().split(".")[-1])
        self.site.senders.write_text(fleet("keys", "--devices", DEVICES, "--seed", "trial").stdout)
        self.node = self.site.serve("--link-idle-ms", "1000")

    def tearDown(self):
        self.node.stop()

    def options(self, *more, seed="trial"):
        return ["--devices", DEVICES, "--seed", seed, "--node", f"127.0.0.1:{self.site.port}", "--node-key",
                self.site.node_key, *more]

    def numbers(self):
        """The numbers stored, in order, by device."""
        found = collections.defaultdict(list)
        for line in self.site.tail("--json").splitlines():
            entry = json.loads(line)
            found[entry["name"]].append(entry["number"])
        return found

    def expect_each(self, numbers):
        names = {f"d{i + 1:07d}" for i in range(DEVICES)}
        self.assertEqual({name: numbers for name in names}, self.numbers())

    def test_once(self):
        done = fleet("once", *self.options("--rate", "2000"))
        self.assertEqual(0, done.returncode, done.stderr)
        result = result_of(done.stdout)
        self.assertEqual((DEVICES, DEVICES, 0), (result["made"], result["stored"], result["unstored_devices"]))
        self.assertLessEqual(result["p50_us"], result["p99_us"])
        self.assertLessEqual(result["p99_us"], result["max_us"])
        self.expect_each([1])

    def test_wake_goes_on_with_the_stream(self):
        done = fleet("wake", *self.options("--rate", "2000", "--rest-ms", "3000", "--suite", "2"))
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual(DEVICES, result_of(done.stdout)["stored"])
        self.expect_each([1, 2])
        self.assertEqual(DEVICES, len(self.site.status()["streams"]), "no stream was born twice")

    def test_run_over_a_killed_node(self):
        out = self.site.dir / "out"
        with open(out, "w", encoding="ascii") as lines:
            sending = spawn(FLEET, "run", *self.options("--period-ms", "1000", "--for", "4"), stdout=lines)
            wait_for("records", lambda: self.site.stored() > DEVICES)
            self.node.kill()
            time.sleep(0.2)
            self.node = self.site.serve("--link-idle-ms", "1000")
            self.assertEqual(0, sending.wait(LIMIT_S))
        self.assertEqual(4 * DEVICES, result_of(out.read_text())["stored"])
        self.expect_each([1, 2, 3, 4])

    def test_a_node_that_comes_late(self):
        self.node.stop()
        out = self.site.dir / "out"
        with open(out, "w", encoding="ascii") as lines:
            sending = spawn(FLEET, "once", *self.options("--rate", "2000"), stdout=lines)
            wait_for("packets that went nowhere", lambda: '"sent_again": 100' in out.read_text())
            self.node = self.site.serve("--link-idle-ms", "1000")
            self.assertEqual(0, sending.wait(LIMIT_S))
        result = result_of(out.read_text())
        self.assertEqual((DEVICES, DEVICES), (result["made"], result["stored"]))
        self.expect_each([1])

    def test_signals_end_it_with_a_result(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            out = self.site.dir / f"out-{number}"
            with open(out, "w", encoding="ascii") as lines:
                sending = spawn(FLEET, "run", *self.options("--period-ms", "100", "--for", "3600"), stdout=lines)
                wait_for("lines", lambda: out.read_text().count("\n") > 5)
                sending.send_signal(number)
                self.assertEqual(KEPT, sending.wait(LIMIT_S))
            result = result_of(out.read_text())
            self.assertEqual("run", result["command"])
            self.assertGreaterEqual(result["made"], result["stored"])
            self.assertGreater(result["stored"], 0)

    def test_lines(self):
        rate = 200
        done = fleet("once", *self.options("--rate", rate))
        lines = [json.loads(line) for line in done.stdout.splitlines()[:-1]]
        self.assertGreater(len(lines), 1)
        members = {"at_ms", "made", "stored", "sent_again", "unstored_devices", "p50_us", "p99_us", "max_us", "cpu_ms"}
        before = dict.fromkeys(members, 0)
        for line in lines:
            self.assertEqual(members, line.keys())
            for name in ("at_ms", "made", "stored", "sent_again"):
                self.assertGreaterEqual(line[name], before[name], name)
            self.assertLessEqual(line["made"], 1 + rate * (line["at_ms"] + 1) / 1000, "no faster than the rate")
            self.assertGreaterEqual(line["made"], line["stored"])
            before = line
        for earlier, later in zip(lines, lines[1:-1]):
            self.assertGreaterEqual(later["at_ms"] - earlier["at_ms"], 99, "one line each 100 ms")

    def test_strangers_are_not_stored(self):
        done = fleet("once", *self.options("--timeout", "2", seed="other"))
        self.assertEqual(KEPT, done.returncode, done.stderr)
        result = result_of(done.stdout)
        self.assertEqual((0, DEVICES), (result["stored"], result["unstored_devices"]))
        self.assertGreaterEqual(result["sent_again"], DEVICES)
        self.assertEqual({}, self.numbers())


class AloneTest(unittest.TestCase):
    def test_keys_come_from_the_seed(self):
        first, again, other = (fleet("keys", "--devices", 50, "--seed", seed).stdout for seed in ("a", "a", "b"))
        self.assertEqual(first, again)
        self.assertFalse(set(first.split()[1::2]) & set(other.split()[1::2]))
        self.assertEqual(50, len(set(first.split()[1::2])))

    def test_each_device_has_its_own_address(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as node:
            node.bind(("127.0.0.1", 0))
            node.settimeout(LIMIT_S)
            key = "CQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
            sending = spawn(FLEET, "once", "--devices", "40", "--node", f"127.0.0.1:{node.getsockname()[1]}",
                            "--node-key", key, "--from", "127.9.0.250", "--timeout", "1", stdout=subprocess.DEVNULL)
            sources = set()
            while len(sources) < 40:
                sources.add(node.recvfrom(2048)[1][0])
            self.assertEqual(KEPT, sending.wait(LIMIT_S))
        first = ipaddress.IPv4Address("127.9.0.250")
        self.assertEqual({str(first + i) for i in range(40)}, sources)

    def test_a_report_that_cannot_be_written(self):
        key = "CQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        for args in (["keys", "--devices", "1"], ["once", "--devices", "1", "--node", "127.0.0.1:9", "--node-key", key,
                                                  "--timeout", "1"]):
            with open("/dev/full", "w", encoding="ascii") as full:
                done = subprocess.run([FLEET, *args], stdout=full, stderr=subprocess.PIPE, text=True, timeout=LIMIT_S,
                                      check=False)
            self.assertEqual(FAILED, done.returncode, args)
            self.assertIn("standard output", done.stderr)


class OptionsTest(unittest.TestCase):
    def test_mistakes(self):
        key = "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        node = ["--node", "127.0.0.1:7", "--node-key", key]
        for args, word in (([], "usage"), (["keys"], "--devices"), (["keys", "--devices", "0"], "0"),
                           (["once", "--devices", "1"], "--node"), (["once", "--devices", "1", *node], "--node-key"),
                           (["once", "--devices", "1", "--from", "10.0.0.1", *node], "--from"),
                           (["once", "--devices", "9", "--from", "127.255.255.250", *node], "--from"),
                           (["once", "--devices", "9", "--from", "127.0.0.1", *node], "--from"),
                           (["once", "--devices", "1", "--rate", "0", *node], "0"), (["once", "--suite", "3"], "3"),
                           (["run", "--period-ms", "-1"], "-1"), (["run", "--for", "1x"], "1x"),
                           (["once", "--record-bytes", "1001"], "1001"), (["once", "--from", "127.0.0"], "127.0.0"),
                           (["once", "--node", "localhost:7"], "localhost"), (["once", "--node-key", "x"], "x")):
            done = fleet(*args)
            self.assertEqual(USAGE, done.returncode, args)
            self.assertIn(word, done.stderr, args)


if __name__ == "__main__":
    if not FLEET.exists() and not pathlib.Path("/usr/include/nettle/sha2.h").exists():
        print("purelink-fleet is not built: it needs the package nettle-dev")
        sys.exit(0)
    run_tests()
