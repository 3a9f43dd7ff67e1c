"""Test runs (contract 4.3 to 4.5) and test records."""

# ruff: noqa: ARG001 - ninja reads path parameters from the arguments' names; the gate has looked them up already

import time

from django.http import FileResponse, HttpRequest, HttpResponse
from ninja import Query, Router

from gatecrash.control.api import fields
from gatecrash.control.api.caller import Caller, caller, found
from gatecrash.control.api.download import attached, downloading, file
from gatecrash.control.api.envelope import Answer, ok
from gatecrash.control.api.gate import identifier, still_there
from gatecrash.control.api.operation import operation
from gatecrash.control.api.roles import EDIT, READ, RUN
from gatecrash.control.api.upload import stream, uploading
from gatecrash.control.findings.models import Vulnerability
from gatecrash.control.testruns import exports, imports, node_api, queries, services
from gatecrash.control.testruns.bodies import (
    BaselineList,
    ComparisonView,
    Deleted,
    NewRun,
    ReportWanted,
    RunFilter,
    RunList,
    RunView,
    Wait,
)
from gatecrash.control.testruns.comparing import compared
from gatecrash.control.testruns.mapping import shown_record, shown_run, to_run
from gatecrash.control.testruns.models import TestRecord, TestRun
from gatecrash.control.testruns.record_bodies import (
    Imported,
    ImportWanted,
    NewRecord,
    RecordFilter,
    RecordList,
    RecordView,
)
from gatecrash.control.testruns.report import report
from gatecrash.control.testruns.retest import retest
from gatecrash.core.reports.formats import FORMATS
from gatecrash.core.testing.run import ACTIONS
from gatecrash.formats.draft import server_of

CAPTURES = (
    "application/json",
    "application/x-ndjson",
    "application/yaml",
    "application/xml",
    "text/xml",
    "text/plain",
    "application/gzip",
    "application/octet-stream",
)

router = Router(tags=["test runs"])
router.add_router("", node_api.router)


@identifier("test_run_id")
def load_run(_caller: Caller, value: str) -> TestRun | None:
    """The run of a path: the one read of a poll."""
    found: TestRun | None = TestRun.objects.find(value)
    return found


@identifier("other_test_run_id")
def load_other(_caller: Caller, value: str) -> TestRun | None:
    """The other run of a path."""
    return load_run(_caller, value)


@identifier("test_record_id")
def load_record(_caller: Caller, value: str) -> TestRecord | None:
    """The record of a path."""
    return queries.record(value)


@identifier("action")
def load_action(_caller: Caller, value: str) -> str | None:
    """An action of a run."""
    return value if value in ACTIONS else None


@router.post(
    "/test_run",
    **operation(
        RUN,
        RunView,
        body=True,
        summary="Create or copy a test run",
        examples={
            "create": {"name": "nightly", "policy_id": "quick", "rps": 100, "file_extensions_to_exclude": "png|jpe?g"},
            "copy": {
                "name": "nightly again",
                "test_record_id": "rec_7k2n0q5w8e1r4t6y9u3i5p8a1s",
                "stop_on_first_fail": True,
            },
        },
        refused={
            400: {
                "limits": {"rps": {"error": "out_of_range", "value": 0, "min": 1, "max": 1000}},
                "still recorded": {
                    "test_record_id": {"error": "not_ready_for_cloning", "value": "rec_7k2n0q5w8e1r4t6y9u3i5p8a1s"}
                },
            }
        },
    ),
)
def create(request: HttpRequest, body: NewRun) -> Answer:
    """Create a run with a new record, or, with `test_record_id`, a copy over an existing one."""
    return ok(shown_run(services.create_run(body, caller(request)), time.time()))


@router.get("/test_run", **operation(READ, RunList, query=True, summary="List test runs"))
def list_runs(request: HttpRequest, wanted: Query[RunFilter]) -> Answer:
    """The client's runs, the newest first."""
    part, total = fields.page(queries.runs(wanted.state, wanted.name), wanted)
    now = time.time()
    return ok({"objects": [shown_run(row, now) for row in part], "total": total})


@router.get("/test_run/{test_run_id}", **operation(READ, RunView, query=True, summary="Read a test run"))
def show(request: HttpRequest, test_run_id: str, wanted: Query[Wait]) -> Answer:
    """A run's state, counters and estimates; with `wait` held until something changes or the run has ended."""
    row: TestRun = found(request, "test_run_id")
    if wanted.wait:
        row = queries.wait_for_change(row, wanted.wait)
    return ok(shown_run(row, time.time()))


@router.post(
    "/test_run/{test_run_id}/action/{action}", **operation(RUN, RunView, conflict=True, summary="Act on a test run")
)
def act(request: HttpRequest, test_run_id: str, action: str) -> Answer:
    """Stop recording, pause, resume or interrupt."""
    return ok(shown_run(services.act(test_run_id, action), time.time()))


