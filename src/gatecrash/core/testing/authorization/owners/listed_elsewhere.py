"""Recorded pages that show an object: to its owner and, where the other has as good a page, not to him, or to both.

listed = yield from listed_elsewhere(situation, other, named, address)
listed.where         the target of a page that shows it to the owner only; empty where none does
listed.shared        whether one shows it to both
listed.is_its_list   whether the first is the whole list of its kind, as `orders` is of `order(id: …)`
listed.by_entry      whether nothing but what its entry says tells that it shows the object: `/repairs` of `/repairs/sheet?sheet_no=7`
"""

import re
from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.message import Request, Response
from gatecrash.core.points.percent import for_request_line
from gatecrash.core.testing.addresses.kinship import is_box_of, is_of_oneself, kind_words
from gatecrash.core.testing.addresses.kinship import lists_its_kind as is_called_as_list
from gatecrash.core.testing.asking import ask, ask_as, response_of
from gatecrash.core.testing.authorization.callers.holder import holder_values, values_of
from gatecrash.core.testing.authorization.objects.named import kind_of, listing, named_objects, word_of
from gatecrash.core.testing.authorization.owners.kept_above import below_a_wall
from gatecrash.core.testing.authorization.owners.list_entries import entry_is_published, entry_names
from gatecrash.core.testing.authorization.owners.listed_above import has_it_above, stands_above, with_list_above
from gatecrash.core.testing.authorization.owners.lists_of_kind import (
    holds_its_kind,
    lists_its_kind,
    lists_of,
    names_list_of,
)
from gatecrash.core.testing.authorization.owners.own_list import is_for_readers, is_kept_kind, share_entries
from gatecrash.core.testing.authorization.owners.ownership import identifying, listed_apart, shows
from gatecrash.core.testing.authorization.owners.page_links import links_to
from gatecrash.core.testing.authorization.ranks.directories import lists_its_readers
from gatecrash.core.testing.authorization.ranks.overseers import oversees
from gatecrash.core.testing.authorization.ranks.ranked_functions import is_of_managers
from gatecrash.core.testing.known.identity import ANYBODY, Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.known.page import Page, asking
from gatecrash.core.testing.operations.graphql import address_of, operation_of
from gatecrash.core.testing.operations.questions import what_is_called
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.places.before_colon import is_key
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

# Fewer digits are amounts and days as well, unless the field is one for identifiers.
LEAST_DIGITS = 5
_MOST_LISTS = 3
_IDENTIFIES = re.compile(r"(?:id|no|nr|num|number|ref|reference|key|code|uid|pk)s?$", re.IGNORECASE)

# What is worked out for whoever asks, whosever the thing is that it is asked for.
_WORKS_OUT = re.compile(
    r"fares?|prices?|pricing|quotes?|quotations?|estimates?|estimations?|costs?|tolls?|rates?|routes?|planner|calc|calculat(?:e|or|ion)s?|convert(?:er)?"
    r"|distances?|eta|availability|compar(?:e|ison)|simulat(?:e|ion|or)s?|compatib(?:le|ility)|recommend(?:ed|ations?)|similar|related",
)
# How one thing is shown, whatever it is.
_IS_SHOWN = re.compile(
    r"print(?:out|able|view|er)?|pdf|export|download|preview|display|open|labels?|sheets?|cards?|badge|qr|form|copy|file|document"
)


class Listed(NamedTuple):
    """What the recorded pages beside say of one object."""

    where: bytes = b""
    shared: bool = False
    is_its_list: bool = False
    by_entry: bool = False


