"""Objects of others: what belongs to one caller is given to another who asks for it by its identifier.

What it finds
    Requests with an identifier in the path, the query, a header (`X-Order-Id`, `X-Account`, `X-Tenant`), a cookie that
    holds a number, a GraphQL query's arguments, or the body of a POST that asks for something (`/search`, `/details`,
    `/orders/batch` with nothing but `ids`), whose answer holds the owner's data, and gives them to another identity of
    no higher rank. In the query, in arguments and in such bodies the caller's own name is an identifier, too, where the
    parameter is a word for somebody (`?member=ann`, `customer`), or a call asks for one thing by it (`crew.get`, whatever the
    argument is named). With one identity only: numbers beside the own one, or identifiers that a list of something else leaks,
    that give data of other owners. Pages of one's own that show another's where a parameter names him that nobody sends (`?user_id=7`).

Why it matters
    Identifiers are counted, guessed and passed around. Whoever changes one reads another customer's orders, messages or
    records, one by one, until he has all of them.

How it decides
    The baseline is sent as another identity. Its answer must say nearly all that the owner's answer says and that nobody gets without
    credentials; of several a second one is asked as, who may belong elsewhere; both must get what one of them gets, who may be meant as
    the seller whom an order's buyer pays, and so may whoever the object above it names. A refusal, another content, an
    empty frame or a view that keeps what is private is the end of it. That the object is the owner's must be said by the
    application: the list that it stands in (above it, or asked for by its name:
    `orders` of `order(id: …)`, `order.list` of `order.get`) shows it to the owner and does not show it to the other (of colleagues,
    among whom each reader stands in his own list, that is so for private data alone); or another recorded page does, where it is called
    as the list of such things (`/fees` of `/fee?id=7`), or is one of bills or the like that leads to the very address (as one's
    own `/account` may do to a bill), or refuses the
    other as what it stands below does (`/projects/lab/tasks` of `/tasks/7`; private data below such a wall is the members' alone), or
    where the object holds private data, speaks of its owner, or is a loan or the like that names him; or the same address without it,
    a page of one's own, does; or it is another form (`/documents/7/download`), or an older version, of what refuses the other at its own
    address, or nearly all that is told there (`{"ids": [7]}` of `/documents/7`); or it stands below the caller's own address, where the
    owner made it (`/me/clips/7` of `POST /me/clips`), and nothing there says that several have it; or a header holds the owner's own
    number (`X-Reader: 7`), and without it the same address tells each caller of himself, or, where it must be there, with his own in
    it; or it stands below the word for its owner's tenant, or is a bill or the like below a word that calls him (`/acme/bills/7`),
    where the pages above refuse the other, who has his own in their place; or a page such as a receipt is made out to the owner by
    name, or a bill in JSON by the field in which all of the owner's own list names him (`owner: 7`), and no list above it is the same
    for both; or a field that names an owner holds what the owner's own credentials (or the answer to `me` beside it) say who he is, or
    the identifier is that name or number itself, in an answer with private data. Where the other's list shows the object, that data
    must be of a kind that no directory shows. No list is a page whose link to it stands in the navigation of all pages, where the
    object holds nothing private. An identifier that does not exist must be answered otherwise, and the other identity must get it
    twice. Status codes alone decide nothing. What the record shows one caller ask for, and calls another, who is named as its
    owner, is asked for as that one: the same must hold of it, and no page may lead the one who recorded it there.
    With one identity the numbers beside the own one are asked for where the list that the object stands in names nobody but the
    caller as an owner, asked for without filters of the client: two objects that it leaves out must be given, and name other
    owners. Posts, products and what else is written for others to read are left out. Else nothing is asked unless the recorded
    answer names the caller as the owner of private data, or of a basket or its like; then the numbers beside it are asked for, or
    the identifiers that a page shows where it shows his own (what is kept in lists of such objects must then be of a kind that no
    directory shows), and two of them must name other owners. Callers whose token says that they manage others, or who was told so
    of himself, are left alone.
    A page without an identifier that names its caller beside private data is asked for as the other identity with that name
    in a parameter: it must show what the owner's page says and the other's own does not, twice, and not for a name that is
    nobody's. What says of itself that it is public or for its owner's friends,
    or is said to be public by the list or the object that it stands in, is nobody's alone.

Known misses
    Objects whose list cannot be read and whose answer names no owner. Identifiers in other bodies of requests that only
    read (a POST whose address does not say that it asks).
    What a rank may see that should not.

Standards and references
    CWE-639; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API1 Broken Object Level
    Authorization.
"""

