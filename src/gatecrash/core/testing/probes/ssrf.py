"""Server-side request forgery: the server fetches the address that a value names, and shows what came of it.

What it finds
    Values that are fetched from by the server, whose content or whose network error is shown. Texts that name an address which it
    fetches, or that it writes into a page and draws as a document or a picture. Paths that end in one
    (`/proxy/http://host/page`).

Why it matters
    The server reaches what callers do not: services without a login beside it, the cloud's metadata with its keys.

How it decides
    Listener: where the node listens at an address that the target can reach, the value names it, under a name that no other
    request holds; with the value's own host as a user's name before our own; where all is asked for also past other filters of
    loopback addresses, or of endings; in the place of a file's name, too; a path also as what makes of the host before it a user
    of ours, and a host together with the port and the path that are fields beside it. Whoever fetches it there, at once or
    later, was sent by this request; it is asked for once more under another name. That the name alone is looked up is told with
    a low threat. Where loopback addresses are refused (4xx) three other spellings are asked for.
    Content: the target's own front page and a page that does not exist there are asked for directly; then the value names the
    front page. What the two have not in common with the baseline must be in the answer, and must be missing when the value names
    that address with a scheme that does not exist, or one where nobody listens, in rounds of both in random order: this clears
    pages that show the front page's texts to everything odd, to any address, or by chance. A value that names the target itself
    is not judged by its pages: it may be all that a list of hosts allows.
    Outcome: where that page's content is not shown, the front page and pages of fresh names that are not there are answered
    otherwise, in eight rounds in random order, and the same address at a port where nobody listens, or with a scheme that
    does not exist, not as the front page.
    Errors: an address of the server itself at which nothing listens is answered by a refused connection, a name that
    never resolves by a failed look-up, each twice and never by the other's words, and a text that is no address by neither.
    Ports: where the value is a host with its port, the listener's own, which was drawn at random, is answered otherwise than
    others that were drawn so, each time.
    Only values that look like an address (a host with its port too), and parameters named like one, are asked for; of a text that
    names an address the listener's stands in its place. Pages by their look, and texts of requests that are answered by a
    document or a picture, get tags with the listener's address, which only a renderer fetches.

Known misses
    Fetches whose result shows nowhere, without a listener that the server can reach. Hosts compared with a list as they were parsed.

Standards and references
    CWE-918; OWASP Top 10:2021 A10; OWASP API Security Top 10:2023 API7; RFC 6761, section 6.4.
"""

import re
from collections.abc import Generator

from gatecrash.core.errors import UserError
from gatecrash.core.testing.dialogues.callbacks import Bait, called_back
from gatecrash.core.testing.dialogues.connecting import fails_as_networks, tells_who_listens
from gatecrash.core.testing.dialogues.filtered_addresses import past_filter
from gatecrash.core.testing.dialogues.inquiry import Inquiry, inquiring
from gatecrash.core.testing.dialogues.own_pages import fetches_own_pages
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.operations.graphql import argument_of
from gatecrash.core.testing.out_of_band import OutOfBand
from gatecrash.core.testing.payloads.ssrf import (
    IN_MARKUP,
    OF_FILES,
    OF_PATHS,
    USUAL,
    around_address,
    around_address_in_path,
    disguises,
    is_file,
    is_path,
)
from gatecrash.core.testing.places.address_parts import in_parts
from gatecrash.core.testing.places.plain_values import is_literal
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict

TYPE = "ssrf"
CWE = (918,)
# 80: content of inner services is read. 70: they are asked, and nothing is shown. 60: ports and hosts are told apart.
# 30: a name was looked up, which a filter before the fetch may have done.
THREAT_CONTENT, THREAT_FETCHED, THREAT_ERRORS, THREAT_NAME = 80, 70, 60, 30
# The last way is a host with its port; behind a word (`room:42`) a number is no port.
_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]{1,10}://|//[\w.-]+|www\.|[\w-]+(?:\.[\w-]+)+(?::\d+)?/"
    r"|(?:localhost|\d+(?:\.\d+){3}|[\w-]++(?:\.[\w-]++)++(?<=[a-z])):\d{2,5}\Z",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"ur[li]s?$|^u$|link|href|^src$|source|feed|hook|callback|proxy|fetch|remote|endpoint|^site$|website|avatar|image_?url"
    r"|upstream|origin|domain|^to$|dest|target|^uri|load|import|^host$|server|stock_?api|webhook|ping_?back",
    re.IGNORECASE,
)
_PATH_NAMED = re.compile(r"path|end_?point|service|resource|api|route|target|page|next|query", re.IGNORECASE)
_FILE_NAMED = re.compile(r"path|file", re.IGNORECASE)
_LONGEST_PAGE = 20_000
_MARKUP = re.compile(r"\s*<[a-z!][^<>]*>", re.IGNORECASE)
# What is drawn of a page: documents and pictures.
_DRAWN = re.compile(rb"application/(?:pdf|postscript|vnd\.)|image/(?:png|jpe?g|webp|gif)", re.IGNORECASE)
_TARGET = ("uri",)
_ANY = "http://a.example:80/a"
_OF_PARTS = 2 * len(disguises("", "")) + 1

