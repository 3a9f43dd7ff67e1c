"""What says that an object is one caller's own and not the other's: lists, pages of one's own, and fields that name an owner.

A probe that was given the object as another identity asks here whether the application itself says whose it is.
"""

import re
from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.asking import ask, ask_as, response_of
from gatecrash.core.testing.authorization.callers.holder import holder_values, own_tenants, values_of
from gatecrash.core.testing.authorization.callers.oneself import OPENED, TENANT, self_values, stands_in_his
from gatecrash.core.testing.authorization.objects.named import kind_of, listing, named_objects
from gatecrash.core.testing.authorization.openness.access import Access
from gatecrash.core.testing.authorization.openness.member_cards import shows_member_cards
from gatecrash.core.testing.authorization.openness.unlisted_links import given_by_link
from gatecrash.core.testing.authorization.owners.below_oneself import made_below_oneself
from gatecrash.core.testing.authorization.owners.chosen_tenant import (
    is_his_tenant,
    is_kept_of_tenant,
    is_told_of_tenant,
)
from gatecrash.core.testing.authorization.owners.kept_above import is_kept_from, is_one_of_several, keeps_out
from gatecrash.core.testing.authorization.owners.kept_parts import is_kept_part
from gatecrash.core.testing.authorization.owners.list_entries import entry_is_kept_private
from gatecrash.core.testing.authorization.owners.listed_elsewhere import (
    LEAST_DIGITS,
    is_shared,
    linked_as,
    listed_elsewhere,
)
from gatecrash.core.testing.authorization.owners.made_out_to import is_held_by, is_made_out_to, is_named_in, speaks_of
from gatecrash.core.testing.authorization.owners.navigation import is_led_to_everywhere
from gatecrash.core.testing.authorization.owners.other_forms import kept_from_him_itself
from gatecrash.core.testing.authorization.owners.own_address import kept_at_its_own_address
from gatecrash.core.testing.authorization.owners.own_by_default import own_by_default
from gatecrash.core.testing.authorization.owners.own_list import is_kept_kind, may_be_chosen, shows_only_own
from gatecrash.core.testing.authorization.owners.own_things import holds_things_of_his_list
from gatecrash.core.testing.authorization.owners.ownership import (
    concerns,
    is_for_acquaintances,
    is_kept_private,
    is_published,
    listed_apart,
    names_owner,
    shows,
)
from gatecrash.core.testing.authorization.owners.page_links import with_whole_addresses
from gatecrash.core.testing.authorization.owners.private_fields import is_private
from gatecrash.core.testing.authorization.owners.told_facts import has_nearly_all
from gatecrash.core.testing.authorization.owners.walled_above import behind_a_wall
from gatecrash.core.testing.authorization.ranks.directories import lists_its_readers
from gatecrash.core.testing.authorization.ranks.overseers import oversees
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.operations.graphql import argument_of, place_of, words_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.difference import Fact
from gatecrash.core.testing.oracles.difference import read as read_answer
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Answer, TestRequest