import re
from collections.abc import Generator
from functools import partial
from urllib.parse import urlencode

import msgspec

from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.testing.asking import (
    ask_as,
    concluding,
    known_answers,
    response_of,
    sample_baseline,
)
from gatecrash.core.testing.authorization.callers.account_endpoints import brings_a_password
from gatecrash.core.testing.authorization.callers.holder import holder_values, words_for_himself
from gatecrash.core.testing.authorization.callers.oneself import is_privileged
from gatecrash.core.testing.authorization.callers.peers import as_each, is_not_safe, peers_of
from gatecrash.core.testing.authorization.objects.named import absent, asks, named_objects, neighbours
from gatecrash.core.testing.authorization.openness.access import Access, sample_reading
from gatecrash.core.testing.authorization.owners.beside_own import LEAST_OWNERS, given, is_listed, is_own, left_out
from gatecrash.core.testing.authorization.owners.given_to_another import given_to_another
from gatecrash.core.testing.authorization.owners.private_fields import is_private
from gatecrash.core.testing.authorization.owners.recorded_of_another import (
    as_sent_by,
    exchanged,
    is_led_to,
    is_recorded_of,
)
from gatecrash.core.testing.authorization.owners.shown_beside import MOST_ASKED, is_kept, may_be_shown, shown_beside
from gatecrash.core.testing.authorization.owners.told_facts import has_nearly_all, only_told
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Outcome, Verdict, safe

TYPE = "idor"
CWE = 639
THREAT_OTHER, THREAT_NEIGHBOUR = 80, 70
_NOBODY = ""
_LEAST_FACTS = 2
_MOST_ABOVE, _MOST_PARAMETERS = 2, 3
_NAMES_CALLER = re.compile(
    r"^id$|^uid$|user|account|customer|member|owner|client|patient|employee|e-?mail|login", re.IGNORECASE
)

_Deciding = Generator[TestRequest, Answer, Verdict]


def _dialogue(situation: Situation) -> Dialogue:
    others = peers_of(situation.identities)
    if not others:
        return (yield from _neighbours(situation))
    return (yield from as_each(others, partial(_asked_as, situation), is_not_safe))


def _asked_as(situation: Situation, other: Identity) -> _Deciding:
    seen = yield from ask_as(situation.baseline.request, other.name)
    if _may_choose(situation):
        chosen = yield from _unasked(situation, other, seen)
        if chosen.outcome is Outcome.VULNERABLE:
            return chosen
    access = Access(situation, (yield from known_answers(situation)))
    access.check_comparable()
    if access.refuses(seen) or not access.near(seen):
        return safe(TYPE, situation.point, "the other identity gets another answer")
    if is_recorded_of(situation, other, _named(situation)):
        return (yield from as_sent_by(situation, other, _asked_as_owner(situation, other)))
    access = Access(situation, (yield from sample_reading(situation)))
    return (yield from _judged(access, other, seen, _named(situation)))


def _asked_as_owner(situation: Situation, owner: Identity) -> _Deciding:
    """The same of what the record shows somebody else ask for, as its owner's: whoever recorded it is the other then."""
    own, named, reader = exchanged(situation, owner), _named(situation, owner), situation.identities[0]
    access = Access(own, (yield from sample_reading(own)))
    for each in named:
        if (yield from is_led_to(own, reader, each)):
            return safe(TYPE, situation.point, "a page leads who recorded it to it")
    seen = yield from ask_as(access.request, reader.name)
    return (yield from _judged(access, reader, seen, named))


def _judged(access: Access, other: Identity, seen: Exchange, named: list[Named]) -> _Deciding:
    """What both get alike, and whether it is the owner's."""
    found = yield from given_to_another(access, other, seen, named)
    if isinstance(found, str):
        return safe(TYPE, access.situation.point, found)
    return _vulnerable(access, found.named, found.exchange, found.told)


