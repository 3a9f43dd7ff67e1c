"""What people decide about a vulnerability. It hangs on the code, so it holds in every run that finds the same again.

A state says what is thought of it; a suppression keeps it from failing a pipeline, for a reason and as long as is said.
Neither changes a run: what was found was found (decisions 3).
"""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.db.models import Q

from gatecrash.control import ids
from gatecrash.control.accounts import actor, audit
from gatecrash.control.accounts.reading_names import named
from gatecrash.control.api.errors import FieldErrors, problem
from gatecrash.control.clock import now
from gatecrash.control.findings.models import Fingerprint, Suppression, TriageEntry, Vulnerability
from gatecrash.control.ids import Prefix

STATES = ("open", "fixed", "accepted", "false_positive")
MOST_SUPPRESSIONS = 10_000
MOST_ENTRIES = 1000  # of a code's history that are shown


def decide(row: Vulnerability, state: str | None, comment: str) -> None:
    """Set the state of the vulnerability's code, or only write a comment, and note who did."""
    with transaction.atomic():
        known = Fingerprint.objects.select_for_update().get(id=row.fingerprint_id)
        changed = state if state is not None and state != known.state else ""
        if not changed and not comment:
            return
        if changed:
            known.state = changed
            known.save(update_fields=["state"])
            audit.record("vulnerability.state", row.code, state=changed)
        TriageEntry.objects.create(code=row.code, at=now(), actor=actor.current(), state=changed, comment=comment)


def reopen(fingerprint: Fingerprint, code: str) -> bool:
    """Open what was called fixed and is found again, in the caller's transaction; whether it was."""
    if fingerprint.state != "fixed":
        return False
    fingerprint.state = "open"
    fingerprint.save(update_fields=["state"])
    TriageEntry.objects.create(code=code, at=now(), actor=actor.SYSTEM, state="open", comment="Found again.")
    return True


def history(code: str) -> list[dict[str, Any]]:
    """What was decided and written about a code, the oldest first."""
    return histories([code]).get(code, [])


def histories(codes: Collection[str]) -> dict[str, list[dict[str, Any]]]:
    """The same of each of these codes about which anything was; the oldest thousand entries of a code."""
    rows = list(TriageEntry.objects.filter(code__in=set(codes)).order_by("number"))
    entries = named([_written(row) for row in rows])
    told: dict[str, list[dict[str, Any]]] = {}
    for row, entry in zip(rows, entries, strict=True):
        of_code = told.setdefault(row.code, [])
        if len(of_code) < MOST_ENTRIES:
            of_code.append(entry)
    return told


def suppress(code: str, reason: str, expires_at: int | None) -> Suppression:
    """Keep a code from failing pipelines. Raises FieldErrors: an unknown code, an end that is over, too many."""
    moment = now()
    if expires_at is not None and expires_at <= moment:
        raise FieldErrors({"expires_at": problem("out_of_range", expires_at, min=moment + 1)})
    with transaction.atomic():
        if not Vulnerability.objects.filter(code=code).exists():
            raise FieldErrors({"code": problem("not_found", code)})
        if Suppression.objects.count() >= MOST_SUPPRESSIONS:
            raise FieldErrors({"code": problem("out_of_range", code, max=MOST_SUPPRESSIONS)})
        row = Suppression.objects.create(
            id=ids.new(Prefix.SUPPRESSION),
            code=code,
            reason=reason,
            actor=actor.current(),
            created_at=moment,
            expires_at=expires_at,
        )
        audit.record("suppression.create", row.id, code=code, reason=reason)
    return row


def unsuppress(row: Suppression) -> bool:
    """Remove a suppression; false where another has done so already."""
    with transaction.atomic():
        removed = bool(row.delete()[0])
        if removed:
            audit.record("suppression.delete", row.id, code=row.code)
    return removed


def suppressions(code: str | None) -> Any:
    """The client's suppressions, the newest first; those whose end is over stay listed."""
    rows = Suppression.objects.order_by("-created_at", "-id")
    return rows.filter(code=code) if code is not None else rows


def suppressed_codes() -> dict[str, str]:
    """The codes that are suppressed now, each with the reason that was given last."""
    lasting = Q(expires_at=None) | Q(expires_at__gt=now())
    return dict(Suppression.objects.filter(lasting).order_by("created_at", "id").values_list("code", "reason"))


def _written(row: TriageEntry) -> dict[str, Any]:
    return {"at": row.at, "actor": row.actor, "state": row.state or None, "comment": row.comment}


def shown(row: Suppression) -> dict[str, Any]:
    """A suppression as the API shows it."""
    return {
        "id": row.id,
        "code": row.code,
        "reason": row.reason,
        "actor": row.actor,
        "created_at": row.created_at,
        "expires_at": row.expires_at,
        "active": row.expires_at is None or row.expires_at > now(),
    }