# Where a number may be that of its owner.
_OF_PEOPLE = re.compile(
    r"me|my|own|.*(?:user|person|people|employee|customer|client|patient|member|staff|student|teacher|account|profile|owner|holder|self"
    r"|login|mail|phone|passw|avatar|setting|preference|address|wallet|balance|basket|cart).*",
    re.IGNORECASE,
)
_PERSON = re.compile(r"users?|members?|profiles?|people|persons?|authors?|colleagues?|contacts?", re.IGNORECASE)
# What others read of somebody is called below him.
_HIS_PAGE = re.compile(r"(?:public-?)?(?:profile|info|about|bio|overview|summary|badge|card|public)", re.IGNORECASE)
# What holds nothing private, and is one person's all the same.
_KEPT_THINGS = (
    rb"documents|addresses|cards|invoices|orders|bookings|rentals|reservations|inbox|notifications|payments|payment-?methods"
    rb"|transactions|subscriptions|prescriptions|appointments|purchases|billing|transfers|statements|receipts|balance"
    rb"|shipments|deliveries|parcels|claims|contracts|letters|correspondence|loans|allergies|diagnos[ei]s|medications|vaccinations|(?:medical|health)-?records|payslips"
)
_KEPT_KIND = re.compile(_KEPT_THINGS, re.IGNORECASE)
_KEPT = re.compile(
    rb"/(?:shopping[-_]?)?(?:cart|basket|wallet|wish-?list)s?(?:/|$)"
    # Of one of many, and of a kind that is shown to nobody else: `/users/11/documents`, and not `/users/11/posts`.
    rb"|/(?:users?|customers?|clients?|patients?|members?|accounts?)/[^/]+/(?:" + _KEPT_THINGS + rb")(?:/|$)",
    re.IGNORECASE,
)
# The same, where another place of the request says whose: `/orders/search` with `{"userId": 11}`, `/export/orders.csv?user=11`.
_KEPT_OF_SOMEBODY = re.compile(
    rb"/(?:my-?)?(?:" + _KEPT_THINGS + rb")(?:/(?:search|find|query|list|filter|history|export|download))?"
    rb"(?:\.(?:json|xml|csv|tsv|txt|html?|xlsx?|ods|pdf))?/?$",
    re.IGNORECASE,
)

_Evidence = Generator[TestRequest, Answer, str]


class _Above(NamedTuple):
    """What the page above an object says. told: whose it is, in words, empty where it is both's; None where nothing
    says so. listed: whether it shows the object to the other. chosen: whether its owner may have chosen it. one_list:
    whether it is the same for both.
    """

    told: str | None = None
    listed: bool = False
    chosen: bool = False
    one_list: bool = False


def evidence_of(access: Access, other: Identity, named: Named, private: frozenset[Fact], seen: Response) -> _Evidence:
    """What says that the object is the owner's, in words; empty where nothing does, or a list or the object says that
    it is shared.

    private: what the owner's answer says and nobody is told without credentials. seen: what the other was given.
    """
    request, values = access.request, holder_values(access.situation)
    above, address = _Above(), linked_as(request, named)
    if concerns(access.good, values_of(other, access.situation)) or _is_for_others(access.good):
        return ""
    if (
        shows_member_cards(access.good)
        or given_by_link(request.path, named.value, access.good)
        or (yield from _stands_in_public(access))
    ):
        return ""
    if named.collection is not None:
        above = yield from _by_its_list(access, other, named, private, seen)
        if above.told is not None:
            return above.told
    beside = yield from listed_elsewhere(access.situation, other, named, address)
    where, seen_by_both = beside.where, above.listed or beside.shared
    if (
        where
        and ((_is_above(where, request) and not beside.by_entry) or (beside.is_its_list and not beside.shared))
        and not (above.listed or above.chosen)
    ):
        return _told(where)
    speaks = not seen_by_both and not _is_himself(request, named, values) and speaks_of(seen, values)
    keeps = not (seen_by_both or above.chosen) and _is_kept_thing_of(request, named, access.good, values)
    if where and (is_private(access.good, strictly=seen_by_both) or speaks or keeps):
        return _told(where)
    if is_his_by_kind(request, named, access.good, values):
        return "an answer about the owner himself says that it is his"
    by_address = "" if seen_by_both else _by_its_address(access, named, values, one_list=above.one_list)
    if by_address:
        return by_address
    if not (seen_by_both or above.one_list) and named.sure and is_made_out_to(request, named, seen, values):
        return "it is a paper that is made out to its owner by what says who the owner is, and no list shows it to the other"
    told = yield from _by_its_words(access, other, named, values, above.listed, seen)
    if not told and not above.listed:
        newer = () if _is_a_function_above(access, other, named) else access.situation.newer
        told = yield from kept_from_him_itself(request, other, named, newer)
    if not told and not above.listed:
        told = yield from kept_at_its_own_address(access.situation, other, named, seen)
    told = told or (yield from own_by_default(access.situation, other, named, seen))
    told = told or (yield from _by_his_list(access, other, named, seen))
    return told or (yield from behind_a_wall(access, other, named))