def _unasked(situation: Situation, other: Identity, theirs: Exchange) -> _Deciding:
    """A page of the caller's own that names him, asked for with that name in a parameter that nobody sends: `?user_id=7`."""
    point = situation.point
    access = Access(situation, (yield from known_answers(situation)))
    access.check_comparable()
    if access.refuses(theirs) or response_of(theirs).status != access.good.status:
        return safe(TYPE, point, "the other identity has no such page")
    access = Access(situation, (yield from sample_reading(situation)))
    private = only_told(access.readings, response_of(theirs))
    if len(private) < _LEAST_FACTS or not is_private(access.good):
        return safe(TYPE, point, "the page tells both the same")
    for name, value in _own_fields(situation):
        named = Named(Point.of("get", name), value, None)
        asked = _with_parameter(access.request, name, value)
        seen = yield from ask_as(asked, other.name)
        if not has_nearly_all(response_of(seen), private):
            continue
        nobody = absent(value, situation.random)
        nobodys = yield from ask_as(_with_parameter(access.request, name, nobody), other.name, "control")
        again = yield from ask_as(asked, other.name, "confirm")
        follows = not has_nearly_all(response_of(nobodys), private, {nobody: value})
        if has_nearly_all(response_of(again), private) and follows:
            told = (
                f"Sent as the identity {other.name!r} with {name!r} of the owner, which nobody sends, the page shows the owner's "
                "data, twice; without it, and with an identifier that does not exist, it does not."
            )
            return _vulnerable(access, named, again, told)
    return safe(TYPE, point, "the page does not follow who it is asked for")


def _own_fields(situation: Situation) -> list[tuple[str, str]]:
    """The fields of the recorded answer that name the caller, as parameters that may choose whose page it is."""
    response, values = situation.baseline.response, holder_values(situation)
    told = leaves(response) if response is not None else []
    own = [leaf for leaf in told if leaf.path and len(leaf.path) <= _MOST_ABOVE and leaf.value.lower() in values]
    found = {leaf.path[-1]: leaf.value for leaf in own if _NAMES_CALLER.search(leaf.path[-1])}
    if "id" in found:
        found = {"user_id": found["id"], **found}
    return list(found.items())[:_MOST_PARAMETERS]


def _with_parameter(request: Request, name: str, value: str) -> Request:
    mark = b"?" if request.query is None else b"&"
    changed: Request = msgspec.structs.replace(
        request, target=request.target + mark + urlencode({name: value}).encode("ascii")
    )
    return changed


def _neighbours(situation: Situation) -> _Deciding:
    """With one identity: the numbers beside the own one, where the recorded answer says whose it is."""
    request, point = situation.baseline.request, situation.point
    access = Access(situation, (yield from sample_baseline(situation, 1)))
    values = holder_values(situation)
    named = _counted(request)
    if not is_own(access.request, access.good, values):
        if named is None or not is_listed(situation, named):
            return safe(TYPE, point, "the answer does not say that it is the caller's own")
        return (yield from _left_out(access, named, values))
    if named is not None:
        foreign = yield from given(access, named, neighbours(named.value), values)
        if len(foreign) >= LEAST_OWNERS:
            return (yield from _counted_out(access, named, foreign, "The numbers beside the own identifier"))
        if is_listed(situation, named):
            return (yield from _left_out(access, named, values))
        return safe(TYPE, point, "the numbers beside the own one give nothing of others")
    named = _shown(situation)
    assert named is not None
    shown = [each for each in (yield from shown_beside(situation, named)) if is_kept(access.good, values, each)]
    foreign = yield from given(access, named, [each.value for each in shown], values)
    if len(foreign) >= LEAST_OWNERS:
        return (
            yield from _counted_out(
                access, named, foreign, f"Identifiers that {shown[0].where} shows beside the own one"
            )
        )
    return safe(TYPE, point, "what is shown beside the own identifier gives nothing of others")


def _left_out(access: Access, named: Named, values: frozenset[str]) -> _Deciding:
    foreign = yield from left_out(access, named, values)
    if len(foreign) < LEAST_OWNERS:
        return safe(TYPE, access.situation.point, "nothing of others stands beside what the caller's own list shows")
    told = (
        f"The numbers beside the own identifier give {len(foreign)} objects that name other owners. The list above, in which the own "
        "one stands, leaves them out and names nobody but the caller."
    )
    return (yield from _unless_public(access, named, foreign, told))


