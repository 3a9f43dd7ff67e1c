"""Permissive cross-origin sharing: any site may read answers that belong to the visitor.

What it finds
    Answers that name whatever origin asked as allowed, together with permission to send credentials: any origin,
    `null`, and origins that only begin or end as the target's own name does, or as the one that the answer allows by
    itself, or as the domain of its caller's mail, or have another sign in the place of its dot, as expressions that do
    not escape it take. Data of whom a cookie names, handed out as a call of a function that the address names (JSONP):
    any site may load it as a script, which no origin is asked for.

Why it matters
    A page that a signed-in user visits reads the user's data from your site, as the user.

How it decides
    The baseline is asked with an Origin of a fresh name. Access-Control-Allow-Origin must be that very origin and
    Access-Control-Allow-Credentials `true`, a second time with another name. Browsers refuse `*` with credentials, so
    that is no finding, and neither is a reflected origin without credentials: anybody may read what needs none. An
    origin that ends as an allowed one is none where any name below the same one is allowed, unless what ends as that
    without a dot is allowed, too. Only safe methods are asked, and only answers with content.
    As a script: asked as a foreign page's script element would, with nothing but the cookies, a fresh name of a function is
    called in the answer, twice, in a type that browsers run; what both calls hand over is not all handed to a visitor
    without cookies, asked twice, and is more than that all went well.

Known misses
    Whether a browser sends the cookie from another site (SameSite) is not always to be seen here. Names of such
    functions that are in no list. Permissions that stand in answers to preflights alone. Origins that are allowed by a
    list which names a host that anybody can take over.

Standards and references
    CWE-942; OWASP Top 10:2021 A05 Security Misconfiguration; OWASP API Security Top 10:2023 API8 Security
    Misconfiguration; WHATWG Fetch, section 3.2.
"""

import re
from collections.abc import Generator

import msgspec

from gatecrash.core.message import Exchange, Request, Response, with_header, without_header
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import walk
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import ask, ask_as, check_alive, concluding, response_of
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.operations.sockets import opens_socket
from gatecrash.core.testing.oracles.body import media_type
from gatecrash.core.testing.oracles.difference import Fact, Reading, read, said_by_ones_alone, says_anything
from gatecrash.core.testing.oracles.outcomes.refused import LOGIN_FORM, refusal
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Proof, Verdict, inconclusive, safe

TYPE = "cors"
CWE = (942,)
# 60: browsers send the cookie along by themselves. 35: what the request is signed in by must be known to the page.
THREAT_COOKIE, THREAT_OTHER = 60, 35
ANY, NULL, ENDS, BEGINS = "any origin", "null", "origins that end as the own", "origins that begin as the own"
ANY_SIGN, ANY_SIGN_AS_TOLD = "any sign for a dot of the own origin", "any sign for a dot of the allowed origin"
ENDS_AS_TOLD, BEGINS_AS_TOLD = "origins that end as the allowed one", "origins that begin as the allowed one"
ENDS_AS_MAIL = "origins that end as the domain of the caller's mail"
BEGINS_AS_MAIL = "origins that begin as the domain of the caller's mail"
# Origins that share the end of their names with one that is allowed, and so may stand beside it below a name that all may stand below.
_NEARLY_OWN = (ENDS, ENDS_AS_TOLD, ENDS_AS_MAIL, ANY_SIGN, ANY_SIGN_AS_TOLD)
PATTERNS = {
    ANY: "https://{mark}.example",
    NULL: "null",
    ENDS: "https://{mark}{host}",
    BEGINS: "https://{host}.{mark}.example",
}

_ORIGIN = re.compile(rb"(https?://)([\w.-]+)(?::\d+)?")
# A name that is somebody's else with a letter in the place of its first dot: `shop.example.org`, and no address of numbers.
_DOTTED = re.compile(r"([a-z0-9-]+)\.((?:[a-z0-9-]+\.)+[a-z]{2,})", re.IGNORECASE)
_MAIL = re.compile(r"[^@\s]+@((?:[a-z0-9-]+\.)+[a-z]{2,})")
# What clients of JSONP call the parameter, as the wide-spread ones do (jQuery, AngularJS, Express's setting, Spring's view).
CALLBACKS = ("callback", "jsonp", "cb", "jsoncallback", "jsonpcallback")
# The comment and the test that Express and others put before the call, against content that is taken for something else.
_CALL = re.compile(
    rb"\s*+(?>/\*.*?\*/\s*+)?+(?:typeof [\w.$]++ ?===? ?'function' ?&& ?)?([\w.$]++)\((.*)\)\s*+;?+\s*+", re.DOTALL
)
# What an answer says of itself: `{"ok": 1}`, `{"status": "success"}`.
_WELL = re.compile(r"=?(?:true|1|200)|ok(?:ay)?|success(?:ful)?|done|pong", re.IGNORECASE)
_RUN = re.compile(r"(?:text|application)/(?:x-)?(?:java|ecma)script")
_SENT_BY_BROWSERS = frozenset({b"host", b"cookie", b"user-agent", b"accept", b"accept-language", b"accept-encoding"})
_OF_A_SCRIPT = ((b"Sec-Fetch-Site", b"cross-site"), (b"Sec-Fetch-Mode", b"no-cors"), (b"Sec-Fetch-Dest", b"script"))

