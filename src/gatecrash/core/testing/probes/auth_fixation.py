"""Sessions that are older than their login: whoever had one before it is signed in with it.

What it finds
    Logins that let in the session that a visitor was handed before, and hand out no other.

Why it matters
    A session can be planted: by a link, by a page of another part of the site, at a shared machine. Whoever planted it
    waits until its user signs in, and is signed in with him.

How it decides
    Nothing is sent unless the recorded login came with a cookie that looks like a session's and was answered without
    another cookie or a token, but for cookies that can be read in base64. Then a visitor's page is asked for such a
    cookie, and a recorded page, or `me` beside the login, must be refused with it. The login is sent once with that
    cookie in the place of the recorded one, and with the form's token that its page hands to that session, and must be
    answered as when it was recorded, without a new one. The page that opens with it now, twice, and not with one that
    another visitor is handed, is a finding.

Known misses
    Logins whose form's token stands on another page than at their own address. Sessions that no visitor is handed at the
    login's page, the page above it or the front page. Sessions in addresses.

Standards and references
    CWE-384 (session fixation); OWASP Top 10:2021 A07 Identification and Authentication Failures; OWASP API Security Top
    10:2023 API2 Broken Authentication.
"""

import re
from collections.abc import Generator
from urllib.parse import unquote_to_bytes

import msgspec

from gatecrash.core.auth.set_cookie import issued
from gatecrash.core.message import Exchange, Request, reading, with_header
from gatecrash.core.point import Point
from gatecrash.core.points.formats.base64 import BASE64
from gatecrash.core.testing.asking import ask_raw, concluding, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import LOGIN, account_request
from gatecrash.core.testing.authorization.callers.own_pages import likeliest_own
from gatecrash.core.testing.authorization.tokens.issued_tokens import handed_out
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.forms.tokens import is_form_token
from gatecrash.core.testing.forms.values import with_tokens_of
from gatecrash.core.testing.known.page import asking
from gatecrash.core.testing.oracles.outcomes.refused import is_good, is_taken, refusal
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest, once_an_address
from gatecrash.core.testing.profiles.dressing import put
from gatecrash.core.testing.verdict import Inconclusive, Verdict, inconclusive, safe, vulnerable

TYPE = "auth"
CWE = 384
THREAT = 60
_MOST_PAGES, _MOST_CLOSED = 8, 2
_NOT_THERE = (404, 405, 410)
_COOKIE = re.compile(rb"(?:^|;)\s*([^=;\s]+)=\"?([^;\"]*)")
# At least three digits among sixteen signs; what guards forms and counts visits is no session.
_RANDOM = re.compile(rb"(?=(?:\D*\d){3})[\w%+/=.~:|-]{16,}")
_NO_SESSION = re.compile(rb"csrf|xsrf|consent|^_ga|^_gid|^_pk|visitor|device|locale|theme", re.IGNORECASE)


def _dialogue(situation: Situation) -> Dialogue:
    request, recorded, point = situation.baseline.request, situation.baseline.response, situation.point
    assert recorded is not None
    name = _kept(situation.baseline.exchange)
    planted = yield from _handed(request, name)
    if not planted:
        return safe(TYPE, point, "visitors are handed no such cookie")
    closed = yield from _closed(situation, name, planted)
    if not closed:
        return inconclusive(TYPE, point, Inconclusive.NO_CONTROL, "no page is known that asks for the session")
    place = Point.of("header", "COOKIE", "cookie", name.decode("latin-1"))
    login = yield from _with_its_tokens(put(request, place, planted), name, planted)
    signed_in = response_of((yield from ask_raw(login)))
    if signed_in.status != recorded.status or refusal(signed_in) is not None:
        return inconclusive(
            TYPE, point, Inconclusive.NO_CONTROL, f"the login, sent once more, is answered {signed_in.status}"
        )
    if any(each.name == name and each.value != planted for each in issued(signed_in)):
        return safe(TYPE, point, "the login hands out another session")
    for refused in closed:
        if is_good(response_of((yield from ask_raw(refused.request)))):
            another = yield from _handed(request, name)
            stranger = yield from ask_raw(_with_cookie(refused.request, name, another), "control")
            again = yield from ask_raw(refused.request, "confirm")
            if another == planted or is_good(response_of(stranger)) or not is_good(response_of(again)):
                return safe(TYPE, point, "the page does not follow the session")
            return _vulnerable(place, refused, again)
    return safe(TYPE, point, "the session from before the login lets nobody in")


