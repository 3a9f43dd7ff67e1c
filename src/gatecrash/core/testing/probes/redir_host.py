"""Links and redirects to a host that a header of the request names.

What it finds
    Applications that take the name of their own host from what proxies add (X-Forwarded-Host and its like), or from Host,
    and send a browser there, or write it into the link that resets a password.

Why it matters
    Who asks for somebody's password to be reset with his own host in the header is sent the victim's secret when the link
    is opened; a cache keeps a redirect for everybody else.

How it decides
    The baseline is asked again with names drawn at random below `.example`. The answer must send a browser to such a name,
    or, where a password is reset or an account confirmed, hold a link there; a second time with another name; and not
    when the name stands in a header that nobody reads. Where it is refused, it is asked without Origin and Referer, with
    which an application may compare its name. A name that is only shown is no link. The connection stays with the target
    whatever the header says. Asked are requests whose recorded answer leads or links to its own host by name; of the
    redirects of one folder, the first by each method.

Known misses
    Links that are only sent by mail. Applications that take no form without an Origin, and compare it with the header. What
    is built from Host alone and is no reset: nearly every framework does so, and a victim's browser names the right host.

Standards and references
    CWE-601, CWE-640; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API8 Security
    Misconfiguration; RFC 7239 (Forwarded); RFC 9110, section 7.2.
"""

import re
from collections.abc import Generator

import msgspec

from gatecrash.core.message import Exchange, Request, Response, with_header
from gatecrash.core.point import Point
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.dialogues.inquiry import Inquiry, inquiring
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.pages.landing import landings, lands_on
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof, Verdict, safe

TYPE = "redir"
CWE = (601, 640)
# 60: the link carries a secret to whoever asked for it. 25: a cache or a proxy is needed that keeps or passes it on.
THREAT_LINK, THREAT_REDIRECT = 60, 25
FORWARDING = (b"X-Forwarded-Host", b"X-Host", b"X-Original-Host", b"X-Forwarded-Server", b"Forwarded")
UNREAD = b"X-Gatecrash-Host"
_RESETS = re.compile(r"reset|forgot|recover|invit|activat|confirm|verif|magic|passw", re.IGNORECASE)

_Led = tuple[Exchange, bytes, str]


def _dialogue(inquiry: Inquiry) -> Dialogue:
    recorded = inquiry.situation.baseline.request
    asked, refused = yield from _ask(inquiry, recorded, FORWARDING)
    if refused and (origin := _from_nowhere(recorded)) is not recorded:
        # Where a form comes from is compared with what the host is called; who makes up the one leaves out the other.
        recorded = origin
        asked, _ = yield from _ask(inquiry, recorded, FORWARDING)
    names = (name for name in FORWARDING if asked is not None and asked[1] == name)
    for name in (*names, *((b"Host",) if _resets(inquiry.situation) else ())):
        verdict = yield from _confirm(inquiry, recorded, name)
        if verdict is not None:
            return verdict
    return safe(TYPE, inquiry.situation.point)


def _from_nowhere(request: Request) -> Request:
    """The request without what says which page it comes from; itself where nothing does."""
    headers = tuple(pair for pair in request.headers if pair[0].lower() not in (b"origin", b"referer"))
    if len(headers) == len(request.headers):
        return request
    bare: Request = msgspec.structs.replace(request, headers=headers)
    return bare


def _ask(
    inquiry: Inquiry, request: Request, names: tuple[bytes, ...], purpose: str = "test"
) -> Generator[TestRequest, Answer, tuple[_Led | None, bool]]:
    """The answer to the request with a fresh host in each of these headers, which of them it led to, and how; and whether it
    was refused, other than the baseline.
    """
    hosts = {name: f"{inquiry.mark(10)}.example" for name in names}
    for name, host in hosts.items():
        request = _with(request, name, host)
    exchange = yield from ask(request, purpose)
    for name, host in hosts.items():
        how = _leads_to(inquiry.situation, response_of(exchange), host)
        if how:
            return (exchange, name, how), False
    return None, inquiry.good.status < FIRST_ERROR <= response_of(exchange).status


