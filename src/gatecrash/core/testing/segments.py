"""Which segments of a path are values that somebody chose, and which are names of places, where tests only find 404s."""

from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.point import Point
from gatecrash.core.testing.probe import Situation

_HOLDERS = frozenset({"json_obj", "form_urlencoded", "multipart", "cookie", "header", "xml_tag", "get"})
_STRUCTURAL = frozenset({("post",), ("uri",), ("header", "COOKIE")})


def holds_a_value(situation: Situation, longest: int = 512) -> bool:
    """Whether the point is a single value: of path segments those that look like an identifier, or may be a name."""
    point = situation.point
    if tuple(point) in _STRUCTURAL or len(situation.value) > longest:
        return False
    if point[0] == "path" and len(point) == 2:
        return look_of(situation.value.decode("utf-8", "replace")) is not None or _is_last_word(situation)
    return point[0] not in ("action_name", "action_ext")


def is_name(point: Point) -> bool:
    """Whether the point is a parameter's name, and no parameter that is called so."""
    return len(point) > 2 and point[-1] == "name" and point[-2] not in _HOLDERS


def _is_last_word(situation: Situation) -> bool:
    """Whether a segment may be a name that somebody chose: `/users/ann`, but neither `/search?q=` nor a form's address."""
    request = situation.baseline.request
    if request.query is not None or request.body:
        return False
    segments = request.path.removeprefix(b"/").split(b"/")
    return len(segments) > 1 and situation.point[1] == str(len(segments) - 1)