def listed_elsewhere(
    situation: Situation, other: Identity, named: Named, address: bytes
) -> Generator[TestRequest, Answer, Listed]:
    """Where the record shows the object to its owner and, where the page is as good, not to the other. address: what
    such a page links to.
    """
    listed, request = Listed(), situation.baseline.request
    linked = address
    for page in _showing(situation, named):
        asked, address = asking(request, page), linked
        if _is_called_after(page, request, named):
            address = page.request.path.rstrip(b"/") + b"/" + for_request_line(named.value.encode())
        mine = response_of((yield from ask(asked, "control")))
        if not is_good(mine):
            continue
        by_entry = not lists_it(mine, page, request, named, address, mine)
        if by_entry and not has_it_above(mine, page, situation.baseline.exchange, named):
            continue
        theirs = response_of((yield from ask_as(asked, other.name, "control")))
        overseen = oversees(situation, other, mine, theirs, named.value)
        if listed_apart(mine, theirs, named.value, address, kind_of(request, named)) and not overseen:
            his_too = is_shared(mine, named, address, values_of(other, situation))
            if (listed.by_entry or not listed.where) and not his_too:
                of_kind = _is_list_of(page, mine, request, named) or _links_to_its_form(mine, page, request, named)
                of_kind = of_kind and not share_entries(mine, theirs, named)
                of_kind = of_kind and not lists_its_readers(situation, other, named, mine, theirs)
                listed = listed._replace(where=page.request.target, is_its_list=of_kind, by_entry=by_entry)
            listed = listed._replace(shared=listed.shared or his_too)
        elif not (by_entry or listed.where or is_shared(mine, named, address, values_of(other, situation))) and (
            yield from below_a_wall(asked, request, named, theirs, other)
        ):
            listed = listed._replace(where=page.request.target, is_its_list=True)
        # What is open to both below another object, or is for those who manage, may be as broken as this.
        is_list = not any(each.sure for each in named_objects(asked, holder_values(situation)))
        is_list = is_list and not _is_kept_from_both(page.request, situation, other)
        both = is_list and is_good(theirs) and lists_it(theirs, page, request, named, address, mine)
        both = both or (
            is_list and is_good(theirs) and by_entry and has_it_above(theirs, page, situation.baseline.exchange, named)
        )
        listed = listed._replace(shared=listed.shared or both)
    return listed


def _is_kept_from_both(page: Request, situation: Situation, other: Identity) -> bool:
    """Whether a list is for those who manage by its name, where anybody can make an account as each of the two has."""
    anybodys = all(each.rank <= ANYBODY for each in (situation.identities[0], other))
    return anybodys and bool(is_of_managers(page)) and not is_of_managers(situation.baseline.request)


def _showing(situation: Situation, named: Named) -> list[Page]:
    """The nearest of the pages beside that are known to show the identifier, lists of such things first; what is new
    stands in the list of its kind.
    """
    request = situation.baseline.request
    shown = [page for page in situation.pages if named.value in page.shown]
    shown.sort(
        key=lambda page: (
            not (
                _is_called_after(page, request, named)
                or is_called_as_list(page.request, request)
                or names_list_of(page.request, request, named)
                or is_box_of(page.request, request)
            ),
            not stands_above(page, request, named),
        )
    )
    shown = shown[:_MOST_LISTS]
    if any(is_called_as_list(page.request, request) for page in shown):
        return shown
    called = [page for page in situation.pages if _is_called_after_several(page.request, request)][:1]
    return with_list_above([*called, *shown] or lists_of(situation.pages, request, named)[:1], situation, named)


def _is_called_after_several(page: Request, request: Request) -> bool:
    """Whether an address is that of a list, whatever it showed when it was recorded: `/repairs` of `/repair_edit`."""
    words = kind_words(page) if page.method.upper() == "GET" and is_called_as_list(page, request) else ()
    return bool(words) and singular(words[-1]) != words[-1]


def _is_list_of(page: Page, mine: Response, request: Request, named: Named) -> bool:
    """Whether a page is the whole list of what an identifier chooses, or has it: asked for by name, or called so,
    `/proposals` of `/proposal?id=7`. mine: what it shows the owner.

    Of what people read and join it may be a choice for each: the courses that somebody takes, the news that are picked for him.
    """
    kind = kind_of(request, named).partition(".")[0]
    if is_for_readers(kind):
        return False
    is_called = bool(kind) and is_called_as_list(page.request, request) and kind_words(request)[-1].startswith(kind)
    if is_called or lists_its_kind(page.request, request, named) or is_box_of(page.request, request):
        return True
    if holds_its_kind(page.request, mine, request, named):
        return True
    return _is_called_after(page, request, named) and _shows_it_alone(request, kind)


