"""Actions on objects of others: what its owner decides of an object, as `/orders/7/cancel` does, is done by another.

What it finds
    POST, PUT and PATCH whose path ends with an action that an object's owner decides on (`cancel`, `close`, `publish`,
    `lock`, `refund`, `renew`) behind the object's identifier, or with it in the body or the query (`/order/cancel` with `id=7`,
    `/orders/return_order?order_id=7`), forms among them, and functions and mutations that say so by their name
    (`order.cancel`, `closeOrder`), which are done for another identity of no higher rank. So is what is accepted or
    declined by somebody whom it is not for.

Why it matters
    Whoever changes an identifier cancels the bookings of others, closes their accounts, or publishes what they keep to
    themselves.

How it decides
    Nothing that was there before is touched. The record must show the request that made such an object; the owner sends
    it once more (a form is known by where its answer leads, or by the link that a list has more afterwards) and reads
    the new object at its own address, at one like that where others of its kind were read (`/orgs/4/orders/7`), by a
    recorded question for one of its kind (`order(id: …)`), or in the entry of their list that is called so. Something
    must say that it is his: the other identity may not read it, the list that it stands in shows it to the owner only,
    or it names the owner as the owner's credentials do. Who merely made it, as a field `created_by` tells, is no owner;
    and what a list shows to both, without private data, is everybody's. Then the action is asked for without
    credentials; the owner must read the object as it was. Then the other identity asks for it, and its answer must
    refuse nothing: the owner must read another value in a field that shows a state or a term (`due`), not find the object any more, or
    not find the form any more by which a page let him do it. All of it is done a second time with another new object,
    at which nobody asks several times first, and the same field must change to the same value. Where the record shows
    how, the owner deletes what was made at the end. Where another of the same rank changes nothing by it, who does is
    let in by a rule.

Known misses
    Objects whose making was not recorded, or that can be read nowhere. What others are meant to do (`approve`, `pay`;
    `accept`, where the request that makes it does not name whom it is for). Requests with texts that the object shows,
    which `idor_write` looks at; why something is done is no such text.

Standards and references
    CWE-639; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API1 Broken Object Level
    Authorization.
"""

import re
from collections.abc import Generator
from functools import partial
from itertools import islice
from typing import NamedTuple

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.statuses import FIRST_ERROR, NOT_THERE
from gatecrash.core.testing.asking import ask, ask_as, concluding, response_of
from gatecrash.core.testing.authorization.callers.peers import Did, as_all, peers_of
from gatecrash.core.testing.authorization.fields.markable import markable
from gatecrash.core.testing.authorization.objects.acts import acted_on, calls_act
from gatecrash.core.testing.authorization.objects.listed_entry import entry_of
from gatecrash.core.testing.authorization.objects.made_anew import made_anew, made_by_form, may_make
from gatecrash.core.testing.authorization.objects.made_by_forms import Links
from gatecrash.core.testing.authorization.objects.named import asking_for, kind_of, listing, named_fields, named_objects
from gatecrash.core.testing.authorization.objects.offers import answers_an_offer, is_for_a_third
from gatecrash.core.testing.authorization.objects.renewed import taken_away
from gatecrash.core.testing.authorization.owners.lists_of_kind import asked_for, shown_below
from gatecrash.core.testing.authorization.owners.own_evidence import evidence_of_own
from gatecrash.core.testing.authorization.owners.owner_evidence import is_listed_to
from gatecrash.core.testing.authorization.owners.private_fields import is_private
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.known.page import Page, asking
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.leaves import Leaf, leaves
from gatecrash.core.testing.oracles.outcomes.refused import asks_to_sign_in, is_good, is_taken
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Verdict, inconclusive, safe, vulnerable

