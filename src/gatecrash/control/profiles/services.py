"""Changes to auth profiles. A profile is replaced as a whole or not at all.

Whoever could change its addresses and keep its secrets could have them sent to a host of their own, and secrets are never
shown again (decisions 2).
"""

import re
from typing import Any

import orjson
from django.db import transaction

from gatecrash.control import ids, wall
from gatecrash.control.accounts import audit
from gatecrash.control.accounts.models import Client
from gatecrash.control.api.errors import ApiError, FieldErrors, problem
from gatecrash.control.clock import now
from gatecrash.control.ids import Prefix
from gatecrash.control.profiles import queries, usage
from gatecrash.control.profiles.mapping import outline, points, seal
from gatecrash.control.profiles.models import AuthProfileRow
from gatecrash.core.errors import InvalidProfile
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.core.testing.profiles.profile_document import FIELDS, read_profile

MOST = 1000
_FROM_ENVIRONMENT = (
    "${env:NAME} is filled in by the command line where it reads the file (gatecrash auth-profile create FILE); "
    "here it would stand for itself."
)
_PLACE = re.compile(r"([a-z0-9_]+)[^:]*: ")


def create(document: dict[str, Any]) -> AuthProfileRow:
    """Make a profile of the current client. document: as people write it. Raises FieldErrors."""
    client_id = wall.required()
    profile = _read(document, ids.new(Prefix.AUTH_PROFILE))
    with transaction.atomic():
        Client.objects.select_for_update().get(id=client_id)  # one after the other, so that the limit holds
        if queries.rows().count() >= MOST:
            raise FieldErrors({"name": problem("out_of_range", None, max=MOST)})
        row = AuthProfileRow(id=profile.id, created_at=now())
        _write(row, profile, document, client_id)
        row.save(force_insert=True)
        audit.record("auth_profile.create", row.id, name=row.name)
    return row


def replace(row: AuthProfileRow, document: dict[str, Any]) -> AuthProfileRow:
    """Put another document in its place. Raises FieldErrors, 409 while something uses the profile; ApiError where it is gone."""
    profile = _read(document, row.id)
    with transaction.atomic():
        row = _unused(row.id)
        _write(row, profile, document, row.client_id)
        row.save()
        audit.record("auth_profile.replace", row.id, name=row.name)
    return row


def delete(row: AuthProfileRow) -> None:
    """Destroy its secrets and take it off the list. Raises FieldErrors (409) while something uses it, ApiError where it is gone."""
    with transaction.atomic():
        row = _unused(row.id)
        row.sealed, row.deleted_at = b"", now()
        row.save()
        audit.record("auth_profile.delete", row.id, name=row.name)


def held(profile_id: str) -> AuthProfileRow | None:
    """The row, locked in the caller's transaction, so that it is not deleted while a run or a reading begins with it."""
    found: AuthProfileRow | None = queries.rows().select_for_update().filter(id=profile_id).first()
    return found


def _unused(profile_id: str) -> AuthProfileRow:
    row = held(profile_id)
    if row is None:  # deleted by another since it was found
        raise ApiError("not_found", "There is no auth profile with this identifier.")
    runs, records = usage.runs_and_records(profile_id)
    if runs or records:
        words = (
            "A test run signs in by this profile; interrupt it, or wait for its end."
            if runs
            else "A record is read as whom this profile signs in; stop that, or wait for its end."
        )
        using = {"runs": runs[:100], "records": records[:100]}
        raise FieldErrors({"auth_profile_id": problem("action_not_allowed", profile_id, message=words, **using)})
    return row


def _write(row: AuthProfileRow, profile: AuthProfile, document: dict[str, Any], client_id: str) -> None:
    row.name = profile.name
    row.sealed = seal(row.id, client_id, document)
    row.outline = outline(profile)
    row.masked = list({tuple(point): point for point in [*row.masked, *points(profile)]}.values())
    row.updated_at = now() if row.updated_at else row.created_at


def _read(document: dict[str, Any], profile_id: str) -> AuthProfile:
    """The profile, or its mistake as one of the field it is in. No value is repeated: it may be a password."""
    if b"${env:" in _encoded(document):
        # Within variables it would be sent as it stands, as somebody's password.
        raise FieldErrors({"body": problem("invalid_value", None, message=_FROM_ENVIRONMENT)})
    try:
        return read_profile(document, profile_id)
    except InvalidProfile as error:
        place = _PLACE.match(str(error))
        name = place[1] if place and place[1] in FIELDS else "body"
        raise FieldErrors({name: problem("invalid_value", None, message=str(error))}) from error


def _encoded(document: dict[str, Any]) -> bytes:
    """The document as it is sealed. Raises FieldErrors for integers that its JSON cannot hold."""
    parts: list[bytes] = []
    faulty: dict[str, Any] = {}
    for name, value in document.items():
        try:
            parts.append(orjson.dumps(value))
        except TypeError:  # texts that cannot be written were refused before
            faulty[name] = problem("out_of_range", None, message="an integer in it has more than 64 bits")
    if faulty:
        raise FieldErrors(faulty)
    return b"\n".join(parts)
