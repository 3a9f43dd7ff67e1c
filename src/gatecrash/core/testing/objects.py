"""Which objects a request names: identifiers in its path and its query, in headers and cookies of the application's own, in
what a GraphQL query or another question's body asks with, and where such objects are listed.

for named in named_objects(request):
    named.collection         GET it to see which of them a caller has; None where it stands below another identifier
    asking_for(request, named, value)
"""

import re
from random import Random
from typing import NamedTuple
from uuid import UUID

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import remove, rewrite
from gatecrash.core.testing.credentials import counting_cookies
from gatecrash.core.testing.walked import walked

_NUMBER = re.compile(r"[1-9]\d{0,17}|0")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_HEX = re.compile(r"[0-9a-f]{7,}", re.IGNORECASE)
# Parameters that by their name choose an object, whatever their value looks like.
_CHOOSES = re.compile(
    r"(?:^|[_.-])(?:id|uid|uuid|guid|key|ref|no|number|user|username|login|email|account|order|owner)$|Id$"
)
# Words at the end of a path that name a view or an act, and no object.
_NO_NAME = re.compile(r"me|self|list|all|search|new|count|export|status|health|login|logout|index|latest|current|v\d+")
# Numbers that turn pages or choose a view.
_TURNS = re.compile(r"page|limit|offset|size|count|per_?page|skip|take|start|sort|depth|version|^v$|^_$", re.IGNORECASE)
# A document that begins so, comments aside, only reads (GraphQL specification, section 2.3); so does one without a word.
_READS = re.compile(rb'"query"\s*:\s*"(?:\\[nrt]|[\s,]|#(?:(?!\\n).)*\\n)*(?:query\b|fragment\b|\{)')
_CHANGES = re.compile(rb"\b(?:mutation|subscription)\b")
# A POST whose address ends so asks for an answer, and its body says for which.
_ASKS = re.compile(
    r"(?:^|[^a-z])(?:search|find|get|fetch|view|show|details?|query|lookup|list|read|info|report|download|export|history"
    r"|select|load|retrieve)(?:$|[^a-z])"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# Headers that name an object; those of tracing and of the client's own kind name the request or the program.
_HEADER = re.compile(
    r"X-(?!.*(?:REQUEST|CORRELATION|TRACE|SPAN|DEVICE|CLIENT|AMZN|B3|VERSION)).*?[-_]?(?:ID|NO|NUMBER|REF|UUID)"
)
_VARIABLE = ("post", "json_doc", "json_obj", "variables", "json_obj")
_SUFFIX = re.compile(r"(?:[-_]|^)(?:id|no|nr|number|ref|uid|uuid|guid|key)$", re.IGNORECASE)
_ONE_WORD = re.compile(r"[^\s<>]{1,128}")
_FIELDS = (("post", "json_doc", "json_obj"), ("post", "form_urlencoded"))
_LETTERS = "bcdfghjklmnpqrstvwxz"


class Named(NamedTuple):
    """An identifier in a request. value: as it is meant, decoded. collection: target of the list it would be in.

    sure: its look or what else is known says so; else it is a word that may be a name.
    """

    point: Point
    value: str
    collection: bytes | None
    sure: bool = True


def only_reads(request: Request) -> bool:
    """Whether a request asks for an answer and changes nothing: by its method, or as a GraphQL query."""
    if request.method.upper() == "GET":
        return True
    asks = request.method.upper() == "POST" and _READS.search(request.body) is not None
    return asks and _CHANGES.search(request.body) is None


def asks(request: Request) -> bool:
    """Whether a request asks for an answer, be it by a POST whose address says so."""
    if only_reads(request):
        return True
    if request.method.upper() != "POST" or _CHANGES.search(request.body):
        return False
    last = request.path.rstrip(b"/").rpartition(b"/")[2].decode("latin-1")
    return _ASKS.search(_CAMEL.sub("-", last).lower()) is not None


def named_objects(request: Request, own: frozenset[str] = frozenset()) -> list[Named]:
    """The identifiers that a request names, the innermost last. own: words in lower case that are known to be some."""
    found = [found for found in walked(request) if len(found.point) == 2 and found.point[0] in ("path", "get")]
    segments = [(each.point, each.value.decode("utf-8", "replace")) for each in found if each.point[0] == "path"]
    named: list[Named] = []
    for number, (point, value) in enumerate(segments):
        sure = _is_identifier(value) or value.lower() in own
        if sure or _may_be_name(value, number, len(segments), request):
            above = None if named else _prefix(request, number)
            named.append(Named(point, value, above, sure))
    in_path = bool(named)
    for each in found:
        value = each.value.decode("utf-8", "replace")
        if each.point[0] == "get" and value and _chooses(each.point[1], value):
            named.append(Named(each.point, value, None if in_path else _without(request, each.point)))
    if not asks(request):
        return named
    asked = _arguments(request) if only_reads(request) else named_fields(request)
    return _beside(request) + named + (asked if request.body else [])


def named_fields(request: Request) -> list[Named]:
    """The fields of a body that choose an object, by their names or the look of their values; those by name last."""
    named: list[Named] = []
    for each in walked(request) if request.body else ():
        steps, value = tuple(each.point), each.value.decode("utf-8", "replace")
        # A text looks random to whoever looks for words in it.
        if steps[:-1] in _FIELDS and _ONE_WORD.fullmatch(value) and _chooses(steps[-1], value):
            named.append(Named(each.point, value, None))
    return sorted(named, key=lambda one: _CHOOSES.search(one.point[-1]) is not None)


def _beside(request: Request) -> list[Named]:
    """What headers and cookies of the application's own name; a cookie only where it is a small number, as no session is."""
    named: list[Named] = []
    for each in walked(request):
        steps, value = tuple(each.point), each.value.decode("utf-8", "replace")
        is_header = steps[0] == "header" and len(steps) == 2 and _HEADER.fullmatch(steps[1]) and _is_identifier(value)
        if is_header:
            named.append(Named(each.point, value, None))
    cookies = counting_cookies(request).items()
    return named + [Named(point, value.decode("ascii"), None) for point, value in cookies]


def _arguments(request: Request) -> list[Named]:
    """What a GraphQL query asks with: its variables, and the literal arguments in it."""
    named: list[Named] = []
    for each in walked(request):
        steps = tuple(each.point)
        is_variable = steps[: len(_VARIABLE)] == _VARIABLE and len(steps) == len(_VARIABLE) + 1
        if is_variable or "graphql" in steps[:-2]:
            value = each.value.decode("utf-8", "replace")
            if value and _chooses(steps[-1], value):
                named.append(Named(each.point, value, None))
    return named


def asking_for(request: Request, named: Named, value: str) -> Request | None:
    """The request for another object; None where its place cannot hold the value."""
    try:
        return rewrite(request, named.point, value.encode())
    except UserError:
        return None


def kind_of(request: Request, named: Named) -> str:
    """The word for what an identifier chooses (`order` in `/orders/7`, in `order_id=7` and in `/order?id=7`); empty where none is."""
    before = [segment.decode("latin-1").lower() for segment in request.path.split(b"/") if segment]
    if named.point[0] == "path":
        before = before[: int(named.point[1])]
    else:
        own = _SUFFIX.sub("", _CAMEL.sub("_", named.point[-1])).strip("_-").lower()
        before = [*before, own.removeprefix("x-")] if own not in ("", "x") else before
    words = [word for word in before if not _is_identifier(word) and _NO_NAME.fullmatch(word) is None]
    return re.sub(r"(?:ies|s|y)$", "", words[-1]) if words else ""


def absent(value: str, random: Random) -> str:
    """An identifier of the same look that is surely nobody's."""
    if _NUMBER.fullmatch(value):
        return str(random.randint(10**8, 10**9))
    if _UUID.fullmatch(value):
        return str(UUID(int=random.getrandbits(128), version=4))
    if _HEX.fullmatch(value):
        return "".join(random.choice("0123456789abcdef") for _ in value)
    drawn = "".join(random.choice(_LETTERS) for _ in range(12))
    # RFC 2606: nobody has an address there.
    return f"{drawn}@example.com" if "@" in value else drawn


def neighbours(value: str) -> list[str]:
    """The numbers beside a number, which such objects are counted by; none for any other identifier."""
    if not _NUMBER.fullmatch(value):
        return []
    number = int(value)
    return [str(each) for each in (number + 1, number - 1, number + 2, number - 2) if each > 0]


def _is_identifier(value: str) -> bool:
    return look_of(value) in ("id", "email")


def _chooses(name: str, value: str) -> bool:
    """Whether a parameter chooses an object, by its name or by the look of its value."""
    return _TURNS.search(name) is None and (_is_identifier(value) or _CHOOSES.search(name) is not None)


def _may_be_name(value: str, number: int, count: int, request: Request) -> bool:
    """Whether the last of several segments may be a name that somebody chose; its list tells whether it is."""
    if number + 1 != count or count < 2 or request.query is not None:
        return False
    return bool(value) and _NO_NAME.fullmatch(value) is None


def _prefix(request: Request, number: int) -> bytes | None:
    """The path before the segment of this number; None for the root, which lists nothing of a kind."""
    segments = request.path.split(b"/")
    return b"/".join(segments[: number + 1]) if number else None


def _without(request: Request, point: Point) -> bytes:
    target: bytes = remove(request, point).target
    return target


def listing(request: Request, collection: bytes) -> Request:
    """A plain question for a list, with what the request itself says about its sender."""
    headers = tuple(pair for pair in request.headers if not pair[0].lower().startswith(b"content-"))
    asked: Request = msgspec.structs.replace(request, method="GET", target=collection, headers=headers, body=b"")
    return asked