def _links_to_its_form(listed: Response, page: Page, request: Request, named: Named) -> bool:
    """Whether a list of what each keeps for himself leads to the very address, whatever that is called: `/invoices` to
    `/print?doc=invoice&no=7`; or the page of one's own does, to one of such things: `/account` to `/order?id=7`.
    """
    listing_page = request if is_of_oneself(page.request) else page.request
    kind = singular("".join(kind_words(listing_page)[-1:]))
    return named.point[0] == "get" and is_kept_kind(kind) and links_to(text_of(listed), request.target)


def _shows_it_alone(request: Request, kind: str) -> bool:
    """Whether an address says no more than how its object is shown. `/weather?city=3` and `/manual?machine=7` tell what
    is everybody's of what somebody keeps a list of.
    """
    words = kind_words(request)[-1:]
    return all(_IS_SHOWN.fullmatch(word) or (kind and word.startswith(kind)) for word in words)


def _is_called_after(page: Page, request: Request, named: Named) -> bool:
    """Whether a page is called as the list of what a parameter names by its own name: `/beds` of `/print?bed=7`; not of
    `/fare?vehicle=7`.
    """
    word = word_of(named)
    if named.point[0] not in ("get", "post") or not word or operation_of(request) is not None:
        return False
    if any(map(_WORKS_OUT.fullmatch, kind_words(request)[-1:])):
        return False
    one = page.request.path.rstrip(b"/").rpartition(b"/")[0] + b"/" + for_request_line(word.encode())
    return is_called_as_list(page.request, listing(request, one))


def lists_it(response: Response, page: Page, request: Request, named: Named, address: bytes, mine: Response) -> bool:
    """Whether a page's answer shows the object, and not just the same number or another kind's: that must be said by a word.
    mine: what the page shows the owner.
    """
    if not named.value.isdigit() or len(named.value) >= LEAST_DIGITS:
        return shows(response, named.value, address)
    kind = kind_of(request, named)
    said = f"{address_of(page.request)}/{what_is_called(page.request)}"
    fields = [leaf for leaf in leaves(response) if leaf.value == named.value]
    names = {leaf.path for leaf in (*fields, *leaves(mine)) if leaf.value == named.value}
    # What a call asks for is no address that the fields could be called after.
    names = names if address else identifying(names, named.value, kind.encode())
    words = [
        (said + "/" + "/".join(leaf.path)).lower()
        for leaf in fields
        if leaf.path and leaf.path in names and _IDENTIFIES.search(leaf.path[-1])
    ]
    return any(kind and kind in each for each in words) or (not fields and shows(response, named.value, address))


def linked_as(request: Request, named: Named) -> bytes:
    """What a page links to where it shows the object: with the query where the identifier stands there, and else the
    address up to it, whatever is asked for below: `/notes/7` of `/notes/7/edit`. Nothing links to what a header, a
    cookie or a body asks for.
    """
    if named.point[0] == "get":
        target: bytes = request.target
        return target
    if named.point[0] != "path":
        return b""
    path: bytes = request.path
    segments = path.split(b"/")
    if is_key(named.point) and segments[int(named.point[1]) + 1].endswith(b")"):
        return path
    return b"/".join(segments[: int(named.point[1]) + 1]) + b"/" + for_request_line(named.value.encode())


def is_shared(mine: Response, named: Named, address: bytes, others: frozenset[str]) -> bool:
    """Whether the owner's list says beside the object that it is the other's, too, or everybody's."""
    return entry_names(mine, named.value, address, others) or entry_is_published(mine, named.value)
