"""An auth profile as a sealed document, as the core's value, and as it may be shown: names and places, never a value."""

from typing import Any

import orjson

from gatecrash.control import vault
from gatecrash.control.profiles.models import AuthProfileRow
from gatecrash.core.point import Point
from gatecrash.core.testing.profiles.profile import AuthProfile, ProfileIdentity
from gatecrash.core.testing.profiles.profile_document import read_profile
from gatecrash.core.testing.profiles.signing import SCHEMES, proof_points

_SCHEME_NAMES = {kind: name for name, kind in SCHEMES.items()}


def seal(row_id: str, client_id: str, document: dict[str, Any]) -> bytes:
    """The document, encrypted for its row."""
    return vault.seal(orjson.dumps(document), client_id=client_id, row=row_id)


def to_profile(row: AuthProfileRow) -> AuthProfile:
    """The core's value of a row. Raises CannotOpen where its key is gone."""
    document = orjson.loads(vault.unseal(row.sealed, client_id=row.client_id, row=row.id))
    return read_profile(document, row.id)


def outline(profile: AuthProfile) -> dict[str, Any]:
    """What may be shown: who signs in, how, and where the credentials stand. No value, no address of a login."""
    return {
        "base": profile.base,
        "identities": [_identity(one) for one in profile.identities],
    }


def points(profile: AuthProfile) -> list[list[str]]:
    """Every point that holds a credential of the profile, each once."""
    found = (list(point) for identity in profile.identities for point in _points(identity))
    return list({tuple(point): point for point in found}.values())


def shown(row: AuthProfileRow) -> dict[str, Any]:
    """A profile as the API shows it."""
    return {
        "id": row.id,
        "name": row.name,
        **row.outline,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
    }


def _identity(one: ProfileIdentity) -> dict[str, Any]:
    return {
        "name": one.name,
        "rank": one.rank,
        "kinds": _kinds(one),
        "points": [list(point) for point in _points(one)],
        "variables": [name for name, _ in one.variables],
        "login_steps": len(one.login),
        "refresh_steps": len(one.refresh),
        "signature": _SCHEME_NAMES[type(one.sign)] if one.sign is not None else None,
        "check": one.check is not None,
        "hosts": one.hosts,
    }


def _kinds(one: ProfileIdentity) -> list[str]:
    """By which means it signs in: `values`, `login`, `refresh`, `renew`, `once`, `sign`."""
    return [name for name in ("values", "login", "refresh", "renew", "once", "sign") if getattr(one, name)]


def _points(one: ProfileIdentity) -> list[Point]:
    single = (Point(placed.point) for once in one.once for placed in once.values)
    signed = proof_points(one.sign) if one.sign is not None else ()
    return list(dict.fromkeys((*one.points, *single, *signed)))
