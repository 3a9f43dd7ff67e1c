"""Cross-site scripting: what a request holds comes back as part of a page's markup or scripts, at once or later.

What it finds
    Values that an answer shows inside HTML text, an attribute (quoted or not), the address of a link, the source of a
    script, an event handler, a script (strings that it runs included), a comment or an element like `title`, in such a
    way that they can leave their place and run a script. And values that a request leaves behind, the name of a file
    that a PUT keeps among them, and another page of the same host shows so.

Why it matters
    Whoever makes a victim open a link acts in the victim's name: reads what it sees, changes what it may change.

How it decides
    Fresh letters are sent first; an answer that does not show them ends it. For each context in which they are shown the
    smallest payload that would leave that very context is sent, which calls a function of a fresh name. The answer is
    divided into tokens as a browser does: the call must stand where scripts stand, as code and not inside a string. It
    must do so a second time with other names, and not when the characters that leave the context are left out.
    Where a payload comes back changed, or not at all, others are sent that the usual filters let through; where it comes back
    escaped, one that is markup if the first sign alone was escaped, or if escapes are undone behind it. Where the letters
    stand in fields and links only, an element is sent as well: an error may say in the text what its signs made wrong. Of texts in bodies
    links in Markdown and BBCode are sent, too, whose address is a script.
    Only answers that a browser renders count: HTML by their Content-Type, or by sniffing where there is none and
    nothing forbids it; no plain text, no downloads, no redirects, nothing whose policy lets no script run. Of JSON
    those texts count that hold tags in the recorded answer, too, which the request did not bring along: pages insert
    them as markup.

    Stored: where a request may change something and its own answer is no page that shows the letters, all of its values
    get letters of their own at once, what tells of the caller too where headers are looked at, and a dozen pages are
    read for them in the same name (of a request that only reads the browser's, where a page shows it): where the answer
    leads, those of what was created, those that were recorded with one of the values, then the nearest; and the one to
    which a list there links by what was sent, as a forum does to a new thread. The same is
    then asked of the page that shows them. What is shown so, and not where its own letters come alone, is asked with
    fresh ones at the others each time: it stands beside a name that must be new.

    The page by which a host says that there is nothing at an address is met through the paths of all requests: it is
    reported once.

    Pages that show their own address are asked with letters behind it: of PHP and CGI behind the path, which they are handed
    apart from their own, else in the query; written as browsers write them, so that what stays escaped runs nowhere.

Known misses
    What is stored and shown on a page that was not recorded, or to others only; answers in XML.
    Filters that are passed by no more than one or two certain elements. Values shortened below the payload's length.
    The undecoded address: browsers escape what would be dangerous there.

Standards and references
    CWE-79; OWASP Top 10:2021 A03 Injection; OWASP API Security Top 10:2019 API8 Injection; WHATWG HTML, section 13.2.5.
"""

import re
from collections.abc import Generator, Iterable
from html import unescape
from typing import NamedTuple
from urllib.parse import quote, unquote

import msgspec

from gatecrash.core.message import Response
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import response_of
from gatecrash.core.testing.dialogues.following import Way, told_of
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply, inquiring
from gatecrash.core.testing.dialogues.missing_page import is_missing_page
from gatecrash.core.testing.dialogues.other_site import can_be_linked
from gatecrash.core.testing.dialogues.reading_after import (
    claim,
    give_back,
    may_keep,
    pages_showing,
    renew_others,
    showing,
)
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.pages.content_policy import forbids_inline
from gatecrash.core.testing.oracles.pages.markup_members import inserted
from gatecrash.core.testing.oracles.pages.reflection import ATTRIBUTE, TEXT, URL, Place, is_xml, places, renders, runs
from gatecrash.core.testing.payloads.xss import CUT, REFUSED, WHOLE, made_links, past_filters, payloads_for
from gatecrash.core.testing.places.segments import holds_a_value, names_a_kept_file
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof, Verdict

TYPE = "xss"
CWE = (79,)
# 75: nobody need be lured. 65: a link is enough. 45: the victim's browser must be made to send what it does not send by
# itself. A policy in the answer that forbids inline scripts makes it 20 less.
THREAT_STORED, THREAT_LINK, THREAT_CRAFTED, UNDER_POLICY = 75, 65, 45, 20
_MOST_PAYLOADS, _MOST_GROUPS = 6, 10
_LEAVING = re.compile(r"[^A-Za-z0-9=()]+")
TARGET = ("uri",)
# Where a browser writes an address of its own first: no payload can stand at the beginning, as that of a link that is a script does.
_BEGUN = (TARGET, ("header", "REFERER"))
# What stands behind the name of a script is handed to it (RFC 3875, section 4.1.5); what it may be called.
_TAKES_PATH = re.compile(r"\.(?:php\d?|phtml|f?cgi|pl|cfm)$", re.IGNORECASE)
# What browsers leave as it is (WHATWG URL, section 1.3).
_IN_PATH, _IN_QUERY = "/!$&'()*+,:;=@", "/!$()*+,:;=@?`{}"

