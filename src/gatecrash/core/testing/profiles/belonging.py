"""Whose request it is: the identities of a profile whose credentials may go to a request's host, its own before the others."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.testing.profiles.profile import ENROLLED, RECORDED, AuthProfile, Holder, Placed, ProfileIdentity
from gatecrash.core.testing.profiles.subjects import kind_of
from gatecrash.core.testing.selection.hosts import AllowedHosts

_AUTHORIZATION = ("header", "AUTHORIZATION")
_HEADER: Final = 2
"""Parts of a point that is a header as a whole."""


def going_to(profile: AuthProfile | None, request: Request) -> tuple[ProfileIdentity, ...]:
    """The identities whose credentials may go to the request's host, in the profile's order."""
    identities = profile.identities if profile is not None else ()
    return tuple(each for each in identities if _may_go(each.hosts, request))


def own_first(profile: AuthProfile | None, request: Request, sender: str = "") -> tuple[ProfileIdentity, ...]:
    """Those identities with the request's own first; empty where none is its own. sender: who was let in, of a request
    that nobody has sent before.

    With a profile that was given it is the one that sent the request, as far as the record tells, else the profile's
    first; where the record's users sign in again a request with a token of another kind keeps it, and the others are
    those of whom the record holds one as well. With identities of the record it is the one whose credentials the
    request carries, and the others are those who come with credentials of the same kind. A session whose cookie changes
    is known by its earlier values, too.
    """
    identities = going_to(profile, request)
    if profile is None or not identities:
        return identities
    if profile.id == ENROLLED and _brings_another(request, identities[0]):
        return ()
    if keeps_its_token(profile, request):
        return _holders_first(profile, identities, request)
    if not profile.recorded:
        sender = sender_of(request, profile.holders) or sender
        first = next((each for each in identities if each.name == sender), identities[0])
        return (first, *(each for each in identities if each.name != first.name))
    own = next((each for each in identities if _carries(request, each, identities)), None)
    own = own or _earlier(request, profile, identities)
    return () if own is None else (own, *(each for each in identities if _stands_beside(each, own)))


def _brings_another(request: Request, identity: ProfileIdentity) -> bool:
    """Whether a described request brings another kind of `Authorization` than accounts made for the run have: an administrator's."""
    brought = read(request, Point(_AUTHORIZATION))
    if not brought:
        return False
    word = kind_of(brought.decode("latin-1"))[0]
    return any(placed.point == _AUTHORIZATION and kind_of(placed.value)[0] != word for placed in identity.values)


def sender_of(request: Request, holders: tuple[Holder, ...]) -> str:
    """Who sent a recorded request, by the credentials that it carries; empty where nobody knows."""
    carried: dict[tuple[str, ...], bytes | None] = {}  # a session may have had many values
    for holder in holders:
        for placed in holder.values:
            if placed.point not in carried:
                carried[placed.point] = read(request, Point(placed.point))
            if carried[placed.point] == placed.value.encode("utf-8"):
                return holder.identity
    return ""


def _earlier(request: Request, profile: AuthProfile, identities: tuple[ProfileIdentity, ...]) -> ProfileIdentity | None:
    """The one identity of the record that came with an earlier value of its session's cookie; None where none or several did."""
    points = {placed.point for each in identities for placed in each.values}
    held = (
        holder
        for holder in profile.holders
        for placed in holder.values
        if placed.point in points and _stands_in(request, placed)
    )
    names = {holder.identity for holder in held}
    return next((each for each in identities if {each.name} == names), None)


def keeps_its_token(profile: AuthProfile | None, request: Request) -> bool:
    """Whether a recorded request came with a token in the place of the sessions that the record's users sign in for again."""
    if profile is None or profile.id != RECORDED or profile.recorded:
        return False
    again = {placed.point for identity in profile.identities for placed in identity.values}
    held = {placed.point for holder in profile.holders for placed in holder.values}
    tokens = {_AUTHORIZATION, *(point for point in held if point[0] == "header" and len(point) == _HEADER)}
    return _has_any(request, tokens) and not _has_any(request, again | (held - tokens))


def beside(profile: AuthProfile | None, request: Request, name: str) -> dict[Point, bytes]:
    """What an identity that signs in again came with in the place of a token that a recorded request carries: one of its kind.

    Of an identity of the record what it came with beside its credentials, in the headers that the request has.
    """
    if profile is None:
        return {}
    placed = [each for holder in profile.holders if holder.identity == name for each in holder.values]
    if profile.recorded:
        kept = {each.point for identity in profile.identities for each in identity.values if identity.name == name}
        held = (each for each in placed if each.point not in kept and read(request, Point(each.point)) is not None)
        return {Point(each.point): each.value.encode() for each in held}
    if not keeps_its_token(profile, request):
        return {}
    carried = {point: read(request, Point(point)) for point in {each.point for each in placed}}
    return {
        Point(each.point): each.value.encode("utf-8")
        for each in placed
        if (value := carried[each.point]) is not None and kind_of(value.decode("latin-1")) == kind_of(each.value)
    }


def _holders_first(
    profile: AuthProfile, identities: tuple[ProfileIdentity, ...], request: Request
) -> tuple[ProfileIdentity, ...]:
    """Whose token a request carries, and those of whom one of its kind was recorded; empty where nobody knows."""
    sender = sender_of(request, profile.holders)
    own = tuple(each for each in identities if each.name == sender)
    others = (each for each in identities if each.name != sender and beside(profile, request, each.name))
    return (*own, *others) if own else ()


def _has_any(request: Request, points: Iterable[tuple[str, ...]]) -> bool:
    return any(read(request, Point(point)) is not None for point in points)


def _stands_in(request: Request, placed: Placed) -> bool:
    return read(request, Point(placed.point)) == placed.value.encode("utf-8")


def _carries(request: Request, identity: ProfileIdentity, identities: tuple[ProfileIdentity, ...]) -> bool:
    """Whether the request carries what only this identity has; an application's key is everybody's."""
    others = {value for each in identities if each.name != identity.name for value in each.values}
    own = (value for value in identity.values if value not in others)
    return any(_stands_in(request, placed) for placed in own)


def _stands_beside(other: ProfileIdentity, own: ProfileIdentity) -> bool:
    """Whether another identity of the record comes with credentials of the same kind; one of another may be the same user."""
    mine = {(placed.point, kind_of(placed.value)): placed.value for placed in own.values}
    theirs = {(placed.point, kind_of(placed.value)): placed.value for placed in other.values}
    return any(theirs.get(place, value) != value for place, value in mine.items())


def _may_go(hosts: str, request: Request) -> bool:
    return not hosts or _compiled(hosts).allows(request.host, request.port)


@lru_cache(maxsize=64)
def _compiled(hosts: str) -> AllowedHosts:
    return AllowedHosts(hosts)
