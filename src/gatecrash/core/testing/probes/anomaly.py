"""Anomalies: single bytes that an application breaks over, whatever the reason.

What it finds
    Bytes in a value that make the application answer with a server error, or with whatever the policy's fuzzer calls an
    anomaly (a status, a length, a time, another structure, a text), although other bytes of the same number do not.

Why it matters
    A crash is an input that nobody thought of: the first sign of a parser, an encoder or a query that takes data for
    something else. It is where attackers look first, and where services can be stopped by a single request.

How it decides
    The 255 byte values 0 to 254 are put at the beginning and the end of a value, at a random place in it, and instead of a
    part of it, several in each payload. An answer that one of the policy's conditions calls an anomaly, and none calls no
    anomaly, is asked for again; then as many letters are put to the same place, which must be no anomaly: this clears
    targets that break over anything longer, and those that break by themselves. The payload is then halved until the guilty
    bytes are left: one, or several that only break it together. These must do it once more.
    A condition of the policy can stop the fuzzing of a point. Bytes that are no UTF-8 and break a JSON body also where
    they stand in a member that nobody reads break its parser: that is told once a host, and not at each of its values.
    Printable characters where an injection into a statement was proven before, are its errors of syntax, and no finding
    of their own.

Known misses
    Bytes that break it only together and in another payload, and those of patterns and paths in what deletes something.
    Bytes that the place cannot hold: control characters in XML, and in headers where the server refuses them. Anomalies that come and go.

Standards and references
    CWE-20, CWE-755; OWASP Top 10:2021 A04 Insecure Design; OWASP API Security Top 10:2023 API8 Security
    Misconfiguration; RFC 3629, section 3 (bytes that are never part of UTF-8).
"""

from collections.abc import Generator, Iterator
from random import Random
from typing import NamedTuple

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import read
from gatecrash.core.testing.asking import ask, concluding, sample_baseline
from gatecrash.core.testing.conditions import Measured, any_holds, measured
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.turns import in_random_order
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.takes_all import may_change, may_take_all
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.fuzzer import BYTES, Fuzzer, Place
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import block
from gatecrash.core.testing.oracles.outcomes.told_errors import blames_the_sender
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Proof, Verdict, inconclusive, safe

TYPE = "anomaly"
BREAKS = "Fails on unexpected bytes"
CWE = (20, 755)
# What breaks is known, what comes of it is not.
THREAT = 25
_LETTERS = b"etaoinshrdlu"
_ASCII = 0x80
# To those who delete by a name, a pattern or a path these may mean nothing, anything, or what lies around it.
_MEAN_OTHERS = b"\0%*?_.[/\\"
_BLANK, _DELETE = 0x20, 0x7F
_CONTROLS = bytes(each for each in (*range(_BLANK), _DELETE) if each != 0x09)
# Of which whatever is put into them unquoted is a part: one character too many is an error of their syntax.
_STATEMENTS = ("sqli", "nosqli", "xpathi", "ldapi", "rce", "ssti")
_IN_JSON = ("post", "json_doc", "json_obj")
BODY = Point.of("post")
_MOST_SHOWN = 16
# 70 orders of four and four: what breaks by turns meets one of them.
_ROUNDS = 4


class _Spot(NamedTuple):
    """Where in the value the bytes go: between what is kept before and behind."""

    place: Place
    before: bytes
    behind: bytes


class _Stop(Exception):
    """The point is left alone from here on; the text says why."""


_Asking = Generator[TestRequest, Answer, Exchange | None]