@router.get(
    "/test_run/{test_run_id}/baselines",
    **operation(READ, BaselineList, query=True, summary="List a test run's baselines"),
)
def list_baselines(request: HttpRequest, test_run_id: str, wanted: Query[fields.Page]) -> Answer:
    """The run's baselines with their statuses (contract 2.10), in the order of recording."""
    row: TestRun = found(request, "test_run_id")
    total = to_run(row).baseline_count
    return ok({"objects": queries.baselines(row, wanted.limit, wanted.offset), "total": total})


@router.get(
    "/test_run/{test_run_id}/report",
    **downloading(READ, [one.media_type for one in FORMATS.values()], query=True, summary="Download a report"),
)
def download_report(request: HttpRequest, test_run_id: str, wanted: Query[ReportWanted]) -> HttpResponse:
    """The run's report as a file: SARIF, JUnit XML, HTML, JSON, text, CSV or Markdown."""
    written = FORMATS[wanted.format]
    row: TestRun = found(request, "test_run_id")
    return file(written.render(report(row)), written.media_type, f"{row.name}-{row.id}.{written.suffix}")


@router.get(
    "/test_run/{test_run_id}/compare/{other_test_run_id}",
    **operation(READ, ComparisonView, summary="Compare with an earlier run"),
)
def compare(request: HttpRequest, test_run_id: str, other_test_run_id: str) -> Answer:
    """What is new, persisting, fixed, or was not tested again in this run, seen from the other, earlier one."""
    return ok(compared(found(request, "test_run_id"), found(request, "other_test_run_id")))


@router.post("/vulns/{vulnerability_id}/retest", **operation(RUN, RunView, conflict=True, summary="Retest one finding"))
def retest_vulnerability(request: HttpRequest, vulnerability_id: str) -> Answer:
    """Begin a run over the one baseline that it was found at, for its type and point only."""
    row: Vulnerability = found(request, "vulnerability_id")
    return ok(shown_run(retest(row, caller(request)), time.time()))


@router.post(
    "/test_record",
    **operation(
        RUN, RecordView, body=True, summary="Record without a run", examples={"a record": {"name": "checkout"}}
    ),
)
def create_record(request: HttpRequest, body: NewRecord) -> Answer:
    """Record baselines without a run."""
    return ok(shown_record(services.create_record(body, caller(request))))


@router.get("/test_record", **operation(READ, RecordList, query=True, summary="List test records"))
def list_records(request: HttpRequest, wanted: Query[RecordFilter]) -> Answer:
    """The client's records, the newest first."""
    part, total = fields.page(queries.records(wanted.name), wanted)
    return ok({"objects": [shown_record(row) for row in part], "total": total})


@router.get("/test_record/{test_record_id}", **operation(READ, RecordView, summary="Read a test record"))
def show_record(request: HttpRequest, test_record_id: str) -> Answer:
    """A record."""
    return ok(shown_record(found(request, "test_record_id")))


@router.post(
    "/test_record/{test_record_id}/import",
    **uploading(RUN, Imported, CAPTURES, query=True, summary="Import captured traffic or a description"),
)
def import_into_record(request: HttpRequest, test_record_id: str, wanted: Query[ImportWanted]) -> Answer:
    """Import captured traffic (HAR, JSON lines, a proxy's XML), a description or requests as text into a record that is
    still recorded.

    Gzipped or not, at most 512 MiB. Exchanges that the record holds already are skipped. Where the file breaks off (400),
    what was read before stays in the record. The requests of a description have no answers: a run sends each once, those
    that change something too, before it tests them.
    """
    target = server_of(wanted.target_url) if wanted.target_url else None
    return ok(imports.take(test_record_id, stream(request), target))


@router.get(
    "/test_record/{test_record_id}/export", **downloading(READ, (exports.MEDIA_TYPE,), summary="Export a record as HAR")
)
def export_record(request: HttpRequest, test_record_id: str) -> FileResponse:
    """The record's baselines as a HAR 1.2 file, credentials masked."""
    row: TestRecord = found(request, "test_record_id")
    return attached(exports.write(row), exports.MEDIA_TYPE, f"{row.name}-{row.id}.har")


@router.delete(
    "/test_record/{test_record_id}", **operation(EDIT, Deleted, conflict=True, summary="Delete a test record")
)
def delete_record(request: HttpRequest, test_record_id: str) -> Answer:
    """Delete a record's baselines; its runs and their findings stay."""
    queries.settled_record(test_record_id)  # else who has just stopped it would be told that it is in use
    still_there(services.delete_record(test_record_id), "test_record_id")
    return ok({"id": test_record_id})


@router.post(
    "/test_record/{test_record_id}/action/stop", **operation(RUN, RecordView, conflict=True, summary="Stop recording")
)
def stop_record(request: HttpRequest, test_record_id: str) -> Answer:
    """Stop recording."""
    return ok(shown_record(services.stop_record(test_record_id)))