_Deciding = Generator[TestRequest, Answer, Verdict | None]


def _dialogue(inquiry: Inquiry) -> Dialogue:
    if _may_be_drawn(inquiry.situation):
        return (yield from _by_markup(inquiry)) or (yield from inquiry.nothing_found(TYPE))
    if _within_text(inquiry.situation) is not None:
        return (yield from _by_text(inquiry)) or (yield from inquiry.nothing_found(TYPE))
    called = yield from _by_listener(inquiry)
    if called is not None and called.threat > THREAT_NAME:
        return called
    if _of_paths(inquiry.situation):
        return called or (yield from inquiry.nothing_found(TYPE))
    verdict = (yield from _by_connecting(inquiry)) or called
    if not inquiry.situation.policy.one_family:
        verdict = (yield from _by_own_pages(inquiry)) or verdict
    found = inquiry.vulnerable(ENTRY, THREAT_FETCHED, None, "the server fetches the address in another spelling")
    verdict = verdict or (yield from past_filter(inquiry, found, THREAT_NAME, THREAT_CONTENT, _OF_PARTS + 2))
    return verdict or (yield from inquiry.nothing_found(TYPE))


def _bait(inquiry: Inquiry, written: str) -> Bait | None:
    try:
        return Bait(inquiry.writer.write(written.encode("utf-8", "surrogateescape")))
    except UserError:
        return None


def _by_markup(inquiry: Inquiry) -> _Deciding:
    """Tags that hold our own address: a renderer of pages fetches what they name."""

    def baiting(oob: OutOfBand, number: int) -> Bait | None:
        return _bait(inquiry, IN_MARKUP.format(url=oob.url(number), value=inquiry.value))

    verdict = inquiry.vulnerable(ENTRY, THREAT_FETCHED, None, "the server draws a page and fetches what its tags name")
    return (yield from called_back(inquiry, baiting, verdict, dns_threat=THREAT_NAME))


def _by_text(inquiry: Inquiry) -> _Deciding:
    """Our own address in the place of the one that a text names: previews of links, and assistants, fetch it."""
    before, behind = _within_text(inquiry.situation) or ("", "")

    def baiting(oob: OutOfBand, number: int) -> Bait | None:
        return _bait(inquiry, f"{before}{oob.url(number)}{behind}")

    verdict = inquiry.vulnerable(ENTRY, THREAT_FETCHED, None, "the server fetches the address that a text names")
    return (yield from called_back(inquiry, baiting, verdict, dns_threat=THREAT_NAME, shown_threat=THREAT_CONTENT))


def _by_listener(inquiry: Inquiry) -> _Deciding:
    """Our own address, where the node listens at one that the target can reach; past filters too where all is asked for."""
    all_ = range(len(disguises("", "")))
    found = yield from _by_parts(inquiry)
    if found is not None and found.threat > THREAT_NAME:
        return found
    usual = _of_paths(inquiry.situation) or USUAL
    for index in all_ if is_thorough(inquiry.situation.policy) else usual:
        found = (yield from _fetched(inquiry, index)) or found
        if found is not None and found.threat > THREAT_NAME:
            return found
    return found


def _by_parts(inquiry: Inquiry) -> _Deciding:
    """Our own address in fields of their own: host, port and path."""
    situation = inquiry.situation

    def baiting(oob: OutOfBand, number: int) -> Bait | None:
        request = in_parts(situation.baseline.request, situation.point, oob.url(number))
        return None if request is None else Bait(request)

    verdict = inquiry.vulnerable(ENTRY, THREAT_FETCHED, None, "the server fetches what host, port and path name")
    return (
        yield from called_back(
            inquiry, baiting, verdict, dns_threat=THREAT_NAME, shown_threat=THREAT_CONTENT, beginning=_OF_PARTS
        )
    )


