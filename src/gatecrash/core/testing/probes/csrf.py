"""Cross-site request forgery: a request that changes something is taken from any site, on the strength of a cookie.

What it finds
    Changing requests that are signed in by cookies alone, and are accepted with the origin of another site and without
    the token that came with them, in a form that a page of another site can send.

Why it matters
    A page that a signed-in user visits acts in the user's name: it orders, pays, changes the address.

How it decides
    The baseline is sent as another site's page would send it: Origin and Referer of a fresh name (the own one is a
    folder in it), tokens and headers that such a page cannot set left out, JSON as plain text; a mutation of GraphQL as
    a form and by GET, too, its queries not at all. It must be answered as when it was recorded. The same without its
    cookies must be refused or answered otherwise, or the cookie is not what lets it in: JSON that serves a visitor in
    the same way with what is his (a cart, a counter) is no refusal; and the foreign request must be taken a second
    time, in a session that was shown the form. JSON that holds another sentence as its message than when it was
    recorded is a refusal, and so is a page that does not say that something was done, where the recorded one did. What
    a page tells visitors to be done for them, too, is done in nobody's name. Where a token
    was left out and the application's own request is told a sentence, that must say that something was done. The page
    that a redirect leads to must say nothing after the foreign one alone, nor show what the application's own left and
    nothing of the foreign one.
    Requests that end sessions, delete, or change passwords and rights are left alone, but for a GET that holds a new
    password
    twice: it sets what it set when it was recorded.
    Left out is what no other site knows: tokens by their names, random values of 16 characters or more, the password of
    now. Where nothing but tokens were left out and that is refused, tokens drawn at random take their place. The state
    of a page (`__VIEWSTATE`) is the one that another identity is shown; where no other is known, nothing is said. Where
    the record shows that all its cookies were set with SameSite=Lax or Strict, no browser brings them, and nothing is
    asked. What only looks something up, by its name and its answer, is not asked: nobody sees the answer but the user.
    Neither is what JSON answers with a list of objects that shows nothing of what was sent, nor a request for a
    forgotten password. A page that a form of its own is answered with must say that something was done, or is now what
    was sent, or link the file that was sent, or the address must be called after a change. Where it shows what was sent
    in any case, its user's name aside, another value is sent as from another site, which it must show from then on.

Known misses
    Cookies that their SameSite attribute keeps at home, where the record does not show how they were set: the finding
    says what to look at. What takes its method from a field. Other changes by GET than those that `csrf_link` and
    `csrf_method` look at. One-time requests, which
    refuse a repeat. What is called a search, a preview or a sum, and changes something for all that; pages that change
    something and say so in no word known here.

Standards and references
    CWE-352; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API8 Security Misconfiguration;
    WHATWG Fetch, section 4.9 (what needs a preflight).
"""

import re
from collections.abc import Callable, Generator
from functools import partial

import msgspec

from gatecrash.core.auth.set_cookie import issued
from gatecrash.core.message import Exchange, Request, Response, reading, with_header, without_header
from gatecrash.core.points.walk import walk
from gatecrash.core.statuses import FIRST_ERROR, OK
from gatecrash.core.testing.asking import ask, ask_raw, concluding, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import (
    REGISTRATION,
    account_request,
    brings_a_password,
)
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.callers.password_changes import password_change
from gatecrash.core.testing.authorization.objects.answered_objects import objects_in
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply
from gatecrash.core.testing.dialogues.kept_from_elsewhere import keeps_from_elsewhere
from gatecrash.core.testing.dialogues.other_site import (
    LOGIN,
    PASSWORD,
    as_other_site,
    is_signed_in_by_cookies,
    looks_up,
    may_be_made_up,
)
from gatecrash.core.testing.dialogues.page_state import with_anothers_state
from gatecrash.core.testing.effects.destruction import bears_repeating, destroys
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.page import landing_of
from gatecrash.core.testing.operations.graphql import in_other_forms, only_queries
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.difference import MARKUP, Fact, Reading, read, said_by_ones_alone
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.messages import says_otherwise
from gatecrash.core.testing.oracles.outcomes.refused import refusal, was_let_in
from gatecrash.core.testing.oracles.outcomes.told_changes import (
    hands_out,
    names_change,
    shows_kept,
    tells_change,
    tells_now,
)
from gatecrash.core.testing.oracles.pages.reflection import renders
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Proof, Verdict, inconclusive, safe

