"""Permissive cross-origin sharing: any site may read answers that belong to the visitor.

What it finds
    Answers that name whatever origin asked as allowed, together with permission to send credentials: any origin, `null`,
    and origins that only begin or end as the target's own name does.

Why it matters
    A page that a signed-in user visits reads the user's data from your site, as the user.

How it decides
    The baseline is asked with an Origin of a fresh name. Access-Control-Allow-Origin must be that very origin and
    Access-Control-Allow-Credentials `true`, a second time with another name. Browsers refuse `*` with credentials, so that
    is no finding, and neither is a reflected origin without credentials: anybody may read what needs none.
    Only safe methods are asked, and only answers with content.

Known misses
    Permissions that stand in answers to preflights alone. Origins that are allowed by a list which names a host that
    anybody can take over.

Standards and references
    CWE-942; OWASP Top 10:2021 A05 Security Misconfiguration; OWASP API Security Top 10:2023 API8 Security
    Misconfiguration; WHATWG Fetch, section 3.2.
"""

from collections.abc import Generator

import msgspec

from gatecrash.core.message import Exchange, Request, Response, with_header
from gatecrash.core.testing.dialogues.asking import ask, check_alive, concluding, response_of
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.refused import refusal
from gatecrash.core.testing.ordering import is_safe
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Proof, Verdict, inconclusive, safe

TYPE = "cors"
CWE = (942,)
# 60: browsers send the cookie along by themselves. 35: what the request is signed in by must be known to the page.
THREAT_COOKIE, THREAT_OTHER = 60, 35
ANY, NULL, ENDS, BEGINS = "any origin", "null", "origins that end as the own", "origins that begin as the own"
PATTERNS = {
    ANY: "https://{mark}.example",
    NULL: "null",
    ENDS: "https://{mark}{host}",
    BEGINS: "https://{host}.{mark}.example",
}

_Deciding = Generator[TestRequest, Answer, Verdict | None]


def _dialogue(situation: Situation) -> Dialogue:
    recorded = situation.baseline.exchange
    control = yield from ask(recorded.request, "control")
    check_alive(recorded.response, response_of(control))
    if refusal(response_of(control)) is not None:
        return inconclusive(TYPE, situation.point, Inconclusive.NO_CONTROL, "the baseline itself is refused")
    inquiry = Inquiry(situation, [control])
    for kind, pattern in PATTERNS.items():
        first = yield from _asked(inquiry, pattern, "test")
        if first is None:
            continue
        again = yield from _asked(inquiry, pattern, "confirm")
        if again is not None:
            return _vulnerable(inquiry, kind, *again)
    return safe(TYPE, situation.point)


def _asked(inquiry: Inquiry, pattern: str, purpose: str) -> Generator[TestRequest, Answer, tuple[Exchange, str] | None]:
    """The exchange in which a foreign origin is allowed to read with credentials, and the origin; else None."""
    request = inquiry.situation.baseline.request
    origin = pattern.format(mark=inquiry.mark(8), host=request.host)
    headers = with_header(request.headers, b"Origin", origin.encode())
    changed: Request = msgspec.structs.replace(request, headers=headers)
    exchange = yield from ask(changed, purpose)
    return (exchange, origin) if _allows(response_of(exchange), origin) else None


def _allows(response: Response, origin: str) -> bool:
    """Whether a browser would hand this answer to a page of that origin that asked with credentials."""
    named = response.first(b"Access-Control-Allow-Origin") or b""
    credentials = response.first(b"Access-Control-Allow-Credentials") or b""
    return named.strip() == origin.encode() and credentials.strip() == b"true" and bool(response.body)


def _vulnerable(inquiry: Inquiry, kind: str, exchange: Exchange, origin: str) -> Verdict:
    by_cookie = any(tuple(point[:2]) == ("header", "COOKIE") for point in inquiry.situation.credentials)
    cookie = by_cookie or inquiry.situation.baseline.request.first(b"Cookie") is not None
    proof = Proof(
        test=exchange,
        control=inquiry.control,
        verified_by=(
            f"A request from the origin {origin!r} is answered with permission for that very origin to read it with "
            f"credentials. {'It stands for no site of anybody.' if kind == NULL else 'The name was drawn at random.'}"
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT_COOKIE if cookie else THREAT_OTHER, proof, f"allows {kind}")


def applies(situation: Situation) -> bool:
    """Safe requests whose answer has content."""
    response = situation.baseline.response
    request = situation.baseline.request
    return is_safe(request) and request.method.upper() == "GET" and (response is None or response.status < 400)


def forecast(_situation: Situation) -> int:
    """The control, and one request for each kind of origin."""
    return 1 + len(PATTERNS)


ENTRY = Entry(
    type=TYPE,
    title="Permissive cross-origin sharing",
    cwe=CWE,
    owasp=("A05:2021",),
    owasp_api=("API8:2023",),
    why="Any page that a signed-in user visits can read the user's data from this address, in the user's name.",
    remediation=(
        "Answer with an origin only if it stands on a fixed list, compared as a whole, and never with null. Allow "
        "credentials only where a page of another origin needs them. Send Vary: Origin with it."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, whole=True, applies=applies, forecast=forecast, run=concluding(TYPE, _dialogue))
