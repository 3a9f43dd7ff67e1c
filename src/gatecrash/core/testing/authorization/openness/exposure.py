"""Whether an endpoint that answers without credentials should have asked for them.

A browser sends a site's cookies with every request to it (RFC 6265, section 5.4), and the page of an application its
token with whatever it asks once it has one: that credentials came along says nothing of what an endpoint needs. What is
read there must be of a kind that is not everybody's. A program is told by its author where to send a key, so that it
says what is meant; but where an address names what is published (`/products`, `/health`), the author only had it at
hand. Who changes something is another matter: keys and tokens that stand in headers and parameters are sent along by
somebody's own program, and no page of another site can do so. A program that is seen to send its token to what is
published sends it everywhere, as a page does, and so does every client of GraphQL, and of functions that are called by
their names, where all that is asked has one address or is one service's; unless a call has who calls among its
arguments. What reads and brings a password of its own asks who is there. A POST that only asks (`/search`,
`/coupons/validate`) is judged as what reads.
What visitors send (`everybodys`) is for everybody, whoever sends it. An answer to credentials that allows every cache
between to keep it and to give it to others (RFC 9111, section 3.5) is for everybody by its author's word, unless what
it holds says otherwise. A page that Basic credentials came along to is judged as what cookies came along to.
"""

import re
from enum import IntEnum

from gatecrash.core.inventory.called_credentials import is_argument
from gatecrash.core.message import Request, Response
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.authorization.callers.account_endpoints import (
    account_request,
    asks_for_code,
    brings_a_password,
    hands_out_a_key,
)
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.objects.named import named_objects, only_reads
from gatecrash.core.testing.authorization.openness.caller_named import names_caller
from gatecrash.core.testing.authorization.openness.echoing_pages import (
    shows_only_what_was_asked,
    writes_out_what_was_sent,
)
from gatecrash.core.testing.authorization.openness.everybodys import (
    acts_as_keeper,
    asks_a_question,
    asks_security_questions,
    called_public,
    describes_things,
    ends_published,
    for_visitors,
    is_published,
    is_shared,
    makes_something,
    of_guests,
    of_the_page,
    of_the_sign_in,
    only_decodes,
    perhaps_for_visitors,
    says_no_more,
    tells_a_number,
    tells_a_version_alone,
)
from gatecrash.core.testing.authorization.openness.guest_acts import (
    by_a_guest,
    by_another_service,
    names_a_key,
)
from gatecrash.core.testing.authorization.openness.member_cards import (
    is_called_after_handle,
    is_card_of_a_member,
    is_told_between_servers,
    shows_member_cards,
)
from gatecrash.core.testing.authorization.openness.offered_by import says_who_offers
from gatecrash.core.testing.authorization.openness.pages_by_basic import goes_to_a_page, is_page_by_basic
from gatecrash.core.testing.authorization.openness.published_by_rule import is_published_by_rule
from gatecrash.core.testing.authorization.openness.somebodys_addresses import (
    asks_for_one_member,
    is_called_kept,
    is_called_somebodys,
    is_kept_beside_a_member,
    is_kept_by_people,
    is_of_members,
    is_page_of_a_member,
    is_somebodys,
)
from gatecrash.core.testing.authorization.openness.who_comes import names_who_comes
from gatecrash.core.testing.authorization.owners.ownership import is_published as shown_to_all
from gatecrash.core.testing.authorization.owners.private_fields import is_private
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.operations.graphql import operation_of, words_of
from gatecrash.core.testing.operations.procedures import procedure_of
from gatecrash.core.testing.operations.questions import is_of_a_service
from gatecrash.core.testing.oracles.body import media_type
from gatecrash.core.testing.oracles.empty_lists import gives_an_empty_list
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.probe import Situation
from gatecrash.core.words.english import in_english

_COOKIE = ("header", "COOKIE")

# What monitoring asks for, wherever it stands: `/actuator/health`, `/health/live`, `/__heartbeat__`, the field `systemHealth`.
_ALIVE = re.compile(
    r"/_*(?:health(?:z|[-_]?checks?)?|live(?:z|ness)?|ready(?:z|ness)?|readiness|ping|(?:lb)?heartbeat|alive|up)_*(?:\.json)?/?$"
    r"|/(?:system|server|service|app|api)-(?:health|ping|heartbeat)$",
    re.IGNORECASE,
)
# Types of a body that no form can send.
_BY_SCRIPTS = re.compile(rb"json|application/graphql", re.IGNORECASE)
_OF_BROWSERS = (b"Sec-Fetch-Mode", b"Sec-Fetch-Site", b"Sec-CH-UA")
_CONTAINER = re.compile(
    r"(?:all_?)?(?:users|accounts|members|customers|clients|patients|employees|orders|invoices|payments|transactions|transfers"
    r"|messages|wallets|cards|me|viewer|profile|current_?user)",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"^(?:user|nick|first|last|full|sur|given|family|customer|patient|employee|member|owner|login)[_-]?name$|^login$|^nick$"
    r"|^gender$|^sex$|^user(?:_?id)?$|^customer(?:_?id)?$",
    re.IGNORECASE,
)
_WHOSE = re.compile(
    r"(?:user|owner|member|customer|client|citizen|account|patient|student|employee|login)(?:[-_]?(?:name|id))?",
    re.IGNORECASE,
)


