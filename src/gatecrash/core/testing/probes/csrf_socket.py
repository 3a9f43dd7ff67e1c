"""Cross-site WebSocket hijacking: a page of any site opens the user's socket, on the strength of a cookie, and hears all of it.

What it finds
    WebSockets whose opening is signed in by cookies alone, and is agreed to whichever site's page asks for it; also where
    the origin is looked at by its beginning or its end, or `null` is taken, which a sandboxed frame has.

Why it matters
    No same-origin policy holds for WebSockets: browsers send the cookies along and let the page read and write. A page that
    a signed-in user visits hears what he hears, and says what it likes in his name.

How it decides
    The opening is sent with its own Origin, twice, which must give messages that say something; what the client says first
    is said again where it only asks. Then it is sent as another site's page would send it: Origin of a fresh name, tokens
    that such a page does not know left out. What is heard then must be all that stays in the own messages. The same without
    the cookies must be refused, be closed, or tell something else, or the socket is for everybody; and the foreign opening
    must be heard a second time, from a site with another name.

Known misses
    Sockets that say nothing by themselves where the record holds nothing that may be said, or whose messages are all
    different each time. Cookies that their SameSite attribute keeps at home, where the record does not show how they were
    set: the finding says what to look at.

Standards and references
    CWE-1385; RFC 6455, section 10.2 (origin considerations); OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security
    Top 10:2023 API8 Security Misconfiguration.
"""

from collections.abc import Generator

import msgspec

from gatecrash.core.message import Headers, Request, with_header, without_header
from gatecrash.core.testing.asking import (
    Stopped,
    ask_raw,
    concluding,
    enough_samples,
    sample_baseline,
)
from gatecrash.core.testing.authorization.openness.access import Access
from gatecrash.core.testing.dialogues.other_site import as_other_site, is_signed_in_by_cookies
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.operations.sockets import as_opening, opens_socket
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Verdict, inconclusive, safe, vulnerable

TYPE = "csrf"
CWE = (1385,)
THREAT = 65
_AGREED = 101
_ORIGINS = {
    "any origin": "https://{mark}.example",
    "origins that begin as the own": "{own}.{mark}.example",
    "origins that end as the own": "{scheme}://{mark}{host}",
    "null": "null",
}
# Any page names the protocols that it would speak.
_PROTOCOLS = b"Sec-WebSocket-Protocol"


def _dialogue(situation: Situation) -> Dialogue:
    case = Access(situation, (yield from enough_samples(situation, (yield from sample_baseline(situation)))))
    case.check_comparable()
    if case.good.status != _AGREED:
        return inconclusive(TYPE, situation.point, Inconclusive.NO_CONTROL, "no socket is opened any more")
    for kind, pattern in _ORIGINS.items():
        if case.as_good((yield from ask_raw(_foreign(situation, pattern)))):
            verdict = yield from _confirmed(case, kind, pattern)
            if verdict is not None:
                return verdict
    return safe(TYPE, situation.point, "openings from other sites are refused, or hear something else")


def _confirmed(case: Access, kind: str, pattern: str) -> Generator[TestRequest, Answer, Verdict | None]:
    """A finding where the cookies are what lets the foreign page hear it, and it does so once more; None where all hear it."""
    situation = case.situation
    again = _foreign(situation, pattern)
    bare: Request = msgspec.structs.replace(again, headers=without_header(again.headers, b"Cookie"))
    if case.as_good((yield from ask_raw(bare, "control"))):
        return None
    heard = yield from ask_raw(again, "confirm")
    if not case.as_good(heard):
        raise Stopped(Inconclusive.UNSTABLE, "another site's opening was answered in two ways")
    return vulnerable(
        ENTRY,
        situation.point,
        threat=THREAT,
        test=heard,
        control=case.control,
        detail=kind,
        verified_by=(
            f"Opened as a page of another site opens it (Origin {(again.first(b'Origin') or b'').decode('latin-1')}: {kind}), the "
            "socket tells all that it tells the application's own page, twice; without the cookies it does not. Whether a "
            "browser sends the cookie along depends on its SameSite attribute: look at that next."
        ),
    )


def _foreign(situation: Situation, pattern: str) -> Request:
    """The opening as a page of another site has a browser send it, which tells no Referer of it."""
    request, mark = situation.baseline.request, fresh_letters(situation.random, 8)
    foreign = as_other_site(request, mark, situation.kept_home)
    own, host = request.origin, request.origin.partition("://")[2]
    origin = pattern.format(mark=mark, own=own.removesuffix(f":{request.port}"), host=host, scheme=request.scheme)
    protocols: Headers = tuple((_PROTOCOLS, value) for value in request.all(_PROTOCOLS))
    headers = with_header(without_header(foreign.headers, b"Referer"), b"Origin", origin.encode())
    headers = without_header(headers, b"Connection")
    opening: Request = msgspec.structs.replace(foreign, headers=(*headers, *protocols))
    return as_opening(opening)


def applies(situation: Situation) -> bool:
    """Openings of sockets that a browser alone signs in."""
    return opens_socket(situation.baseline.request) and is_signed_in_by_cookies(situation)


def forecast(_situation: Situation) -> int:
    """Two good answers, and one opening for each kind of origin."""
    return 2 + len(_ORIGINS)


ENTRY = Entry(
    type=TYPE,
    title="Cross-site WebSocket hijacking",
    cwe=CWE,
    owasp=("A01:2021",),
    owasp_api=("API8:2023",),
    why=(
        "Any page that a signed-in user visits can open this socket in the user's name, read what it tells and say what it "
        "likes: browsers send the cookies along, and no same-origin policy keeps the messages from the page."
    ),
    remediation=(
        "Compare the Origin of the opening with your own, as a whole, and refuse every other with 403. Or sign the socket in "
        "by what no other site knows: a ticket for one use in its address, or a token in its first message. Set cookies "
        "SameSite=Lax or Strict."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="socket",
    entry=ENTRY,
    whole=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
