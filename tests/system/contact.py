"""Counts datagrams between a device and a node, and harms them, in a relay on loopback: a first contact is two
datagrams, silence is none; delay, loss, reordering, repeats, a new port in the middle of a send and a replay of all
that ever passed leave in the store what was given, once."""
import functools
import heapq
import os
import random
import select
import socket
import subprocess
import threading
import time
import unittest

from lib import KEPT, LIMIT_S, Site, expect_same, folder, lines, run_tests, wait_for

DIR = folder()
SEED = int(os.environ.get("SEED", time.time_ns() % 100000))
IDLE_MS = int(os.environ.get("IDLE_MS", 3000))
TRIES = 5


class Relay(threading.Thread):
    """Carries datagrams between one device and the node. Counts and keeps all of them; `harm` names the shares of
    datagrams lost, repeated, delayed by up to 60 ms (so that others overtake), each way."""

    def __init__(self, node_port, loss=0.0, repeat=0.0, late=0.0, delay_s=0.0):
        super().__init__(daemon=True)
        self.loss, self.repeat, self.late, self.delay_s = loss, repeat, late, delay_s
        self.node = ("127.0.0.1", node_port)
        self.front = self.new_socket()
        self.front.bind(("127.0.0.1", 0))
        self.port = self.front.getsockname()[1]
        self.back = self.new_socket()
        self.device = None
        self.log = []
        self.lost = 0
        self.waiting = []
        self.wake_read, self.wake_write = os.pipe()
        self.random = random.Random(SEED)
        self.ending = False
        self.move = False
        self.start()

    @staticmethod
    def new_socket():
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        return s

    def count(self, way=None):
        return sum(1 for w, _ in self.log if way in (None, w))

    def plan(self, way, data):
        self.log.append((way, data))
        if self.random.random() < self.loss:
            self.lost += 1
            return
        for _ in range(1 + (self.random.random() < self.repeat)):
            wait_s = self.delay_s + (self.random.random() * 0.06 if self.random.random() < self.late else 0)
            heapq.heappush(self.waiting, (time.monotonic() + wait_s, len(self.log), way, data))

    def deliver(self):
        while self.waiting and self.waiting[0][0] <= time.monotonic():
            _, _, way, data = heapq.heappop(self.waiting)
            try:
                if way == "up":
                    self.back.sendto(data, self.node)
                else:
                    self.front.sendto(data, self.device)
            except OSError:
                pass

    def receive(self, s):
        for _ in range(64):
            try:
                data, source = s.recvfrom(65536, socket.MSG_DONTWAIT)
            except OSError:
                return
            if s is self.front:
                self.device = source
                self.plan("up", data)
            else:
                self.plan("down", data)

    def run(self):
        while not self.ending:
            if self.move:
                self.back.close()
                self.back = self.new_socket()
                self.move = False
            wait_s = max(self.waiting[0][0] - time.monotonic(), 0) if self.waiting else 0.05
            ready = select.select([self.front, self.back], [], [], min(wait_s, 0.05))[0]
            for s in ready:
                self.receive(s)
            self.deliver()

    def end(self):
        self.ending = True
        self.join()
        self.front.close()
        self.back.close()


class SlowCommit(AssertionError):
    """A commit took longer than an answer may wait (25 ms), so that an ACK went alone before STORED."""


def again_if_slow(test):
    """Where datagrams are counted, a disk that was busy for a moment must not decide: so many tries, each at a site
    of its own, and one must do."""
    @functools.wraps(test)
    def tried(self):
        for left in reversed(range(TRIES)):
            try:
                return test(self)
            except SlowCommit:
                if left == 0:
                    raise
                self.doCleanups()
                self.site = Site(DIR / f"{test.__name__}-{left}")
    return tried


