"""Recognising credentials from raw HTTP/1.1 bytes: requests a second on one core, beside httptools on the same bytes.

The reference is httptools with the least code that a receiver needs: it keeps target, method and the header pairs. Ours
reads the same bytes with the node's own reader of heads, which also looks after smuggling, and recognises the
credentials: from the bytes of a mirrored request to what detection counts.
"""

import gc
import time

import httptools

from bench.recognise import DISTINCT, requests
from gatecrash.core.auth import recogniser as module
from gatecrash.core.auth.recogniser import Recogniser, compile_recogniser
from gatecrash.core.message import Request
from gatecrash.node.http1.head import end_of_head, read_request_head
from gatecrash.node.http1.write import request_bytes

REQUESTS = 100_000
_ROUNDS = 3
_CHUNK = 10_000


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


def recognise(raws: list[bytes], recogniser: Recogniser) -> int:
    """Ours: every request read and its credentials recognised; their number."""
    count = 0
    for raw in raws:
        ends = end_of_head(raw)
        assert ends is not None
        head = read_request_head(raw[: ends[0]])
        request = Request(head.method, head.target, head.headers, raw[ends[1] :], "https", "api.example.com", 443)
        count += len(recogniser.recognise(request))
    return count


def main() -> None:
    """Print the figures: both sides in turns, so that a busy machine slows both alike."""
    compiled = not module.__file__.endswith(".py")
    target = 0.35 if compiled else 0.30
    raws = [request_bytes(request)[0] for request in requests(REQUESTS)]
    gc.collect()
    gc.freeze()
    collecting = recognising = float("inf")
    found = 0
    for _ in range(_ROUNDS):
        recogniser = compile_recogniser()
        reference = ours = 0.0
        found = 0
        for first in range(0, REQUESTS, _CHUNK):
            chunk = raws[first : first + _CHUNK]
            start = time.process_time()  # the time of this process alone: others may keep the cores busy
            collect(chunk)
            between = time.process_time()
            found += recognise(chunk, recogniser)
            reference, ours = reference + between - start, ours + time.process_time() - between
        collecting, recognising = min(collecting, reference), min(recognising, ours)
    gc.unfreeze()
    print(f"raw: {REQUESTS:,} requests, 12 headers, {DISTINCT:.0%} distinct, {found:,} credentials found")
    print(f"  httptools    {REQUESTS / collecting:12,.0f} requests/s  1.000")
    kind = "compiled" if compiled else "pure"
    print(
        f"  recognising  {REQUESTS / recognising:12,.0f} requests/s  {collecting / recognising:.3f}  (target {target}, {kind})"
    )


if __name__ == "__main__":
    main()
