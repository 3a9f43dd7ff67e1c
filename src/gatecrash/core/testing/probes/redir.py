"""Open redirect: a value decides to which host an answer sends the browser.

What it finds
    Values that become the Location of a redirect, a refresh, or the address that a script sets by itself, at once or
    later, on any host: plain, without a scheme, and in the spellings that checks of the beginning or of the name let
    through. The path itself, where it holds an address, or a whole path in the place of one (`/file=/tmp/a.png`), where
    the answer leads to its end, or to the same path with a slash more or less.

Why it matters
    A link to a trusted site that ends on another is what phishing is made of; tokens in the address (OAuth) go with it.

How it decides
    Addresses on a host with a fresh name under `.example` are sent, and on a domain that ends as the allowed one. Where
    a browser would land is computed from the answer as browsers read addresses (`oracles/pages/landing.py`): it must be that
    very host, a second time with another name. A link on a page, a name inside of another address, or a redirect to the
    site itself is none; neither is the way back to where the Referer says that the browser came from.
    Asked are values that look like an address or path, parameters named like one, and requests that were answered by a
    redirect; spellings against filters only where an answer redirects at all or shows the address.

Known misses
    Redirects by functions that clicks or other functions call, and by scripts that build the address.

Standards and references
    CWE-601; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API8 Security Misconfiguration;
    WHATWG URL, section 4.4; RFC 9110, section 10.2.2.
"""

import re
from collections.abc import Generator, Iterable

from gatecrash.core.testing.asking import response_of
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply, inquiring
from gatecrash.core.testing.dialogues.other_site import can_be_linked
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.page import landing_of
from gatecrash.core.testing.oracles.pages.landing import host_of, landings, lands_on
from gatecrash.core.testing.payloads.redir import (
    ENDING_ALIKE,
    FIRST,
    FOR_ADDRESSES,
    FOR_SLASHES,
    FOR_TARGETS,
    WHERE_REDIRECTED,
)
from gatecrash.core.testing.payloads.ssrf import around_address_in_path
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof, Verdict

TYPE = "redir"
CWE = (601,)
TARGET = ("uri",)
# Where a browser came from is where it is led back to: a page that could choose it is the one that is shown again.
_CAME_FROM = ("header", "REFERER")
# 45: a link is enough. 25: the browser must be made to send what it does not send by itself.
THREAT_LINK, THREAT_CRAFTED = 45, 25
_ADDRESS = re.compile(r"(?:https?:)?//|/[\w.~-]|www\.", re.IGNORECASE)
_NAMED = re.compile(
    r"ur[li]$|^u$|link|redir|return|next|goto|^go$|dest|target|continue|forward|^to$|back|callback|success|cancel|referr?er"
    r"|exit|out$|checkout|from|page$|site|domain|view|path|location|rurl|jump|logout|login",
    re.IGNORECASE,
)
# A whole path by its name, in the place of which many take an address, too: `/file=/tmp/a.png`.
_WHOLE_PATH = re.compile(r"/[\w-]+=(?=/[\w.~-])")

_Deciding = Generator[TestRequest, Answer, Verdict | None]


def _dialogue(inquiry: Inquiry) -> Dialogue:
    if tuple(inquiry.situation.point) == TARGET:
        patterns = _for_target(inquiry.situation)
        return (yield from _try(inquiry, patterns)) or (yield from inquiry.nothing_found(TYPE))
    verdict = yield from _try(inquiry, FIRST)
    if verdict is None and not inquiry.situation.policy.one_family and _is_worth_more(inquiry):
        verdict = yield from _try(inquiry, _where_redirected(inquiry.situation))
    return verdict or (yield from inquiry.nothing_found(TYPE))


def _is_worth_more(inquiry: Inquiry) -> bool:
    """Whether any answer sends the browser anywhere: then a filter may be all that stands in the way."""
    answers = [inquiry.good, *(response_of(reply.exchange) for reply in inquiry.replies)]
    return any(True for answer in answers for _ in landings(answer))


def _where_redirected(situation: Situation) -> tuple[str, ...]:
    return (*WHERE_REDIRECTED, ENDING_ALIKE) if _domain(situation) else WHERE_REDIRECTED


def _domain(situation: Situation) -> str:
    """The domain of the host that the value names, else of the target's own; empty where that is no name."""
    host = host_of(situation.value.decode("utf-8", "replace")) or situation.baseline.request.host
    *before, last = host.split(".")
    return f"{before[-1]}.{last}" if before and last[:1].isalpha() else ""


def _try(inquiry: Inquiry, patterns: Iterable[str]) -> _Deciding:
    for pattern in patterns:
        if (yield from _lands(inquiry, pattern, "test")) is not None:
            again = yield from _lands(inquiry, pattern, "confirm")
            if again is not None:
                return _vulnerable(inquiry, *again)
    return None