_Deciding = Generator[TestRequest, Answer, Verdict | None]


class _Tried(NamedTuple):
    """What came of a payload. how: a browser would run it, empty where it would not. shown: WHOLE, CUT or REFUSED where it does
    not, empty where the application broke.
    """

    reply: Reply
    how: str
    shown: str


class _Ends(NamedTuple):
    """What a target is made of around the letters that are put into it, and what browsers do not escape there."""

    before: str
    behind: str
    kept: str


def _dialogue(inquiry: Inquiry) -> Dialogue:
    if tuple(inquiry.situation.point) == TARGET:
        return (yield from _by_address(inquiry)) or (yield from inquiry.nothing_found(TYPE))
    mark = inquiry.mark(8)
    shown = yield from inquiry.send(inquiry.value + mark)
    verdict: Verdict | None = None
    if shown is not None and _is_page(inquiry.situation, seen := _seen(inquiry, response_of(shown.exchange))):
        if not (yield from is_missing_page(inquiry, shown)):
            found = places(seen, mark)
            verdict = (yield from _in_places(inquiry, found)) or (yield from _where_it_is_wrong(inquiry, found))
        elif (key := (TYPE, inquiry.situation.baseline.request.origin, "missing")) not in inquiry.situation.memory.told:
            inquiry.situation.memory.told.add(key)  # before it is tried, as other requests meet it meanwhile
            verdict = yield from _in_places(inquiry, places(seen, mark))
    if verdict is None and shown is not None and not inquiry.situation.policy.one_family and may_keep(inquiry):
        verdict = yield from _stored(inquiry)
    return verdict or (yield from inquiry.nothing_found(TYPE))


def _by_address(asked: Inquiry) -> _Deciding:
    """Whether a page that shows its own address shows, decoded, what stands behind it."""
    ends = _ends(asked.situation)
    told = asked.situation.memory.told
    if (TYPE, asked.situation.baseline.request.origin, ends.before.partition("?")[0]) in told:
        return None
    inquiry = Inquiry(msgspec.structs.replace(asked.situation, value=ends.before.encode()), [asked.control])
    mark = inquiry.mark(8)
    shown = yield from _send(inquiry, inquiry.value + mark)
    if (
        shown is None
        or not shown.reading.status < FIRST_ERROR
        or not _is_page(inquiry.situation, response_of(shown.exchange))
    ):
        return None
    verdict = yield from _in_places(inquiry, places(response_of(shown.exchange), mark))
    if verdict is not None:
        told.add((TYPE, asked.situation.baseline.request.origin, ends.before.partition("?")[0]))
    return verdict


def _ends(situation: Situation) -> _Ends:
    path, sign, query = situation.baseline.request.target.decode("latin-1").partition("?")
    if _TAKES_PATH.search(path):
        return _Ends(path + "/", sign + query, _IN_PATH)
    return _Ends(f"{path}?{query}{'&' if query else ''}", "", _IN_QUERY)


def _send(inquiry: Inquiry, text: str, purpose: str = "test") -> Asking:
    """The answer to a text; of a target to the text behind its own, as a browser would write it."""
    if tuple(inquiry.situation.point) != TARGET:
        return (yield from inquiry.send(text, purpose=purpose))
    ends = _ends(inquiry.situation)
    written = quote(text.removeprefix(ends.before), safe=ends.kept)
    return (yield from inquiry.send(ends.before + written + ends.behind, purpose=purpose))


def _seen(inquiry: Inquiry, answer: Response, page: Way | None = None) -> Response:
    """The answer as a browser shows it, or what pages insert of it."""
    return answer if page else inserted(answer, inquiry.good, inquiry.situation.baseline.request)


def _is_page(situation: Situation, response: Response) -> bool:
    """Whether a victim's browser shows the answer; documents of XML only where a link or a form asks for them, as none is SOAP."""
    return renders(response) and (can_be_linked(situation.point) or not is_xml(response))


