"""What a later run looked for again, when two runs are compared that may have had other policies and extensions.

A finding does not say who made it. So a type counts as looked for only where everything that could have found it in the
earlier run was there in the later one, too: "fixed" must never stand for "not asked".
"""

from collections.abc import Sequence

from gatecrash.core.point import Point, PointPattern
from gatecrash.core.testing.extension_source import Source
from gatecrash.core.testing.extensions.engine import probes_of
from gatecrash.core.testing.policy import Policy

_UNLIMITED = frozenset({"auth", "idor"})


def looked_for(earlier: Policy, later: Policy) -> frozenset[str]:
    """The types of the earlier run's findings that the later run would have found again.

    Raises InvalidPolicy where an extension cannot be read.
    """
    built_in, built_in_before = _built_in(later), _built_in(earlier)
    if later.one_family and not earlier.one_family:
        built_in = frozenset()  # of each class something may be left that only the other families find
    gone = _types(tuple(one for one in earlier.extensions if one not in later.extensions))
    own = _types(later.extensions) - (built_in_before - built_in)
    return (built_in | own) - gone


def reaches(policy: Policy, type_: str, point: Sequence[str]) -> bool:
    """Whether the policy lets a test of this type put something at a finding's point; no policy limits whole requests.

    Raises InvalidPattern where a pattern of the policy cannot be read.
    """
    if not point or type_ in _UNLIMITED:
        return True
    # The value of a field that is called name ends so, too: where nobody knows, nothing is called fixed.
    if point[0] not in policy.locations or (point[-1] == "name" and "name" not in policy.locations):
        return False
    place = Point(point)
    include = [PointPattern.parse(pattern) for pattern in policy.include]
    exclude = [PointPattern.parse(pattern) for pattern in policy.exclude]
    return (not include or any(one.covers(place) for one in include)) and not any(one.covers(place) for one in exclude)


def _built_in(policy: Policy) -> frozenset[str]:
    return frozenset() if policy.only_custom else frozenset(policy.types)


def _types(extensions: tuple[Source, ...]) -> frozenset[str]:
    return frozenset(probe.type for probe in probes_of(extensions))