def _by_his_list(access: Access, other: Identity, named: Named, seen: Response) -> _Evidence:
    """What a list of the owner's own things says of what is asked for by his number, which may stand in lists for all beside."""
    values = holder_values(access.situation)
    if named.point[0] == "path" or not is_called_so(access.request, named, values):
        return ""
    return (yield from holds_things_of_his_list(access.situation, other, access.good, seen, values))


def _is_kept_thing_of(request: Request, named: Named, good: Response, values: frozenset[str]) -> bool:
    """Whether what is asked for is of a kind that each keeps for himself, and names its owner: `loan.get` of `loan.mine`."""
    kind = kind_of(request, named)
    is_kept = is_kept_kind(kind) or _KEPT_KIND.fullmatch(f"{kind}s".encode()) is not None
    return is_kept and names_owner(good, values, makers=False)


def _by_its_address(access: Access, named: Named, values: frozenset[str], *, one_list: bool) -> str:
    """What the address of what no list shows to the other says, in words. one_list: whether the list above is the same for both."""
    request = access.request
    if not one_list and made_below_oneself(access.situation, named):
        return "it stands below the caller's own address, where its owner made it, and no list shows it to the other"
    of_him = named.point[0] == "header" or is_called_so(request, named, values)
    # By the word alone (`/shop/basket`) each caller is shown his own.
    is_one_of_many = _KEPT.search(f"/{named.value}/".encode("utf-8", "replace")) is None
    if is_one_of_many and is_kept_by_one(request, values) and (of_him or names_owner(access.good, values)):
        return "the owner is named, by what says who the owner is, and nobody shares what stands at such an address"
    return ""


def _is_a_function_above(access: Access, other: Identity, named: Named) -> bool:
    """Whether it may be a function for those above the other, and no object: a word, which somebody of a higher rank asked for."""
    return not named.sure and access.situation.identities[0].rank > other.rank


def _by_its_list(
    access: Access, other: Identity, named: Named, private: frozenset[Fact], seen: Response
) -> Generator[TestRequest, Answer, _Above]:
    """What the page above the object says of it, asked for as both."""
    request, values, above = access.request, holder_values(access.situation), named.collection or b""
    asked, address, chosen = listing(request, above), linked_as(request, named), False
    mine = with_whole_addresses(response_of((yield from ask(asked, "control"))), asked.path)
    theirs = with_whole_addresses(response_of((yield from ask_as(asked, other.name, "control"))), asked.path)
    is_wall = not named.sure and is_one_of_several(above) and is_good(mine) and keeps_out(theirs)
    if is_wall and is_private(access.good, values):
        return _Above(_refused_above(above))
    overseen = oversees(access.situation, other, mine, theirs, named.value)
    if listed_apart(mine, theirs, named.value, address) and not overseen:
        told = _told_by_list(access, other, named, mine, theirs)
        if told and (yield from is_led_to_everywhere(access, address)):
            told = ""
        if told is not None:
            return _Above(told)
        chosen = True
        if is_private(access.good, values) and (yield from _is_below_what_is_kept(access, other, address)):
            return _Above(_refused_above(address))
    if _is_own_page(mine, theirs, private, seen) and is_private(access.good, values | self_values(mine)):
        own_page = asked.path.decode("latin-1")
        return _Above(
            f"{own_page}, a page of the caller's own, shows it to its owner, and the other his own in its place"
        )
    listed = is_good(theirs) and shows(theirs, named.value, address)
    return _Above(None, listed, chosen, _link_to_one(mine, theirs, asked.path))


def _told_by_list(access: Access, other: Identity, named: Named, mine: Response, theirs: Response) -> str | None:
    """What a list says that shows the object to the owner only: empty where it is the other's, too, as where the record has
    another list lead him to it; None where he may have chosen it.
    """
    request, values = access.request, holder_values(access.situation)
    others = values_of(other, access.situation)
    if is_shared(mine, named, linked_as(request, named), others) or given_by_link(request.path, named.value, mine):
        return ""
    if lists_its_readers(access.situation, other, named, mine, theirs) and not is_private(access.good):
        return ""
    if OPENED + request.path.decode("latin-1") in other.known:
        return ""
    chosen = may_be_chosen(kind_of(request, named), named, mine, theirs) and _is_nobodys(access, named, mine, values)
    return None if chosen else _told(named.collection or b"")


