"""Which segments of a path are values that somebody chose, and which are names of places, where tests only find 404s."""

import re
from functools import lru_cache

import msgspec

from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.testing.places.before_colon import chooses_one, is_key
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Situation

_HOLDERS = frozenset(
    {"json_obj", "form_urlencoded", "multipart", "cookie", "header", "xml_tag", "get", "matrix", "key"}
)
_DOCUMENTS = tuple(Point(("post", each)) for each in ("form_urlencoded", "multipart", "json_doc", "xml"))
_BODY = ("post",)
_STRUCTURAL = frozenset({("uri",), ("header", "COOKIE")})
# Others of `text/` have a grammar that a payload breaks: calendars, cards, scripts.
_TEXTS = re.compile(rb"text/(?:plain|html|(?:x-)?markdown)(?=\s*(?:;|$))", re.IGNORECASE)
_CONTROL = re.compile(rb"[^\t\n\r -\xff]")
_VERSION = re.compile(r"v\d+(?:\.\d+)*", re.IGNORECASE)
_COLLECTION = re.compile(r"[A-Za-z_-]*(?:[a-rt-z]s|people|children)", re.IGNORECASE)
# Kinds of which one is named next, where an address speaks of one.
_KIND = re.compile(
    r"user|customer|member|author|employee|student|patient|person|tag|category|product|item|article|book|brand|city|country"
    r"|region|store|shop|company|org(?:ani[sz]ation)?|tenant|team|group|project|repo(?:sitory)?|channel|room|board|topic"
    r"|album|artist|movie|event",
    re.IGNORECASE,
)
# What servers hand out as it lies there.
_STATIC = re.compile(
    r"\.(?:css|m?js|map|png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|eot|mp[34]|webm|wasm|html?|txt)$", re.IGNORECASE
)
_ONESELF = re.compile(rb"me|self|myself|whoami|_.*", re.IGNORECASE)
_NO_MEMBER = re.compile(
    r"(?:log|sign)[-_]?(?:in|out|up|on|off)|register|auth\w*|session|token|refresh|me|self|current|new|create|add|edit|update"
    r"|delete|remove|search|find|query|filter|list|all|count|export|import|upload|download|bulk|batch|latest|recent|active"
    r"|popular|top|history|info|health|summary|preview|validate|verify|confirm|reset|forgot\w*|index|home|admin|api|by-\w+|_.*",
    re.IGNORECASE,
)


def holds_a_value(situation: Situation, longest: int = 512) -> bool:
    """Whether the point is a single value: of path segments those that look like an identifier, or may be a name; of
    bodies those that are a text and nothing else.
    """
    point = situation.point
    if tuple(point) in _STRUCTURAL or len(situation.value) > longest:
        return False
    if tuple(point) == _BODY:
        return _is_a_text(situation)
    if point[0] == "path" and len(point) == 2:
        return _is_chosen(situation.baseline.request, point, situation.value)
    if point[0] == "path":
        return chooses_one(situation.baseline.request, point, situation.value.decode("utf-8", "replace"))
    if point[0] == "action_name":
        return _names_a_document(situation)
    return point[0] != "action_ext"


@lru_cache(64)  # a dozen probes ask it of the same few segments
def _is_chosen(request: Request, point: Point, value: bytes) -> bool:
    """Whether a segment of the path is a value: it looks like an identifier, or may be a name that somebody chose."""
    text = value.decode("utf-8", "replace")
    if (text.endswith(")") or ":" in text) and _has_keys(request, point):
        return False  # its keys are values; the name before them is the place's, and so is the method behind one
    return look_of(text) is not None or _is_last_word(request, point) or _is_member(request, point, text)


def _is_a_text(situation: Situation) -> bool:
    """Whether the whole body is one value: a word to look up, a note, the text of a file that is edited."""
    request = situation.baseline.request
    kind = request.first(b"Content-Type") or b"text/plain"
    if _TEXTS.match(kind) is None or _CONTROL.search(situation.value):
        return False
    within = (each.point for each in walked(request) if each.point[0] == "post")
    return list(map(tuple, within)) == [_BODY] and not any(each[0] == "post" for each in situation.credentials)


