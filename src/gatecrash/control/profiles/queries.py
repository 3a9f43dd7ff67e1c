"""Reads of auth profiles; only `profile` opens one."""

from typing import Any

from gatecrash.control import ids
from gatecrash.control.profiles.mapping import to_profile
from gatecrash.control.profiles.models import AuthProfileRow
from gatecrash.core.point import Point
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.profiles.profile import AuthProfile


def rows() -> Any:
    """The client's profiles by name."""
    return AuthProfileRow.objects.filter(deleted_at=None).order_by("name", "id")


def find(profile_id: str) -> AuthProfileRow | None:
    """The row of one of the current client; None where there is none."""
    found: AuthProfileRow | None = rows().filter(id=profile_id).first() if ids.is_shaped(profile_id) else None
    return found


def profile(profile_id: str) -> AuthProfile | None:
    """The core's value, its secrets in it; None where it is gone. Raises CannotOpen where its key is."""
    row = find(profile_id)
    return None if row is None else to_profile(row)


def identities(profile_id: str | None) -> tuple[Identity, ...]:
    """Who tests may be sent as by a profile: names and ranks, for which nothing is opened."""
    row = find(profile_id) if profile_id else None
    return tuple(Identity(one["name"], one["rank"]) for one in row.outline["identities"]) if row else ()


def masked_points() -> tuple[Point, ...]:
    """Every point at which a profile of the client, deleted ones too, ever set a credential."""
    listed = AuthProfileRow.objects.exclude(masked=[]).values_list("masked", flat=True)
    return tuple(dict.fromkeys(Point(point) for points in listed for point in points))