def _is_below_what_is_kept(access: Access, other: Identity, address: bytes) -> Generator[TestRequest, Answer, bool]:
    """Whether something is asked for below an object, whose own address refuses the other: `/projects/lab/members`."""
    if not address or not access.request.path.startswith(address.rstrip(b"/") + b"/"):
        return False
    return (yield from is_kept_from(access.request, address, other))


def _is_nobodys(access: Access, named: Named, mine: Response, values: frozenset[str]) -> bool:
    """Whether neither the object nor its owner's list says whose it is, and nothing private is in it."""
    said = names_owner(access.good, values, makers=False) or is_private(access.good, values)
    said = said or is_kept_private(access.good) or entry_is_kept_private(mine, named.value)
    return not said and not shows_only_own(mine, named, values)


def _by_its_words(
    access: Access, other: Identity, named: Named, values: frozenset[str], listed: bool, seen: Response
) -> _Evidence:
    """What the answer itself says of its owner, where it is private. listed: the other's list shows the object, too.

    Whoever is shown a page that names him in the owner's place was given his own: a long form differs in little else.
    """
    tenants = values | (own_tenants(access.situation) - frozenset(other.known))
    is_apart = is_his_tenant(access.request, named, tenants) and any(value.startswith(TENANT) for value in other.known)
    kept = is_kept_of_tenant(access.request, named) or is_told_of_tenant(access.request, access.good, tenants)
    if is_apart and (kept or is_private(access.good, values)):
        return (
            "it is of the owner's tenant, by what both are told about themselves, and the other belongs to another one"
        )
    strictly = listed and not is_kept_part(access.request, named)
    if not is_private(access.good, strictly=strictly) or not (named.sure or listed or named.value.lower() in values):
        return ""
    values = values or (yield from _introduced(access, other, named))
    if not is_private(access.good, values, strictly=strictly):
        return ""
    if is_called_so(access.request, named, values):
        return "the identifier is the owner's own, by what says who the owner is, and the answer holds private data"
    if names_owner(access.good, values) and names_owner(seen, values):
        return "the answer names its owner, by what says who the owner is, and holds private data"
    told = is_named_in(access.good, values) if named.sure else is_held_by(access.good, values)
    if told and is_private(access.good, values, strictly=True):
        return "the answer holds data of a kind that no directory shows, under the owner's name"
    return ""


def _is_for_others(good: Response) -> bool:
    """Whether an answer says that others than the owner may see what it shows: everybody, or some whom he chose."""
    return is_published(good) or is_for_acquaintances(good)


def is_listed_to(other: Identity, request: Request, named: Named) -> Generator[TestRequest, Answer, bool]:
    """Whether the list above the object's address shows it to the other identity."""
    if named.collection is None:
        return False
    asked = listing(request, named.collection)
    theirs = with_whole_addresses(response_of((yield from ask_as(asked, other.name, "control"))), asked.path)
    return is_good(theirs) and shows(theirs, named.value, request.path)


def is_called_so(request: Request, named: Named, values: frozenset[str]) -> bool:
    """Whether an identifier is what its owner is called. The third customer's card may be the third of a board that
    all share: for a small number a word of the address must say that it is somebody's.
    """
    if named.value.lower() not in values:
        return False
    words = (*request.path.decode("latin-1").split("/"), *words_of(request), argument_of(request, named.point[-1]))
    is_small = named.value.isdigit() and len(named.value) < LEAST_DIGITS
    return not is_small or any(_OF_PEOPLE.fullmatch(word) for word in words)


