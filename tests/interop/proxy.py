"""A UDP proxy between devices and a node, in a thread: passes on, or loses, repeats and delays datagrams by a seed.
Counts what it passed to the node, so that a test can act in mid-flight: let devices come from new addresses, lose
what the node sends, or forge datagrams."""
import collections
import heapq
import random
import select
import socket
import struct
import threading
import time

RUN, NUMBER, HEADER = slice(6, 14), slice(14, 18), 18  # of a packet: spec/link.wire


class Proxy:
    """Listens on a free port of `host` and forwards to `port` there; a socket upstream for each client."""
    LOSS, REPEAT, DELAY = 0.10, 0.05, 0.20
    DELAY_S = 0.008
    ALONE_S = 0.3

    def __init__(self, host, port, rough, seed=1, slow_s=0):
        self.family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.target = (host.strip("[]"), port)
        self.random, self.slow_s = random.Random(seed) if rough else None, slow_s
        self.front = self._socket()
        self.front.bind((self.target[0], 0))
        self.port = self.front.getsockname()[1]
        self.clients, self.later, self.order = {}, [], 0
        self.passed, self.watch, self.frozen, self.ending = 0, None, False, False
        self.left, self.orders = [], collections.deque()
        self.deaf = False  # loses what the node sends
        self.runs, self.spoils_first = {}, 0  # the first packet of each run of a device
        self.alone_until_s = 0  # until then all is lost: the first packet and what is forged are alone with the node
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _socket(self):
        s = socket.socket(self.family, socket.SOCK_DGRAM)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        s.setblocking(False)
        return s

    def when_passed(self, count):
        """An event that is set once so many more datagrams went to the node. Then nothing passes until go()."""
        event = threading.Event()
        self.watch = (self.passed + count, event)
        return event

    def go(self):
        self.watch, self.frozen = None, False

    def move(self):
        """Devices come from new addresses; what is sent to the old ones is lost."""
        self.orders.append(self._move)

    def forge(self, which, count):
        """Packets of a run (0: the first one seen) that do not open."""
        self.orders.append(lambda: self._forge(list(self.runs.values())[which], count))

    def close(self):
        self.ending = True
        self.thread.join()
        for s in [self.front, *self.clients.values(), *self.left]:
            s.close()

    def _move(self):
        self.left += self.clients.values()
        self.clients = {address: self._socket() for address in self.clients}

    def _forge(self, packet, count):
        number, = struct.unpack(">I", packet[NUMBER])
        for i in range(count):
            forged = packet[:NUMBER.start] + struct.pack(">I", number + 100_000 + i) + packet[HEADER:-1]
            list(self.clients.values())[-1].sendto(forged + bytes([packet[-1] ^ 1]), self.target)

    def _run(self):
        while not self.ending:
            while self.orders:
                self.orders.popleft()()
            if self.frozen:
                time.sleep(0.001)
                continue
            wait_s = min(0.05, max(0, self.later[0][0] - time.monotonic())) if self.later else 0.05
            upstream = {s: address for address, s in self.clients.items()}
            for s in select.select([self.front, *upstream], [], [], wait_s)[0]:
                self._drain(s, upstream)
            while self.later and self.later[0][0] <= time.monotonic() and not self.frozen:
                self._send(*heapq.heappop(self.later)[2:])

    def _drain(self, s, upstream):
        while not self.frozen:
            try:
                data, address = s.recvfrom(4096)
            except OSError:  # nothing more, or the node is not there at the moment
                return
            if s is not self.front:
                if self.deaf:
                    continue
                self._fate(self.front, data, upstream[s])
                continue
            if address not in self.clients:
                self.clients[address] = self._socket()
            self._fate(self.clients[address], data, self.target)

    def _fate(self, out, data, address):
        if self.random is None and self.slow_s == 0:
            self._send(out, data, address)
            return
        if self.random is None:
            self._later(self.slow_s, out, data, address)
            return
        copies = 0 if self.random.random() < self.LOSS else 1 + (self.random.random() < self.REPEAT)
        for _ in range(copies):
            late_s = self.random.random() * self.DELAY_S if self.random.random() < self.DELAY else 0
            self._later(late_s + self.slow_s, out, data, address)

    def _later(self, late_s, out, data, address):
        self.order += 1
        heapq.heappush(self.later, (time.monotonic() + late_s, self.order, out, data, address))

    def _send(self, out, data, address):
        if out is None:
            self._forge(next(iter(self.runs.values())), self.spoils_first)
            return
        if time.monotonic() < self.alone_until_s:
            return
        try:
            out.sendto(data, address)
        except OSError:
            return
        if address == self.target:
            self.passed += 1
            if data[RUN] not in self.runs:
                self.runs[data[RUN]] = data
                if len(self.runs) == 1 and self.spoils_first:
                    self.alone_until_s = time.monotonic() + 2 * self.ALONE_S
                    self._later(self.ALONE_S, None, None, None)
            if self.watch and self.passed >= self.watch[0]:
                self.frozen = True
                self.watch[1].set()