class ContactTest(unittest.TestCase):
    def setUp(self):
        self.site = Site(DIR / self.id().split(".")[-1])

    def expect_two(self, log):
        sizes = [(way, len(data)) for way, data in log]
        ways = [way for way, _ in sizes]
        if ways == ["up", "down", "down"]:
            raise SlowCommit(f"not two datagrams: {sizes}")
        self.assertEqual(["up", "down"], ways, f"not two datagrams: {sizes}")
        return sizes

    def relay(self, **harm):
        relay = Relay(self.site.port, **harm)
        self.addCleanup(relay.end)
        return relay

    def log(self, count, width=30):
        path = self.site.dir / "log"
        path.write_bytes(lines(count, width))
        return path

    def expect(self, path, relay):
        expect_same(path.read_bytes(), self.site.tail(), "log")
        print(f"seed {SEED}: {relay.count('up')} datagrams up, {relay.count('down')} down, {relay.lost} lost", end="; ")

    @again_if_slow
    def test_first_contact(self):
        """One record to a node that never heard of the device: one datagram there, one back, none ever after, at
        device, node and both, until the node gave the link's memory back and beyond."""
        node = self.site.serve("--link-idle-ms", max(IDLE_MS // 3, 1000))
        relay = self.relay()
        device = self.site.start_send(stdin=subprocess.PIPE, port=relay.port)
        self.addCleanup(device.kill)
        device.stdin.write(b"first\n")
        device.stdin.flush()
        wait_for("record", lambda: self.site.stored() == 1)
        wait_for("answer", lambda: relay.count("down") >= 1)
        time.sleep(IDLE_MS / 1000)
        wait_for("swept link", lambda: self.site.status()["node"]["links_active"] == 0)
        sizes = self.expect_two(relay.log)
        print(f"{sizes}, then silence for {IDLE_MS} ms", end="; ")
        device.stdin.write(b"second\n")
        device.stdin.flush()
        wait_for("record", lambda: self.site.stored() == 2)
        time.sleep(0.5)
        more = self.expect_two(relay.log[2:])
        print(f"after the sweep again {more}", end="; ")
        device.stdin.close()
        self.assertEqual(0, device.wait(LIMIT_S))
        node.stop()
        self.assertEqual(4, relay.count())

    @again_if_slow
    def test_each_start(self):
        """Every start of a device with one record is a first contact: two datagrams."""
        self.site.serve()
        for i in range(5):
            relay = self.relay()
            self.site.send(input=b"%d\n" % i, port=relay.port)
            time.sleep(0.2)
            self.expect_two(relay.log)

    def test_nobody_answers(self):
        """Into nothing a device sends less and less."""
        relay = self.relay(loss=1.0)
        device = self.site.start_send(stdin=subprocess.PIPE, port=relay.port)
        device.stdin.write(lines(1000))
        device.stdin.close()
        time.sleep(8)
        device.terminate()
        self.assertEqual(KEPT, device.wait(LIMIT_S))
        print(f"{relay.count()} datagrams in 8 s", end="; ")
        self.assertTrue(4 <= relay.count() <= 40, relay.count())

    def test_stranger_gets_nothing(self):
        """Noise, cut and changed packets: no answer, no record, and the node counts them."""
        self.site.serve()
        relay = self.relay()
        self.site.send(input=b"good\n", port=relay.port)
        good = relay.log[0][1]
        rng = random.Random(SEED)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
            s.connect(("127.0.0.1", self.site.port))
            for i in range(len(good)):
                s.send(good[:i])
                s.send(good[:i] + bytes([good[i] ^ 1 << rng.randrange(8)]) + good[i + 1:])
                s.send(rng.randbytes(rng.randrange(1500)))
            self.site.send(input=b"better\n")
            s.setblocking(False)
            with self.assertRaises(BlockingIOError):
                s.recv(2000)
        self.assertEqual(b"good\nbetter\n", self.site.tail())
        node = wait_for("drops in status", lambda: self.drops())
        print(f"{3 * len(good)} bad datagrams: {node}", end="; ")

    def drops(self):
        node = self.site.status()["node"]
        return {k: v for k, v in node.items() if k.startswith("drops_") and v}

    def test_delay(self):
        relay = self.relay(delay_s=0.1)
        self.site.serve()
        log = self.log(20000)
        self.site.send(log, port=relay.port)
        self.expect(log, relay)

    def test_loss(self):
        relay = self.relay(loss=0.1, delay_s=0.005)
        self.site.serve()
        log = self.log(20000)
        self.site.send(log, port=relay.port)
        self.expect(log, relay)
        self.assertGreater(relay.lost, 10)

    def test_reordering_and_repeats(self):
        relay = self.relay(repeat=0.2, late=0.3, delay_s=0.002)
        self.site.serve()
        log = self.log(20000)
        self.site.send(log, port=relay.port)
        self.expect(log, relay)

    def test_large_records_over_a_bad_path(self):
        relay = self.relay(loss=0.05, repeat=0.1, late=0.1, delay_s=0.002)
        self.site.serve()
        log = self.log(8, 300000)
        self.site.send(log, port=relay.port)
        self.expect(log, relay)

    def test_port_change(self):
        """A NAT that gives a new port five times in the middle of a send."""
        relay = self.relay(delay_s=0.005)
        self.site.serve()
        log = self.log(10000)
        device = self.site.start_send("--rate", 4000, log, port=relay.port)
        for i in range(5):
            wait_for("records", lambda: self.site.stored() > 1500 * i or device.poll() is not None)
            relay.move = True
        self.assertEqual(0, device.wait(LIMIT_S))
        self.expect(log, relay)

    def test_node_restarts_on_a_bad_path(self):
        relay = self.relay(loss=0.1, late=0.2, repeat=0.1, delay_s=0.002)
        node = self.site.serve()
        log = self.log(20000)
        device = self.site.start_send("--rate", 10000, log, port=relay.port)
        for _ in range(5):
            before = self.site.stored()
            wait_for("records", lambda: self.site.stored() > before or device.poll() is not None)
            node.kill()
            node = self.site.serve()
        self.assertEqual(0, device.wait(LIMIT_S))
        self.expect(log, relay)

    def test_replay(self):
        """All that was ever recorded, sent again from another address: during the life of the node, after its
        restart, in another order; nothing is stored, moved or answered with more than three times the bytes."""
        node = self.site.serve()
        relay = self.relay()
        log = self.log(3000)
        self.site.send(log, port=relay.port)
        self.site.send(input=b"more\n", stream="other", port=relay.port)
        recorded = [data for way, data in relay.log if way == "up"]
        back = [data for way, data in relay.log if way == "down"]
        text = self.site.tail()
        sent = received = 0
        for turn in range(3):
            if turn == 1:
                node.kill()
                node = self.site.serve()
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
                s.connect(("127.0.0.1", self.site.port))
                random.Random(SEED + turn).shuffle(recorded)
                for data in recorded + back:
                    sent += s.send(data)
                    time.sleep(0.0005)
                s.settimeout(0.5)
                try:
                    while True:
                        received += len(s.recv(65536))
                except TimeoutError:
                    pass
            self.assertEqual(text, self.site.tail(), f"turn {turn}")
        self.assertLessEqual(received, 3 * sent)
        print(f"{sent} bytes replayed, {received} came back", end="; ")
        self.site.send(input=b"last\n", port=relay.port)
        self.assertEqual(text + b"last\n", self.site.tail())
        node.stop()


run_tests()
