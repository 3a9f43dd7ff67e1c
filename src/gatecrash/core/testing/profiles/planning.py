"""What a profile changes in a plan: where credentials will stand, and where nothing is inserted."""

import re
from collections.abc import Iterable

import msgspec

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.testing.policy import Policy
from gatecrash.core.testing.profiles.dressing import PENDING, put_all
from gatecrash.core.testing.profiles.profile import ProfileIdentity
from gatecrash.core.testing.profiles.signing import proof_points


def foreseen(request: Request, identity: ProfileIdentity) -> tuple[Request, tuple[Point, ...]]:
    """The request with a place for all that the identity will set, and the points of it that are credentials.

    The values themselves are known only once somebody has signed in.
    """
    signed = proof_points(identity.sign)[:1] if identity.sign else ()
    points = (*identity.points, *signed)
    dressed = put_all(request, {point: PENDING for point in points if read(request, point) is None})
    return dressed, tuple(point for point in points if read(dressed, point) is not None)


def made_anew(identity: ProfileIdentity) -> tuple[Point, ...]:
    """The points that are filled for each request: what a probe inserts there would never arrive."""
    once = (Point(placed.point) for each in identity.once for placed in each.values)
    signed = proof_points(identity.sign) if identity.sign else ()
    return tuple(dict.fromkeys((*once, *signed)))


def limited(policy: Policy, points: Iterable[Point]) -> Policy:
    """The policy without these points."""
    patterns = tuple(tuple(re.escape(step) for step in point) for point in points)
    if not patterns:
        return policy
    changed: Policy = msgspec.structs.replace(policy, exclude=(*policy.exclude, *patterns))
    return changed
