"""Records of every size and number, several devices, streams and addresses, logs that grow, rotate and are truncated,
and all the ways `tail` shows them: beside a running node, from a position, to a slow reader, to a closed pipe."""
import base64
import json
import os
import random
import signal
import socket
import struct
import subprocess
import threading
import time
import unittest

from lib import KEPT, PURELINK, FAILED, Site, expect_same, folder, lines, run, run_tests, spawn, wait_for

DIR = folder()
MIB = 1 << 20


def framed(records):
    return b"".join(struct.pack(">I", len(r)) + r for r in records)


class RecordsTest(unittest.TestCase):
    def setUp(self):
        self.name = self.id().split(".")[-1]
        self.site = self.new_site()

    def new_site(self, **options):
        return Site(DIR / self.name / str(random.getrandbits(32)), **options)

    def expect_tail(self, expected, *more):
        expect_same(expected, self.site.tail(*more), f"tail {more}")

    def test_sizes(self):
        """Sizes around each border of size bytes, packets and commits, up to the largest record."""
        node = self.site.serve()
        sizes = [0, 1, 63, 64, 1150, 1151, 1152, 1200, 16383, 16384, 65535, 65536, MIB - 1, MIB, 0, MIB, 1]
        sent = framed([os.urandom(n) for n in sizes])
        self.site.send("--framed", input=sent)
        self.expect_tail(sent, "--framed")
        node.stop()
        self.expect_tail(sent, "--framed")
        print(f"{len(sizes)} records of 0 B to 1 MiB, {len(sent)} bytes; ", end="")

    def test_too_large(self):
        """One byte too many is refused by place and size; what was before it is stored, nothing of it is."""
        self.site.serve()
        said = self.site.send("--framed", input=framed([b"good", bytes(MIB + 1)]), status=FAILED)
        self.assertEqual(1, said.count("\n"), said)
        for word in ["record 2", "byte 8", f"longer than {MIB}"]:
            self.assertIn(word, said)
        self.expect_tail(b"good\n")
        print(said.strip(), end="; ")

    def test_many(self):
        """100,000 records from one file."""
        self.site.serve()
        log = self.site.dir / "log"
        log.write_bytes(lines(100000, 40))
        began = time.monotonic()
        self.site.send(log)
        took_s = time.monotonic() - began
        self.expect_tail(log.read_bytes())
        print(f"100000 records in {took_s:.2f} s; ", end="")

    def test_empty_records(self):
        self.site.serve()
        self.site.send(input=b"\n" * 5000)
        self.expect_tail(b"\n" * 5000)

    def test_streams(self):
        """What waits for 40 streams in one outbox goes at once; each stream in its own order."""
        for stream in range(40):
            self.site.send("--timeout", 0, input=lines(50, stream), stream=f"stream {stream}", status=KEPT)
        self.site.serve()
        self.site.send(input=b"last\n", stream="stream 7")
        for stream in range(40):
            self.expect_tail(lines(50, stream) + (b"last\n" if stream == 7 else b""), "--stream", f"stream {stream}")
        self.assertEqual(2001, self.site.stored())

    def test_stream_names(self):
        """Names of 255 bytes and of any script; JSON and text carry them."""
        self.site.serve()
        names = ["n" * 255, "l\u00e4uft \u00fcbers Wasser", "\u65e5\u8a8c", "a/b c\"d\\e"]
        for name in names:
            self.site.send(input=name.encode() + b"\n", stream=name)
        shown = [json.loads(line) for line in self.site.tail("--json").splitlines()]
        self.assertEqual(names, [e["stream"] for e in shown])
        self.assertEqual(names, [e["data"] for e in shown])
        self.assertEqual(set(names), {s["stream"] for s in self.site.status()["streams"]})

    def test_two_devices(self):
        """Two devices at once to one node: neither loses, mixes or repeats."""
        self.site = self.new_site(devices=("east", "west"))
        self.site.serve()
        texts = {name: b"".join(b"%s %d\n" % (name.encode(), i) for i in range(20000)) for name in ("east", "west")}
        devices = []
        for name, text in texts.items():
            log = self.site.dir / f"{name}.log"
            log.write_bytes(text)
            devices.append(self.site.start_send("--rate", 20000, log, device=name))
        self.assertEqual([0, 0], [d.wait(60) for d in devices])
        for name, text in texts.items():
            self.expect_tail(text, "--source", name)
        self.expect_tail(b"", "--source", "north")
        self.assertEqual(sum(map(len, texts.values())), len(self.site.tail()))

    def test_addresses(self):
        """A node on IPv4 and IPv6 at once, reached by address and by name, one outbox over both."""
        other = self.new_site(host="[::1]")
        node = self.site.serve("--listen", f"[::1]:{other.port}")
        self.site.send(input=b"four\n")
        self.site.send(input=b"six\n", host="[::1]", port=other.port)
        self.site.send(input=b"name\n", host="localhost")
        expected = b"four\nsix\nname\n"
        if any(a[4][0] == "::1" for a in socket.getaddrinfo("localhost", 1)):
            self.site.send(input=b"name6\n", host="localhost", port=other.port)
            expected += b"name6\n"
        self.expect_tail(expected)
        self.assertIn("[::1]", node.said())

    def test_any_address(self):
        """A node that listens on every address answers from the one that was asked."""
        self.site.host = "0.0.0.0"
        self.site.serve()
        self.site.send(input=b"one\n", host="127.0.0.1")
        self.site.send(input=b"two\n", host="127.0.0.2")
        self.expect_tail(b"one\ntwo\n")

    def test_framed_is_not_lines(self):
        """Newlines, zeros and bytes of no text pass through --framed as they are; --json shows each as base64."""
        self.site.serve()
        records = [b"a\nb", b"\0\0", b"\xff\xfe", b"\x1b[31m", bytes(range(256))]
        self.site.send("--framed", input=framed(records))
        self.expect_tail(framed(records), "--framed")
        self.expect_tail(b"".join(r + b"\n" for r in records))
        shown = [json.loads(line) for line in self.site.tail("--json").splitlines()]
        self.assertEqual(records, [base64.b64decode(e["base64"]) if "base64" in e else e["data"].encode() for e in shown])
        self.assertEqual([1, 2, 3, 4, 5], [e["number"] for e in shown])

    def test_positions(self):
        """--from takes any position that --json showed and goes on from that record."""
        self.site.serve()
        for part in range(10):
            self.site.send(input=lines(10, part))
        shown = [json.loads(line) for line in self.site.tail("--json").splitlines()]
        self.assertEqual(100, len(shown))
        for at in [0, 1, 9, 10, 55, 99]:
            rest = "".join(e["data"] + "\n" for e in shown[at:]).encode()
            self.expect_tail(rest, "--from", shown[at]["position"])
        self.expect_tail(b"", "--from", shown[99]["position"] + 1)

    def test_follow_rotation(self):
        """A log written in halves of lines and rotated five times, its follower killed with -9 on the way."""
        self.site.serve()
        log = self.site.dir / "log"
        log.write_bytes(b"")
        expected = []
        follower = self.site.start_send("--follow", log)
        for turn in range(6):
            with log.open("ab", buffering=0) as f:
                for i in range(200):
                    line = b"turn %d line %d\n" % (turn, i)
                    expected.append(line)
                    f.write(line[:5])
                    f.write(line[5:])
            wait_for("records", lambda: self.site.stored() == len(expected))
            if turn == 5:
                break
            log.rename(self.site.dir / f"log.{turn}")
            if turn % 2:
                follower.kill()
                follower.wait()
            with (self.site.dir / f"log.{turn}").open("ab") as f:
                f.write(b"late %d\n" % turn)
            expected.append(b"late %d\n" % turn)
            log.write_bytes(b"")
            if turn % 2:
                follower = self.site.start_send("--follow", log)
        follower.send_signal(signal.SIGTERM)
        self.assertEqual(0, follower.wait(5))
        self.expect_tail(b"".join(expected))

    def test_follow_truncation(self):
        """A log emptied and written again (copytruncate) goes on; half a line is never sent."""
        self.site.serve()
        log = self.site.dir / "log"
        log.write_bytes(b"1 of the first\n2 of the first\nhalf")
        follower = self.site.start_send("--follow", log)
        wait_for("two records", lambda: self.site.stored() == 2)
        os.truncate(log, 0)
        time.sleep(0.3)
        with log.open("ab") as f:
            f.write(b"3\nand ")
        wait_for("three records", lambda: self.site.stored() == 3)
        with log.open("ab") as f:
            f.write(b"4\n")
        wait_for("four records", lambda: self.site.stored() == 4)
        follower.send_signal(signal.SIGTERM)
        self.assertEqual(0, follower.wait(5))
        self.expect_tail(b"1 of the first\n2 of the first\n3\nand 4\n")

    def start_tail(self, *more, **how):
        return spawn(PURELINK, "tail", "--store", self.site.store, *more, stdout=subprocess.PIPE, **how)

    def test_tail_follow(self):
        """tail --follow shows each record soon after it is stored, over a restart of the node, and ends on a signal."""
        node = self.site.serve()
        self.site.send(input=b"0\n")
        tail = self.start_tail("--follow")
        got = []
        reader = threading.Thread(target=lambda: got.extend(tail.stdout), daemon=True)
        reader.start()
        for i in range(1, 10):
            if i == 5:
                node.kill()
                node = self.site.serve()
            self.site.send(input=b"%d\n" % i)
            wait_for(f"record {i}", lambda: len(got) == i + 1)
        tail.terminate()
        self.assertIn(tail.wait(5), (0, -signal.SIGTERM))
        reader.join(5)
        self.assertEqual(b"".join(b"%d\n" % i for i in range(10)), b"".join(got))

    def test_slow_reader(self):
        """A reader that stops reading holds up nobody and sees everything later."""
        node = self.site.serve()
        self.site.send(input=lines(20000, 60))
        tail = self.start_tail("--follow")
        for i in range(5):
            self.site.send(input=lines(2000, 60))
        self.assertEqual(30000, self.site.stored())
        text = b""
        while text.count(b"\n") < 30000:
            text += os.read(tail.stdout.fileno(), 65536)
        tail.kill()
        expect_same(lines(20000, 60) + 5 * lines(2000, 60), text, "slow reader")
        node.stop()

    def test_closed_pipe(self):
        """`tail | head -n 1` ends in silence."""
        self.site.serve()
        self.site.send(input=lines(20000, 60))
        for more in [[], ["--json"], ["--framed"], ["--follow"]]:
            tail = self.start_tail(*more, stderr=subprocess.PIPE)
            tail.stdout.read(10)
            tail.stdout.close()
            self.assertEqual(b"", tail.stderr.read())
            self.assertIn(tail.wait(10), (0, -signal.SIGPIPE))

    def test_full_device(self):
        """Writing to a full disk is an error with its cause, not half an answer with status 0."""
        self.site.serve()
        self.site.send(input=lines(2000, 60))
        with open("/dev/full", "wb") as full:
            for command in [["tail"], ["status"]]:
                shown = subprocess.run([PURELINK, *command, "--store", self.site.store], stdout=full,
                                       stderr=subprocess.PIPE)
                self.assertEqual(FAILED, shown.returncode)
                self.assertIn(b"standard output", shown.stderr)

    def test_killed_readers(self):
        """Readers killed with -9 leave no slot behind: LMDB has 126 unless told otherwise."""
        self.site.serve()
        self.site.send(input=lines(20000, 60))
        for _ in range(10):
            tails = [self.start_tail() for _ in range(30)]
            for tail in tails:
                os.read(tail.stdout.fileno(), 10)
                tail.kill()
                tail.wait()
                tail.stdout.close()
        self.assertEqual(20000, self.site.tail().count(b"\n"))
        self.site.send(input=b"more\n")
        self.assertEqual(20001, self.site.stored())
        print("300 readers killed; ", end="")

    def reader_pids(self):
        """Processes that have a slot in LMDB's table of readers: it has 64 bytes a slot, the process at byte 8."""
        table = (self.site.store / "lock.mdb").read_bytes()
        return {struct.unpack_from("=I", table, at + 8)[0] for at in range(0, len(table) - 63, 64)}

    def test_killed_readers_beside_a_node(self):
        """The node itself frees the slots of 200 readers killed with -9: no other reader comes to do it."""
        self.site.serve()
        self.site.send(input=lines(20000, 60))
        killed = set()
        for _ in range(4):
            tails = [self.start_tail() for _ in range(50)]
            for tail in tails:
                os.read(tail.stdout.fileno(), 10)
            killed.update(tail.pid for tail in tails)
            for tail in tails:
                tail.kill()
                tail.wait()
                tail.stdout.close()
        self.assertGreater(len(killed & self.reader_pids()), 40)
        log = self.site.dir / "log"
        log.write_bytes(lines(2000))
        self.site.send("--rate", 1000, log)
        self.assertEqual(set(), killed & self.reader_pids())
        print("200 readers killed; ", end="")

    def test_unknown_device(self):
        """A device not on the list gets no answer; put on the list and SIGHUP, it is served."""
        node = self.site.serve()
        line = self.site.sender_line("late")
        self.site.send("--timeout", 1, input=b"early\n", device="late", status=KEPT)
        self.assertEqual(0, self.site.stored())
        with self.site.senders.open("a") as f:
            f.write(line)
        node.process.send_signal(signal.SIGHUP)
        wait_for("list in force", lambda: "in force" in node.said())
        self.site.send(input=b"late\n", device="late")
        self.expect_tail(b"early\nlate\n", "--source", "late")

    def test_tail_of_nothing(self):
        empty = self.site.dir / "nowhere"
        said = run("tail", "--store", empty)
        self.assertNotEqual(0, said.returncode)
        self.assertIn(str(empty).encode(), said.stderr)
        self.assertFalse(empty.exists())


run_tests()
