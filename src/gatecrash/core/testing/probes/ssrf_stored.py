"""Server-side request forgery of the second order: an address that one request keeps is fetched when another one is sent.

What it finds
    Addresses of webhooks, monitors, feeds and imports that are only kept at first, and that the server fetches when a
    recorded request about the same object sets that off: `POST /monitors/4/run` after `POST /monitors` or
    `PUT /monitors/4`, or a page below it.

Why it matters
    As with any request forgery the server reaches what callers do not: services without a login beside it, the cloud's metadata
    with its keys. A check of the address when it is kept is often missing, because nothing is fetched there.

How it decides
    A listener must be reachable for the target. The value names it, under a name that no other request holds. Where
    somebody fetches it at once, `ssrf` tells so. Else the recorded request about the object is sent, with the
    identifier that the answer gave out in the place of the recorded one. The listener must be asked for that name then,
    and for another name in the same way again. Only values that are addresses are asked for, where the record shows
    such a request.

Known misses
    What a schedule fetches, later than the run waits. Requests about the object that do not stand below its address, or
    that were not recorded. Targets that cannot reach a listener.

Standards and references
    CWE-918; OWASP Top 10:2021 A10 Server-Side Request Forgery; OWASP API Security Top 10:2023 API7 Server Side Request
    Forgery.
"""

import re
from collections.abc import Generator

from gatecrash.core.errors import UserError
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.dialogues.callbacks import CONFIRM_SECONDS
from gatecrash.core.testing.dialogues.inquiry import Inquiry, inquiring
from gatecrash.core.testing.dialogues.set_off import how_many, setting_off
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.out_of_band import OutOfBand, proven, strongest
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict

TYPE = "ssrf"
CWE = (918,)
# As `ssrf` has it: inner services are asked, and nothing is shown; a name that was only looked up says less.
THREAT_FETCHED, THREAT_NAME = 70, 30
_ADDRESS = re.compile(rb"https?://[^\s/]", re.IGNORECASE)
_CHANGING = ("POST", "PUT", "PATCH")
_NUMBERS = (1, 2)


def _dialogue(inquiry: Inquiry) -> Dialogue:
    oob, verdict = inquiry.situation.oob, None
    for number in _NUMBERS if oob is not None else ():
        assert oob is not None
        verdict = yield from _fetched_later(inquiry, oob, number, again=verdict is not None)
        if verdict is None:
            break
    return verdict or (yield from inquiry.nothing_found(TYPE))


def _fetched_later(
    inquiry: Inquiry, oob: OutOfBand, number: int, *, again: bool
) -> Generator[TestRequest, Answer, Verdict | None]:
    """Whether the address is fetched when another request is sent, and not when it is kept."""
    situation, purpose = inquiry.situation, "confirm" if again else "test"
    found = inquiry.vulnerable(ENTRY, THREAT_FETCHED, None, "the server fetches the address that is kept, later")
    lure = oob.lure(number, found, dns_threat=THREAT_NAME)
    try:
        keeping = inquiry.writer.write(oob.url(number).encode())
    except UserError:
        return None
    kept = yield TestRequest(keeping, purpose, lures=(lure,))
    response = kept.exchange.response
    if response is None or response.status >= FIRST_ERROR or strongest(lure, kept.hits) is not None:
        return None
    for asked in setting_off(situation, response):
        answer = yield TestRequest(asked, purpose, lures=(lure,), patience=CONFIRM_SECONDS if again else 0.0)
        hit = strongest(lure, answer.hits)
        if hit is not None:
            target = asked.target.decode("latin-1")
            more = f"It was fetched when {asked.method} {target} was sent, and not before."
            return proven(lure, hit, kept.exchange, more=f"{more} So was another address before." if again else more)
    return None


def applies(situation: Situation) -> bool:
    """Addresses that a request keeps, where the record shows another one that may make the server fetch them."""
    request, response = situation.baseline.request, situation.baseline.response
    if request.method.upper() not in _CHANGING or response is None or response.status >= FIRST_ERROR:
        return False
    return _ADDRESS.match(situation.value) is not None and not destroys(request) and how_many(situation) > 0


def forecast(situation: Situation) -> int:
    """The address is kept once, and what may set it off is sent."""
    return 1 + how_many(situation)


ENTRY = Entry(
    type=TYPE,
    title="Server-side request forgery by a kept address",
    cwe=CWE,
    owasp=("A10:2021",),
    owasp_api=("API7:2023",),
    why=(
        "The server fetches an address that a user has kept before. It reaches services that are not open to users: "
        "databases, administration, the cloud's metadata with its keys."
    ),
    remediation=(
        "Check the address when it is fetched, and not only when it is kept: allow only hosts from a fixed list, resolve the "
        "name once and refuse private and local addresses, and follow no redirects. Fetch from a network segment that "
        "reaches nothing inside."
    ),
)
PROBE = Probe(type=TYPE, name="stored", entry=ENTRY, applies=applies, forecast=forecast, run=inquiring(TYPE, _dialogue))
