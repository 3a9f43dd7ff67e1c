"""Fields that are the application's on some things, and on others their owner's own: whether it is paid, its points, its plan.

is_his_own(situation, each, shown)        whether nothing says so far that anybody else has a say in it
may_be_his_own(situation, name, names)    the same of a name beside others on a page
is_of_several(response, name)             whether a page shows such things of several people

Somebody else has a say in what is ordered, applied for, charged or sold, in people, in what is decided about what they
write for others and offer to them, in what tells who decides (`approved_by`), and in what those above set in the record.
All other things are the books of whoever keeps them, unless a page shows those of several.
"""

import re
from collections.abc import Iterable

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.callers.oneself import SETS
from gatecrash.core.testing.authorization.fields.properties import Property, is_of_people
from gatecrash.core.testing.authorization.fields.set_by_users import ORDERED, PEOPLE, SET, kind_of
from gatecrash.core.testing.authorization.objects.answered_objects import Object, objects_in
from gatecrash.core.testing.authorization.owners.own_list import is_for_readers
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.testing.probe import Situation
from gatecrash.core.words.names import parted

_APPLIED_FOR = re.compile(
    r"application|request|claim|leave|absence|vacation|loan|mortgage|expense|reimburse|refund|submission|proposal|nomination|appeal"
    r"|permit|report|withdrawal|payout|deposit|document|certificate|kyc|verification|fees?\b|fines?\b|dues\b|debts?\b|tuition",
    re.IGNORECASE,
)
# People by what they are to others; a list of one's own clients or players is a book like any other.
_BY_WORK = re.compile(r"(?:employee|student|patient|doctor|driver|seller|merchant|subscriber)s?|staff", re.IGNORECASE)
# What applications sell plans of, and measure.
_SOLD = re.compile(
    r"(?:.*[-_])?(?:workspaces?|organi[sz]ations?|orgs?|tenants?|compan(?:y|ies)|projects?|teams?|subscriptions?|memberships?|licen[cs]es?"
    r"|plans?|keys?|sites?|shops?|stores?|channels?|domains?|servers?|instances?|databases?|buckets?|cards?)",
    re.IGNORECASE,
)
# What is decided about what people write for others and offer to them: how many may vote in a poll is for its maker to say.
_DECISION = re.compile(r"(?:is_?)?(?:paid|confirmed|verified|approved|vip|premium)|discount", re.IGNORECASE)
_DECIDED = re.compile(
    r"(?:approved|verified|confirmed|reviewed|checked|decided|granted|rejected)_?by(?:_?id)?|approver(?:_?id)?|verifier(?:_?id)?"
    r"|reviewer(?:_?id)?|(?:approved|verified|reviewed|decided|granted|rejected)_?(?:at|on|date)",
    re.IGNORECASE,
)
_WHOSE = re.compile(
    r"(?:user|owner|author|creator|writer|seller|(?:created|posted|submitted|owned)_?by)(?:_?(?:id|uid|uuid|name))?|login",
    re.IGNORECASE,
)


def is_his_own(situation: Situation, each: Property, shown: Object) -> bool:
    """Whether a property of a thing is its owner's to set, as far as its name, its kind, the object and the record say."""
    return may_be_his_own(situation, each.name, shown, map(str, each.path))


def may_be_his_own(situation: Situation, name: str, names: Iterable[str], path: Iterable[str] = ()) -> bool:
    """The same by the names of all that is shown of the thing. path: the objects that it stands in."""
    request, names = situation.baseline.request, list(names)
    if SET.fullmatch(name) is None or operation_of(request) is not None or is_of_people(names):
        return False
    if any(_DECIDED.fullmatch(parted(each)) for each in names) or _is_set_above(situation, name):
        return False
    kinds = (kind_of(request), *path)
    read = _DECISION.fullmatch(name) is not None and any(map(is_for_readers, kinds))
    return not (read or any(map(_is_for_others, kinds)))


def _is_for_others(kind: str) -> bool:
    of_people = PEOPLE.fullmatch(kind) or _BY_WORK.fullmatch(kind)
    return (of_people or ORDERED.search(kind) or _APPLIED_FOR.search(kind) or _SOLD.fullmatch(kind)) is not None


def _is_set_above(situation: Situation, name: str) -> bool:
    """Whether the record shows somebody who stands above the sender set such a field of such a thing."""
    told = f"{SETS}{kind_of(situation.baseline.request)}.{name.lower()}"
    return any(told in each.known for each in situation.identities if each.rank > situation.identities[0].rank)


def lists_of_such(situation: Situation) -> list[Page]:
    """The recorded pages that list things of the baseline's kind."""
    kind = kind_of(situation.baseline.request).encode()
    return [page for page in situation.pages if page.request.path.rstrip(b"/").lower().endswith(b"/" + kind)]


def is_of_several(response: Response, name: str) -> bool:
    """Whether the things with a field of that name that a page shows are of several people."""
    people: dict[str, set[str]] = {}
    for shown in objects_in(response):
        if name in shown:
            for field, value in shown.items():
                if _WHOSE.fullmatch(parted(field)) and value is not None:
                    people.setdefault(field, set()).add(str(value))
    return any(len(values) > 1 for values in people.values())
