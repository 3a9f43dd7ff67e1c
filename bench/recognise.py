"""Recognising credentials: requests a second on one core, beside decoding the very same requests.

The reference is msgspec reading the requests from msgpack, headers as pairs: the least that any receiver must do. Nine
of ten requests bring a credential of their own, so the recogniser's memory of values hardly helps.
"""

import gc
import random
import time
from collections.abc import Callable

import msgspec

from gatecrash.core.auth import recogniser as module
from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Request

REQUESTS = 200_000
DISTINCT = 0.9
PURE, COMPILED = 0.25, 0.5
_ROUNDS = 3
_CHUNK = 20_000

_AGENTS = (
    b"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36",
    b"okhttp/4.12.0",
    b"python-requests/2.32.3",
)


def _headers(number: int, credential: tuple[bytes, bytes], cookie: bytes) -> tuple[tuple[bytes, bytes], ...]:
    """Twelve headers as a browser or a client behind a gateway sends them."""
    return (
        (b"Host", b"api.example.com"),
        (b"User-Agent", _AGENTS[number % 3]),
        (b"Accept", b"application/json, text/plain, */*"),
        (b"Accept-Language", b"en-GB,en;q=0.9"),
        (b"Accept-Encoding", b"gzip, deflate, br"),
        (b"Referer", b"https://shop.example.com/basket"),
        (b"Origin", b"https://shop.example.com"),
        credential,
        (b"Cookie", cookie),
        (b"X-Request-Id", b"%032x" % (number * 104729)),
        (b"X-Forwarded-For", b"203.0.113.%d" % (number % 251)),
        (b"Connection", b"keep-alive"),
    )


def _credential(kind: int, secret: bytes) -> tuple[bytes, bytes]:
    """Most carry an opaque or a JSON Web Token, some a key, a Basic pair or a signature of version 4."""
    if kind < 5:
        return b"Authorization", b"Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI3In0." + secret
    if kind < 7:
        return b"Authorization", b"Bearer " + secret
    if kind == 7:
        return b"X-API-Key", secret
    if kind == 8:
        return b"Authorization", b"Basic dXNlcjpwYXNz" + secret[:8]
    scope = b"Credential=AKIDEXAMPLE/20260101/us-east-1/execute-api/aws4_request"
    return b"Authorization", b"AWS4-HMAC-SHA256 " + scope + b", SignedHeaders=host;x-amz-date, Signature=" + secret * 2


def requests(count: int, seed: int = 7) -> list[Request]:
    """Requests of which nine in ten have a credential and a session of their own."""
    draw = random.Random(seed)
    made: list[Request] = []
    for number in range(count):
        owner = number if draw.random() < DISTINCT else draw.randrange(100)
        secret = b"%032x" % (owner * 2654435761 % 2**128)
        cookie = b"theme=dark; locale=en; sessionid=%032x; consent=all" % (owner * 7919)
        target = b"/api/v2/customers/%d/orders?page=2&sort=-created" % number
        made.append(Request("GET", target, _headers(number, _credential(owner % 10, secret), cookie)))
    return made


def _seconds(work: Callable[[], object]) -> float:
    """Of this process alone: others may keep the cores busy."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Print the figures."""
    encoder, decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(Request)
    sample = requests(REQUESTS)
    encoded = [encoder.encode(request) for request in sample]
    gc.collect()
    gc.freeze()
    decoding = recognising = float("inf")
    credentials = 0
    for _ in range(_ROUNDS):
        recogniser = compile_recogniser()
        decoded = spent = 0.0
        credentials = 0
        # Both sides in turns, so that a busy machine slows both alike.
        for first in range(0, REQUESTS, _CHUNK):
            pieces = encoded[first : first + _CHUNK]
            decoded += _seconds(lambda pieces=pieces: [decoder.decode(piece) for piece in pieces])
            start = time.process_time()
            for request in sample[first : first + _CHUNK]:
                credentials += len(recogniser.recognise(request))
            spent += time.process_time() - start
        decoding, recognising = min(decoding, decoded), min(recognising, spent)
    gc.unfreeze()
    print(f"recognise: {REQUESTS:,} requests, 12 headers, {DISTINCT:.0%} distinct, {credentials:,} credentials found")
    print(f"  decoding     {REQUESTS / decoding:12,.0f} requests/s  1.000")
    pure = module.__file__.endswith(".py")
    target = f"(target {PURE if pure else COMPILED}, {'pure' if pure else 'compiled'})"
    print(f"  recognising  {REQUESTS / recognising:12,.0f} requests/s  {decoding / recognising:.3f}  {target}")


if __name__ == "__main__":
    main()
