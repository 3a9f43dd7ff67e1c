"""Keys and tokens that are compared in part: half of one is as good as the whole.

What it finds
    API keys, opaque tokens and session cookies of which only the beginning is looked at, or of which a beginning is enough, and
    those that are compared without case.

Why it matters
    What is compared in part is tried out in part: each letter that is not looked at makes guessing many times easier, and a
    part that logs, addresses and support requests show lets in. Without case every letter is worth a bit less.

How it decides
    Each credential of a safe request that is no JSON Web Token, no name with a password and no signature of the request
    is sent with its second half garbled, with its first half alone, and, where it has large and small letters and is no
    number in base 16, with their case swapped, without the other credentials. An answer that says all that the good one
    says is a finding, after two repeats with other characters, and after the same credential garbled as a whole was
    refused before each, alike both times and by neither a limiter nor a broken server. Of all that comes with the same
    kinds of credentials three requests are tried.

Known misses
    Credentials whose last few characters only are not looked at. Credentials that let in only together with others.

Standards and references
    CWE-187 (partial string comparison), CWE-178 (case), CWE-287; OWASP Top 10:2021 A07; OWASP API Security Top 10:2023
    API2 Broken Authentication.
"""

import re
from collections.abc import Callable, Generator
from hashlib import blake2s
from random import Random
from urllib.parse import parse_qsl

from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import read
from gatecrash.core.testing.asking import ask_raw, concluding, response_of, sample_baseline
from gatecrash.core.testing.authorization.callers.credentials import garble, with_only
from gatecrash.core.testing.authorization.openness.access import Access
from gatecrash.core.testing.authorization.tokens.jwt import parse
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.difference import read as said_by
from gatecrash.core.testing.oracles.difference import same_but_for_numbers
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable

TYPE = "auth"
PARTIAL, CASE, UNCHECKED = 187, 178, 287
THREAT, THREAT_CASE = 60, 40
CASELESS = "Credentials are checked without regard to case"
_LOTS = 3
_MOST_CREDENTIALS = 2
_ROUNDS = 2
# What an answer is that says nothing of the caller: a limiter's, a broken server's.
_OF_THE_MOMENT = frozenset({408, 429, 500, 502, 503, 504})
# Scheme words behind which one opaque value stands.
_BEARING = re.compile(r"(?:bearer|token|apikey|api-key|ssws|session|key)?", re.IGNORECASE)
_BASE_16 = re.compile(rb"[0-9A-Fa-f-]+")
_OPAQUE = re.compile(rb"[A-Za-z0-9._~+/=:%-]{16,512}")

_Bend = Callable[[bytes, Random], bytes]
_Trying = Generator[TestRequest, Answer, Exchange | None]


