"""At which points of a baseline a policy lets probes insert."""

from collections.abc import Iterable, Iterator

import msgspec

from gatecrash.core.message import Request, with_header
from gatecrash.core.point import Point, PointPattern
from gatecrash.core.points.formats.graphql import GRAPHQL
from gatecrash.core.points.found import Found
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.issued_cookies import revisited
from gatecrash.core.testing.effects.takes_all import may_take_all
from gatecrash.core.testing.forms.tokens import is_of_framework
from gatecrash.core.testing.operations.graphql import is_name_for_protocol
from gatecrash.core.testing.operations.meant_method import is_meant_method
from gatecrash.core.testing.places.list_values import firsts_of_lists
from gatecrash.core.testing.places.literal_values import literals
from gatecrash.core.testing.places.records import one_of_each
from gatecrash.core.testing.places.walked_points import declares_namespace, walked
from gatecrash.core.testing.policy import Policy, is_thorough

_COUNTED = ("base64", "key")
# What applications write down of who called, and then into statements.
_CALLER = b"127.0.0.1"
# RFC 9110 section 7.6.1 (hop-by-hop), and what tells where the request goes and how its body is to be read.
_NOT_INJECTED = frozenset(
    {
        "CONNECTION",
        "EXPECT",
        "HOST",
        "HTTP2-SETTINGS",
        "KEEP-ALIVE",
        "PROXY-AUTHENTICATE",
        "PROXY-AUTHORIZATION",
        "PROXY-CONNECTION",
        "TE",
        "TRAILER",
        "TRANSFER-ENCODING",
        "UPGRADE",
        "X-GATECRASH-MARKER",
    }
)


def injectable(baseline: Baseline, policy: Policy, credentials: Iterable[Point]) -> list[tuple[Point, bytes]]:
    """The points at which this policy lets probes insert, each once, with the value there; of many records' points one's."""
    kept: dict[Point, bytes] = {}
    taken = tuple(credentials)
    include = [PointPattern.parse(pattern) for pattern in policy.include]
    exclude = [PointPattern.parse(pattern) for pattern in policy.exclude]
    named = "name" in policy.locations and not may_take_all(baseline)
    policy = _with_documents(baseline, policy)
    for found in _with_names(baseline.request) if named else walked(baseline.request):
        point = found.point
        if point in kept or not may_inject(point, policy, taken) or GRAPHQL.looks(found.value):
            continue  # the text of a query is code and no value; what it holds are values
        if is_meant_method(point, found.value):
            continue
        # A point that is named stands for what is decoded inside its value, too.
        if include and not any(pattern.covers(point) for pattern in include):
            continue
        if not any(pattern.covers(point) for pattern in exclude):
            kept[point] = found.value
            if point[-2:] == _COUNTED:
                # Another kind names nothing, and whatever is put behind the whole is behind its number.
                kept.pop(Point(point[:-1]), None)
    kept = one_of_each(kept)
    kept |= literals(kept)
    return [*kept.items(), *(firsts_of_lists(kept).items() if is_thorough(policy) and not include else ())]


def _with_names(request: Request) -> Iterator[Found]:
    """Every point, and the names of members and parameters; without those that only GraphQL or JSON-RPC itself reads."""
    values = {found.point for found in walked(request)}
    for found in walk(request, names=True).points:
        if found.point in values or not is_name_for_protocol(request, found.point):
            yield found


def _with_documents(baseline: Baseline, policy: Policy) -> Policy:
    """The policy; where it looks at paths, a document's name before its extension is a part of one (`/invoices/7.pdf`)."""
    has_extension = b"." in baseline.request.path.rpartition(b"/")[2][1:]
    if not has_extension or "path" not in policy.locations or "action_name" in policy.locations:
        return policy
    return msgspec.structs.replace(policy, locations=(*policy.locations, "action_name"))


def may_inject(point: Point, policy: Policy, credentials: Iterable[Point]) -> bool:
    """Whether the policy's locations hold the point, and neither the protocol nor a login depends on it."""
    if point[0] not in policy.locations:
        return False
    if point[0] == "header" and (point[1] in _NOT_INJECTED or point[1].startswith("CONTENT-")):
        return False
    if declares_namespace(point) or is_of_framework(point):
        return False
    # The Cookie header as a whole would carry the credentials in it away.
    if any(point == login[: len(point)] or login == point[: len(login)] for login in credentials):
        return point[0] in ("post", "uri") and len(point) == 1
    return True


def forwarded(baseline: Baseline, policy: Policy) -> tuple[list[tuple[Point, bytes]], Baseline]:
    """The baseline as if a proxy had passed it on, and the one point of it that is new; none where a proxy did.

    None either where the policy does not look at headers.
    """
    request = baseline.request
    if "header" not in policy.locations or request.first(b"X-Forwarded-For") is not None:
        return [], baseline
    headers = with_header(request.headers, b"X-Forwarded-For", _CALLER)
    exchange = msgspec.structs.replace(baseline.exchange, request=msgspec.structs.replace(request, headers=headers))
    return [(Point.of("header", "X-FORWARDED-FOR"), _CALLER)], Baseline(baseline.id, exchange)


def credentials_as_values(
    baseline: Baseline, policy: Policy, credentials: Iterable[Point]
) -> list[tuple[Point, bytes]]:
    """Credentials in the policy's locations, as they are and out of their base64: an object that was packed, for instance."""
    within = {
        form for point in credentials if point[0] in policy.locations for form in (tuple(point), (*point, "base64"))
    }
    exclude = [PointPattern.parse(pattern) for pattern in policy.exclude]
    held = (found for found in walk(baseline.request).points if tuple(found.point) in within and not policy.include)
    return [(found.point, found.value) for found in held if not any(each.covers(found.point) for each in exclude)]


def handed_out(
    baseline: Baseline, policy: Policy, credentials: Iterable[Point]
) -> tuple[list[tuple[Point, bytes]], Baseline]:
    """The baseline of a caller who comes back with the cookies that it was handed, and their points; see issued_cookies."""
    again = revisited(baseline) if "header" in policy.locations else None
    if again is None:
        return [], baseline
    known = tuple(credentials)
    return [found for found in injectable(again[0], policy, known) if _within(found[0], again[1])], again[0]


def _within(point: Point, places: Iterable[Point]) -> bool:
    """Whether it is one of the places, or decoded inside one."""
    return any(place == point[: len(place)] for place in places)