def is_his_by_kind(request: Request, named: Named, shown: Response, values: frozenset[str]) -> bool:
    """Whether the owner's own basket or the like is named, or what is shown stands in it."""
    own = f"{kind_of(request, named)}={named.value}".lower()
    # A tenant is its members' together.
    return (own in values and not own.startswith(TENANT)) or stands_in_his(shown, values)


def is_kept_by_one(request: Request, own: frozenset[str] = frozenset()) -> bool:
    """Whether an address says that what stands there is one person's, be it private or not: a basket, a wallet; or
    orders, an inbox and the like that are asked for by what their owner is called (own), beside the address.
    """
    place = place_of(request)
    if _KEPT.search(place) or not _KEPT_OF_SOMEBODY.search(place):
        return _KEPT.search(place) is not None
    return any(is_called_so(request, each, own) for each in named_objects(request, own) if each.point[0] != "path")


def _link_to_one(mine: Response, theirs: Response, path: bytes) -> bool:
    """Whether both lists link to the same things below their address: then they are everybody's, though older ones are left out."""
    below = re.compile(re.escape(path.rstrip(b"/").decode("latin-1")) + r"/[\w-]*\d[\w-]*")
    return is_good(theirs) and not set(below.findall(text_of(mine))).isdisjoint(below.findall(text_of(theirs)))


def _stands_in_public(access: Access) -> Generator[TestRequest, Answer, bool]:
    """Whether what the request names stands in an object that says of itself that it is for everybody: a page of a public book."""
    request = access.request
    segments = request.path.split(b"/")
    for each in named_objects(request):
        if each.point[0] == "path" and each.sure and int(each.point[1]) + 2 < len(segments):
            asked = listing(request, b"/".join(segments[: int(each.point[1]) + 2]))
            above = response_of((yield from ask(asked, "control")))
            if is_good(above) and is_published(above):
                return True
    return False


def _is_above(where: bytes, request: Request) -> bool:
    """Whether a page is the list that the request stands below: `/transfers` of `/transfers/lookup`."""
    return where.partition(b"?")[0].rstrip(b"/") == request.path.rstrip(b"/").rpartition(b"/")[0]


def _refused_above(path: bytes) -> str:
    return f"{path.decode('latin-1')}, above it, is refused to the other"


def _told(where: bytes) -> str:
    return f"{where.decode('latin-1')} shows the object to its owner and does not show it to the other"


def _is_himself(request: Request, named: Named, values: frozenset[str]) -> bool:
    """Whether the object is the owner, as others may look him up: his name stands there, whoever reads it."""
    if named.point[0] != "path" or named.value.lower() not in values:
        return False
    below = request.path.rstrip(b"/").decode("latin-1").split("/")[int(named.point[1]) + 2 :]
    is_his_page = len(below) < 2 and all(map(_HIS_PAGE.fullmatch, below))
    return is_his_page and _PERSON.fullmatch(kind_of(request, named)) is not None


def _is_own_page(mine: Response, theirs: Response, private: frozenset[Fact], seen: Response) -> bool:
    """Whether a page without an identifier shows each caller his own: the owner what is private, the other as good a page.

    What the owner's page alone shows must be what the other was given (seen): the navigation of a site says more than a
    short form.
    """
    if not is_good(mine) or not is_good(theirs) or not has_nearly_all(mine, private):
        return False
    if has_nearly_all(theirs, private) or not is_private(theirs):
        return False
    alone = (private & read_answer(mine).facts) - read_answer(theirs).facts
    return has_nearly_all(seen, alone)


def _introduced(access: Access, other: Identity, named: Named) -> Generator[TestRequest, Answer, frozenset[str]]:
    """Who the owner is, by the answer to `me` beside the objects; what it says to the other, too, is left out."""
    collection = named.collection or b""
    for above in (collection, collection.rpartition(b"/")[0]):
        asked = listing(access.request, above.partition(b"?")[0] + b"/me")
        mine = response_of((yield from ask(asked, "control")))
        if is_good(mine) and self_values(mine):
            theirs = response_of((yield from ask_as(asked, other.name, "control")))
            return self_values(mine) - self_values(theirs)
    return frozenset()
