"""Fields of a request that name the author of what it creates, though the credentials tell the application who that is."""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from gatecrash.core.message import Request, Response
from gatecrash.core.points.found import Found
from gatecrash.core.testing.authorization.fields.sent_objects import body_of
from gatecrash.core.testing.authorization.objects.answered_objects import IDENTIFIERS, Object, objects_in
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.words.english import in_english
from gatecrash.core.words.named import Words
from gatecrash.core.words.names import parted

_SUFFIX = re.compile(r"_?(?:id|uuid|uid|name|no|number|ref|handle|login|e_?mail)$")
# Whoever these name has made it.
_MADE_BY = re.compile(
    r"author|writer|creator|poster|reviewer|commenter|sender|uploader|owner"
    r"|(?:created|posted|written|submitted|added|made|uploaded|recorded|published|opened|started)_?by"
)
# These may name whom it is for, unless what is made is somebody's word or will.
_SOMEBODY = re.compile(
    r"user|customer|account|client|patient|member|employee|student|subscriber|buyer|shopper|by|from|from_user|nick|handle|login"
)
_WORD_OR_WILL = Words(
    r"(?:^|[/_.-])(?:reviews?|comments?|feedbacks?|posts?|messages?|notes?|complaints?|ratings?|questions?|answers?|opinions?|testimonials?"
    r"|orders?|bookings?|appointments?|reservations?|votes?|claims?|tickets?|threads?|replies|articles?|stories)(?=$|[/_.-])",
    re.IGNORECASE,
)


def author_of(request: Request, own: frozenset[str]) -> Found | None:
    """The field of a body that names its sender as the one who makes something; None where none does.

    own: what he is called, in lower case.
    """
    if operation_of(request) is not None:
        return None
    for each in walked(request) if request.body else ():
        if each.point[0] != "post" or each.container or each.value.decode("utf-8", "replace").lower() not in own:
            continue
        if _names_author(request, each.point[-1]):
            return each
    return None


def author_told(request: Request, shown: Object, own: frozenset[str]) -> str:
    """The field in which an object of a list names the sender of what makes such ones as its author, though that sends no such
    field; empty where none does. own: what he is called, in lower case.
    """
    sent = body_of(request) or {}
    told = (name for name, value in shown.items() if isinstance(value, str | int) and str(value).lower() in own)
    return next((name for name in told if name not in sent and _names_author(request, name)), "")


def _names_author(request: Request, name: str) -> bool:
    """Whether a field says who makes something, of somebody's word or will also by what people are called."""
    is_authored = _WORD_OR_WILL.search(request.path.decode("latin-1")) is not None
    return says_who_made(name) or (is_authored and _SOMEBODY.fullmatch(_bare(name)) is not None)


def says_who_made(name: str) -> bool:
    """Whether a field of that name says who has made something: `author_id`, `recordedBy`."""
    return any(map(_MADE_BY.fullmatch, (in_english(parted(name)).lower(), _bare(name))))


def _bare(name: str) -> str:
    whole = in_english(parted(name)).lower()
    return _SUFFIX.sub("", whole) or whole


def made_in_name_of(
    response: Response,
    mark: str,
    author: str,
    besides: frozenset[str],
    sent: Mapping[str, object] = MappingProxyType({}),
) -> bool:
    """Whether an answer shows an object with a mark in it that names the author, and nobody of those besides, but for whom the
    request that made it says that it is for. sent: the members of its body.
    """
    for shown in objects_in(response):
        values = _texts(shown)
        if any(mark in value for value in values) and author.lower() in values:
            return besides.isdisjoint(_texts({name: value for name, value in shown.items() if sent.get(name) != value}))
    return False


def is_in_a_new_object(before: Response, now: Response, mark: str, member: str = "") -> bool:
    """Whether a mark stands in an object whose identifier no object had before: what was added may push an old one out.

    member: what alone holds it, as a small number may stand anywhere; empty for a text.
    """
    marked = [each for each in objects_in(now) if _is_marked(each, mark.lower(), member)]
    told = _identifiers(marked)
    return bool(told) and told.isdisjoint(_identifiers(objects_in(before)))


def _is_marked(shown: Object, mark: str, member: str) -> bool:
    if member:
        return str(shown.get(member)).lower() == mark
    return any(mark in value for value in _texts(shown))


def _identifiers(shown: Iterable[Object]) -> set[tuple[str, str]]:
    return {(name, str(value)) for each in shown for name, value in each.items() if name in IDENTIFIERS}


def _texts(shown: Object) -> set[str]:
    """The scalars of an object and of those right in it, in lower case; not its own number, which may be somebody's too."""
    own = [value for name, value in shown.items() if name not in IDENTIFIERS]
    below = [value for each in own if isinstance(each, dict) for value in each.values()]
    return {str(value).lower() for value in (*own, *below) if isinstance(value, str | int)}
