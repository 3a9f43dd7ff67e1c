"""Which privileged properties a request may be tried with, as far as its address and its sender say what its object is.

A price, and what is taken off it, is the seller's to say, unless the sender sells himself. A company may be the tenant
that somebody belongs to, or whom a contact works for, which is written down by whoever knows him. Whoever manages
others may say what they are. A role is a right of whoever signs in; that of a contact, of a figure in a play or of a
machine, by a word of their own, says what they are there for. What users of the record set of such things themselves is
theirs to set. What says by the sender's own name or number who has made something is tried with those of another, who
is there: a made-up one may be refused for that alone.
"""

import re

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.callers.holder import holder_values, values_of
from gatecrash.core.testing.authorization.callers.oneself import HIGH, TENANT
from gatecrash.core.testing.authorization.fields.authored import says_who_made
from gatecrash.core.testing.authorization.fields.prices import changes_an_order, orders_something, says_how_many
from gatecrash.core.testing.authorization.fields.properties import APPROVED, LOW_ROLES, Property, learned
from gatecrash.core.testing.authorization.fields.set_by_users import may_be_set
from gatecrash.core.testing.authorization.objects.answered_objects import IDENTIFIERS, Object
from gatecrash.core.testing.authorization.owners.own_above import counterparts
from gatecrash.core.testing.authorization.owners.ownership import names_of_owner
from gatecrash.core.testing.authorization.ranks.role_sections import HAS_ROLE, shared_roles
from gatecrash.core.testing.known.identity import ANYBODY, peer_of
from gatecrash.core.testing.probe import Situation
from gatecrash.core.words.names import plain

_ROLE = re.compile(r"roles?", re.IGNORECASE)
# What managers give to others, where they make their accounts or change them.
_GIVEN = re.compile(
    r"(?:user_?|account_?|member_?)?(?:roles?|rank|rights)|permissions?|privileges?|scopes?|(?:access|user)_?(?:level|type)|account_?(?:type|status)"
    r"|(?:is_?)?(?:admin|staff|super_?user|moderator|manager|supervisor|editor|verified|approved|confirmed)|e?mail_?verified",
    re.IGNORECASE,
)
_COMPANY = re.compile(r"(?:company|workspace)_?id", re.IGNORECASE)
# Who sends a bill, or offers something at a price, takes off it what he likes.
_CHARGED = re.compile(r"(?:unit_?|net_?|gross_?)?(?:price|amount|fee|rate)(?:_?(?:cents|value))?", re.IGNORECASE)
# What whoever writes them down thinks of people.
_NOTED = re.compile(r"(?:is_?)?(?:vip|verified|confirmed)", re.IGNORECASE)
_KNOWN_TO_HIM = re.compile(
    r"(?:.*[-_])?(?:contact|address-?book|guest|relative|family|reference|lead)s?", re.IGNORECASE
)
# Such things and people sign in nowhere.
_HAVE_PARTS = re.compile(
    r"(?:.*[-_])?(?:contact|address-?book|guest|relative|family|reference|lead|performer|artist|speaker|author|contributor|cast|character"
    r"|credit|server|host|node|device|machine|instance|container|service|interface|database|link|element)s?",
    re.IGNORECASE,
)


def assignable(situation: Situation, shown: Object, body: Object) -> list[Property]:
    """The privileged properties that an object shows and a body does not set, without those that its sender may well choose."""
    request = situation.baseline.request
    manages = manages_others(situation)
    priced = (orders_something(request, situation.credentials) or _changes_his_order(situation, shown)) and not manages
    low = LOW_ROLES | shared_roles(situation.identities)
    found = [
        each for each in learned(shown, body, situation.random, priced=priced) if not may_be_set(situation, each.name)
    ]
    if manages and not _is_himself(situation, shown):
        found = [each for each in found if not (_GIVEN.fullmatch(each.name) or str(each.new).lower() == APPROVED)]
    if not priced and any(map(_CHARGED.fullmatch, body)):
        found = [each for each in found if each.name.lower() != "discount"]
    given_away = [] if manages else _given_away(situation, shown, body)
    names = {each.name for each in given_away}
    found = [*(each for each in found if each.path or each.name not in names), *given_away]
    return [
        each
        for each in found
        if not (_is_part(request, each, low) or _is_others_company(situation, each) or _is_of_others(situation, each))
    ]


