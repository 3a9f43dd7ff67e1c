"""Where the sender of a changing request reads back what it writes: at its own address, one level above, where its
answer leads, or by a recorded request that shows the object.

reading = Reading(situation, request, named, answered)
kept = yield from reading.kept()        where it is read and what of it the request sends; None where nothing shows it
reading.gone                            whether nothing shows the object, where it should have been
"""

import re
from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.statuses import NOT_THERE
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.callers.oneself import asks_about_oneself, kept_by_one
from gatecrash.core.testing.authorization.fields.authored import is_in_a_new_object
from gatecrash.core.testing.authorization.fields.markable import Markable, markable
from gatecrash.core.testing.authorization.objects.answered_objects import objects_in
from gatecrash.core.testing.authorization.objects.made_anew import is_shown
from gatecrash.core.testing.authorization.objects.named import kind_of, list_above, listing, named_objects
from gatecrash.core.testing.authorization.objects.written_since import written_since
from gatecrash.core.testing.authorization.owners.owner_evidence import is_his_by_kind
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.known.page import Page, asking, landing_of
from gatecrash.core.testing.operations.graphql import document_of, operation_of, words_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good, is_taken
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_MOST_PAGES = 3
_MANY_ALIKE = 4
_SELECTED, _LEAST_SELECTED = re.compile(r"\w+"), 3


class Kept(NamedTuple):
    """Where the owner reads the object, what of it the request sends, and what it was before."""

    asked: Request
    field: Markable
    before: Exchange

    @property
    def where(self) -> str:
        """Where it is read, for people."""
        operation = operation_of(self.asked)
        return str(operation) if operation is not None else str(self.asked.target.decode("latin-1"))


class Reading:
    """Reads back what one changing request writes. answered: what the application said to that request."""

    def __init__(self, situation: Situation, request: Request, named: Named, answered: Response | None) -> None:
        """Begin before anything was read."""
        self.situation = situation
        self.request = request
        self.named = named
        self.answered = answered
        self.gone = False

    def kept(self, *, again: bool = False) -> Generator[TestRequest, Answer, Kept | None]:
        """Read the object as its owner, where it stands, one level above, or where the record shows it. again: after it
        was written anew.
        """
        read: list[Exchange] = []
        found: list[Kept] = []
        for asked in self._places():
            exchange = yield from ask(asked, "control")
            read.append(exchange)
            field = _field(self.request, self.named, response_of(exchange))
            if field is not None:
                found.append(Kept(asked, field, exchange))
                if not self._may_be_anothers(found[-1]):
                    break
        if found:
            sure = (each for each in found if not self._may_be_anothers(each))
            where = next(sure, found[0])
            self.gone = not is_shown(response_of(where.before), self.named.value) and self._is_gone(read)
            return where
        if not again and written_since(self.request, self.named, read, self.answered):
            yield from ask(self.request, "control")
            return (yield from self.kept(again=True))
        self.gone = self._is_gone(read)
        return next((kept for each in read if (kept := self._added_to(each)) is not None), None)

    def _may_be_anothers(self, kept: Kept) -> bool:
        """Whether a text stands in fields of other names alone, or several times in a page, or in one that has nothing of the
        object: a made-up word stands in other things, too.
        """
        shown = response_of(kept.before)
        told = leaves(shown)
        if told or not kept.field.is_text:
            return kept.field.is_text and not _times(kept.field, shown)
        is_its = is_shown(shown, self.named.value) or self.named.value.encode() in kept.asked.target
        return not is_its or text_of(shown).count(kept.field.value) > 1

    def _is_gone(self, read: list[Exchange]) -> bool:
        """Whether the object is not found at its own addresses; where those say nothing, whether nothing shows it."""
        own = [response_of(each) for each in read if self._is_its_address(each.request)]
        if any(map(is_good, own)):
            return False
        if any(each.status in NOT_THERE for each in own):
            return True
        return not any(is_shown(response_of(each), self.named.value) for each in read)

    def _is_its_address(self, asked: Request) -> bool:
        """Whether the object itself is asked for, or something of it: `/notes/4` is another thing than `/tasks/4`."""
        number = self.named.value.encode()
        if self.named.point[0] != "path":
            return number in asked.target
        own = list_above(self.request, self.named.point) + b"/" + number
        return asked.path == own or asked.path.startswith(own + b"/")

    def _added_to(self, read: Exchange) -> Kept | None:
        """The owner's own basket or the like, which the request adds to: what was added when it was recorded may be gone or changed."""
        fields = [each for each in markable(self.request, self.named.point) if each.is_counted_in(response_of(read))]
        if not fields or not self.is_his(response_of(read)):
            return None
        return Kept(read.request, fields[0], read)

    def is_his(self, shown: Response) -> bool:
        """Whether an answer about the owner himself says that it is his."""
        return is_his_by_kind(self.request, self.named, shown, holder_values(self.situation))

    def is_in_his_own(self, field: Markable, shown: Response, mark: str) -> bool:
        """Whether what holds a mark says that it is in the very basket or the like that the request names, which nobody shares
        (`{"basketId": 22, "quantity": 5}`): whoever reads it in a list of all, it is not in his own.
        """
        own = f"{kind_of(self.request, self.named)}={self.named.value}".lower()
        held = (each for each in objects_in(shown) if str(each.get(field.name)) == mark)
        return any(kept_by_one(name, str(value)) == own for each in held for name, value in each.items())

    def _places(self) -> list[Request]:
        # A name of letters alone is no identifier that pages are kept with, and a rare word all the same.
        his_name = self.named.value if self.named.value.lower() in holder_values(self.situation) else ""
        shown = [
            page for page in self.situation.pages if _is_about(page, self.request, self.named) or page.may_say(his_name)
        ]
        sent = markable(self.request, self.named.point)
        kind = kind_of(self.request, self.named)
        # What tells him of himself says nothing of others, as a list of all would.
        shown.sort(
            key=lambda page: (
                not _asks_for_it(page, self.request, self.named),
                bool(his_name) and not asks_about_oneself(page.request),
                *_farness(page, sent, kind),
            )
        )
        recorded = [asking(self.request, page) for page in shown[:_MOST_PAGES]]
        if operation_of(self.request) is not None:
            return recorded
        landing = landing_of(self.request, self.answered) if self.answered is not None else None
        above = self.request.path.rstrip(b"/").rpartition(b"/")[0] or b"/"
        targets = (self.request.target, above, *([landing] if landing else []))
        return [*(listing(self.request, target) for target in targets), *recorded]