def _fetched(inquiry: Inquiry, index: int) -> _Deciding:
    """Whether our address is fetched. index: in which disguise."""

    def baiting(oob: OutOfBand, number: int) -> Bait | None:
        payload = disguises(oob.url(number), inquiry.value)[index]
        return None if payload is None else _bait(inquiry, payload)

    verdict = inquiry.vulnerable(ENTRY, THREAT_FETCHED, None, "the server fetches the address")
    return (
        yield from called_back(
            inquiry, baiting, verdict, dns_threat=THREAT_NAME, shown_threat=THREAT_CONTENT, beginning=2 * index + 1
        )
    )


def _by_connecting(inquiry: Inquiry) -> _Deciding:
    """What only who connects can tell: kinds of errors, and where somebody listens."""
    proof = yield from fails_as_networks(inquiry)
    if proof is None and not inquiry.situation.policy.one_family:
        proof = yield from tells_who_listens(inquiry)
    return inquiry.vulnerable(ENTRY, THREAT_ERRORS, proof, "the server connects to the address") if proof else None


def _by_own_pages(inquiry: Inquiry) -> _Deciding:
    """The target's own pages, fetched by the target."""
    found = yield from fetches_own_pages(inquiry)
    if found is None:
        return None
    if found.is_shown:
        return inquiry.vulnerable(ENTRY, THREAT_CONTENT, found.proof, "what the server fetched is shown")
    return inquiry.vulnerable(ENTRY, THREAT_ERRORS, found.proof, "the server tells whether the address is there")


def applies(situation: Situation) -> bool:
    """Values that look like an address, and parameters named like one that hold no number; texts that the server may draw."""
    if _may_be_drawn(situation):
        return True
    if not holds_a_value(situation):
        return tuple(situation.point) == _TARGET and _within_text(situation) is not None
    return _may_be_address(situation) or bool(_of_paths(situation)) or _within_text(situation) is not None


def _within_text(situation: Situation) -> tuple[str, str] | None:
    if tuple(situation.point) == _TARGET:
        return around_address_in_path(situation.value.decode("latin-1"))
    may = situation.point[0] in ("get", "post") and not _may_be_address(situation)
    return around_address(situation.value.decode("utf-8", "surrogateescape")) if may else None


def _may_be_drawn(situation: Situation) -> bool:
    """Whether the value is a page by its look, or a text of a request that is answered by a document or a picture."""
    value, response = situation.value.decode("utf-8", "replace"), situation.baseline.response
    if situation.point[0] not in ("get", "post") or not holds_a_value(situation, _LONGEST_PAGE):
        return False
    if is_literal(value) or _may_be_address(situation) or _of_paths(situation):
        return False
    drawn = response is not None and _DRAWN.match(response.first(b"Content-Type") or b"") is not None
    return drawn or _MARKUP.match(value) is not None


def _may_be_address(situation: Situation) -> bool:
    value = situation.value.decode("utf-8", "replace")
    if _ADDRESS.match(value):
        return True
    if situation.point[0] == "path" or is_literal(value):
        return False
    request = situation.baseline.request
    named = _NAMED.search(situation.point[-1]) or _NAMED.search(argument_of(request, situation.point[-1]))
    return bool(named) or in_parts(request, situation.point, _ANY) is not None


def _of_paths(situation: Situation) -> tuple[int, ...]:
    """In which disguises a path is asked for where nothing says that the value is more: it may stand behind a host that is
    written before it, and name a file to what opens addresses, too.
    """
    value = situation.value.decode("utf-8", "replace")
    if situation.point[0] not in ("get", "post") or _may_be_address(situation):
        return ()
    behind = OF_PATHS if is_path(value) and _PATH_NAMED.search(situation.point[-1]) else ()
    return (*behind, *OF_FILES) if is_file(value) and _FILE_NAMED.search(situation.point[-1]) else behind


def forecast(situation: Situation) -> int:
    """Requests for a sound point: a closed port, the front page itself, and pages that are there and not by the value."""
    if _may_be_drawn(situation) or _within_text(situation):
        return 1
    return len(_of_paths(situation)) or 5


ENTRY = Entry(
    type=TYPE,
    title="Server-side request forgery",
    cwe=CWE,
    owasp=("A10:2021",),
    owasp_api=("API7:2023",),
    why=(
        "The server reaches what strangers do not: services beside it that ask for no login, and in a cloud the metadata "
        "with its keys. Whoever chooses what it fetches reads them."
    ),
    remediation=(
        "Fetch only from names on a fixed list. Where any address must be allowed, resolve the name first, refuse private, "
        "loopback and link-local addresses, connect to the address that was checked, do it again after each redirect, "
        "and take http and https only. Let an outgoing proxy enforce it."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, applies=applies, forecast=forecast, run=inquiring(TYPE, _dialogue))