def _halved(value: bytes, _random: Random) -> bytes:
    return value[: len(value) // 2]


def _half_garbled(value: bytes, random: Random) -> bytes:
    half = len(value) // 2
    return value[:half] + garble(value[half:], random)


def _swapped(value: bytes, _random: Random) -> bytes:
    """The same where there is nothing to swap, or where the letters are digits, which mean the same in either case."""
    has_both = value.lower() != value and value.upper() != value
    return value.swapcase() if has_both and not _BASE_16.fullmatch(value) else value


_SWAPPED = "the case of its letters swapped"
_BENT: dict[str, _Bend] = {
    "its second half garbled": _half_garbled,
    "its first half alone": _halved,
    _SWAPPED: _swapped,
}


def _dialogue(situation: Situation) -> Dialogue:
    access = Access(situation, (yield from sample_baseline(situation, 1)))
    access.check_comparable()
    for point, before, value in _opaque(access.control.request, situation.credentials)[:_MOST_CREDENTIALS]:
        only = with_only(access.control.request, situation.credentials, point)
        place = _Place(only, point, before)
        for told, bend in _BENT.items():
            taken = yield from _taken(access, place, value, bend)
            if taken is not None:
                return _vulnerable(access, point, taken, told)
            if place.open:
                break
    return safe(TYPE, situation.point, "half of a credential is worth nothing")


class _Place:
    """Where a credential stands in a request that has no other. before: a scheme word. open: whether anything is taken there."""

    def __init__(self, request: Request, point: Point, before: bytes) -> None:
        self.request, self.point, self.before = request, point, before
        self.open = False

    def holding(self, value: bytes) -> Request | None:
        """The request with another value there; None where it cannot hold one."""
        try:
            return rewrite(self.request, self.point, self.before + value)
        except UserError:
            return None


def _taken(access: Access, place: _Place, value: bytes, bend: _Bend) -> _Trying:
    """The last answer to a bent credential, where all are as good, and the same garbled as a whole is refused between them."""
    random = access.situation.random
    other = bend(value, random)
    bent = place.holding(other) if other != value else None
    if bent is None or not (yield from access.admits((yield from ask_raw(bent)))):
        return None
    refused: list[Exchange] = []
    seen = None
    for _ in range(_ROUNDS):  # by turns: what moves, or is refused for other reasons, is so for both
        garbled = place.holding(garble(value, random))
        if garbled is None:
            return None
        refused.append((yield from ask_raw(garbled, "control")))
        place.open = place.open or access.as_good(refused[-1])
        if place.open or not _is_refusal(access, refused):
            return None
        seen = yield from ask_raw(place.holding(bend(value, random)) or bent, "confirm")
        if not access.as_good(seen):
            return None
    return seen


def _is_refusal(access: Access, answers: list[Exchange]) -> bool:
    """Whether the answers to garbled credentials refuse them: all alike, and none the word of a limiter or of a broken server."""
    first, last = response_of(answers[0]), response_of(answers[-1])
    if last.status in _OF_THE_MOMENT or first.status != last.status:
        return False
    return access.refuses(answers[-1]) is not None or same_but_for_numbers(said_by(first), said_by(last))


def _opaque(request: Request, credentials: tuple[Point, ...]) -> list[tuple[Point, bytes, bytes]]:
    """The credentials that are one opaque value, with what stands before each."""
    found: list[tuple[Point, bytes, bytes]] = []
    for point in dict.fromkeys(credentials):
        word, space, value = (read(request, point) or b"").rpartition(b" ")
        is_bearing = _BEARING.fullmatch(word.decode("latin-1")) is not None
        if is_bearing and _OPAQUE.fullmatch(value) and parse(value) is None:
            found.append((point, word + space, value))
    return found


def _vulnerable(access: Access, point: Point, taken: Exchange, told: str) -> Verdict:
    return vulnerable(
        ENTRY,
        point,
        threat=THREAT_CASE if told == _SWAPPED else THREAT,
        cwe=(CASE if told == _SWAPPED else PARTIAL, UNCHECKED),
        title=CASELESS if told == _SWAPPED else ENTRY.title,
        test=taken,
        control=access.control,
        verified_by=(
            f"With {told} and no other credentials the answer says all that the good one says, three times. Garbled as a "
            "whole it is refused, twice between them."
        ),
    )


def _collected(request: Request) -> tuple[str, ...]:
    """Of all that comes with the same kinds of credentials, what is tried: three at the most."""
    kinds = {name.lower().decode("latin-1") for name, _ in request.headers}
    kinds |= {name for name, _ in parse_qsl((request.query or b"").decode("latin-1"), keep_blank_values=True)}
    lot = blake2s(request.path).digest()[0] % _LOTS
    return ("auth_partial", request.host, str(request.port), str(lot), *sorted(kinds))


def applies(situation: Situation) -> bool:
    """Safe requests with a key, an opaque token or a session's cookie, where the policy is thorough: few applications do so."""
    request = situation.baseline.request
    if not is_safe(request) or request.method.upper() == "OPTIONS" or not is_thorough(situation.policy):
        return False
    return bool(_opaque(request, situation.credentials))


def forecast(situation: Situation) -> int:
    """A good answer, and each credential in two halves and with its case swapped."""
    opaque = _opaque(situation.baseline.request, situation.credentials)
    return 1 + len(_BENT) * min(_MOST_CREDENTIALS, len(opaque))


ENTRY = Entry(
    type=TYPE,
    title="Only part of the credentials is checked",
    cwe=(PARTIAL, CASE, UNCHECKED),
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why="Who has to guess half of a key guesses it; who has seen the beginning of one, as in a log, is let in by it.",
    remediation=(
        "Compare the whole credential with the stored one, by a function that takes the same time for all, or look up its "
        "hash. Refuse what is shorter or longer. Use no LIKE and no search for a part in the statement that looks it up."
    ),
)
PROBE = Probe(
    type=TYPE,
    entry=ENTRY,
    name="partial",
    whole=True,
    collected=_collected,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
