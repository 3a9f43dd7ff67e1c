"""Objects of others, deleted: what one caller has made is gone after another asked for that.

What it finds
    Requests that delete an object (DELETE, mutations such as `deleteCard` or that ask which one was deleted, forms sent
    to `/notes/5/delete` or with `_method=delete`) and are done for another identity of no higher rank.

Why it matters
    Whoever changes an identifier destroys what others have: their orders, messages and files, one by one.

How it decides
    Nothing that was there before is touched. The record must show the request that made such an object; the owner
    sends it once more, twice where no list shows that the first was not there before (where the other is of a lower
    rank and is refused that, `auth_function_delete` looks at it), reads the new object (by GET of its address, or by
    a recorded request that shows or asks for such objects, or the thing above; of a list in parts the one that shows it), and something
    must say that it is his: the other identity may not read it, the list that it stands in, or at which it was made,
    shows it to the owner only, or it names the owner as the owner's credentials do, or another recorded change of
    such an object (`PUT /boats/7`) is done for its owner and refused to the other. What a form has made is known by
    the address that its answer leads to (by another one each time, where no list has it now), or as the one object
    that a page, which showed the same twice, links to afterwards and did not before, be it the page that has the form
    (`/posts/5` of `/posts/5/comments`); a page that leads its owner to `/notes/5/edit` and not the other says whose
    it is, too. Then nobody asks to delete the new object, without credentials; the owner must still read it. Then the
    other identity asks, and the owner must not find it any more, twice, or its page must say from then on that it was
    deleted. Where it is there still and a tenant or an account stands above it, the other asks below what is his own,
    if he reads there what the owner reads. What is left at the end its owner deletes. All is done once more as a
    second identity of the other's rank where the first may be the owner's colleague, and where he deleted it: if the
    second cannot, the first was chosen, as the seller whom an order's buyer pays.

Known misses
    Objects whose making was not recorded, that are made by something else than a POST whose answer holds the identifier
    or a form beside them, or that the owner cannot read: the result says so, and nothing is deleted. Links that delete
    (GET), and forms with `action=delete`.

Standards and references
    CWE-639; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API1 Broken Object Level
    Authorization.
"""

import re
from collections.abc import Generator

from gatecrash.core.inventory.identifiers import look_in_path
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import ask, ask_as, concluding, response_of
from gatecrash.core.testing.authorization.callers.holder import named_by
from gatecrash.core.testing.authorization.callers.peers import Did, as_all, is_about_him, peers_of
from gatecrash.core.testing.authorization.objects.made_anew import is_shown, made_by_form, may_make, one_made_anew
from gatecrash.core.testing.authorization.objects.made_by_forms import Links, deletes_by_form
from gatecrash.core.testing.authorization.objects.named import (
    asking_for,
    list_above,
    listing,
    named_fields,
    named_objects,
)
from gatecrash.core.testing.authorization.objects.whole_lists import ask_until
from gatecrash.core.testing.authorization.owners.lists_of_kind import (
    asked_for,
    names_list_of,
    shown_below,
    speaks_of_kind,
)
from gatecrash.core.testing.authorization.owners.own_above import below_ones_own, reached_below
from gatecrash.core.testing.authorization.owners.refused_change import refused_change
from gatecrash.core.testing.authorization.owners.shown_within import evidence_within, things_above
from gatecrash.core.testing.authorization.owners.where_made import addresses_where_made
from gatecrash.core.testing.authorization.ranks.makers_kept import is_kept_from
from gatecrash.core.testing.authorization.ranks.ranked_functions import is_of_managers
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.said_deletions import is_told_what_it_deleted
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.identity import Identity, lower_of
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.known.page import Page, asking
from gatecrash.core.testing.operations.graphql import operation_of, words_of
from gatecrash.core.testing.operations.meant_method import meant_method
from gatecrash.core.testing.operations.questions import called
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import is_good, refusal
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Verdict, inconclusive, safe, vulnerable

TYPE = "idor"
CWE = 639
THREAT = 86
_NOBODY = ""
_MOST_MAKERS = 2
_MOST_PAGES = 3
_MOST_LISTS = 2
_DELETES = re.compile(r"delete|remove|destroy|discard")
_ENDED = re.compile(r"(?<![a-z])(?:deleted|removed|withdrawn|discarded|cancell?ed|trashed)(?![a-z])")
_UNMADE = "no request of the record makes such an object, and nothing that was there before is deleted"


