"""Recognising credentials from raw HTTP/1.1 bytes: requests a second on one core, beside httptools on the same bytes.

The reference is httptools with the least code that a receiver needs: it keeps target, method and the header pairs. Ours
finds where the head ends, reads it as strictly as a proxy must, and recognises the credentials, with the collector's own
reader of heads, which keeps the headers that counting asks for. Below it stands the whole of what the collector does with
a mirrored request before it is counted: its origin found, its parts checked, an exchange made of it.
"""

import gc
import time
from collections.abc import Callable

import httptools

from bench.recognise import DISTINCT, requests
from gatecrash.core.auth import recogniser as module
from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.inventory.fold import Folder
from gatecrash.core.message import Request
from gatecrash.node.http1.write import request_bytes
from gatecrash.node.observe.mirrored import read_mirrored, reader_for

REQUESTS = 100_000
PURE, COMPILED = 0.30, 0.35
_ROUNDS = 3
_CHUNK = 2_000


class Collected:
    """What httptools tells of one request, kept."""

    __slots__ = ("headers", "method", "target")

    def on_message_begin(self) -> None:
        self.headers: list[tuple[bytes, bytes]] = []

    def on_url(self, url: bytes) -> None:
        self.target = url

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers.append((name, value))


def collect(raws: list[bytes]) -> int:
    """The reference: every request parsed, its headers collected; their number."""
    count = 0
    for raw in raws:
        one = Collected()
        parser = httptools.HttpRequestParser(one)
        parser.feed_data(raw)
        one.method = parser.get_method()
        count += len(one.headers)
    return count


def recognise(raws: list[bytes], folder: Folder) -> int:
    """Ours: every request read and its credentials recognised; their number."""
    count = 0
    reader, recogniser = reader_for(folder.asks_for), folder.recogniser
    for raw in raws:
        head, _, body = raw.partition(b"\r\n\r\n")
        read = reader.read(head)
        assert read is not None
        method, target, headers = read
        count += len(recogniser.recognise(Request(method, target, headers, body, "https", "api.example.com", 443)))
    return count


def as_collected(raws: list[bytes], folder: Folder) -> int:
    """The same with all that the collector does before a mirrored request is counted."""
    count = 0
    reader, recogniser = reader_for(folder.asks_for), folder.recogniser
    for raw in raws:
        head, _, body = raw.partition(b"\r\n\r\n")
        count += len(recogniser.recognise(read_mirrored(reader, head, body, 1.0).exchange.request))
    return count


Side = Callable[[list[bytes], Folder], int]


def measured(raws: list[bytes], side: Side) -> tuple[float, float, int]:
    """Seconds of the reference and of ours, the best of some rounds, and the credentials found."""
    collecting = recognising = float("inf")
    found = 0
    for _ in range(_ROUNDS):
        folder = Folder(compile_recogniser())
        reference = ours = 0.0
        found = 0
        # In turns, so that a busy machine slows both alike.
        for first in range(0, REQUESTS, _CHUNK):
            chunk = raws[first : first + _CHUNK]
            start = time.process_time()  # the time of this process alone: others may keep the cores busy
            collect(chunk)
            between = time.process_time()
            found += side(chunk, folder)
            reference, ours = reference + between - start, ours + time.process_time() - between
        collecting, recognising = min(collecting, reference), min(recognising, ours)
    return collecting, recognising, found


def main() -> None:
    """Print the figures."""
    compiled = not module.__file__.endswith(".py")
    goal = f"  (target {COMPILED if compiled else PURE}, {'compiled' if compiled else 'pure'})"
    raws = [request_bytes(request)[0] for request in requests(REQUESTS)]
    gc.collect()
    gc.freeze()
    for name, side, target in (("recognising", recognise, goal), ("as collected", as_collected, "")):
        reference, ours, found = measured(raws, side)
        if target:
            print(f"raw: {REQUESTS:,} requests, 12 headers, {DISTINCT:.0%} distinct, {found:,} credentials found")
            print(f"  httptools    {REQUESTS / reference:12,.0f} requests/s  1.000")
        print(f"  {name:<12} {REQUESTS / ours:12,.0f} requests/s  {reference / ours:.3f}{target}")
    gc.unfreeze()


if __name__ == "__main__":
    main()
