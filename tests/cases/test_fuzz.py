"""Mutations of every case's request: whatever arrives, recognising and folding answer, and no request is lost."""

import random
from collections.abc import Iterator

import pytest
from tests.cases.case import cases_of
from tests.cases.planted import PLANTED

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.inventory.fold import Folder
from gatecrash.core.message import Exchange, Request, Response

# The planted ones bring bodies of every kind and the protocols' messages.
SEEDS = [case.request for case in cases_of("auth")] + [one.exchange.request for one in PLANTED]
CHALLENGES = (
    b"Negotiate",
    b"NTLM",
    b'Digest realm="r", nonce="n"',
    b"NTLM TlRMTVNTUAACAAAA",
    b"SCRAM-SHA-256 data=cj0x",
)
COOKIES = (b"PHPSESSID=a1b2c3", b"tea=9f8e7d6c5b4a39281706; HttpOnly", b"_tea_session=x1; Max-Age=0", b"AWSALB=abc")


def mutated(draw: random.Random, value: bytes) -> bytes:
    """One to three small changes: a byte, a cut, a repetition, a piece of another case."""
    changed = bytearray(value)
    for _ in range(draw.randint(1, 3)):
        at = draw.randint(0, len(changed))
        kind = draw.randrange(5)
        if kind == 0:
            changed[at : at + 1] = bytes((draw.randrange(256),))
        elif kind == 1:
            del changed[at : at + draw.randint(1, 8)]
        elif kind == 2:
            changed[at:at] = changed[at : at + draw.randint(1, 8)] * draw.randint(1, 40)
        elif kind == 3:
            other = draw.choice(draw.choice(SEEDS).headers or ((b"", b""),))[1]
            changed[at:at] = other[draw.randint(0, len(other)) :]
        else:
            changed[at:at] = draw.choice(
                (b'"', b"\\", b",", b";", b"=", b":", b"%", b"%zz", b"\x00", b" ", b"eyJ", b"\xff")
            )
    return bytes(changed)


def requests(draw: random.Random) -> Iterator[Request]:
    """Mutated requests without end."""
    while True:
        seed = draw.choice(SEEDS)
        headers = tuple(
            (
                mutated(draw, name) if draw.random() < 0.05 else name,
                mutated(draw, value) if draw.random() < 0.7 else value,
            )
            for name, value in seed.headers
        )
        target = mutated(draw, seed.target) if draw.random() < 0.3 else seed.target
        body = mutated(draw, seed.body) if seed.body else b""
        yield Request(seed.method, target, headers, body, host=draw.choice(("a.example", "b.example")))


def answer(draw: random.Random) -> Response | None:
    """An answer that may challenge, hand out cookies, or not be known."""
    if draw.random() < 0.1:
        return None
    headers = []
    if draw.random() < 0.4:
        headers.append((b"WWW-Authenticate", mutated(draw, draw.choice(CHALLENGES))))
    if draw.random() < 0.3:
        headers.append((b"Set-Cookie", mutated(draw, draw.choice(COOKIES))))
    return Response(draw.choice((200, 200, 302, 401, 401, 403, 404, 500)), tuple(headers))


def fuzz(count: int, seed: int) -> None:
    draw = random.Random(seed)
    folder = Folder(compile_recogniser())
    for number, request in zip(range(count), requests(draw), strict=False):
        exchange = Exchange(
            request, answer(draw), 7200.0 + number / 100, connection=draw.choice(("", "c1", "c2", "c3"))
        )
        try:
            folder.add(exchange)
        except Exception as error:
            raise AssertionError(f"input {number} of seed {seed}: {request!r}") from error
    taken = folder.take()
    waiting = sum(tally.requests for path in folder._waiting.values() for tally in path.hours.values())
    assert sum(hour.requests for hour in taken) + waiting + folder.legs + folder.dropped == count
    assert all(hour.authenticated <= hour.requests for hour in taken)


def test_five_thousand_inputs():
    fuzz(5_000, seed=20260115)


@pytest.mark.soak
def test_a_hundred_thousand_inputs_of_another_seed_each_time():
    fuzz(100_000, seed=random.SystemRandom().randrange(2**32))