TYPE = "csrf"
CWE = (352,)
THREAT = 45
_COOKIE = re.compile(rb"(?<![^;\s])([^=;\s]++)=([^;]*+)")
# A request as a site of some name sends it, without what stays at home.
_Dress = Callable[..., Request]
_TEXT = re.compile(r"[^\W\d_]{3}")
# Lists of what was done, as a page shows them to its user, and of no objects.
_MESSAGES = re.compile(
    r"(?:messages?|alerts?|notices?|notifications?|flash(?:es)?|toasts?|errors?|warnings?|infos?)", re.IGNORECASE
)
# Nothing of a list: its entries have numbers, days and names of their own.
_SENTENCE = re.compile(r"(?=[^\d<>]*$)[\w'\u2019]*+(?:[ ,]++[\w'\u2019]++){2,20}[ .!]*+")
# A new object's page has a number of its own.
_NUMBER = re.compile(rb"\d+")
# What whoever is not signed in asks for, and a login by another name.
_FORGOTTEN = re.compile(rb"forgot|lost[-_]?pass", re.IGNORECASE)
_ENTERS = re.compile(rb"/(?:enter|unlock|(?:log|sign)[-_]?on|auth(?:enticate)?)\d?(?:\.\w{2,5})?/?$", re.IGNORECASE)
_OF_MANAGERS = re.compile(rb"admin|manage|staff|backoffice|/users?/", re.IGNORECASE)


def _dialogue(situation: Situation) -> Dialogue:
    recorded = situation.baseline.exchange
    # A page that asks for a password again may be the one that changes it: what it says without cookies will tell.
    if recorded.response is None or recorded.response.truncated or not was_let_in(recorded.response):
        return inconclusive(TYPE, situation.point, Inconclusive.NO_CONTROL, "no good answer was recorded")
    inquiry = Inquiry(situation, [recorded])
    sent = yield from with_anothers_state(situation)
    if sent is None:
        return inconclusive(
            TYPE, situation.point, Inconclusive.NO_CONTROL, "the state of its page may be its session's alone"
        )
    ways = [(way, False) for way in (sent, *in_other_forms(sent))]
    for way, made_up in (*ways, (sent, True)) if may_be_made_up(sent) else ways:
        verdict = yield from _try(inquiry, way, made_up=made_up)
        if verdict is not None:
            return verdict
    if inquiry.blocked:
        return safe(TYPE, situation.point, f"what another site sends is refused: {inquiry.blocked}")
    return (yield from inquiry.nothing_found(TYPE))


