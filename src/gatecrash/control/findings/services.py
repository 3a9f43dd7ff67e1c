"""Keeping what runs find: each vulnerability once in a run, its code for ever, its evidence encrypted."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import IntegrityError, transaction

from gatecrash.control import ids, news, wall
from gatecrash.control.accounts.models import Client
from gatecrash.control.findings import evidence_rows, triage
from gatecrash.control.findings.models import Fingerprint, Vulnerability
from gatecrash.control.findings.recognising import current_recogniser
from gatecrash.control.ids import Prefix
from gatecrash.control.news import News
from gatecrash.control.profiles.queries import masked_points
from gatecrash.core.inventory.endpoint import EndpointKey
from gatecrash.core.reports.body_secrets import words_without
from gatecrash.core.reports.masking import mask_request
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.fingerprint import code_of, digest, endpoint_name, endpoint_of, fingerprint
from gatecrash.core.testing.verdict import Verdict
from gatecrash.wire.work import Evidence

TITLE = 255
MOST_THREAT = 100


def keep(run_id: str, baseline: Baseline, verdicts: Iterable[Verdict], now: int) -> list[dict[str, Any]]:
    """Store vulnerable verdicts that the run does not have yet; the new ones as the run object shows them.

    Part of the caller's transaction: the run's counters and the finding are committed together.
    """
    return [summary(row) for verdict in verdicts if (row := _keep(run_id, baseline, verdict, now)) is not None]


def plain(text: str) -> str:
    """Text as PostgreSQL can hold it: NUL, which a hostile target may put anywhere, shown as an escape."""
    return text.replace("\x00", "\\x00")


def summary(row: Vulnerability) -> dict[str, Any]:
    """Contract 2.7."""
    return {"id": row.id, "threat": row.threat, "code": row.code, "type": row.type}


def _keep(run_id: str, baseline: Baseline, verdict: Verdict, now: int) -> Vulnerability | None:
    point_digest = digest(verdict.place)
    same = Vulnerability.objects.filter(
        run_id=run_id, baseline_id=baseline.id, type=plain(verdict.type)[:32], point_digest=point_digest
    )
    if same.exists():
        return None
    broken = verdict.broken(baseline.request)
    key = endpoint_of(broken)
    known, is_new = _fingerprint(verdict.type, key, verdict.point, now)
    is_again = triage.reopen(known, code_of(known.number))
    row = Vulnerability(
        id=ids.new(Prefix.VULNERABILITY),
        run_id=run_id,
        baseline_id=baseline.id,
        type=plain(verdict.type)[:32],
        point=[plain(step) for step in verdict.point],
        point_digest=point_digest,
        fingerprint=known,
        code=code_of(known.number),
        threat=max(1, min(MOST_THREAT, verdict.threat)),
        cwe=list(verdict.cwe),
        title=plain(verdict.title)[:TITLE],
        method=plain(broken.method)[:64],
        url=plain(mask_request(broken, current_recogniser(), masked_points()).url),
        endpoint=plain(endpoint_name(key)),
        verified_by=plain(
            words_without(verdict.proof.verified_by if verdict.proof else verdict.detail, baseline.request)
        ),
        found_at=now,
    )
    row.save(force_insert=True)
    if verdict.proof is not None:
        evidence_rows.store(row.id, Evidence(verdict.proof.test, baseline.exchange, verdict.proof.control))
    if is_new or is_again:
        news.tell(news.VULNERABILITY_FOUND, lambda: _told(row, again=is_again))
    return row


def _told(row: Vulnerability, *, again: bool) -> News | None:
    """What is told of a finding: nothing of its requests, and nothing at all where people suppressed it."""
    if row.code in triage.suppressed_codes():
        return None
    text = f"{row.title} ({row.code}, threat {row.threat}) at {row.endpoint}"
    return News(
        f"{'Found again though it was called fixed' if again else 'Found'}: {text}.",
        f"/vulnerabilities/{row.id}/",
        {
            "vulnerability_id": row.id,
            "code": row.code,
            "type": row.type,
            "title": row.title,
            "threat": row.threat,
            "cwe": row.cwe,
            "endpoint": row.endpoint,
            "point": row.point,
            "again": again,
            "test_run_id": row.run_id,
        },
    )


def _fingerprint(type_: str, key: EndpointKey, point: Sequence[str], now: int) -> tuple[Fingerprint, bool]:
    """The fingerprint of type, endpoint and point, and whether it is new; a new one takes the client's next number."""
    same = fingerprint(type_, key, point)
    known = Fingerprint.objects.filter(digest=same).first()
    if known is not None:
        return known, False
    Client.objects.select_for_update().get(id=wall.required())  # numbers are given out one after the other
    last = Fingerprint.objects.order_by("-number").values_list("number", flat=True).first() or 0
    try:
        with transaction.atomic():
            return Fingerprint.objects.create(digest=same, number=last + 1, created_at=now), True
    except IntegrityError:  # another found the same while we waited for our turn
        return Fingerprint.objects.get(digest=same), False