def _changes_his_order(situation: Situation, shown: Object) -> bool:
    """Whether a request changes an order of so many of something, which names its sender as the buyer."""
    request, own = situation.baseline.request, holder_values(situation)
    named = any(value in own for _, value in names_of_owner(shown))
    return named and says_how_many(shown) and changes_an_order(request, situation.credentials)


def _given_away(situation: Situation, shown: Object, body: Object) -> list[Property]:
    """What names the sender as who has made the object, and is not sent: with what a peer of his is called in that way."""
    other = peer_of(situation.identities)
    if other is None:
        return []
    own, theirs, sent = holder_values(situation), values_of(other, situation), set(map(plain, body))
    named = (
        (name, value)
        for name, value in shown.items()
        if type(value) in (str, int) and str(value).lower() in own and says_who_made(name) and plain(name) not in sent
    )
    found = ((name, value, counterparts(str(value), own, theirs)) for name, value in named)
    return [Property(name, value, type(value)(instead[0])) for name, value, instead in found if instead]


def manages_others(situation: Situation) -> bool:
    """Whether the sender stands above another identity, or is called so that he may, by what he was told of himself."""
    own, others = situation.identities[:1], situation.identities[1:]
    return any(
        any(ANYBODY < each.rank < one.rank for each in others)
        or any(known.startswith(HAS_ROLE) and HIGH.search(known) for known in one.known)
        for one in own
    )


def _is_himself(situation: Situation, shown: Object) -> bool:
    """Whether an object is the sender, or names him, or nothing says who he is. A short number elsewhere than in its
    identifier says nothing.
    """
    values = holder_values(situation)
    told = {
        str(value).lower()
        for name, value in shown.items()
        if isinstance(value, str | int) and (name in IDENTIFIERS or not str(value).isdigit())
    }
    return not values or not values.isdisjoint(told)


def _is_part(request: Request, each: Property, low: frozenset[str]) -> bool:
    """Whether it is a part that somebody or something plays, and no right."""
    if _ROLE.fullmatch(each.name) is None or not isinstance(each.old, str) or each.old.lower() in low:
        return False
    return any(map(_HAVE_PARTS.fullmatch, (_kind(request), *map(str, each.path))))


def _is_of_others(situation: Situation, each: Property) -> bool:
    """Whether it says what the sender thinks of somebody whom he knows, or whose a thing is by a word that is none of his names."""
    if _NOTED.fullmatch(each.name):
        return any(map(_KNOWN_TO_HIM.fullmatch, (_kind(situation.baseline.request), *map(str, each.path))))
    own = holder_values(situation)
    is_word = each.name.lower() == "owner" and isinstance(each.old, str) and each.old.isalpha()
    return is_word and bool(own) and each.old.lower() not in own


def _is_others_company(situation: Situation, each: Property) -> bool:
    """Whether it is a company that the sender does not belong to, as far as he was told of his own; else that of a contact."""
    if _COMPANY.fullmatch(each.name) is None:
        return False
    old = str(each.old).lower()
    known = holder_values(situation).union(*(one.known for one in situation.identities[:1]))
    own = {value.removeprefix(TENANT) for value in known if value.startswith(TENANT)}
    alike = {value for value in own if value.isdigit() == old.isdigit()}
    return old not in alike if alike else _HAVE_PARTS.fullmatch(_kind(situation.baseline.request)) is not None


def _kind(request: Request) -> str:
    """The last word of an address, which numbers may stand behind."""
    words = [word for word in request.path.decode("latin-1").split("/") if word and not word.isdigit()]
    return words[-1] if words else ""