def _dialogue(situation: Situation) -> Dialogue:
    others = peers_of(situation.identities)
    if is_of_managers(situation.baseline.request) and lower_of(situation.identities) is not None:
        return safe(TYPE, situation.point, "it is for those who manage, and what that says is told of by `auth`")
    for maker in situation.makers[:1]:
        if (yield from is_kept_from(situation, others[0], maker, named_by(situation)[-1])):
            return safe(
                TYPE, situation.point, "the other may not make such objects, and what that says is told of by `auth`"
            )
    moves = any(below_ones_own(situation, named_by(situation)[-1], other) for other in others)
    return (yield from as_all(others, lambda other: _asked_as(_Trial(situation, other)), ends_at_kept=not moves))


def _asked_as(trial: "_Trial") -> Generator[TestRequest, Answer, Did]:
    situation = trial.situation
    new = yield from trial.made()
    if not new:
        return Did(inconclusive(TYPE, situation.point, Inconclusive.NO_CONTROL, _UNMADE))
    verdict = yield from trial.verdict(new)
    return Did(verdict, is_kept=trial.is_kept, is_final=trial.is_moved)


class _Trial:
    """One deleting request of one owner."""

    def __init__(self, situation: Situation, other: Identity) -> None:
        self.situation = situation
        self.request: Request = situation.baseline.request
        self.other = other
        self.named: Named = named_by(situation)[-1]
        # Whether its owner's page leads to what he has made.
        self.in_links = False
        # Whether the other could not delete it where it is, and whether he could below what is his own.
        self.is_kept = False
        self.is_moved = False

    def made(self) -> Generator[TestRequest, Answer, str]:
        """The identifier of an object that its owner has just made; empty where none can be made."""
        for maker in self.situation.makers[:_MOST_MAKERS]:
            if maker.path or maker.chosen:
                new = yield from one_made_anew(self.situation, maker, self.named)
            else:
                new = yield from made_by_form(self.situation, maker, self.named, self._lists())
            if new:
                return new
        return ""

    def _lists(self) -> list[Request]:
        """Pages that may show a new object of this kind: the list that it stands in, and pages that showed the old one."""
        above = [self.named.collection] if self.named.collection else []
        pages = [page for page in self.situation.pages if self.named.value in page.shown and page.rendered]
        asked = [asking(self.request, page) for page in self._above_its_form()]
        asked += [listing(self.request, target) for target in above]
        asked += [asking(self.request, page) for page in pages if page.request.method == "GET"]
        return list({each.target: each for each in asked}.values())[:_MOST_LISTS]

    def _above_its_form(self) -> list[Page]:
        """The page below which a form makes such objects, where that is no list of them: `/posts/5` of `/posts/5/comments`."""
        forms = (maker.request.path for maker in self.situation.makers[:_MOST_MAKERS] if not maker.path)
        above = {path.rstrip(b"/").rpartition(b"/")[0] for path in forms} - {
            (self.named.collection or b"").rstrip(b"/")
        }
        return [page for page in self.situation.pages if page.rendered and page.request.path.rstrip(b"/") in above]

    def verdict(self, new: str) -> Dialogue:
        """Delete it as nobody, and then as the other; its owner looks after each."""
        point = self.situation.point
        asked = asking_for(self.request, self.named, new)
        if asked is None:
            return inconclusive(TYPE, point, Inconclusive.NO_CONTROL, "the place of its identifier takes no other")
        place, before = yield from self._found(asked, new)
        if place is None or before is None:
            yield from ask(asked, "confirm")
            return inconclusive(TYPE, point, Inconclusive.NO_CONTROL, "the owner cannot read what he has just made")
        # The part of the list that shows it: on the first one neither of the two would see it.
        part = before.request
        named = self.named._replace(value=new)
        if part.target != place.target and part.path == (named.collection or b"").partition(b"?")[0]:
            named = named._replace(collection=part.target)
        evidence = yield from evidence_within(self.situation, self.other, named, before)
        if not evidence and _is_form(self.request):
            evidence = yield from self._offered(place, response_of(before), named)
        evidence = evidence or (yield from refused_change(self.situation, self.other, self.named, new))
        stays = bool(evidence)
        if stays:
            yield from ask_as(asked, _NOBODY, "control")
            stays = yield from self._is_there(place, new)
        if not stays:
            yield from ask(asked, "confirm")
            why = "anybody deletes it without credentials" if evidence else "nothing says that it is its owner's alone"
            return safe(TYPE, point, why)
        deleted = yield from ask_as(asked, self.other.name)
        after = response_of((yield from self._read(place, new)))
        # What a lost session or a lagging copy does not show once is shown again.
        is_gone = not self._shows(after, new) and not (yield from self._is_there(place, new))
        if is_gone or (yield from self._says_it_is_gone(place, new, response_of(before), after)):
            return self._vulnerable(deleted, before, evidence)
        self.is_kept = is_about_him(response_of(deleted))
        below = yield from self._deleted_below(asked, named, place)
        self.is_moved = below is not None
        if below is not None:
            return self._vulnerable(below[0], before, below[1])
        yield from ask(asked, "confirm")
        return safe(TYPE, point, "its owner has it still after the other identity asked to delete it")

    def _offered(self, place: Request, mine: Response, named: Named) -> Generator[TestRequest, Answer, str]:
        """Whether a page leads its owner to what is done to the object, and the other, who reads the page as well, to less."""
        seen = response_of((yield from ask_as(place, self.other.name, "control")))
        links = Links.of(self.request, named)
        more = links.offered(mine, named.value) - links.offered(seen, named.value)
        if not more or not is_good(seen) or refusal(seen) is not None:
            return ""
        return f"its page offers {min(more)} to its owner, and not to the other"

    def _deleted_below(
        self, asked: Request, named: Named, place: Request
    ) -> Generator[TestRequest, Answer, tuple[Exchange, str] | None]:
        """The same below what is the other's own, where he reads the owner's new object there; and what says whose it is."""
        reached = yield from reached_below(self.situation, named, self.other, asked)
        if reached is None:
            return None
        yield from ask_as(reached.request, _NOBODY, "control")
        if not (yield from self._is_there(place, named.value)):
            return None
        deleted = yield from ask_as(reached.request, self.other.name)
        if (yield from self._is_there(place, named.value)) or (yield from self._is_there(place, named.value)):
            return None
        return deleted, reached.evidence

    def _found(
        self, asked: Request, new: str
    ) -> Generator[TestRequest, Answer, tuple[Request | None, Exchange | None]]:
        """Where the owner reads the new object, and how."""
        for place in self._places(asked, new):
            exchange = yield from self._read(place, new)
            if is_shown(response_of(exchange), new):
                self.in_links = new in self._links(response_of(exchange))
                return place, exchange
        return None, None

    def _places(self, asked: Request, new: str) -> list[Request]:
        """Its own address and its list, and what the record shows of such objects; all of GraphQL has one address."""
        old = self.named.value.encode()
        pages = [page for page in self.situation.pages if old in page.request.body or self.named.value in page.shown]
        if operation_of(self.request) is not None:
            # Small numbers are those of many things: what speaks of this kind comes first.
            pages.sort(key=lambda page: not speaks_of_kind(page.request, self.request, self.named))
        recorded = [asking(self.request, page) for page in pages[:_MOST_PAGES]]
        recorded = [_renamed(each, self.named.value, new) for each in recorded]
        if operation_of(self.request) is not None or called(self.request):
            return [*recorded, *self._of_its_kind(new)]
        above = [self.named.collection] if self.named.collection else []
        if deletes_by_form(self.request):
            # To read such an address may delete as well: asked for are the object's own page and those that list it.
            own = [list_above(asked, self.named.point) + b"/" + new.encode()] if self.named.point[0] == "path" else []
            own += addresses_where_made(self.situation.makers[:_MOST_MAKERS], new)
            shown = [*(listing(self.request, target) for target in own), *self._lists(), *recorded]
            return [each for each in shown if each.path != asked.path]
        lists = [asking(self.request, page) for page in self.situation.pages if _is_at(page.request, above)]
        like = shown_below(self.situation.pages, self.request, self.named, new) if self.named.point[0] == "path" else []
        ones = [self._own(each) for each in like[:_MOST_PAGES]]
        first = [listing(self.request, target) for target in (asked.target, *above)]
        return list(dict.fromkeys([*first, *ones, *things_above(self.situation), *recorded, *lists[:_MOST_PAGES]]))

    def _of_its_kind(self, new: str) -> list[Request]:
        """Recorded questions for one such object, whichever it was (`card(id: …)` for what `deleteCard` deletes), and
        for a list of them (`cards`, `myCards`).
        """
        pages = self.situation.pages
        found = [self._own(each) for each in asked_for(pages, self.request, self.named, new)]
        lists = [asking(self.request, page) for page in pages if names_list_of(page.request, self.request, self.named)]
        return [*found[:_MOST_PAGES], *lists[:_MOST_PAGES]]

    def _own(self, asked: Request) -> Request:
        """A question in the name of whoever sent the request."""
        return asking(self.request, Page(asked, rendered=False))

    def _is_there(self, place: Request, new: str) -> Generator[TestRequest, Answer, bool]:
        return self._shows(response_of((yield from self._read(place, new))), new)

    def _read(self, place: Request, new: str) -> Generator[TestRequest, Answer, Exchange]:
        """What its owner reads there; of a list the part that shows it, as what is new stands behind all that is older."""
        return (yield from ask_until(place, lambda shown: self._shows(shown, new)))

    def _shows(self, shown: Response, new: str) -> bool:
        return is_shown(shown, new) and (not self.in_links or new in self._links(shown))

    def _links(self, shown: Response) -> frozenset[str]:
        """The objects of its kind that a page leads to: a small number stands there for other things as well."""
        return Links.of(self.request, self.named).in_page(shown) if deletes_by_form(self.request) else frozenset()

    def _says_it_is_gone(
        self, place: Request, new: str, before: Response, after: Response
    ) -> Generator[TestRequest, Answer, bool]:
        """Whether its own page says now that it was deleted, as of what is kept for a while; and says so again, as no notice does."""
        said = _words_of_an_end(after) - _words_of_an_end(before)
        if not said or new.encode() not in place.path.split(b"/"):
            return False
        return said <= _words_of_an_end(response_of((yield from ask(place, "confirm"))))

    def _vulnerable(self, deleted: Exchange, before: Exchange, evidence: str) -> Verdict:
        return vulnerable(
            ENTRY,
            self.named.point,
            detail=f"{self.other.name!r} deletes it",
            threat=THREAT,
            test=deleted,
            control=before,
            verified_by=(
                f"An object that its owner had just made was gone for him after the identity {self.other.name!r} asked to "
                f"delete it; without credentials the same left it there. That it was the owner's: {evidence}. Nothing "
                "else was deleted."
            ),
        )