TYPE = "idor"
CWE = 639
THREAT = 84
_NOBODY = ""
_MOST_MAKERS, _MOST_PLACES = 2, 2
# The second time longer than all that was asked about the first object.
_ASKED_FIRST, _ASKED_AGAIN = 1, 6
_GONE, _DONE = "it is not there any more", "the form that does it is not there any more"
_AS_BEFORE = "its owner reads the object as before after the other identity asked for the action"
_UNMADE = "no request of the record makes such an object, and nothing is done to those that were there before"
# A time, a counter and a name of whoever was there last say nothing of what an object is.
_STATE = re.compile(r"[A-Za-z][A-Za-z _-]{1,30}")
_NO_STATE = re.compile(
    r"(?:_|^)(?:at|on|by|date|time|updated|modified|seen|version|revision|etag|count|attempts?|views|hits|opens)$",
    re.IGNORECASE,
)
# A loan that is renewed is due on another day.
_TERM, _DAY = re.compile(r"due|until|expir|valid|ends?(?:_|$)", re.IGNORECASE), re.compile(r"\d{4}-\d\d-\d\d")
_SO_OR_NOT = {"0", "1"}
# What is said of the action: of the object it is seldom shown.
_WHY = re.compile(r".*(?:reason|comment|remark|explanation|justification|feedback)s?|notes?|message", re.IGNORECASE)


class _Object(NamedTuple):
    """A new object. act: the request that acts on it. place: where its owner reads it, and read: what he was answered there.
    kind: the word for such things where that place is their list; else empty.
    """

    named: Named
    act: Request
    place: Request
    read: Exchange
    kind: str = ""

    def shown_in(self, response: Response) -> Response:
        """The part of an answer that is about this object."""
        return (entry_of(response, self.named.value, self.kind) if self.kind else None) or response

    def is_in(self, response: Response) -> bool:
        """Whether an answer shows it."""
        if self.kind:
            return is_good(response) and entry_of(response, self.named.value, self.kind) is not None
        return _shows(response, self.named.value)

    def told(self) -> frozenset[Leaf]:
        """What its owner was told of it before anything was done."""
        return frozenset(leaves(self.shown_in(response_of(self.read))))


_Making = Generator[TestRequest, Answer, _Object | None]


def _dialogue(situation: Situation) -> Dialogue:
    every: list[str] = []
    others = peers_of(situation.identities)
    verdict = yield from as_all(others, partial(_did, situation, every))
    yield from taken_away(situation, situation.baseline.request, tuple(every))
    return verdict


def _did(situation: Situation, every: list[str], other: Identity) -> Generator[TestRequest, Answer, Did]:
    verdict = yield from _asked_as(situation, every, other)
    return Did(verdict, is_kept=verdict.detail == _AS_BEFORE)


def _asked_as(situation: Situation, every: list[str], other: Identity) -> Generator[TestRequest, Answer, Verdict]:
    """every: grows by what is made for it."""
    point = situation.point
    made = yield from _made(situation, other, every)
    if made is None:
        return inconclusive(TYPE, point, Inconclusive.NO_CONTROL, _UNMADE)
    evidence = yield from _evidence(situation, other, made)
    if not evidence:
        return safe(TYPE, point, "nothing says that the object is its owner's alone")
    acted, changed = yield from _changed(made, other, _ASKED_FIRST)
    if acted is None or not changed:
        is_unknown = acted is not None and asks_to_sign_in(response_of(acted))
        return safe(TYPE, point, "the other identity is not signed in any more" if is_unknown else _AS_BEFORE)
    again = yield from _made(situation, other, every)
    changed_again = (yield from _changed(again, other, _ASKED_AGAIN))[1] if again is not None else frozenset()
    same = sorted(changed & changed_again)
    # The number of what is gone is given anew by some stores.
    is_another = again is not None and (again.named.value != made.named.value or same == [_GONE])
    if not is_another or not same:
        return safe(TYPE, point, "another new object was not changed in the same way")
    return vulnerable(
        ENTRY,
        made.named.point,
        detail=f"{other.name!r} does it: {same[0]}",
        threat=THREAT,
        test=acted,
        control=made.read,
        verified_by=(
            f"Of two objects that their owner had just made, he read after the identity {other.name!r} asked for the action: {same[0]}. "
            f"Without credentials the same changed nothing. That they are the owner's: {evidence}. What was there before was not touched."
        ),
    )


def _evidence(situation: Situation, other: Identity, made: _Object) -> Generator[TestRequest, Answer, str]:
    """What says that the object is its owner's alone. On a team's board all close what one of them wrote, whose name stands beside it."""
    shown = made.shown_in(response_of(made.read))
    evidence = yield from evidence_of_own(situation, other, made.named, Exchange(made.place, shown), makers=False)
    if not evidence or is_private(shown, strictly=True) or not (yield from is_listed_to(other, made.place, made.named)):
        return evidence
    reads = response_of((yield from ask_as(made.place, other.name, "control")))
    return "" if is_good(reads) else evidence


