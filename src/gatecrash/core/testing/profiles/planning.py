"""What a profile changes in a plan: where credentials will stand, and where nothing is inserted."""

import re
from collections.abc import Iterable

import msgspec

from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.testing.policy import PUBLIC_AUTH, Policy
from gatecrash.core.testing.profiles import signing
from gatecrash.core.testing.profiles.dressing import PENDING, put_all
from gatecrash.core.testing.profiles.profile import RECORDED, AuthProfile, ProfileIdentity


def foreseen(request: Request, identity: ProfileIdentity) -> tuple[Request, tuple[Point, ...]]:
    """The request with a place for all that the identity will set, and the points of it that are credentials.

    The values themselves are known only once somebody has signed in.
    """
    request, signed = signing.foreseen(identity.sign, request) if identity.sign else (request, ())
    points = (*identity.points, *signed)
    dressed = put_all(request, {point: PENDING for point in points if read(request, point) is None})
    return dressed, tuple(point for point in points if read(dressed, point) is not None)


def made_anew(identity: ProfileIdentity, request: Request | None = None) -> tuple[Point, ...]:
    """The points that are filled for each request: what a probe inserts there would never arrive. request: a signed one."""
    once = (Point(placed.point) for each in identity.once for placed in each.values)
    signed = signing.proof_points(identity.sign, request) if identity.sign else ()
    return tuple(dict.fromkeys((*once, *signed)))


def limited(policy: Policy, points: Iterable[Point], *, public: bool = False) -> Policy:
    """The policy without these points; for what its own clients ask without credentials, with no more of `auth` than looks
    at the answer.

    The profile's credentials are put on such a request all the same, and that it needs none is what its clients know.
    """
    patterns = tuple(tuple(re.escape(step) for step in point) for point in points)
    types = tuple(PUBLIC_AUTH if name == "auth" else name for name in policy.types) if public else policy.types
    if not patterns and types == policy.types:
        return policy
    changed: Policy = msgspec.structs.replace(policy, exclude=(*policy.exclude, *patterns), types=types)
    return changed


def is_public(profile: AuthProfile, exchange: Exchange, credentials: Iterable[Point]) -> bool:
    """Whether its recorded clients ask this without credentials. credentials: those that were recorded with it.

    A request that was written from a description says so where that does; one that stands in a record without any
    credentials says nothing of it. Where those who were recorded sign in anew, and have cookies alone, one without any
    cookie was a visitor's.
    """
    if exchange.public:
        return True
    held = tuple(credentials)
    if profile.recorded or exchange.drafted or held:
        return False
    return not profile.bare or is_of_a_visitor(profile, exchange, held)


def is_of_a_visitor(profile: AuthProfile, exchange: Exchange, credentials: Iterable[Point]) -> bool:
    """Whether it came without credentials and without any cookie, beside users who sign in anew. credentials: as above."""
    signs_in = profile.id == RECORDED and bool(profile.holders)
    return signs_in and not any(True for _ in credentials) and exchange.request.first(b"Cookie") is None


def masked_points(profile: AuthProfile | None) -> tuple[Point, ...]:
    """Where any of its identities sets something, so that it is shown nowhere."""
    identities = profile.identities if profile is not None else ()
    points = (point for identity in identities for point in (*identity.points, *made_anew(identity)))
    return tuple(dict.fromkeys(points))
