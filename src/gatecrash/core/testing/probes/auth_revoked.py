"""Keys that outlive their revocation: what was deleted lets in as before.

What it finds
    Requests that delete a key or a token which an answer handed out, after which that key still opens what it opened; a link for
    whoever has it (`/shared/4fQ…`), which somebody without credentials followed, is such a key, too.

Why it matters
    A key is revoked because somebody has it who should not. He keeps it, and its owner believes that it is worth nothing.

How it decides
    The record must show the request that hands such a key out, one that was let in by it, and one that deletes it. Its owner has
    a key made as recorded; with it, and no other credentials, the recorded request must be answered, and refused with a
    garbled one. He deletes this key as recorded. Where it still opens what only it opened, a moment later, and
    another key does so a minute after it was deleted, it outlives its revocation. No key that was there before is deleted.

Known misses
    Keys of which no use was recorded, or that go along with a session. Keys that are revoked by other requests than those that
    delete them, and keys that only expire.

Standards and references
    CWE-613 (insufficient session expiration); OWASP Top 10:2021 A07 Identification and Authentication Failures; OWASP API
    Security Top 10:2023 API2 Broken Authentication; RFC 7009 section 2.
"""

from collections.abc import Generator
from typing import NamedTuple

import msgspec

from gatecrash.core.message import Request, with_header
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.asking import ask, ask_raw, concluding, put, response_of
from gatecrash.core.testing.authorization.callers.credentials import garble, without_credentials
from gatecrash.core.testing.authorization.callers.holder import named_by
from gatecrash.core.testing.authorization.objects.made_anew import in_name_of, may_make
from gatecrash.core.testing.authorization.objects.named import asking_for
from gatecrash.core.testing.authorization.owners.told_facts import has_nearly_all
from gatecrash.core.testing.authorization.tokens.handed_keys import place_of
from gatecrash.core.testing.effects.destruction import deletes
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.objects import KeyUse, Made
from gatecrash.core.testing.known.page import Page, asking
from gatecrash.core.testing.oracles.difference import read
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good, is_taken
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, inconclusive, safe, vulnerable

TYPE = "auth"
CWE = (613,)
THREAT = 70
# Seconds in which a server's memory of a key may end: it is looked at for longer only where it is still there behind the first.
_PAUSES = {"test": 2.0, "confirm": 60.0}


class _Key(NamedTuple):
    """A key made anew. deleting: what its owner deletes it by."""

    value: str
    deleting: Request


def _dialogue(situation: Situation) -> Dialogue:
    point, (maker, use) = situation.point, _recorded(situation)
    bare = without_credentials(situation.baseline.request, situation.credentials)
    exchange, good = situation.baseline.exchange, situation.baseline.exchange
    for purpose, seconds in _PAUSES.items():
        key = yield from _made(situation, maker, use)
        if key is None:
            return inconclusive(TYPE, point, Inconclusive.NO_CONTROL, "no such key could be made")
        good = yield from ask_raw(_with(use, bare, key.value), "control")
        wrong = garble(key.value.encode(), situation.random).decode("latin-1")
        stranger = response_of((yield from ask_raw(_with(use, bare, wrong), "control")))
        said = read(response_of(good)).facts - read(stranger).facts
        opens = is_taken(response_of(good)) and not is_taken(stranger) and bool(said)
        deleted = yield from ask(key.deleting, purpose)
        if not opens:
            return safe(TYPE, point, "the key opens nothing that another does not")
        if not is_good(response_of(deleted)):
            return inconclusive(TYPE, point, Inconclusive.NO_CONTROL, "the new key could not be deleted")
        pause = TestRequest(_with(use, bare, key.value), purpose, raw=True, pause=seconds)
        exchange = yield from put(pause)
        if not has_nearly_all(response_of(exchange), said):
            return safe(TYPE, point, "the key is refused once it is deleted")
    where = f"{use.request.method} {use.request.path.decode('latin-1')}"
    return vulnerable(
        ENTRY,
        point,
        detail=f"{where} is still answered",
        threat=THREAT,
        test=exchange,
        control=good,
        verified_by=(
            f"A key was made and {where} was answered with it, and refused with a garbled one. The key was deleted as recorded, and "
            f"is answered as before; twice, with two keys, {_PAUSES['confirm']:.0f} s later the second time."
        ),
    )


def _made(situation: Situation, maker: Made, use: KeyUse) -> Generator[TestRequest, Answer, _Key | None]:
    """A key that its owner has made; None where the answer tells none, or one that was there before."""
    made = response_of((yield from ask(in_name_of(situation.baseline.request, maker), "control")))
    number = maker.identifier(made)
    values = {leaf.value for leaf in leaves(made) if leaf.path == use.path} - {use.was}
    deleting = asking_for(situation.baseline.request, named_by(situation)[-1], number) if number else None
    return _Key(values.pop(), deleting) if len(values) == 1 and deleting is not None else None


def _with(use: KeyUse, bare: Request, key: str) -> Request:
    """The recorded request with another key, and nothing else that says who sent it."""
    asked = asking(bare, Page(use.request, rendered=False))
    if use.point is not None:
        return rewrite(asked, use.point, key.encode())
    headers = with_header(asked.headers, use.header, use.before + key.encode())
    changed: Request = msgspec.structs.replace(asked, headers=headers)
    return changed


def _recorded(situation: Situation) -> tuple[Made, KeyUse]:
    """What hands such a key out, and what was let in by one."""
    use = situation.uses[0]
    return next(made for made in situation.makers if place_of(made.request) == use.made_by), use


def applies(situation: Situation) -> bool:
    """What deletes a key of which the record shows the making and a use."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is None or not is_good(response) or not deletes(request) or not situation.uses:
        return False
    return may_make(situation) and bool(named_by(situation)) and all(made.path for made in situation.makers[:1])


def forecast(_situation: Situation) -> int:
    """A key, its use with and without it, its deletion, and the use once more."""
    return 5


ENTRY = Entry(
    type=TYPE,
    title="A revoked key or link is still taken",
    cwe=CWE,
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why="Who revokes a key that leaked believes that it is worth nothing. Whoever has it goes on as before.",
    remediation=(
        "Look at each request whether its key was revoked, in the store that its owner's request changes, and keep no copy of an "
        "answer to that for longer than seconds."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="revoked",
    entry=ENTRY,
    whole=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