def _made(situation: Situation, other: Identity, every: list[str]) -> _Making:
    """A new object, as its owner reads it at its own address; None where none can be made or read."""
    request = situation.baseline.request
    named = _named(request)
    assert named is not None
    lists = [listing(request, named.collection)] if named.collection else _with_its_form(situation, named)
    for maker in situation.makers[:_MOST_MAKERS]:
        if answers_an_offer(request) and not is_for_a_third(maker.request, situation, other):
            continue
        if maker.path or maker.chosen:
            made = yield from made_anew(situation, maker, named.value)
        else:
            made = ((yield from made_by_form(situation, maker, named, lists)),)
        every += filter(None, made)
        new = made[0] if made else ""
        act = asking_for(request, named, new) if new else None
        if act is None:
            continue
        made_at = [listing(act, maker.request.path.rstrip(b"/") + b"/" + new.encode())] if maker.path else []
        in_lists = lists if named.point[0] == "post" else []
        own = [(place, "") for place in dict.fromkeys((*_places(situation, named, act, new), *made_at, *in_lists))]
        of_kind = [(place, kind_of(request, named)) for place in lists if named.point[0] == "path"]
        for place, kind in (*own, *of_kind):
            read = yield from ask(place, "control")
            made_now = _Object(named._replace(value=new), act, place, read, kind)
            if made_now.is_in(response_of(read)):
                return made_now
    return None


def _with_its_form(situation: Situation, named: Named) -> list[Request]:
    """The recorded lists that have a form for each object, which it is named in by a hidden field; none where it stands elsewhere."""
    request = situation.baseline.request
    if named.point[0] != "post" or calls_act(request):
        return []
    shown = (page for page in situation.pages if page.rendered and named.value in page.shown)
    lists = (page for page in shown if not any(each.sure for each in named_objects(page.request)))
    return [asking(request, page) for page in islice(lists, _MOST_PLACES)]


def _places(situation: Situation, named: Named, act: Request, new: str) -> list[Request]:
    """Where its owner reads the new object: at its own address, where others were read, or by a recorded question for one of its kind."""
    if not calls_act(act):
        above = acted_on(act)
        if named.point[0] == "path":
            below = shown_below(situation.pages, situation.baseline.request, named, new)
            return [listing(act, above), *(asking(act, Page(each, rendered=False)) for each in below[:_MOST_PLACES])]
        pages = (page.request for page in situation.pages if page.request.path == above)
        ones = [asking_for(page, one, new) for page in pages for one in named_objects(page) if one.point[0] == "get"]
        targets = dict.fromkeys(one.target for one in ones if one is not None)
        return [listing(act, target) for target in (*targets, above + b"/" + new.encode())][:_MOST_PLACES]
    questions = asked_for(situation.pages, situation.baseline.request, named, new)
    return [asking(act, Page(each, rendered=False)) for each in questions[:_MOST_PLACES]]


def _shows(response: Response, new: str) -> bool:
    """Whether an answer shows an object: by its identifier, on a page of its own also in the addresses that lead on from there."""
    if not is_good(response):
        return False
    if any(leaf.value == new for leaf in leaves(response)):
        return True
    leads = re.compile(rf"[/=\"']{re.escape(new)}(?![\w-])")
    return media_type(response) == "text/html" and leads.search(text_of(response)) is not None


