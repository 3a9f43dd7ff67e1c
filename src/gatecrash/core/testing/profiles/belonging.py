"""Whose request it is: the identities of a profile whose credentials may go to a request's host, its own before the others."""

from functools import lru_cache

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.testing.hosts import AllowedHosts
from gatecrash.core.testing.profiles.profile import RECORDED, AuthProfile, Holder, Placed, ProfileIdentity

_AUTHORIZATION = ("header", "AUTHORIZATION")


def going_to(profile: AuthProfile | None, request: Request) -> tuple[ProfileIdentity, ...]:
    """The identities whose credentials may go to the request's host, in the profile's order."""
    identities = profile.identities if profile is not None else ()
    return tuple(each for each in identities if _may_go(each.hosts, request))


def own_first(profile: AuthProfile | None, request: Request) -> tuple[ProfileIdentity, ...]:
    """Those identities with the request's own first; empty where none is its own.

    With a profile that was given it is the one that sent the request, as far as the record tells, else the profile's first;
    where the record's users sign in again a request with a token of another login keeps it. With identities of the record it
    is the one whose credentials the request carries, and the others are those who come with credentials of the same kind.
    """
    identities = going_to(profile, request)
    if profile is None or not identities:
        return identities
    if profile.id == RECORDED and not profile.recorded and _has_another_token(request, profile):
        return ()
    if not profile.recorded:
        sender = _sender(request, profile.holders)
        first = next((each for each in identities if each.name == sender), identities[0])
        return (first, *(each for each in identities if each.name != first.name))
    own = next((each for each in identities if _carries(request, each, identities)), None)
    return () if own is None else (own, *(each for each in identities if _stands_beside(each, own)))


def _sender(request: Request, holders: tuple[Holder, ...]) -> str:
    """Who sent a recorded request, by the credentials that it carries; empty where nobody knows."""
    for holder in holders:
        if any(read(request, Point(placed.point)) == placed.value.encode("utf-8") for placed in holder.values):
            return holder.identity
    return ""


def _has_another_token(request: Request, profile: AuthProfile) -> bool:
    """Whether a recorded request came with a token in the place of the sessions that the record's users sign in for again."""
    placed = [each for identity in profile.identities for each in identity.values]
    placed += [each for holder in profile.holders for each in holder.values]
    if request.first(b"Authorization") is None or any(each.point == _AUTHORIZATION for each in placed):
        return False
    return all(read(request, Point(each.point)) is None for each in placed)


def _carries(request: Request, identity: ProfileIdentity, identities: tuple[ProfileIdentity, ...]) -> bool:
    """Whether the request carries what only this identity has; an application's key is everybody's."""
    others = {value for each in identities if each.name != identity.name for value in each.values}
    own = (value for value in identity.values if value not in others)
    return any(read(request, Point(placed.point)) == placed.value.encode("utf-8") for placed in own)


def _stands_beside(other: ProfileIdentity, own: ProfileIdentity) -> bool:
    """Whether another identity of the record comes with credentials of the same kind; one of another may be the same user."""
    mine = {(placed.point, _scheme(placed)): placed.value for placed in own.values}
    theirs = {(placed.point, _scheme(placed)): placed.value for placed in other.values}
    return any(theirs.get(place, value) != value for place, value in mine.items())


def _scheme(placed: Placed) -> str:
    """The scheme word of a header's value; empty where it has none."""
    return placed.value.partition(" ")[0].lower() if " " in placed.value else ""


def _may_go(hosts: str, request: Request) -> bool:
    return not hosts or _compiled(hosts).allows(request.host, request.port)


@lru_cache(maxsize=64)
def _compiled(hosts: str) -> AllowedHosts:
    return AllowedHosts(hosts)
