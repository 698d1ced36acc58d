"""A UDP proxy between devices and a node, in a thread: passes on, or loses, repeats and delays datagrams by a seed.
Counts what it passed to the node, so that a test can act in mid-flight."""
import heapq
import random
import select
import socket
import threading
import time


class Proxy:
    """Listens on a free port of `host` and forwards to `port` there; a socket upstream for each client."""
    LOSS, REPEAT, DELAY = 0.10, 0.05, 0.20
    DELAY_S = 0.008

    def __init__(self, host, port, rough, seed=1):
        self.family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.target = (host.strip("[]"), port)
        self.random = random.Random(seed) if rough else None
        self.front = self._socket()
        self.front.bind((self.target[0], 0))
        self.port = self.front.getsockname()[1]
        self.clients, self.later, self.order = {}, [], 0
        self.passed, self.watch, self.ending = 0, None, False
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _socket(self):
        s = socket.socket(self.family, socket.SOCK_DGRAM)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        s.setblocking(False)
        return s

    def when_passed(self, count):
        """An event that is set once so many more datagrams went to the node."""
        event = threading.Event()
        self.watch = (self.passed + count, event)
        return event

    def close(self):
        self.ending = True
        self.thread.join()
        for s in [self.front, *self.clients.values()]:
            s.close()

    def _run(self):
        while not self.ending:
            wait_s = min(0.05, max(0, self.later[0][0] - time.monotonic())) if self.later else 0.05
            upstream = {s: address for address, s in self.clients.items()}
            for s in select.select([self.front, *upstream], [], [], wait_s)[0]:
                self._drain(s, upstream)
            while self.later and self.later[0][0] <= time.monotonic():
                self._send(*heapq.heappop(self.later)[2:])

    def _drain(self, s, upstream):
        while True:
            try:
                data, address = s.recvfrom(4096)
            except OSError:  # nothing more, or the node is not there at the moment
                return
            if s is not self.front:
                self._fate(self.front, data, upstream[s])
                continue
            if address not in self.clients:
                self.clients[address] = self._socket()
            self._fate(self.clients[address], data, self.target)

    def _fate(self, out, data, address):
        if self.random is None:
            self._send(out, data, address)
            return
        copies = 0 if self.random.random() < self.LOSS else 1 + (self.random.random() < self.REPEAT)
        for _ in range(copies):
            late_s = self.random.random() * self.DELAY_S if self.random.random() < self.DELAY else 0
            self.order += 1
            heapq.heappush(self.later, (time.monotonic() + late_s, self.order, out, data, address))

    def _send(self, out, data, address):
        try:
            out.sendto(data, address)
        except OSError:
            return
        if address == self.target:
            self.passed += 1
            if self.watch and self.passed >= self.watch[0]:
                self.watch[1].set()