def _changed(
    made: _Object, other: Identity, before: int
) -> Generator[TestRequest, Answer, tuple[Exchange | None, frozenset[str]]]:
    """What the other identity's action made of it, in words; nothing where it moves by itself, or for anybody.

    before: how often nobody asks first. What a job of the service moves after a while has moved by then in one of two rounds.
    """
    for _ in range(before):
        yield from ask_as(made.act, _NOBODY, "control")
        still = response_of((yield from ask(made.place, "control")))
        if (
            not is_good(still)
            or _moves(made, still)
            or _has_form(made, still) != _has_form(made, response_of(made.read))
        ):
            return None, frozenset()
    acted = yield from ask_as(made.act, other.name)
    if not is_taken(response_of(acted)):
        return acted, frozenset()
    after = response_of((yield from ask(made.place, "control")))
    # What is asked for by a function or in GraphQL is gone under a good status, too.
    if after.status in NOT_THERE or (is_good(after) and not made.is_in(after)):
        return acted, frozenset({_GONE})
    if not is_good(after):
        return None, frozenset()
    if _has_form(made, response_of(made.read)) and not _has_form(made, after):
        return acted, frozenset({_DONE})
    was = {leaf.path: leaf.value for leaf in made.told()}
    told = [
        leaf
        for leaf in leaves(made.shown_in(after))
        if was.get(leaf.path, leaf.value) != leaf.value and _is_state(leaf, was)
    ]
    return acted, frozenset(map(_said, told))


def _said(leaf: Leaf) -> str:
    """A change in words that are the same for another object; each may be due on a day of its own."""
    name = ".".join(leaf.path)
    return f"{name} is another day" if _is_term(leaf) else f"{name} = {leaf.value!r}"


def _is_term(leaf: Leaf) -> bool:
    return bool(leaf.path) and _TERM.match(leaf.path[-1]) is not None and _DAY.match(leaf.value) is not None


def _has_form(made: _Object, shown: Response) -> bool:
    """Whether a page has the form by which its owner does it, the object in a hidden field."""
    return made.named.point[0] == "post" and made.named.value in Links.of(made.act, made.named).in_page(shown)


def _moves(made: _Object, still: Response) -> bool:
    """Whether an object is told otherwise though nothing was done to it; that each answer has a number of its own says nothing of it."""
    now, told = frozenset(leaves(made.shown_in(still))), made.told()
    was = {leaf.path: leaf.value for leaf in told}
    return {leaf.path for leaf in now} != was.keys() or any(_is_state(leaf, was) for leaf in now - told)


def _is_state(leaf: Leaf, was: dict[tuple[str, ...], str]) -> bool:
    """Whether a field holds a word, until when something is somebody's, or what is so or not, as many databases tell it by a number.
    was: what it held.
    """
    if _is_term(leaf):
        return True
    if not leaf.path or _NO_STATE.search(leaf.path[-1]):
        return False
    return _STATE.fullmatch(leaf.value) is not None or {was.get(leaf.path), leaf.value} == _SO_OR_NOT


def _named(request: Request) -> Named | None:
    """The identifier in the last segment but one, which the action stands behind; of a function the last that it is called with.

    Where the path names none (`/order/cancel`), the only one of the body and the query.
    """
    if calls_act(request):
        return next(reversed(named_fields(request)), None)
    count = len([each for each in request.path.split(b"/") if each])
    named = named_objects(request)
    in_path = [each for each in named if each.point[0] == "path" and each.sure]
    if in_path:
        return next((each for each in in_path if each.point[1] == str(count - 2)), None)
    beside = [each for each in (*named, *named_fields(request)) if each.point[0] in ("get", "post") and each.sure]
    return beside[0] if len(beside) == 1 else None


def applies(situation: Situation) -> bool:
    """Actions on an object of the path that were answered well, without texts to mark but why it is done, beside a peer."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is None or response.status >= FIRST_ERROR or not situation.credentials or not may_make(situation):
        return False
    if not peers_of(situation.identities) or destroys(request):
        return False
    named = _named(request) if acted_on(request) or calls_act(request) else None
    if named is None or not situation.makers:
        return False
    return all(each.is_text and _WHY.fullmatch(each.name) for each in markable(request, named.point))


def forecast(_situation: Situation) -> int:
    """The making, the owner's reads, what says that it is his, nobody's and the other's action."""
    return 10


ENTRY = Entry(
    type=TYPE,
    title="Actions on objects of other users are done",
    cwe=(CWE,),
    owasp=("A01:2021",),
    owasp_api=("API1:2023",),
    why=(
        "Any signed-in caller cancels, closes or publishes what belongs to others by changing an identifier. That the object itself is "
        "guarded does not help where the address below it is not."
    ),
    remediation=(
        "Fetch the object through its owner before the action is done, in the same place as for reading. Answer 404 for what is not the "
        "caller's, and do nothing."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="act",
    entry=ENTRY,
    whole=True,
    as_others=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