class _Fuzzing:
    """One point under the policy's conditions. refused: the bytes that the server takes in no header."""

    def __init__(self, inquiry: Inquiry, good: Exchange) -> None:
        self.inquiry = inquiry
        self.refused = b""
        self.fuzzer: Fuzzer = inquiry.situation.policy.fuzzer
        self.good = measured(good)

    def holds(self, content: bytes) -> bool:
        """Whether the place can hold these bytes at all."""
        try:
            self.inquiry.writer.write(content)
        except UserError:
            return False
        return True

    def anomaly(self, spot: _Spot, inserted: bytes, purpose: str = "test") -> _Asking:
        """The exchange where the answer to these bytes is an anomaly. Raises _Stop."""
        value = spot.before + inserted + spot.behind
        if not self.holds(value):
            return None
        request = self.inquiry.writer.write(value)
        exchange = yield from ask(request, purpose)
        response = exchange.response
        why = block(response) if response is not None else None
        if why and not block(self.inquiry.good):
            self.inquiry.blocked = why
            return None
        if response is not None and blames_the_sender(text_of(response)):
            return None
        seen = self.measured(exchange, value)
        if any_holds(self.fuzzer.stop, seen, self.good):
            raise _Stop("a stop condition of the policy held")
        return exchange if self.is_anomaly(seen) else None

    def measured(self, exchange: Exchange, value: bytes) -> Measured:
        """An answer to a value of ours, read as if the baseline's were echoed in it."""
        known = self.inquiry.situation.value
        return measured(exchange, {value.decode("utf-8", "replace"): known.decode("utf-8", "replace")})

    def is_anomaly(self, seen: Measured) -> bool:
        """Whether the policy calls an answer an anomaly."""
        return any_holds(self.fuzzer.anomaly, seen, self.good) and not any_holds(
            self.fuzzer.no_anomaly, seen, self.good
        )


def _dialogue(situation: Situation) -> Dialogue:
    # Times and structures are compared with an answer of today where one may be asked for.
    samples = yield from sample_baseline(situation)
    if not samples:
        return inconclusive(TYPE, situation.point, Inconclusive.NO_CONTROL, "no whole answer was recorded")
    inquiry = Inquiry(situation, samples)
    fuzzing = _Fuzzing(inquiry, samples[0])
    if any(fuzzing.is_anomaly(measured(sample)) for sample in samples):
        return inconclusive(TYPE, situation.point, Inconclusive.UNSTABLE, "the baseline itself is an anomaly")
    try:
        for spot, payload in _payloads(fuzzing, situation):
            verdict = yield from _judge(fuzzing, spot, payload)
            if verdict is not None:
                return verdict
    except _Stop as stop:
        return safe(TYPE, situation.point, str(stop))
    return (yield from inquiry.nothing_found(TYPE))


def _payloads(fuzzing: _Fuzzing, situation: Situation) -> Iterator[tuple[_Spot, bytes]]:
    """Every payload of every size at every place; bytes that the place cannot hold are left out, and those that no parser of the
    host holds.
    """
    value = situation.value
    known = _is_in_json(situation) and _parser_of(situation) in situation.memory.told
    wanted = BYTES[:_ASCII] if known else BYTES
    wanted = wanted.translate(None, _MEAN_OTHERS) if may_take_all(situation.baseline) else wanted
    if wanted.startswith(b"\0") and may_change(situation.baseline):
        wanted = wanted[1:2] + b"\0" + wanted[2:]  # a text that begins with it is empty to programs in C
    fitting = _fitting(fuzzing, value, wanted)
    # Many read as a number what a text begins with: of 1003 cut behind 100 they would change another object.
    changes = not is_safe(situation.baseline.request)
    whole = value.isdigit() and changes
    # A letter more before the sign or in the host, and a stranger is written to. No host ends with more than its last label.
    places = [place for place in fuzzing.fuzzer.places if place == "end" or not (changes and b"@" in value)]
    for size in fuzzing.fuzzer.sizes:
        for place in places:
            for payload in _cut(fitting, size):
                yield _spot(place, value, situation.random, whole=whole), payload


def _fitting(fuzzing: _Fuzzing, value: bytes, wanted: bytes) -> bytes:
    """Of these bytes the ones that the place can hold. It is asked for all at once, and for halves only where it cannot."""
    if fuzzing.holds(value + wanted + b"e"):
        return wanted
    half = len(wanted) // 2
    return _fitting(fuzzing, value, wanted[:half]) + _fitting(fuzzing, value, wanted[half:]) if half else b""