class Stake(IntEnum):
    """Whether something is anybody's business in particular: not, perhaps (what stands around it tells), or surely."""

    NONE, PERHAPS, SURE = range(3)


def is_at_stake(situation: Situation, good: Response) -> bool:
    """Whether it is surely so, by the baseline alone."""
    return stake_of(situation, good) is Stake.SURE


def stake_of(situation: Situation, good: Response) -> Stake:
    """Whether a good answer, or what the request does, is anybody's business in particular.

    It surely is where the address says so; where a program was told to send credentials to what is not published;
    where the answer holds what people keep to themselves, lists them or names the caller; and where a request
    changes something: with credentials that are no cookies, unless the record shows that visitors are answered, too;
    with cookies alone, in a way that no plain form can, unless visitors do so, too. Where the credentials come along
    with everything, what is changed must be somebody's, one object, or new, and nothing that sites keep for guests.
    Logins, registrations and resets are there for everybody, and so is what a standard has servers publish.
    """
    request = situation.baseline.request
    reads = asks_a_question(request) or is_safe(request) or only_reads(request)
    if _needs_no_credentials(situation, good, reads=reads):
        return Stake.NONE
    meant = not situation.visited and any(tuple(point[:2]) != _COOKIE for point in situation.credentials)
    beside = for_visitors(request, good)
    if beside is not None:
        return _surely(is_called_somebodys(beside) or is_private(good, strictly=True))
    everywhere = _is_sent_along(situation)
    if meant and not reads:
        called = operation_of(request) is not None
        return _of_change(situation, good, meant=True) if everywhere or called else Stake.SURE
    path = _address(request)
    published = is_published(path)
    by_basic = reads and is_page_by_basic(situation, good)
    everywhere = everywhere or _has_one_address(situation) or by_basic
    # A browser sends them with all of a site's pages, and nobody told it to (RFC 7617, section 2.2).
    meant = meant and not (by_basic and _from_browser(request)) and not (reads and goes_to_a_page(request))
    card = (everywhere or not meant or is_told_between_servers(path)) and _shows_cards(request, good, path)
    if reads and (card or gives_an_empty_list(good) or _is_for_who_has_the_address(situation, good)):
        return Stake.PERHAPS
    if meant and not everywhere and not published and not is_shared(good) and not describes_things(good):
        return Stake.SURE
    if reads and _is_for_whoever_comes(path, good):
        return _surely(is_private(good, strictly=True))
    if reads and is_page_of_a_member(path) and media_type(good) == "text/html":
        return _surely(is_private(good) or is_kept_beside_a_member(path))
    if not reads and not meant and perhaps_for_visitors(request):
        return Stake.PERHAPS
    kept = meant and _is_kept(request, good, path)
    if kept or is_somebodys(path, good, often=meant or not reads) or _holds_somebodys(request, good):
        return Stake.SURE
    # All operations of GraphQL have one address: that visitors sign in there says nothing of the others.
    sent_by_visitors = situation.visited and operation_of(request) is None
    if not reads and not sent_by_visitors and _BY_SCRIPTS.search(request.first(b"Content-Type") or b""):
        return _of_change(situation, good, meant=meant)
    if any(_CONTAINER.fullmatch(name) for leaf in leaves(good) for name in leaf.path[:-1]):
        return Stake.SURE
    # What visitors read as well may name the caller as one of its authors.
    is_for_him = not (reads and situation.visited) and names_caller(situation, good, path)
    return Stake.SURE if is_for_him else Stake.PERHAPS


def _shows_cards(request: Request, good: Response, path: str) -> bool:
    """Whether an answer at an address of members, or of one of them, shows what they say of themselves for others to read."""
    of_one = is_card_of_a_member(path) or is_called_after_handle(path, good) or asks_for_one_member(request, path)
    return (of_one or is_of_members(path)) and shows_member_cards(good, path)


def _is_kept(request: Request, good: Response, path: str) -> bool:
    """Whether an address is called what people keep to themselves, or names who comes; not one that only answers a question."""
    if names_who_comes(path, good):
        return True
    told_back = (asks_a_question(request) and tells_a_number(request, good)) or shows_only_what_was_asked(request, good)
    return is_kept_by_people(path) and not told_back


