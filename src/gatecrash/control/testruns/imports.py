"""Captured traffic into a record, as if it had been recorded: HAR or JSON lines, read and stored piece by piece.

Descriptions too (OpenAPI, Swagger, Postman, curl): their requests are stored without an answer, as drafts with the
holes that answers may fill better, and each is sent once by the run that tests it, before any is tested. Where they
name no host, the import must say where the API is.

Where a file breaks off, what was read before it stays. Sending the mended file again does no harm, because exchanges
that the record holds already are skipped. Those that differ in their cookies or in headers of the application's own
are kept: they may be of different users, and only a run finds out which of them let in. A login is kept for each
session that began with it.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

import msgspec

from gatecrash.control import ids
from gatecrash.control.accounts import audit
from gatecrash.control.api.errors import ApiError, FieldErrors, problem
from gatecrash.control.ids import Prefix
from gatecrash.control.testruns import baseline_rows, recording
from gatecrash.control.testruns.models import TestRecord, TestRun
from gatecrash.control.testruns.planning import Planner
from gatecrash.core.message import Exchange, Request, with_header, without_header
from gatecrash.core.testing.authorization.callers.own_headers import own_headers
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.profiles.recorded_logins import signed_in
from gatecrash.core.testing.selection.replay import NO_BASELINE, replayable, why_not
from gatecrash.formats.capture import Malformed, UnreadableCapture, shortened
from gatecrash.formats.draft import Draft, Server
from gatecrash.formats.opening import opened

MOST_IN_A_PIECE = 50
MOST_PROBLEMS = 20
PIECE_BYTES = 8 * 1024 * 1024
MOST_ALIKE = 20
"""Of requests that differ in their cookies, their own headers or their sessions alone so many are kept: some clients
are given a new one with each answer.
"""
REASONS = ("malformed", "duplicate", "preflight", "unanswered", "incomplete", "no_http")


def take(record_id: str, stream: BinaryIO, target: Server | None = None) -> dict[str, Any]:
    """Import a capture; how many exchanges became baselines, why the others did not, and which the first of them were.

    target: where the requests of a description are sent instead of where it says. Raises FieldErrors (409) where the
    record is not recorded any more, ApiError (400) where the file cannot be read.
    """
    skipped = Counter(dict.fromkeys(REASONS, 0))
    problems: list[dict[str, Any]] = []
    imported = 0
    check_open(record_id)
    try:
        capture = opened(stream)
        items = (_placed(item, target) for item in capture.items) if capture.drafted else capture.items
        for piece in _pieces(_baselines(items, skipped, problems)):
            imported += _store(check_open(record_id), piece, skipped)
    except UnreadableCapture as error:
        told = f" {imported} exchanges before that were imported; sending them again does no harm." if imported else ""
        raise ApiError("invalid_value", f"{error}{told}") from error
    finally:
        if imported:
            audit.record("test_record.import", record_id, imported=imported)
    return {"imported": imported, "skipped": dict(skipped), "problems": problems}


def _placed(item: Exchange | Malformed, target: Server | None) -> Exchange | Malformed:
    """A request of a description, sent where the user says, or where the document does."""
    if isinstance(item, Malformed):
        return item
    request = _aimed(item.request, target)
    if not request.host:
        raise UnreadableCapture("The document does not say where the API is; give its origin in target_url.")
    if isinstance(item, Draft):
        spare = None if item.spare is None else _aimed(item.spare, target)
        return msgspec.structs.replace(item, request=request, spare=spare, drafted=True)
    return Exchange(request=request, drafted=True, public=item.public)


def _aimed(request: Request, target: Server | None) -> Request:
    if target is None:
        return request
    headers = with_header(without_header(request.headers, b"Host"), b"Host", target.authority.encode())
    changed: Request = msgspec.structs.replace(
        request, scheme=target.scheme, host=target.host, port=target.port, headers=headers
    )
    return changed


def check_open(record_id: str) -> TestRecord:
    """The record, which still records. Raises FieldErrors (409)."""
    record: TestRecord = TestRecord.objects.get(id=record_id)
    if not record.recording:
        raise FieldErrors(
            {
                "test_record_id": problem(
                    "action_not_allowed",
                    record_id,
                    message="The recording is over. Import into a new record: POST /v1/test_record makes one.",
                )
            }
        )
    return record


def _baselines(
    items: Iterator[Exchange | Malformed], skipped: Counter[str], problems: list[dict[str, Any]]
) -> Iterator[Baseline]:
    for place, item in enumerate(items, 1):
        reason = "malformed" if isinstance(item, Malformed) else why_not(item)
        if not reason:
            yield Baseline(ids.new(Prefix.BASELINE), replayable(cast("Exchange", item)))
            continue
        skipped[reason] += 1
        if len(problems) < MOST_PROBLEMS:
            problems.append(_problem(place, reason, item))


def _problem(place: int, reason: str, item: Exchange | Malformed) -> dict[str, Any]:
    """What of a file was not taken, and why; no query, which could hold a secret."""
    if isinstance(item, Malformed):
        return {"place": item.place, "reason": reason, "why": item.why}
    address = shortened(item.request.url)
    return {"place": place, "reason": reason, "why": f"{item.request.method} {address}: {NO_BASELINE[reason]}"}


def _pieces(baselines: Iterator[Baseline]) -> Iterator[list[Baseline]]:
    """Baselines in pieces that one transaction and some megabytes hold."""
    piece: list[Baseline] = []
    size = 0
    for baseline in baselines:
        piece.append(baseline)
        size += len(baseline.request.body) + (len(baseline.response.body) if baseline.response else 0)
        if len(piece) == MOST_IN_A_PIECE or size >= PIECE_BYTES:
            yield piece
            piece, size = [], 0
    if piece:
        yield piece


def _further(baseline: Baseline) -> tuple[object, ...]:
    """What tells exchanges with the same request apart: cookies and headers of the application's own, which may be
    another user's, and what the answer gave out, for one login begins another session than the next.
    """
    response, sent = baseline.response, (*baseline.request.all(b"Cookie"), *own_headers(baseline.request))
    if response is None or not signed_in(baseline.request):
        return sent
    return (sent, response.status, tuple(response.all(b"Set-Cookie")), response.body)


def _store(record: TestRecord, piece: list[Baseline], skipped: Counter[str]) -> int:
    """Store those of a piece that the record does not hold yet; how many they were."""
    run = TestRun.objects.filter(id=record.recorder).first() if record.recorder else None
    plans = Planner(run).plan(piece)
    held = {
        key: {_further(each) for each in known}
        for key, known in baseline_rows.alike(record.id, sorted({one.duplicate for one in plans}), MOST_ALIKE).items()
    }
    fresh: list[Baseline] = []
    for one in plans:
        seen = held.setdefault(one.duplicate, set())
        if _further(one.baseline) in seen or len(seen) >= MOST_ALIKE:
            skipped["duplicate"] += 1
        else:
            seen.add(_further(one.baseline))
            fresh.append(one.baseline)
    if fresh:
        recording.add(record, run, fresh)
    return len(fresh)