def _stored(inquiry: Inquiry) -> _Deciding:
    """Whether pages show later what was sent; each that does is judged as an answer that shows it at once."""
    ways = yield from pages_showing(inquiry)
    shown = yield from _shown_on(inquiry, ways)
    # What is shown with letters at all values, and not with its own alone, stands beside one that must be new.
    if ways and not any(shown) and renew_others(inquiry):
        shown = yield from _shown_on(inquiry, ways)
    # All were looked at before the first payload takes the letters' place.
    for way, found in zip(ways, shown, strict=True):
        if not claim(inquiry.situation, TYPE, way):
            continue
        verdict = yield from _in_places(inquiry, found, way)
        if verdict is not None:
            return verdict
        give_back(inquiry.situation, TYPE, way)
    return None


def _shown_on(inquiry: Inquiry, ways: list[Way]) -> Generator[TestRequest, Answer, list[tuple[Place, ...]]]:
    """Where each of these pages shows letters that were sent."""
    mark = inquiry.mark(8)
    left = (yield from inquiry.send(inquiry.value + mark)) if ways else None
    shown: list[tuple[Place, ...]] = []
    for way in ways:
        shown += [places((yield from showing(inquiry, left, way)), mark) if left else ()]
    return shown


def _in_places(inquiry: Inquiry, found: tuple[Place, ...], page: Way | None = None) -> _Deciding:
    """Try each payload that one of the contexts needs, once. page: which shows it, if it is not the answer itself."""
    patterns = {pattern: place for place in reversed(found) for pattern in reversed(payloads_for(place))}
    if tuple(inquiry.situation.point) in _BEGUN:
        patterns = {pattern: place for pattern, place in patterns.items() if pattern.startswith("{value}")}
    unrun: dict[Place, str] = {}
    for pattern, place in list(reversed(patterns.items()))[:_MOST_PAYLOADS]:
        tried = yield from _run(inquiry, pattern, page)
        if tried is None:
            continue
        if not tried.how:
            unrun.setdefault(place, tried.shown)
            continue
        verdict = yield from _confirm(inquiry, pattern, place, page)
        if verdict is not None:
            return verdict
    if inquiry.situation.policy.one_family or tuple(inquiry.situation.point) == TARGET:
        return None
    return (yield from _past_filters(inquiry, unrun, page))


def _where_it_is_wrong(inquiry: Inquiry, found: tuple[Place, ...]) -> _Deciding:
    """Whether a page that carries a value on in fields and links says it in its text once signs make it wrong, as an error does."""
    kinds = {place.kind for place in found}
    if TEXT in kinds or not kinds & {ATTRIBUTE, URL} or inquiry.situation.policy.one_family:
        return None
    if not can_be_linked(inquiry.situation.point):
        return None
    (pattern,) = payloads_for(Place(TEXT))
    tried = yield from _run(inquiry, pattern, None)
    return (yield from _confirm(inquiry, pattern, Place(TEXT), None)) if tried and tried.how else None


def _past_filters(inquiry: Inquiry, unrun: dict[Place, str], page: Way | None) -> _Deciding:
    """What a filter may let through that stood in the way of the first payloads, or what is read again behind an escape."""
    groups = {group: place for place, shown in unrun.items() if shown for group in past_filters(place, shown)}
    if inquiry.situation.point[0] == "post":  # where texts are written
        groups |= {group: place for place, shown in unrun.items() if shown and (group := made_links(place))}
    if tuple(inquiry.situation.point) in _BEGUN:
        groups = {group: place for group, place in groups.items() if all(each.startswith("{value}") for each in group)}
    for group, place in list(groups.items())[:_MOST_GROUPS]:
        first, *others = group
        together = first + "".join(pattern.removeprefix("{value}") for pattern in others)
        tried = yield from _run(inquiry, together, page)
        if tried is None or not tried.how:
            continue
        pattern = (yield from _first_that_runs(inquiry, group, page)) if others else first
        pattern = pattern or together
        verdict = yield from _confirm(inquiry, pattern, place, page)
        if verdict is not None:
            return verdict
    return None


def _first_that_runs(
    inquiry: Inquiry, patterns: Iterable[str], page: Way | None
) -> Generator[TestRequest, Answer, str | None]:
    for pattern in patterns:
        tried = yield from _run(inquiry, pattern, page)
        if tried is not None and tried.how:
            return pattern
    return None


