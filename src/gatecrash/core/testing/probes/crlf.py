"""Header injection: a value ends a header line of the answer and begins another.

What it finds
    Values that are written into a header of the answer (Location, Set-Cookie and any other) with their line ends.

Why it matters
    Whoever writes headers sets cookies for the site, loosens what the browser is told to guard, and with two line ends
    writes the page itself: caches then serve it to everybody.

How it decides
    Fresh letters are sent; only where a header of the answer shows them, line ends follow. Besides values, the last
    word of a path is asked where the recorded answer leads on to an address with that word in it (`/tea` to
    `/teas/tea/`): whatever stands there is then written into Location. A header of a fresh name must stand among the
    headers of the answer as it was parsed from the wire, with its fresh word, a second time with others, and not when
    the line end is left out.

Known misses
    Values that reach headers of other answers. Servers that refuse the request's own line ends before the application.

Standards and references
    CWE-113; OWASP Top 10:2021 A03 Injection; OWASP API Security Top 10:2023 API8 Security Misconfiguration;
    RFC 9112, section 5.
"""

from collections.abc import Generator
from urllib.parse import unquote, urlsplit

from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT
from gatecrash.core.testing.asking import response_of
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply, inquiring
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.payloads.crlf import PATTERNS, TAME
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof, Verdict

TYPE = "crlf"
CWE = (113,)
# Cookies and pages in the site's name.
THREAT = 50

_Deciding = Generator[TestRequest, Answer, Verdict | None]


def _dialogue(inquiry: Inquiry) -> Dialogue:
    verdict = None
    if (yield from _reaches_a_header(inquiry)):
        verdict = yield from _try(inquiry)
    return verdict or (yield from inquiry.nothing_found(TYPE))


def _reaches_a_header(inquiry: Inquiry) -> Generator[TestRequest, Answer, bool]:
    mark = inquiry.mark(8)
    reply = yield from inquiry.send(inquiry.value + mark)
    if reply is None:
        return False
    headers = response_of(reply.exchange).headers
    return any(mark.encode() in value.lower() for _, value in headers)


def _try(inquiry: Inquiry) -> _Deciding:
    for pattern in PATTERNS:
        if (yield from _written(inquiry, pattern, "test")) is None:
            continue
        if (yield from _written(inquiry, TAME, "control")) is not None:
            return None
        again = yield from _written(inquiry, pattern, "confirm")
        if again is not None:
            return _vulnerable(inquiry, again)
    return None


def _written(inquiry: Inquiry, pattern: str, purpose: str) -> Generator[TestRequest, Answer, Reply | None]:
    """The answer in which our header stands as one; None where it does not."""
    name, word = f"X-{inquiry.mark(8).title()}", inquiry.mark(8)
    reply = yield from inquiry.send(pattern.format(value=inquiry.value, name=name, word=word), purpose=purpose)
    if reply is None:
        return None
    found = response_of(reply.exchange).first(name.encode())
    # What the application writes behind the value follows the word on its line.
    return reply if found is not None and found.startswith(word.encode()) else None


def _vulnerable(inquiry: Inquiry, reply: Reply) -> Verdict:
    proof = Proof(
        test=reply.exchange,
        control=inquiry.control,
        verified_by=(
            f"With {reply.payload!r} a header of that name stands among the answer's headers, twice with names and words "
            f"drawn at random. Without the line end it does not."
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT, proof, "writes headers of the answer")


def applies(situation: Situation) -> bool:
    """Any single value, and the last word of a path that its answer leads on with."""
    return holds_a_value(situation) or _is_led_on_with(situation)


def _is_led_on_with(situation: Situation) -> bool:
    """Whether the point is the path's last segment, and stands as one in the address that the recorded answer leads to."""
    request, response = situation.baseline.request, situation.baseline.exchange.response
    last = request.path.count(b"/") - 1
    if (
        response is None
        or not _led_on(response.status)
        or not situation.value
        or tuple(situation.point) != ("path", str(last))
    ):
        return False
    try:
        path = urlsplit((response.first(b"Location") or b"").decode("latin-1")).path
    except ValueError:
        return False  # not an address that anybody could read
    return situation.value.decode("latin-1") in unquote(path, "latin-1").split("/")


def _led_on(status: int) -> bool:
    return FIRST_REDIRECT <= status < FIRST_ERROR


def forecast(_situation: Situation) -> int:
    """Requests for a point that reaches no header: one."""
    return 1


ENTRY = Entry(
    type=TYPE,
    title="Header injection",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2023",),
    why=(
        "Whoever writes headers of an answer sets cookies in the site's name, takes its protections away, and through a "
        "cache serves pages of their own to everybody."
    ),
    remediation=(
        "Refuse line ends in everything that is written into a header, or encode it for its place (an address is "
        "percent-encoded). Set headers by a library that refuses them, and keep it current."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, applies=applies, forecast=forecast, run=inquiring(TYPE, _dialogue))