_Deciding = Generator[TestRequest, Answer, Verdict | None]
_Foreign = Generator[TestRequest, Answer, tuple[Exchange, str] | None]


def _dialogue(situation: Situation) -> Dialogue:
    recorded = situation.baseline.exchange
    control = yield from ask(recorded.request, "control")
    check_alive(recorded.response, response_of(control))
    refused = refusal(response_of(control))
    if refused == LOGIN_FORM and recorded.response is not None and refusal(recorded.response) == refused:
        return safe(TYPE, situation.point, "a login form is there for everybody")
    if refused is not None:
        return inconclusive(TYPE, situation.point, Inconclusive.NO_CONTROL, "the baseline itself is refused")
    inquiry = Inquiry(situation, [control])
    nearly = (*_as_own(situation.baseline.request), *_alike(response_of(control)), *_as_mail(situation))
    for kind, pattern in (*PATTERNS.items(), *nearly):
        first = yield from _asked(inquiry, pattern, "test")
        if first is None:
            continue
        again = yield from _asked(inquiry, pattern, "confirm")
        if again is not None and kind in _NEARLY_OWN:
            again = yield from _of_another_site(inquiry, *again)
        if again is not None:
            return _vulnerable(inquiry, kind, *again)
    verdict = (yield from _by_script(inquiry)) if _may_be_script(situation) else None
    return verdict or safe(TYPE, situation.point)


def _as_own(request: Request) -> tuple[tuple[str, str], ...]:
    """Origins that end and begin as the own one where that is written with its port, or is none of HTTPS; or nearly are it."""
    if request.origin == f"https://{request.host}":
        return _with_any_sign(ANY_SIGN, "https://", request.host)
    if ":" in request.host:
        return ()
    whole = request.origin.replace("://", "://{mark}", 1)
    begins = ((BEGINS, f"http://{request.host}.{{mark}}.example"),) if request.scheme == "http" else ()
    return (ENDS, whole), *begins, *_with_any_sign(ANY_SIGN, f"{request.scheme}://", request.host)


def _alike(control: Response) -> tuple[tuple[str, str], ...]:
    """Origins that end and begin as the one which the answer allows whoever asks."""
    told = _ORIGIN.fullmatch((control.first(b"Access-Control-Allow-Origin") or b"").strip())
    if told is None:
        return ()
    scheme, host = told[1].decode(), told[2].decode()
    ends, begins = f"{scheme}{{mark}}{host}", f"{scheme}{host}.{{mark}}.example"
    return (ENDS_AS_TOLD, ends), (BEGINS_AS_TOLD, begins), *_with_any_sign(ANY_SIGN_AS_TOLD, scheme, host)


def _as_mail(situation: Situation) -> tuple[tuple[str, str], ...]:
    """Origins that end and begin as the domain of the caller's mail: the owner's, where the application is for his own people.

    What is asked here by another name than its own (an address, a name inside) allows the pages of that one.
    """
    known = sorted(holder_values(situation))
    domain = next((found[1] for value in known if (found := _MAIL.fullmatch(value))), None)
    if domain is None or domain == situation.baseline.request.host:
        return ()
    return (ENDS_AS_MAIL, f"https://{{mark}}{domain}"), (BEGINS_AS_MAIL, f"https://{domain}.{{mark}}.example")


def _with_any_sign(kind: str, scheme: str, host: str) -> tuple[tuple[str, str], ...]:
    """The origin with a letter in the place of its first dot, which is another site's."""
    found = _DOTTED.fullmatch(host)
    return ((kind, f"{scheme}{found[1]}{{letter}}{found[2]}"),) if found else ()


def _asked(inquiry: Inquiry, pattern: str, purpose: str) -> _Foreign:
    """The exchange in which a foreign origin is allowed to read with credentials, and the origin; else None."""
    request = inquiry.situation.baseline.request
    origin = pattern.format(mark=inquiry.mark(8), letter=inquiry.mark(1), host=request.host)
    headers = with_header(request.headers, b"Origin", origin.encode())
    changed: Request = msgspec.structs.replace(request, headers=headers)
    exchange = yield from ask(changed, purpose)
    return (exchange, origin) if _allows(response_of(exchange), origin) else None


def _of_another_site(inquiry: Inquiry, exchange: Exchange, origin: str) -> _Foreign:
    """The exchange where nobody else may name such an origin; else one with an origin that is surely another site's, if
    it is allowed.

    Where any name below `shop.example` is allowed, `xapi.shop.example` is one of the same owner's, and `xshop.example` is not.
    """
    scheme, _, host = origin.partition("://")
    parent = host.partition(".")[2]
    while "." in parent:
        if (yield from _asked(inquiry, f"{scheme}://{{mark}}.{parent}", "control")) is None:
            return exchange, origin
        glued = yield from _asked(inquiry, f"{scheme}://{{mark}}{parent}", "confirm")
        if glued is None:
            return None
        exchange, origin = glued
        parent = parent.partition(".")[2]
    return exchange, origin


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