def _run(
    inquiry: Inquiry, pattern: str, page: Way | None, purpose: str = "test"
) -> Generator[TestRequest, Answer, _Tried | None]:
    """What came of a payload; None where it could not be sent."""
    name = inquiry.mark(8)
    payload = _fill(inquiry, pattern, name)
    reply = yield from _send(inquiry, payload, purpose)
    if reply is None:
        return None
    answer = _seen(inquiry, (yield from showing(inquiry, reply, page)), page)
    how = runs(answer, name) or ""
    return _Tried(reply, how, "" if reply.broke else _shown(answer, payload.removeprefix(inquiry.value), name))


def _shown(answer: Response, payload: str, name: str) -> str:
    """How much of a payload an answer shows: all of it with nothing but escapes put in, some, or nothing."""
    text = text_of(answer)
    if payload not in text and "<" in payload and all(part in text for part in payload.split()):
        return CUT  # taken apart at its blanks, as words and tags are; elsewhere it may stand whole and escaped
    if any(payload in read for read in (text, unescape(text), unquote(unescape(text)))):
        return WHOLE
    return CUT if name in text.lower() else REFUSED


def _fill(inquiry: Inquiry, pattern: str, name: str) -> str:
    return pattern.format(value=inquiry.value, call=f"{name}()", name=name, mark=inquiry.mark())


def _confirm(inquiry: Inquiry, pattern: str, place: Place, page: Way | None) -> _Deciding:
    """The same with other names must run, and without the characters that leave the context must not."""
    name = inquiry.mark(8)
    tame = inquiry.value + _LEAVING.sub("", _fill(inquiry, pattern, name).removeprefix(inquiry.value))
    control = yield from _send(inquiry, tame, "control")
    if control is None or runs(_seen(inquiry, (yield from showing(inquiry, control, page)), page), name):
        return None
    again = yield from _run(inquiry, pattern, page, "confirm")
    return _vulnerable(inquiry, again.reply, again.how, control, place, page) if again and again.how else None


def _vulnerable(inquiry: Inquiry, reply: Reply, how: str, control: Reply, place: Place, page: Way | None) -> Verdict:
    response = response_of(reply.exchange)
    guarded = forbids_inline(response)
    itself = page is not None or renders(response)
    threat = (
        THREAT_STORED if page else THREAT_LINK if itself and can_be_linked(inquiry.situation.point) else THREAT_CRAFTED
    )
    where = (
        f" on {told_of(page)}, which was read afterwards,"
        if page
        else ""
        if itself
        else " in markup that JSON carries for a page"
    )
    note = (
        " The answer's Content-Security-Policy forbids inline scripts, which limits what can be done."
        if guarded
        else ""
    )
    proof = Proof(
        test=reply.exchange,
        control=control.exchange,
        verified_by=(
            f"The input {reply.payload!r} is shown{where} so that a browser runs its call {how}; it was shown twice, with "
            f"names drawn at random. {control.payload!r}, without the characters that leave the context "
            f"({place.kind}), does not run.{note}"
        ),
    )
    less = UNDER_POLICY if guarded else 0
    return inquiry.vulnerable(ENTRY, threat - less, proof, f"{'stored, ' if page else ''}runs {how}")


def applies(situation: Situation) -> bool:
    """Any single value of a request whose answer has a body, the name of a file that a PUT keeps, and the target of a
    page that shows it.
    """
    if tuple(situation.point) == TARGET:
        return _shows_its_address(situation)
    if situation.baseline.request.method.upper() == "HEAD":
        return False
    return holds_a_value(situation) or names_a_kept_file(situation)


def _shows_its_address(situation: Situation) -> bool:
    request, response = situation.baseline.request, situation.baseline.response
    if request.method.upper() != "GET" or response is None or response.status >= FIRST_ERROR or not renders(response):
        return False
    path = unquote(request.path.decode("latin-1"))
    # `</script>` is no address.
    return len(path) > 1 and re.search(rf"(?<!<){re.escape(path)}(?![\w/.-])", text_of(response)) is not None


def forecast(_situation: Situation) -> int:
    """Requests for a point whose value is not shown: one."""
    return 1


ENTRY = Entry(
    type=TYPE,
    title="Cross-site scripting",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why=(
        "Whoever makes a victim open a prepared link, or a page that keeps what others wrote, runs scripts in the victim's browser with the victim's session: it "
        "reads what the victim sees and does what the victim may do."
    ),
    remediation=(
        "Escape every value for the place it stands in when the page is written: HTML text, attribute, address and script "
        "need different escapes, which a template engine with automatic escaping knows. Answer data as application/json "
        "with X-Content-Type-Options: nosniff. Add a Content-Security-Policy without 'unsafe-inline' as a second wall."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, applies=applies, forecast=forecast, run=inquiring(TYPE, _dialogue))
