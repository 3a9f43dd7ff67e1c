"""Records that a node makes from an address: a site, whose pages it reads, or a description of an API.

A record's `start` is {"url", "most", "auth_profile_id"} as its user gave them, and, as its node tells it: "begun"
(whether it has begun), "read" (pages that were answered), "ended" (whether it came to its end by itself), "trouble" and "notes".
"""

import logging
from typing import Any, Literal

from gatecrash.control.accounts.models import Client
from gatecrash.control.profiles import queries as profiles
from gatecrash.control.testruns.models import TestRecord
from gatecrash.control.vault import CannotOpen
from gatecrash.core.errors import InvalidProfile
from gatecrash.core.reports.notes import LONGEST, kept
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.wire.session import Start, StartTold

log = logging.getLogger(__name__)

MOST_PAGES = 5000
USUAL_PAGES = 500
HEARD_EVERY = 60.0
"""Seconds after which it is noted that a node is still at work, though nothing else is new."""

State = Literal["waiting", "reading", "closing", "read", "stopped", "failed"]


def begun(url: str, most: int, auth_profile_id: str | None) -> dict[str, Any]:
    """The column of a record that is to be made."""
    given = {"url": url, "most": most, "auth_profile_id": auth_profile_id}
    return given | {"begun": False, "read": 0, "ended": False, "trouble": "", "notes": []}


def order_of(row: TestRecord) -> tuple[Start | None, AuthProfile | None, bool]:
    """What the node reads for a record, with which profile, and whether it may go on: not where all tests of the client are stopped
    (decisions 11), nor where the profile cannot be read.
    """
    if row.start is None:
        return None, None, False
    profile = _profile(row) if row.recording else None
    may = row.recording and (profile is not None or not row.start["auth_profile_id"])
    stopped = may and Client.objects.filter(id=row.client_id, tests_stopped=True).exists()
    return Start(row.start["url"], row.start["most"], over=not row.recording), profile, may and not stopped


def _profile(row: TestRecord) -> AuthProfile | None:
    try:
        return profiles.profile(row.start["auth_profile_id"]) if row.start["auth_profile_id"] else None
    except (CannotOpen, InvalidProfile):
        log.exception("record %s: its auth profile cannot be read", row.id)
        return None


def hear(row: TestRecord, told: StartTold, now: float) -> None:
    """Take in how far the node is; what has come to its end is closed. Needs the record's lock."""
    # A node that was started again counts anew as it reads again; told to end instead, it knows nothing of what the record has.
    read = told.read if row.recording else max(row.start["read"], told.read)
    known = row.start | {"begun": True, "read": read, "notes": kept([], told.notes)}
    changed: dict[str, Any] = {"heard_at": now}
    if told.ended and row.recording:
        known |= {"ended": True, "trouble": told.trouble[:LONGEST]}
        changed |= {"recording": False, "confirmed": False, "stopped_at": now}
    if told.ended:
        changed["draining"] = False
    if known != row.start or len(changed) > 1 or row.heard_at < now - HEARD_EVERY:
        TestRecord.objects.filter(id=row.id).update(start=known, **changed)


def shown(row: TestRecord) -> dict[str, Any] | None:
    """How far it is, as the record object shows it; None where nothing is read."""
    if row.start is None:
        return None
    return {
        "url": row.start["url"],
        "pages": row.start["most"],
        "auth_profile_id": row.start["auth_profile_id"],
        "state": _state(row),
        "pages_read": row.start["read"],
        "trouble": row.start["trouble"],
        "notes": row.start["notes"],
    }


def _state(row: TestRecord) -> State:
    if row.recording:
        return "reading" if row.start["begun"] else "waiting"
    if row.draining:
        return "closing"
    if row.start["trouble"]:
        return "failed"
    return "read" if row.start["ended"] else "stopped"
