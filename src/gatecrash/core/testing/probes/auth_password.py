"""Names are enough: HTTP Basic whose password is not compared.

What it finds
    Endpoints that let in a known user name with any password.

Why it matters
    Names are no secret: they stand in addresses, in e-mail and in every list. Whoever knows one is that user.

How it decides
    The baseline is asked once more and must be answered well. Then its own user name goes with a random password. An answer
    that says all that the good one says is tried a second time with another password; without credentials and with an
    invented name it must be refused, else any credentials are enough, which the probe `auth` tells. No password is guessed,
    and at a sound application no account sees more than three wrong ones in a run: what else has the same name is not tried.

Known misses
    Logins by other means than Basic; Digest, Hawk and other proofs are garbled by `auth`. Endpoints with a check of their own
    beyond the three that are tried for each name. Changing methods.

Standards and references
    CWE-287; RFC 7617; OWASP Top 10:2021 A07 Identification and Authentication Failures; OWASP API Security Top 10:2023 API2
    Broken Authentication.
"""

from base64 import b64decode, b64encode
from binascii import Error
from hashlib import blake2s
from random import Random

import msgspec

from gatecrash.core.message import Request, with_header
from gatecrash.core.testing.asking import ask_raw, concluding, sample_baseline
from gatecrash.core.testing.authorization.callers.credentials import AUTHORIZATION, without_credentials
from gatecrash.core.testing.authorization.openness.access import Access
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.probe import Dialogue, Probe, Situation
from gatecrash.core.testing.verdict import safe, vulnerable

TYPE = "auth"
CWE = (287,)
THREAT = 88
MOST_TRIES = 3
"""Wrong passwords that one account of a sound application sees (decisions 11)."""


def _dialogue(situation: Situation) -> Dialogue:
    access = Access(situation, (yield from sample_baseline(situation, 1)))
    access.check_comparable()
    name, request, random = _name(access.request), access.request, situation.random
    seen = yield from ask_raw(_with(request, name, random))
    if not (yield from access.admits(seen)):
        return safe(TYPE, situation.point, "a wrong password is refused")
    bare = yield from ask_raw(without_credentials(request, situation.credentials), "control")
    stranger = yield from ask_raw(_with(request, fresh_letters(random, 10).encode(), random), "control")
    if access.as_good(bare) or access.as_good(stranger):
        return safe(TYPE, situation.point, "any name is as good, or none, which is told elsewhere")
    again = yield from ask_raw(_with(request, name, random), "confirm")
    if not access.as_good(again):
        return safe(TYPE, situation.point, "another wrong password is refused")
    shown = name.decode("utf-8", "replace")
    return vulnerable(
        ENTRY,
        AUTHORIZATION,
        detail=f"the user {shown!r} with any password",
        threat=THREAT,
        title="Any password is accepted",
        test=again,
        control=access.control,
        verified_by=(
            f"With the name {shown!r} and a random password the answer says all that the good one says, with two different "
            "passwords. Without credentials, and with an invented name, it does not."
        ),
    )


def _name(request: Request) -> bytes:
    """The user name in Basic; empty where there is none with a password."""
    word, _, encoded = (request.first(b"Authorization") or b"").partition(b" ")
    try:
        name, _, password = b64decode(encoded, validate=True).partition(b":")
    except (Error, ValueError):
        return b""
    return name if word.lower() == b"basic" and password else b""


def _with(request: Request, name: bytes, random: Random) -> Request:
    """The request in this name with a random password."""
    value = b"Basic " + b64encode(name + b":" + (fresh_letters(random, 10) + "Aa7!").encode())
    changed: Request = msgspec.structs.replace(request, headers=with_header(request.headers, b"Authorization", value))
    return changed


def _collected(request: Request) -> tuple[str, ...]:
    """Of all that one name asks for, what is tried: three at the most, in different parts of the application."""
    part = request.path.split(b"/")[1] if b"/" in request.path else b""
    lot = blake2s(part).digest()[0] % MOST_TRIES
    return ("auth_password", request.host, str(request.port), _name(request).decode("latin-1"), str(lot))


def applies(situation: Situation) -> bool:
    """Safe requests with a name and a password in Basic."""
    request = situation.baseline.request
    carried = {tuple(point) for point in situation.credentials}
    return is_safe(request) and request.method != "OPTIONS" and AUTHORIZATION in carried and bool(_name(request))


def forecast(_situation: Situation) -> int:
    """A good answer and a refusal."""
    return 2


ENTRY = Entry(
    type=TYPE,
    title="Any password is accepted",
    cwe=CWE,
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why="Whoever knows a user's name, which is no secret, is let in as that user.",
    remediation=(
        "Compare the password with its hash for every request, by a function that takes the same time for all, and answer 401 "
        "where it differs or the name is unknown. Let the framework or the gateway do it."
    ),
)
PROBE = Probe(
    type=TYPE,
    entry=ENTRY,
    name="password",
    whole=True,
    collected=_collected,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