def _needs_no_credentials(situation: Situation, good: Response, *, reads: bool) -> bool:
    """Whether whoever asks has brought what lets him in, or what he is told; or reads what a standard has servers publish."""
    request = situation.baseline.request
    by_rule = reads and is_published_by_rule(_address(request), good)
    tells_what_it_brought = only_decodes(request) or writes_out_what_was_sent(request, good)
    return by_rule or tells_what_it_brought or _brings_its_own_key(situation, reads)


def _brings_its_own_key(situation: Situation, reads: bool) -> bool:
    """Whether a request lets its caller in by what it brings: a login or its like, be it the question for a code, or what reads
    with a password of its own.
    """
    exchange = situation.baseline.exchange
    if account_request(exchange) is not None or hands_out_a_key(exchange) or asks_for_code(exchange):
        return True
    return reads and brings_a_password(exchange.request)


def _is_sent_along(situation: Situation) -> bool:
    """Whether the credentials of a request are sent with everything, or are asked for with everything by the API's description."""
    described = situation.declared is not None and situation.declared.throughout
    return situation.everywhere or described or _from_browser(situation.baseline.request)


def _has_one_address(situation: Situation) -> bool:
    """Whether all that is asked beside a request has its address, or a client made for the whole service asks for it, so that
    its credentials come along with all of it, be it in the header of an envelope.
    """
    request = situation.baseline.request
    if operation_of(request) is not None or is_of_a_service(request):
        return True
    return bool(procedure_of(request)) and not any(map(is_argument, situation.credentials))


def _is_for_who_has_the_address(situation: Situation, good: Response) -> bool:
    """Whether an address that nobody guesses lets its reader in, where credentials come along with everything: an order of a guest."""
    return (
        _is_sent_along(situation)
        and names_a_key(situation.baseline.request.path)
        and not is_private(good, strictly=True)
    )


def _is_for_whoever_comes(path: str, good: Response) -> bool:
    """Whether an address is called so, or each of what its answer holds says that it is public, or it tells a version alone."""
    if (
        of_the_page(path)
        or of_the_sign_in(path)
        or asks_security_questions(path, good)
        or called_public(path)
        or _ALIVE.search(path)
    ):
        return True
    return shown_to_all(good, wholly=True) or tells_a_version_alone(good)


def _surely(at_stake: bool) -> Stake:
    return Stake.SURE if at_stake else Stake.NONE


def _of_change(situation: Situation, good: Response, *, meant: bool) -> Stake:
    """The same of a change whose credentials come along with everything: of what is somebody's, of one object, or where something
    is made; not of what sites keep for their guests, in a session that they begin for whoever has none.
    """
    request = situation.baseline.request
    path = _address(request)
    if operation_of(request) is not None:
        return Stake.PERHAPS if perhaps_for_visitors(request) else Stake.SURE
    if by_a_guest(request) or by_another_service(request):
        return Stake.NONE
    if of_guests(path) or perhaps_for_visitors(request) or _is_for_who_has_the_address(situation, good):
        return Stake.PERHAPS
    surely = is_called_kept(path) or request.method.upper() != "POST"
    surely = surely or makes_something(request, good) or acts_as_keeper(request) or _says_whose(situation)
    # Programs set something, and are told what it is now; pages ask for what they do not know.
    surely = surely or (meant and says_no_more(request, good) and not tells_a_number(request, good))
    return Stake.SURE if surely else Stake.PERHAPS


def _says_whose(situation: Situation) -> bool:
    """Whether a request says of whom it is, and that is its caller: `{"user": "ann"}`."""
    known = holder_values(situation)
    fields = (found for found in walk(situation.baseline.request).points if found.point[0] == "post")
    return any(
        _WHOSE.fullmatch(found.point[-1]) and found.value.decode("utf-8", "replace").lower() in known
        for found in fields
        if not found.container
    )


def _address(request: Request) -> str:
    """The path; of GraphQL its first field in words, and of RPC the function, as all that is asked for has one address."""
    words = words_of(request)
    return in_english("/" + "-".join(words)) if words else in_english(request.path.decode("latin-1"))


def _from_browser(request: Request) -> bool:
    """Whether a browser sent it: Fetch Metadata Request Headers (W3C), or the word with which all of them begin."""
    agent = request.first(b"User-Agent") or b""
    return agent.startswith(b"Mozilla/") or any(request.first(name) is not None for name in _OF_BROWSERS)


def _holds_somebodys(request: Request, good: Response) -> bool:
    """Whether an answer holds what people keep to themselves; how to reach them is a shop's to tell, unless a person is named,
    or one object was asked for.
    """
    if is_private(good, strictly=True):
        return True
    if ends_published(_address(request)) or not is_private(good):
        return False
    told = (leaf for leaf in leaves(good) if leaf.path and not says_who_offers(leaf))
    named = any(_PERSON.search(leaf.path[-1]) for leaf in told)
    return named or any(each.sure for each in named_objects(request))