def _try(inquiry: Inquiry, way: Request, *, made_up: bool) -> Generator[TestRequest, Answer, Verdict | None]:
    """Taken from another site, not without its cookies, and taken once more; None where it is not so.

    made_up: with a token that anybody may draw.
    """
    dress = partial(as_other_site, way, made_up=made_up)
    foreign = yield from _foreign(inquiry, dress, "test")
    if foreign is None or not _done(inquiry, foreign):
        return None
    bare = dress(inquiry.mark(8))
    request: Request = msgspec.structs.replace(bare, headers=without_header(bare.headers, b"Cookie"))
    # Not by the inquiry: a 403 is what many applications answer to whoever is not signed in, and stops nothing here.
    stranger = yield from ask(request, "control")
    if _taken(inquiry, stranger) or _is_for_guests(foreign.exchange, stranger):
        return None
    if (yield from _is_done_for_guests(inquiry, request, stranger)):
        return None
    page = yield from _seen_its_form(inquiry)
    again = yield from _foreign(inquiry, dress, "confirm")
    if again is None or not _done(inquiry, again) or not (yield from _changes(inquiry, dress)):
        return None
    if not (yield from _taken_once_shown(inquiry, dress, page)):
        return None
    if not (yield from _told_alike(inquiry, dress)):
        return None
    token = "tokens drawn at random" if made_up else "no token"
    proof = Proof(
        test=again.exchange,
        control=stranger,
        verified_by=(
            f"Sent as a page of another site sends it (foreign Origin and Referer, {token}, no header that needs a "
            "preflight) the request is answered as when it was recorded, twice; without its cookies it is not. Whether a "
            "browser sends the cookie along depends on its SameSite attribute: look at that next."
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT, proof, "taken from another site on the strength of a cookie")


def _seen_its_form(inquiry: Inquiry) -> Generator[TestRequest, Answer, Exchange | None]:
    """The page that the request was sent from is read, as its user had: a session that was shown no form yet has no
    token, and some then take none for the right one.
    """
    request = inquiry.situation.baseline.request
    referer = Response(302, ((b"Location", request.first(b"Referer") or b"/"),))
    page = reading(request, landing_of(request, referer) or b"/")
    return (yield from ask(page, "control")) if destroys(page) is None else None


def _taken_once_shown(inquiry: Inquiry, dress: _Dress, page: Exchange | None) -> Generator[TestRequest, Answer, bool]:
    """Whether it is taken with the cookies that the form's page gave anew, where it gave any."""
    shown = None if page is None else _as_shown(dress(inquiry.mark(8), inquiry.situation.kept_home), page)
    return shown is None or _taken(inquiry, (yield from ask_raw(shown, "control")))


def _as_shown(request: Request, page: Exchange) -> Request | None:
    """The request with the cookies that the form's page gave anew, as those are that hold a session and its token; None
    where it gave none.
    """
    carried = dict(_COOKIE.findall(page.request.first(b"Cookie") or b""))
    anew = {
        each.name: each.value for each in issued(response_of(page)) if each.value != carried.get(each.name, each.value)
    }
    names = [name for name, _ in _COOKIE.findall(request.first(b"Cookie") or b"") if name in carried]
    if anew.keys().isdisjoint(names):
        return None
    cookies = b"; ".join(name + b"=" + (carried | anew)[name] for name in names)
    later: Request = msgspec.structs.replace(request, headers=with_header(request.headers, b"Cookie", cookies))
    return later


def _changes(inquiry: Inquiry, dress: _Dress) -> Generator[TestRequest, Answer, bool]:
    """Whether the request changes something; of one that a page answers, by what it says, is called or leaves to see."""
    request = inquiry.situation.baseline.request
    if inquiry.good.status != OK or not renders(inquiry.good) or request.method.upper() != "POST":
        return True
    if names_change(request.path.decode("latin-1")):
        return True
    plain = reading(request, request.target)
    page = text_of(response_of((yield from ask(plain, "control")))) if destroys(plain) is None else ""
    points = [found for found in walk(request).points if found.point[:1] == ("post",) and not found.container]
    values = [found.value.decode("utf-8", "replace") for found in points]
    files = [value for found, value in zip(points, values, strict=True) if found.point[-1] == "filename"]
    if tells_change(inquiry.good_text, page) or hands_out(inquiry.good_text, files):
        return True
    # What the page says in any case, and what it calls its user by, is none of it.
    if tells_now(inquiry.good_text, values) and not tells_now(page, values):
        return True
    own = holder_values(inquiry.situation)
    shown = [
        found
        for found, value in zip(points, values, strict=True)
        if value.lower() not in own and (shows_kept(page, [value]) or tells_now(page, [value]))
    ]
    return (
        yield from keeps_from_elsewhere(inquiry, lambda: dress(inquiry.mark(8), inquiry.situation.kept_home), shown)
    )


def _told_alike(inquiry: Inquiry, dress: _Dress) -> Generator[TestRequest, Answer, bool]:
    """Whether the page that a redirect leads to says nothing of the foreign request that it does not say by itself, or of the
    application's own: many lead back to the form in either case, and tell there that the token was wrong.
    """
    own = inquiry.situation.baseline.request
    target = landing_of(own, inquiry.good)
    if target is None:
        return True
    pages: dict[str, list[Reading]] = {"before": [], "": [], "own": [], "foreign": []}
    # What is told once may be left over from before, and another test may be told it in the place of this one.
    for whose in ("before", "", "own", "foreign", "", "foreign", ""):
        if whose in ("own", "foreign"):
            name = inquiry.mark(8)
            sent = own if whose == "own" else dress(name, inquiry.situation.kept_home)
            answered = yield from ask(sent, "control")
            if whose == "foreign" and not _taken(inquiry, answered):
                return False
            target = landing_of(sent, response_of(answered)) or target
        pages[whose].append(read(response_of((yield from ask(reading(own, target), "control")))))
    if said_by_ones_alone(pages["foreign"], pages[""] + pages["own"]) or _told_once(pages, "foreign", ("", "own")):
        return False
    # Where the application's own is turned down as well, its token was not the present one, and both are told the same.
    guarded = dress(inquiry.mark(8), inquiry.situation.kept_home).body != own.body
    if guarded and _told_once(pages, "own", ("",)):
        return False
    return not _done_by_own_alone(pages)


def _told_once(pages: dict[str, list[Reading]], whose: str, beside: tuple[str, ...]) -> bool:
    """Whether a request, be it one of several, was told a sentence that stands on no other page, and that says of
    nothing that it was done.
    """
    others = frozenset[Fact]().union(*(page.facts for each in beside for page in pages[each]))
    alone = (said for page in pages[whose] for where, said in page.facts - others if not where.startswith(MARKUP))
    return any(_SENTENCE.fullmatch(said) and not tells_change(f"<p>{said}</p>", "") for said in alone)


def _done_by_own_alone(pages: dict[str, list[Reading]]) -> bool:
    """Whether the application's own request left something there, and the foreign ones, between it and the end, left nothing."""
    (before,), (own,) = pages["before"], pages["own"]
    (plain, later, _), (first, last) = pages[""], pages["foreign"]
    left = (own.facts & first.facts & later.facts & last.facts) - before.facts - plain.facts
    return bool(left) and first.facts <= own.facts and last.facts <= later.facts


def _foreign(inquiry: Inquiry, dress: _Dress, purpose: str) -> Generator[TestRequest, Answer, Reply | None]:
    sent = dress(inquiry.mark(8), inquiry.situation.kept_home)
    return (yield from inquiry.submit(sent, "as another site", purpose=purpose))


def _is_for_guests(foreign: Exchange, stranger: Exchange) -> bool:
    """Whether a visitor is served in the same way with what is his: a cart of his own, a counter that has gone on meanwhile."""
    ours, theirs = response_of(foreign), response_of(stranger)
    if refusal(theirs) is not None or theirs.status != ours.status or "json" not in media_type(theirs):
        return False
    told, mine = leaves(theirs), leaves(ours)
    words, places = set(mine), {leaf.path for leaf in mine}
    return bool(told) and all(leaf in words or (leaf.path in places and leaf.value.isdigit()) for leaf in told)


def _is_done_for_guests(inquiry: Inquiry, request: Request, stranger: Exchange) -> Generator[TestRequest, Answer, bool]:
    """Whether a page tells a visitor, too, that what he sent was done, as a contact form does: nothing is done in anybody's name then."""
    theirs, page = response_of(stranger), reading(request, request.target)
    if theirs.status != OK or theirs.status != inquiry.good.status or not renders(theirs) or destroys(page):
        return False
    if refusal(theirs) is not None or not tells_change(text_of(theirs), ""):
        return False
    return tells_change(text_of(theirs), text_of(response_of((yield from ask(page, "control")))))


def _taken(inquiry: Inquiry, exchange: Exchange) -> bool:
    """Whether an answer is of the recorded one's kind, redirects to the same place included."""
    response = response_of(exchange)
    if refusal(response, inquiry.good) is not None:
        return False
    here, there = (_NUMBER.sub(b"0", each.first(b"Location") or b"") for each in (response, inquiry.good))
    if here != there or response.status != inquiry.good.status or says_otherwise(inquiry.good, response):
        return False
    return bool(there) or inquiry.like_baseline(read(response))


def _done(inquiry: Inquiry, foreign: Reply) -> bool:
    """Whether the foreign request was taken, and its page says that something was done where the recorded one did."""
    if not _taken(inquiry, foreign.exchange):
        return False
    return tells_change(foreign.text, "") or not tells_change(inquiry.good_text, "")


def applies(situation: Situation) -> bool:
    """Changing requests with a cookie and no other credentials, whose recorded answer is good; of GET those that set a password."""
    request, response = situation.baseline.request, situation.baseline.response
    if not bears_repeating(request) or _of_visitors(request):
        return False
    if (response is not None and _only_looks_up(request, response)) or only_queries(request):
        return False
    if request.method.upper() != "POST" and not _sets_password(request):
        return False
    return is_signed_in_by_cookies(situation) and response is not None and response.status < FIRST_ERROR


def _only_looks_up(request: Request, response: Response) -> bool:
    """Whether a POST asks for an answer and changes nothing, by its name and by the answer: what changes leads on or makes."""
    return response.status == OK and (looks_up(request) or _lists_others(request, response))


def _lists_others(request: Request, response: Response) -> bool:
    """Whether JSON lists objects that hold nothing of what was sent, texts among it: it chose them, and was not kept."""
    sent = {
        found.value.decode("utf-8", "replace").lower() for found in walk(request).points if found.point[0] == "post"
    }
    texts = {text for text in sent if _TEXT.search(text) and text not in ("true", "false", "null")}
    if not texts or names_change(request.path.decode("latin-1")) or "json" not in media_type(response):
        return False
    held = [(name, value) for each in objects_in(response) for name, value in each.items()]
    lists = [value for name, value in held if isinstance(value, list) and not _MESSAGES.fullmatch(name)]
    objects = any(isinstance(each, dict) for value in lists for each in value)
    if not objects and not (held and text_of(response).lstrip().startswith("[")):
        return False
    told = {leaf.value.lower() for leaf in leaves(response)}
    return not told & sent and not any(text in value for text in texts for value in told)


def _of_visitors(request: Request) -> bool:
    """Whether a request is a login, a visitor's registration, or asks for a forgotten password: it does nothing in anybody's name."""
    account = account_request(Exchange(request))
    if account is not None and account.kind == REGISTRATION:
        return _OF_MANAGERS.search(request.path) is None
    if LOGIN.search(request.path) or _FORGOTTEN.search(request.path):
        return True
    return _ENTERS.search(request.path) is not None and brings_a_password(request)


def _sets_password(request: Request) -> bool:
    """Whether a GET request sets a password, as one that holds it twice does: it changes something for all its method says."""
    if request.method.upper() != "GET":
        return False
    change = password_change(request, proven=True)
    if change is not None and change.again:
        return True
    points = (found for found in walk(request).points if found.point[:1] == ("get",))
    values = [found.value for found in points if PASSWORD.search(found.point[-1]) and found.value]
    return len(values) > len(set(values))


def forecast(situation: Situation) -> int:
    """One request, which a sound target refuses, and one with a drawn token; of GraphQL one for each form that it may be sent in."""
    request = situation.baseline.request
    return 1 + len(in_other_forms(request)) + may_be_made_up(request)


ENTRY = Entry(
    type=TYPE,
    title="Cross-site request forgery",
    cwe=CWE,
    owasp=("A01:2021",),
    owasp_api=("API8:2023",),
    why="Any page that a signed-in user visits can make this change in the user's name, and the user sees nothing of it.",
    remediation=(
        "Compare Origin (or Referer) with your own on every changing request, and demand a token that belongs to the "
        "session. Set cookies SameSite=Lax or Strict. Take JSON only as application/json."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, whole=True, applies=applies, forecast=forecast, run=concluding(TYPE, _dialogue))