def _with(request: Request, name: bytes, host: str) -> Request:
    value = f"host={host}" if name == b"Forwarded" else host
    asked: Request = msgspec.structs.replace(request, headers=with_header(request.headers, name, value.encode()))
    return asked


def _leads_to(situation: Situation, response: Response, host: str) -> str:
    """How an answer leads to a host; empty where it does not."""
    how = lands_on(response, host)
    if how:
        return how
    linked = _resets(situation) and f"//{host}" in text_of(response).replace("\\/", "/")
    return "by a link in the answer" if linked else ""


def _confirm(inquiry: Inquiry, request: Request, name: bytes) -> Generator[TestRequest, Answer, Verdict | None]:
    """The header alone must lead there with another name, and one that nobody reads must not."""
    first, _ = yield from _ask(inquiry, request, (name,))
    again, _ = (yield from _ask(inquiry, request, (name,), "confirm")) if first is not None else (None, False)
    if again is None or (yield from _ask(inquiry, request, (UNREAD,), "control"))[0] is not None:
        return None
    exchange, _, how = again
    header = name.decode()
    proof = Proof(
        test=exchange,
        control=inquiry.control,
        verified_by=(
            f"With a name drawn at random in {header} the answer leads to that host {how}; it did so for another name as "
            f"well, and not for one in a header that nobody reads. The request went to the target all the same."
        ),
    )
    threat = THREAT_LINK if _resets(inquiry.situation) else THREAT_REDIRECT
    verdict = inquiry.vulnerable(ENTRY, threat, proof, f"leads to any host that {header} names, {how}")
    found: Verdict = msgspec.structs.replace(verdict, point=tuple(Point.of("header", header.upper())))
    return found


def _resets(situation: Situation) -> bool:
    """Whether the request has a link sent to somebody who is to trust it."""
    return _is_reset(situation.baseline.request)


def _is_reset(request: Request) -> bool:
    return request.method.upper() == "POST" and _RESETS.search(request.path.decode("latin-1")) is not None


def _collected(request: Request) -> tuple[str, ...] | None:
    """Redirects of one folder and method are built by the same code (a server adds slashes to what is read); what is
    reset is asked each time.
    """
    folder = request.path.rpartition(b"/")[0].decode("latin-1")
    return None if _is_reset(request) else (request.origin, request.method, folder)


def applies(situation: Situation) -> bool:
    """Requests whose recorded answer names its own host in a redirect, or in a link where something is reset."""
    response, host = situation.baseline.response, situation.baseline.request.host
    if response is None or not host or not is_thorough(situation.policy) or situation.baseline.request.version == "2":
        return False
    redirected = any(f"//{host}" in address for address, _ in landings(response))
    return redirected or (_resets(situation) and f"//{host}" in text_of(response).replace("\\/", "/"))


def forecast(situation: Situation) -> int:
    """Requests for a sound one: all headers at once, and Host where something is reset."""
    return 2 if _resets(situation) else 1


ENTRY = Entry(
    type=TYPE,
    title="A request header decides where links lead",
    cwe=CWE,
    owasp=("A01:2021",),
    owasp_api=("API8:2023",),
    why=(
        "Whoever sends a request decides to which host your redirects and the links in your mails lead. A victim that opens "
        "such a link hands over the secret in it."
    ),
    remediation=(
        "Take the name of your host from the configuration, or compare it with a list of your own. Read X-Forwarded-Host "
        "and its like only from proxies that you run and that write them anew."
    ),
)
PROBE = Probe(
    type=TYPE,
    entry=ENTRY,
    name="host",
    whole=True,
    collected=_collected,
    applies=applies,
    forecast=forecast,
    run=inquiring(TYPE, _dialogue),
)