def _lands(inquiry: Inquiry, pattern: str, purpose: str) -> Generator[TestRequest, Answer, tuple[Reply, str] | None]:
    """The answer that sends a browser to our host, and how; None where it does not."""
    mark = inquiry.mark(10)
    host, alike = f"{mark}.example", mark + _domain(inquiry.situation)
    path = inquiry.situation.baseline.request.path.decode("latin-1")
    scheme, site, own = _let_through(inquiry.situation)
    before = _before(inquiry.situation)
    payload = pattern.format(
        host=host, alike=alike, own=own, scheme=scheme, site=site, value=inquiry.value, path=path, before=before
    )
    reply = yield from inquiry.send(payload, purpose=purpose)
    ours = alike if pattern == ENDING_ALIKE else host
    how = lands_on(response_of(reply.exchange), _meant(pattern, ours, own)) if reply else None
    return (reply, how) if reply and how else None


def _let_through(situation: Situation) -> tuple[str, str, str]:
    """Scheme, host and port, and host of whom a check lets through: of the address that the value is, else of the target."""
    request, value = situation.baseline.request, situation.value.decode("utf-8", "replace")
    named = host_of(value)
    if not named:
        return (*request.origin.partition("://")[::2], request.host)
    scheme, colon, rest = value.partition("//")
    site = re.split(r"[/\\?#]", rest, maxsplit=1)[0].rpartition("@")[2] if colon else named
    return scheme.rstrip(":") or request.scheme, site, named


def _meant(pattern: str, host: str, own: str) -> str:
    """The host to which a pattern leads: ours, or a subdomain of ours that begins like the application's own host."""
    return f"{own}.{host}" if "{own}.{host}" in pattern else host


def _vulnerable(inquiry: Inquiry, reply: Reply, how: str) -> Verdict:
    proof = Proof(
        test=reply.exchange,
        control=inquiry.control,
        verified_by=(
            f"{reply.payload!r} is answered so that a browser goes to that host, {how}. It did so for two names drawn at "
            f"random, which the answer can only have from the request."
        ),
    )
    threat = THREAT_LINK if can_be_linked(inquiry.situation.point) else THREAT_CRAFTED
    return inquiry.vulnerable(ENTRY, threat, proof, f"sends the browser to any host {how}")


def _for_target(situation: Situation) -> tuple[str, ...]:
    """The ways in which the path itself may be where the answer leads to; none where it holds no address and does not lead to
    its own end.
    """
    if _before_address(situation):
        return FOR_ADDRESSES
    path, told = situation.baseline.request.path, _led_to(situation)
    end = told.rstrip(b"/")
    if not end or not path.rstrip(b"/").endswith(end):
        return ()
    if path.endswith(b"/") != told.endswith(b"/"):
        return FOR_SLASHES
    # Of one segment its own point tells; what leads to itself is reached by no other path.
    return FOR_TARGETS if end.count(b"/") > 1 and _before(situation) else ()


def _before(situation: Situation) -> str:
    """What stands in the path before the segments that its answer leads to, or before the address that it holds."""
    return _before_address(situation) or _before_end(situation)


def _before_address(situation: Situation) -> str:
    path = situation.baseline.request.path.decode("latin-1")
    found, whole = around_address_in_path(path), _WHOLE_PATH.search(path)
    return found[0] if found else path[: whole.end()] if whole else ""


def _before_end(situation: Situation) -> str:
    return situation.baseline.request.path.rstrip(b"/").removesuffix(_led_to(situation).rstrip(b"/")).decode("latin-1")


def _led_to(situation: Situation) -> bytes:
    """The path of its own host that the answer leads to; empty where there is none."""
    request, response = situation.baseline.request, situation.baseline.response
    told = landing_of(request, response) if response is not None else None
    return (told or b"").partition(b"?")[0]


def applies(situation: Situation) -> bool:
    """Values that look like an address, parameters named like one, and requests that were answered by a redirect.

    A page by its number (`?page=2`) is one of a list.
    """
    if tuple(situation.point) == TARGET:
        return bool(_for_target(situation))
    if tuple(situation.point) == _CAME_FROM or not holds_a_value(situation):
        return False
    response = situation.baseline.response
    if response is not None and any(True for _ in landings(response)):
        return True
    value = situation.value.decode("utf-8", "replace")
    if _ADDRESS.match(value):
        return True
    name = situation.point[-1]
    turns_pages = value.isdigit() and "page" in name.lower()
    return situation.point[0] != "path" and bool(_NAMED.search(name)) and not turns_pages


def forecast(situation: Situation) -> int:
    """Requests for a sound point: two, and the spellings where the baseline redirects."""
    if tuple(situation.point) == TARGET:
        return len(_for_target(situation))
    response = situation.baseline.response
    more = response is not None and any(True for _ in landings(response))
    return len(FIRST) + (len(_where_redirected(situation)) if more and not situation.policy.one_family else 0)


ENTRY = Entry(
    type=TYPE,
    title="Open redirect",
    cwe=CWE,
    owasp=("A01:2021",),
    owasp_api=("API8:2023",),
    why=(
        "A link that begins with your name and ends on a stranger's page makes phishing believable, and carries tokens "
        "that stand in the address to that page."
    ),
    remediation=(
        "Redirect to paths of your own or to names from a fixed list. Parse the address first and compare its whole host; "
        "do not look at how the text begins. Where any address must be allowed, show a page that names it and asks."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, applies=applies, forecast=forecast, run=inquiring(TYPE, _dialogue))