def _cut(fitting: bytes, size: int) -> list[bytes]:
    """All bytes in payloads of this size; a size above their number has them again and again."""
    if size > len(fitting) > 0:
        return [(fitting * (size // len(fitting) + 1))[:size]]
    return [fitting[at : at + size] for at in range(0, len(fitting), size)]


def _spot(place: Place, value: bytes, random: Random, *, whole: bool) -> _Spot:
    """whole: what stands before the payload is all of the value, or nothing."""
    if place == "beginning":
        return _Spot(place, b"", value)
    if place == "end":
        return _Spot(place, value, b"")
    begin = random.choice((0, len(value))) if whole else random.randint(0, len(value))
    end = begin if place == "random" else random.randint(begin, len(value))
    return _Spot(place, value[:begin], value[end:])


def _judge(fuzzing: _Fuzzing, spot: _Spot, payload: bytes) -> Generator[TestRequest, Answer, Verdict | None]:
    """An anomaly that comes again, not with letters in the same place, and by these bytes alone."""
    payload = payload.translate(None, fuzzing.refused)
    first = yield from fuzzing.anomaly(spot, payload)
    if fuzzing.inquiry.blocked and fuzzing.inquiry.situation.point[0] == "header" and not fuzzing.refused:
        # A server may refuse control characters in a header itself (RFC 9110, section 5.5): the others are still to be asked.
        fuzzing.inquiry.blocked, fuzzing.refused = "", _CONTROLS
        payload = payload.translate(None, _CONTROLS)
        first = yield from fuzzing.anomaly(spot, payload)
    if first is None:
        return None
    yield from _answer(fuzzing, spot, len(payload))
    if (yield from fuzzing.anomaly(spot, payload, "confirm")) is None:
        return None
    guilty = yield from _guilty(fuzzing, spot, payload)
    control = yield from _answer(fuzzing, spot, len(guilty))
    again = yield from fuzzing.anomaly(spot, guilty, "confirm")
    if again is None or not (yield from _by_these_alone(fuzzing, spot, guilty)):
        return None
    if _is_explained(fuzzing.inquiry.situation, guilty):
        return None
    if (yield from _breaks_the_parser(fuzzing, guilty)):
        told = fuzzing.inquiry.situation.memory.told
        if _parser_of(fuzzing.inquiry.situation) in told:
            return None  # another dialogue has told it meanwhile
        told.add(_parser_of(fuzzing.inquiry.situation))
    return _verdict(fuzzing, spot, guilty, again, control)


def _is_explained(situation: Situation, guilty: bytes) -> bool:
    """Whether these are characters of a text that an injection at the same point has shown to be put into a statement:
    they end it early.
    """
    point = situation.point
    return all(_BLANK <= each < _DELETE for each in guilty) and any(
        (each, point) in situation.memory.proven for each in _STATEMENTS
    )


def _is_in_json(situation: Situation) -> bool:
    return tuple(situation.point[:3]) == _IN_JSON


def _parser_of(situation: Situation) -> tuple[str, ...]:
    """What the run remembers of a host whose JSON breaks over bytes."""
    return (TYPE, "json", situation.baseline.request.origin)


def _breaks_the_parser(fuzzing: _Fuzzing, guilty: bytes) -> Generator[TestRequest, Answer, bool]:
    """Whether bytes that are no UTF-8 break the body in a member of a fresh name too, which letters there do not."""
    request = fuzzing.inquiry.situation.baseline.request
    body = read(request, BODY) or b""
    if not _is_in_json(fuzzing.inquiry.situation) or min(guilty) < _ASCII or not body.rstrip().endswith(b"}"):
        return False
    name = fuzzing.inquiry.mark(8).encode()
    for inserted in ((_LETTERS * len(guilty))[: len(guilty)], guilty):
        more = body.rstrip()[:-1] + b',"' + name + b'":"' + inserted + b'"}'
        exchange = yield from ask(rewrite(request, BODY, more), "control")
        if fuzzing.is_anomaly(measured(exchange)) != (inserted == guilty):
            return False
    return True


def _by_these_alone(fuzzing: _Fuzzing, spot: _Spot, guilty: bytes) -> Generator[TestRequest, Answer, bool]:
    """Whether the bytes are an anomaly each time, and letters never, in random order. Raises _Stop."""
    for bytes_asked in in_random_order(fuzzing.inquiry.random, _ROUNDS):
        if not bytes_asked:
            yield from _answer(fuzzing, spot, len(guilty))
        elif (yield from fuzzing.anomaly(spot, guilty, "confirm")) is None:
            return False
    return True


def _answer(fuzzing: _Fuzzing, spot: _Spot, length: int) -> Generator[TestRequest, Answer, Exchange]:
    """The answer to so many letters. Raises _Stop where it is an anomaly, too: then no byte is guilty of any."""
    letters = bytes(fuzzing.inquiry.random.choice(_LETTERS) for _ in range(length))
    value = spot.before + letters + spot.behind
    request = fuzzing.inquiry.writer.write(value)
    exchange = yield from ask(request, "control")
    if fuzzing.is_anomaly(fuzzing.measured(exchange, value)):
        raise _Stop("plain letters are answered as the bytes are")
    return exchange


def _guilty(fuzzing: _Fuzzing, spot: _Spot, payload: bytes) -> Generator[TestRequest, Answer, bytes]:
    """The fewest bytes that halving leads to: one, or several that only together are an anomaly."""
    while len(payload) > 1:
        half = len(payload) // 2
        for part in (payload[:half], payload[half:]):
            if (yield from fuzzing.anomaly(spot, part)) is not None:
                payload = part
                break
        else:
            return payload
    return payload


def _verdict(fuzzing: _Fuzzing, spot: _Spot, guilty: bytes, again: Exchange, control: Exchange) -> Verdict:
    shown = " ".join(f"{each:02x}" for each in guilty[:_MOST_SHOWN]) + (" …" if len(guilty) > _MOST_SHOWN else "")
    many = "The byte" if len(guilty) == 1 else f"{len(guilty)} bytes together,"
    where = {"beginning": "before the value", "end": "behind the value", "random": "within the value"}.get(
        spot.place, "instead of a part of the value"
    )
    status = again.response.status if again.response is not None else 0
    proof = Proof(
        test=again,
        control=control,
        verified_by=(
            f"{many} {shown} (hexadecimal) {where}: the answer is an anomaly (status {status}; the baseline's is "
            f"{fuzzing.good.response.status}), six times at least; as many letters in the same place are none, in turns at random. The "
            f"bytes were found by halving a longer payload."
        ),
    )
    verdict = fuzzing.inquiry.vulnerable(ENTRY, THREAT, proof, f"bytes {shown} {where}")
    return msgspec.structs.replace(verdict, title=f"{BREAKS} ({shown})")


def forecast(situation: Situation) -> int:
    """Requests for a sound point: the baseline twice, and each payload once."""
    fuzzer: Fuzzer = situation.policy.fuzzer
    payloads = sum(-(-len(BYTES) // size) for size in fuzzer.sizes) * len(fuzzer.places)
    return payloads + (2 if is_safe(situation.baseline.request) else 0)


ENTRY = Entry(
    type=TYPE,
    title=BREAKS,
    cwe=CWE,
    owasp=("A04:2021",),
    owasp_api=("API8:2023",),
    why=(
        "An input that nobody thought of makes the application fail. Behind such failures lie parsers and queries that take "
        "data for something else, and at the least a way to fill logs and to stop work."
    ),
    remediation=(
        "Check what a value may hold (encoding, characters, length) where it comes in, and refuse the rest with a 400. Look "
        "up the failure in the application's log, mend its cause, and keep the bytes as a test."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, applies=holds_a_value, forecast=forecast, run=concluding(TYPE, _dialogue))