def _has_keys(request: Request, point: Point) -> bool:
    """Whether a segment of the path holds keys, in parentheses or before a custom method, which are points of their own."""
    keys = [each for each in walked(request) if is_key(each.point) and each.point[1] == point[1]]
    return any(chooses_one(request, each.point, each.value.decode("utf-8", "replace")) for each in keys)


def is_word(situation: Situation) -> bool:
    """Whether the point is a path segment that looks like no identifier: somebody's name, or the endpoint's own."""
    point = situation.point
    return point[0] == "path" and len(point) == 2 and look_of(situation.value.decode("utf-8", "replace")) is None


def _names_a_document(situation: Situation) -> bool:
    """Whether the last segment before its extension is an identifier, or behind a collection a name: `/invoices/7.pdf`."""
    last = situation.baseline.request.path.rpartition(b"/")[2]
    if b"." not in last[1:] or _STATIC.search(last.decode("latin-1")):
        return False
    value = situation.value.decode("utf-8", "replace")
    return look_of(value) is not None or _is_member(situation.baseline.request, situation.point, value)


def names_a_kept_file(situation: Situation) -> bool:
    """Whether a PUT keeps its body, which holds no values of its own, under this name: `PUT /team/notes.txt`."""
    request, point = situation.baseline.request, situation.point
    if request.method.upper() != "PUT" or not request.body or not situation.value:
        return False
    if any(each.point[:2] in _DOCUMENTS for each in walked(request)):
        return False
    if b"." in request.path.rpartition(b"/")[2][1:]:
        return point[0] == "action_name"
    return point[0] == "path" and len(point) == 2 and point[1] == str(request.path.count(b"/") - 1)


def is_name(point: Point) -> bool:
    """Whether the point is a parameter's name, and no parameter that is called so; the names within GraphQL are no points."""
    return len(point) > 2 and point[-1] == "name" and point[-2] not in _HOLDERS and "graphql" not in point


def last_segment_as_a_point(situation: Situation) -> tuple[str, ...]:
    """The last segment of the path, where it is a point of its own in this policy: one flaw of a place is told once. Empty
    where it is none.
    """
    policy = situation.policy
    if policy.include or policy.exclude or not {"uri", "path"} <= set(policy.locations):
        return ()
    request = situation.baseline.request
    point = Point(("path", str(request.path.removeprefix(b"/").count(b"/"))))
    value = read(request, point) or b""
    held = holds_a_value(msgspec.structs.replace(situation, point=point, value=value))
    return tuple(point) if value and held and point not in situation.credentials else ()


def _is_member(request: Request, point: Point, text: str) -> bool:
    """Whether a word stands behind the name of a collection or kind, and is no verb or view of it: `/users/ann/orders`."""
    segments = request.path.decode("latin-1").removeprefix("/").split("/")
    place = int(point[1]) if point[0] == "path" else len(segments) - 1
    before = [each for each in segments[:place] if not _VERSION.fullmatch(each)]
    if not before or not (_COLLECTION.fullmatch(before[-1]) or _KIND.fullmatch(before[-1])):
        return False
    return not any(words.fullmatch(text) for words in (_VERSION, _COLLECTION, _NO_MEMBER))


def _is_last_word(request: Request, point: Point) -> bool:
    """Whether a segment may be a name that somebody chose: `/users/ann`, but neither `/users/me`, `/search?q=` nor a form's address."""
    if request.query is not None or request.body:
        return False
    segments = request.path.removeprefix(b"/").split(b"/")
    if _ONESELF.fullmatch(segments[-1]):
        return False  # in its place a value would be the name of another's, at another endpoint
    return len(segments) > 1 and point[1] == str(len(segments) - 1)