def _counted_out(access: Access, named: Named, foreign: dict[str, Exchange], which: str) -> _Deciding:
    told = (
        f"{which} give private data of {len(foreign)} other owners, while the own answer "
        "names the caller as owner, as the caller's credentials do."
    )
    return (yield from _unless_public(access, named, foreign, told))


def _unless_public(access: Access, named: Named, foreign: dict[str, Exchange], told: str) -> _Deciding:
    """The same as nobody must be refused, else the data is public."""
    shown = list(foreign.values())[-1]
    stranger = yield from ask_as(shown.request, _NOBODY, "control")
    if not access.refuses(stranger):
        return safe(TYPE, access.situation.point, "what others own is given to anybody, or hidden from nobody")
    return _vulnerable(access, named, shown, f"{told} Without credentials it is refused.", THREAT_NEIGHBOUR)


def _counted(request: Request) -> Named | None:
    """The innermost identifier that is a number."""
    return next((each for each in reversed(named_objects(request)) if neighbours(each.value)), None)


def _shown(situation: Situation) -> Named | None:
    """The innermost identifier that a page may show beside those of others."""
    return next((each for each in reversed(_named(situation)) if may_be_shown(situation, each)), None)


def _named(situation: Situation, owner: Identity | None = None) -> list[Named]:
    """The identifiers that the request names, those that the caller's credentials name included; words that only may be names
    first. owner: whose words they are in the caller's place.
    """
    own = words_for_himself(situation if owner is None else exchanged(situation, owner))
    carried = {tuple(point) for point in situation.credentials}
    named = [each for each in named_objects(situation.baseline.request, own) if tuple(each.point) not in carried]
    return sorted(named, key=lambda each: each.sure)


def _vulnerable(access: Access, named: Named, exchange: Exchange, told: str, threat: int = THREAT_OTHER) -> Verdict:
    return access.vulnerable(ENTRY, exchange, threat, told, named.point)


def applies(situation: Situation) -> bool:
    """Reading requests with an identifier and credentials, answered well; for one identity where the answer says whose it is. Who
    brings the password of whom he names may see what is his.
    """
    request, response = situation.baseline.request, situation.baseline.response
    if not asks(request) or destroys(request) or response is None or not is_good(response):
        return False
    if not situation.credentials or brings_a_password(request):
        return False
    if not _named(situation):
        return _may_choose(situation)
    if peers_of(situation.identities):
        return True
    if _manages(situation):
        return False
    counted = _counted(request)
    if not is_own(request, response, holder_values(situation)):
        return counted is not None and is_listed(situation, counted)
    return counted is not None or _shown(situation) is not None


def _manages(situation: Situation) -> bool:
    """Whether the caller is one who manages others, by his token or by what he was told about himself."""
    above = any(each.rank > 0 for each in situation.identities[:1])
    return above or is_privileged(situation.baseline.request, situation.credentials)


def _may_choose(situation: Situation) -> bool:
    """Whether a page names the caller beside private data, and another may be named in his place."""
    request, response = situation.baseline.request, situation.baseline.response
    if not peers_of(situation.identities) or request.method.upper() != "GET" or response is None:
        return False
    if any(each.sure for each in _named(situation)):
        return False
    return is_private(response) and bool(_own_fields(situation))


def forecast(situation: Situation) -> int:
    """One request as each other, which is refused; with one identity a good answer and the numbers beside.

    A page of one's own is asked for as the other, twice again in one's own name, and with each field that may choose.
    """
    if _may_choose(situation):
        return 3 + len(_own_fields(situation))
    others = peers_of(situation.identities)
    if others:
        return len(others)
    counted = _counted(situation.baseline.request)
    # A list of one's own is asked for as well.
    return 2 + (len(neighbours(counted.value)) if counted is not None else MOST_ASKED)


ENTRY = Entry(
    type=TYPE,
    title="Objects of other users can be read",
    cwe=(CWE,),
    owasp=("A01:2021",),
    owasp_api=("API1:2023",),
    why=(
        "Any signed-in caller reads what belongs to others by changing an identifier. Nothing fails and nothing is "
        "logged as odd, so it can be done for all objects in a night."
    ),
    remediation=(
        "Fetch objects through their owner (the caller's own orders, then the one of that number), or check the owner "
        "right after fetching, in one place for reading and writing alike. Answer 404 for what is not the caller's. "
        "Long random identifiers make guessing harder and replace no check."
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