def _may_be_script(situation: Situation) -> bool:
    """Whether cookies go along, and the answer is data or a call."""
    response = situation.baseline.response
    if response is None or situation.baseline.request.first(b"Cookie") is None:
        return False
    kind = media_type(response)
    return kind.endswith("json") or _RUN.fullmatch(kind) is not None


def _by_script(inquiry: Inquiry) -> _Deciding:
    """Whether a page of another site gets the data by loading it as a script."""
    places = _places_of_callback(inquiry)
    signed: list[tuple[Exchange, Reading]] = []
    for purpose in ("test", "confirm"):
        mark = inquiry.mark(8)
        exchange = yield from ask(_as_script(inquiry, places, mark), purpose)
        handed = _handed(response_of(exchange), mark)
        if handed is None:
            return None
        signed.append((exchange, handed))
    visited: list[Reading] = []
    for _ in signed:
        mark = inquiry.mark(8)
        asked = _as_script(inquiry, places, mark)
        asked = msgspec.structs.replace(asked, headers=without_header(asked.headers, b"Cookie"))
        response = response_of((yield from ask_as(asked, "", "control")))
        visited.append(_handed(response, mark) or read(response))
    if not _tells_something(said_by_ones_alone([reading for _, reading in signed], visited)):
        return None
    proof = Proof(
        test=signed[-1][0],
        control=inquiry.control,
        verified_by=(
            "Asked as a script element of another site would, with nothing but the cookies, the answer calls the function "
            "that the address names, twice with a name drawn at random, and hands it what a visitor without cookies is not given."
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT_COOKIE, proof, "hands data to scripts of any site (JSONP)")


def _tells_something(facts: frozenset[Fact]) -> bool:
    """Whether there is more than that all went well, which tells a page of another site nothing but that its visitor has a session."""
    return says_anything(frozenset(fact for fact in facts if _WELL.fullmatch(fact[1]) is None))


def _places_of_callback(inquiry: Inquiry) -> tuple[Point, ...]:
    """The parameter whose value the answer calls; where none does, all usual names."""
    call = _CALL.fullmatch(inquiry.good.body)
    called = call[1] if call else None
    found = [each.point for each in walk(inquiry.situation.baseline.request).points if each.value == called]
    return tuple(point for point in found if point[0] == "get") or tuple(Point.of("get", name) for name in CALLBACKS)


def _as_script(inquiry: Inquiry, places: tuple[Point, ...], mark: str) -> Request:
    """The request as a browser sends it for a script of another site, the function's name at these places."""
    request = inquiry.situation.baseline.request
    known = {found.point for found in walk(request).points}
    missing = "&".join(f"{place[1]}={mark}" for place in places if place not in known)
    for place in known.intersection(places):
        request = rewrite(request, place, mark.encode())
    target = request.target + ((b"&" if b"?" in request.target else b"?") + missing.encode() if missing else b"")
    headers = tuple(pair for pair in request.headers if pair[0].lower() in _SENT_BY_BROWSERS)
    return msgspec.structs.replace(request, target=target, headers=(*headers, *_OF_A_SCRIPT))


def _handed(response: Response, mark: str) -> Reading | None:
    """What the answer hands to the function; None where it does not call it, or browsers would not run it."""
    call = _CALL.fullmatch(response.body)
    strict = (response.first(b"X-Content-Type-Options") or b"").strip().lower() == b"nosniff"
    runs = _RUN.fullmatch(media_type(response)) is not None or not strict
    if call is None or call[1] != mark.encode() or not runs or response.status >= FIRST_ERROR:
        return None
    return read(Response(response.status, ((b"Content-Type", b"application/json"),), call[2]))


def applies(situation: Situation) -> bool:
    """Safe requests whose answer has content; to WebSockets no page of another site needs to be allowed (`csrf_socket`)."""
    response = situation.baseline.response
    request = situation.baseline.request
    if not is_safe(request) or request.method.upper() != "GET" or opens_socket(request):
        return False
    return response is None or response.status < FIRST_ERROR


def forecast(situation: Situation) -> int:
    """The control, and one request for each kind of origin; one as a script."""
    recorded = situation.baseline.response
    origins = len(PATTERNS) + len(_as_own(situation.baseline.request)) + len(_as_mail(situation))
    return 1 + origins + (len(_alike(recorded)) if recorded is not None else 0) + _may_be_script(situation)


ENTRY = Entry(
    type=TYPE,
    title="Permissive cross-origin sharing",
    cwe=CWE,
    owasp=("A05:2021",),
    owasp_api=("API8:2023",),
    why="Any page that a signed-in user visits can read the user's data from this address, in the user's name.",
    remediation=(
        "Answer with an origin only if it stands on a fixed list, compared as a whole, and never with null. Allow "
        "credentials only where a page of another origin needs them. Send Vary: Origin with it. Hand out no data of a visitor "
        "as a call of a function that the address names (JSONP)."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, whole=True, applies=applies, forecast=forecast, run=concluding(TYPE, _dialogue))