def _words_of_an_end(shown: Response) -> frozenset[str]:
    return frozenset(_ENDED.findall(text_of(shown).lower()))


def _is_form(request: Request) -> bool:
    """Whether a form deletes: as its address says, or by a method that browsers do not know."""
    return deletes_by_form(request) or meant_method(request) != request.method.upper()


def _is_at(page: Request, above: list[bytes]) -> bool:
    """Whether a page is a list as it was asked for, of something alone (`/webhooks?project=lab`), or at a word below it of
    some of them: `/webhooks/mine`, `/webhooks/search/byProject?project=lab`.
    """
    if page.method.upper() != "GET":
        return False
    below = (page.path.removeprefix(each.rstrip(b"/") + b"/") for each in above if page.path.startswith(each))
    at_word = any(rest != page.path and not any(map(look_in_path, rest.decode("latin-1").split("/"))) for rest in below)
    return at_word or (bool(page.query) and page.path in above)


def _renamed(asked: Request, old: str, new: str) -> Request:
    """A recorded question about one object, asked about another; as it is where it names none."""
    for named in (*named_objects(asked), *named_fields(asked)):
        if named.value == old:
            return asking_for(asked, named, new) or asked
    return asked


def applies(situation: Situation) -> bool:
    """What deletes an object that it names, was done when it was recorded, and may be asked for by a peer."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is None or response.status >= FIRST_ERROR or not peers_of(situation.identities):
        return False
    words = called(request) or words_of(request)
    deletes = meant_method(request) == "DELETE" or (bool(words) and _DELETES.fullmatch(words[0]) is not None)
    # Nothing was made by a recorded form, nothing is said of what a page deletes.
    deletes = deletes or (bool(situation.makers) and deletes_by_form(request)) or is_told_what_it_deleted(request)
    if not deletes or not may_make(situation) or not situation.credentials or not destroys(request):
        return False
    return bool(named_by(situation))


def forecast(situation: Situation) -> int:
    """One is made and read, read by the other, and asked away by nobody, the other and its owner, who looks twice; both read it
    below what is the other's own. Of several others each is asked as, about one of his own; where something else changes such an
    object, each asks for that.
    """
    named = named_by(situation)
    others = peers_of(situation.identities) if named else ()
    least = 10 + 2 * len(situation.renewal.changes[:1])
    return sum(least + 2 * len(below_ones_own(situation, named[-1], other)) for other in others) or least


ENTRY = Entry(
    type=TYPE,
    title="Objects of other users can be deleted",
    cwe=(CWE,),
    owasp=("A01:2021",),
    owasp_api=("API1:2023",),
    why=(
        "Any signed-in caller destroys what belongs to others by changing an identifier, one object after the other, until "
        "nobody has any left."
    ),
    remediation=(
        "Fetch the object through its owner before it is deleted, in the same place as for reading and changing. Answer 404 "
        "for what is not the caller's, and delete nothing."
    ),
)
PROBE = Probe(
    type=TYPE,
    entry=ENTRY,
    whole=True,
    as_others=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