def _field(request: Request, named: Named, response: Response) -> Markable | None:
    """What the request sends and the object shows: the freest text, else how many of something; None where there is none.

    Of several that are sent with one value, as a description's made-up ones are, those count that the object shows by
    their names. What names the object in the body, too, is seldom changed by it.
    """
    if not is_taken(response):
        return None
    shown = [each for each in markable(request, named.point) if each.shown(response)]
    if len({each.value for each in shown}) < len(shown):
        by_name = {(leaf.path[-1], leaf.value) for leaf in leaves(response) if leaf.path}
        sure = {each.value for each in shown if (each.name, each.value) in by_name}
        shown = [each for each in shown if each.value not in sure or (each.name, each.value) in by_name]
    return min(shown, key=lambda each: (each.value == named.value, each.freedom), default=None)


def is_added(kept: Kept, now: Response, mark: str) -> bool:
    """Whether something was added and nothing changed: the old text stands there as often as before, or the new one in
    what was not there. Of many that are alike the oldest may have left a list that shows the latest.
    """
    before = response_of(kept.before)
    stood, stands = _times(kept.field, before), _times(kept.field, now)
    if not stood:  # no member of that name
        stood, stands = (text_of(each).count(kept.field.value) for each in (before, now))
    least = stood - 1 if stood >= _MANY_ALIKE else stood
    if kept.field.is_text and stands >= least:
        return True
    return is_in_a_new_object(before, now, mark, kept.field.name if kept.field.is_number else "")


def is_one_of_several(kept: Kept) -> bool:
    """Whether the old text stands there several times, as the telephone of a family in a list of everybody: of which
    one of them is changed nothing tells whose it was.
    """
    before = response_of(kept.before)
    return kept.field.is_text and (_times(kept.field, before) or text_of(before).count(kept.field.value)) > 1


def _times(field: Markable, shown: Response) -> int:
    """How often an answer's members of the field's name hold what it sends; others may hold the same, or within more."""
    return sum(leaf.path[-1:] == (field.name,) and leaf.value == field.value for leaf in leaves(shown))


def _is_about(page: Page, request: Request, named: Named) -> bool:
    """Whether a recorded page shows the object, or asks for it (`/dog.php?id=41`), or for something of it: `/posts/3/html` of
    `PUT /posts/3`.
    """
    below = page.request.path.startswith(request.path.rstrip(b"/") + b"/") and named.point[0] == "path"
    asked = (each.value for each in named_objects(page.request) if each.point[0] == "get") if page.request.query else ()
    return below or named.value in page.shown or named.value.encode() in page.request.body or named.value in asked


def _asks_for_it(page: Page, request: Request, named: Named) -> bool:
    """Whether a query asks for the object itself, by its identifier and a word of its kind: `entry(id: 7)` of
    `changeEntry(id: 7)`; or for all that the change answers with, as of `changeNote(id: 7)`. Within other things it stands among what
    is theirs, beside their owners.
    """
    if named.value.encode() not in page.request.body:
        return False
    if set(words_of(page.request)).isdisjoint(words_of(request)) and not _answers_alike(page.request, request):
        return False
    return any(each.value == named.value for each in named_objects(page.request))


def _answers_alike(asked: Request, request: Request) -> bool:
    """Whether one document selects all that the other does, where that is enough to know a kind by."""
    selected = [frozenset(_SELECTED.findall(_within_field(document_of(each)))) for each in (asked, request)]
    return len(selected[1]) >= _LEAST_SELECTED and selected[0] >= selected[1]


def _within_field(document: str) -> str:
    """What a document selects of its first field."""
    return document.partition("{")[2].partition("{")[2]


def _farness(page: Page, sent: list[Markable], kind: str) -> tuple[bool, bool, bool]:
    """Many pages show whose the object is, or another of its number: first those that may show what is sent, whose
    address has the word for its kind, and whose GraphQL asks for it by name.
    """
    said = any(page.may_say(field.value) for field in sent)
    words = page.request.path.decode("latin-1").lower().split("/")
    of_its_kind = bool(kind) and any(word.startswith(kind) for word in words)
    return not said, not of_its_kind, not any(field.name.encode() in page.request.body for field in sent)