def _handed(request: Request, name: bytes) -> Generator[TestRequest, Answer, bytes]:
    """The cookie that a visitor is handed; empty where he is handed none."""
    for path in dict.fromkeys((request.path, request.path.rpartition(b"/")[0] or b"/", b"/")):
        answer = response_of((yield from ask_raw(reading(_of_a_visitor(request), path), "control")))
        found = next((each.value for each in issued(answer) if each.name == name), b"")
        if found:
            return found
    return b""


def _with_its_tokens(login: Request, name: bytes, planted: bytes) -> Generator[TestRequest, Answer, Request]:
    """The login with the tokens of its form that its page hands to the planted session; as it is where it has none."""
    if not any(is_form_token(each.point) for each in walked(login)):
        return login
    bare = reading(_of_a_visitor(login), login.path)
    return with_tokens_of((yield from ask_raw(_with_cookie(bare, name, planted), "control")), login)


def _closed(situation: Situation, name: bytes, planted: bytes) -> Generator[TestRequest, Answer, list[Exchange]]:
    """A few pages that are refused with a visitor's cookie, and how: some may be refused to whoever signs in as well."""
    bare = _of_a_visitor(situation.baseline.request)
    pages = likeliest_own(situation.pages)
    asked = [asking(bare, page) for page in pages if page.request.method == "GET"]
    beside = reading(bare, bare.path.rstrip(b"/").rpartition(b"/")[0] + b"/me")
    closed: list[Exchange] = []
    for each in (*asked[:_MOST_PAGES], beside):
        exchange = yield from ask_raw(_with_cookie(each, name, planted), "control")
        if not is_good(response_of(exchange)) and response_of(exchange).status not in _NOT_THERE:
            closed.append(exchange)
        if len(closed) == _MOST_CLOSED:
            break
    return closed


def _of_a_visitor(request: Request) -> Request:
    headers = tuple(pair for pair in request.headers if pair[0].lower() not in (b"cookie", b"authorization"))
    bare: Request = msgspec.structs.replace(request, headers=headers)
    return bare


def _with_cookie(request: Request, name: bytes, value: bytes) -> Request:
    changed: Request = msgspec.structs.replace(
        request, headers=with_header(request.headers, b"Cookie", name + b"=" + value)
    )
    return changed


def _kept(exchange: Exchange) -> bytes:
    """The name of the cookie that a login came with, where its answer hands out nothing else; empty where it does, or there is none."""
    response = exchange.response
    if response is None or handed_out(response) or any(_may_let_in(each.value) for each in issued(response)):
        return b""
    sent = [pair for header in exchange.request.all(b"Cookie") for pair in _COOKIE.findall(header)]
    names = (name for name, value in sent if _RANDOM.fullmatch(value) and not _NO_SESSION.search(name))
    return next(names, b"")


def _may_let_in(value: bytes) -> bool:
    """Whether a cookie's value is random; what can be read once it is decoded tells the browser something."""
    return _RANDOM.fullmatch(value) is not None and not BASE64.looks(unquote_to_bytes(value))


def _vulnerable(place: Point, closed: Exchange, again: Exchange) -> Verdict:
    where = f"{again.request.method} {again.request.path.decode('latin-1')}"
    return vulnerable(
        ENTRY,
        place,
        detail=f"the session from before the login opens {where}",
        threat=THREAT,
        test=again,
        control=closed,
        verified_by=(
            f"A visitor was handed this cookie, and {where} was refused with it. The login was sent with it, was answered as when it was "
            "recorded, and handed out no other. Behind it the page opens with the cookie, twice, and is refused with one that another "
            "visitor is handed."
        ),
    )


def applies(situation: Situation) -> bool:
    """Logins by password that came with a session's cookie and were answered well without another."""
    exchange = situation.baseline.exchange
    response = exchange.response
    if response is None or not is_taken(response) or not _kept(exchange):
        return False
    account = account_request(exchange)
    return account is not None and account.kind == LOGIN and account.password is not None


def forecast(_situation: Situation) -> int:
    """A visitor's page, a page that is refused, the login, and the page once more."""
    return 4


ENTRY = Entry(
    type=TYPE,
    title="Sessions are kept from before the login",
    cwe=(CWE,),
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why=(
        "Whoever can plant a session's cookie with somebody, by a link or another part of the site, is signed in as soon as he is: he knows the "
        "cookie already."
    ),
    remediation=(
        "Make a new session at each login and at each change of rights, end the old one on the server, and take no identifier of a session that "
        "the server has not made itself."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="fixation",
    entry=ENTRY,
    whole=True,
    of_answers=True,
    collected=once_an_address,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
