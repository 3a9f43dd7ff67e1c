"""Pages of test runs: the list, the forms that create and copy, one run live, its baselines, its reports."""

import time
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render

from gatecrash.control.api.download import file
from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.api.roles import READ, RUN
from gatecrash.control.findings import queries as findings
from gatecrash.control.findings.models import Vulnerability
from gatecrash.control.findings.triage import suppressed_codes
from gatecrash.control.nodes.queries import is_connected
from gatecrash.control.policies import queries as policies
from gatecrash.control.profiles import queries as profiles
from gatecrash.control.testruns import queries, services
from gatecrash.control.testruns import retest as retesting
from gatecrash.control.testruns.bodies import NewRun
from gatecrash.control.testruns.comparing import compared
from gatecrash.control.testruns.mapping import shown_run, to_run
from gatecrash.control.testruns.models import TestRecord, TestRun
from gatecrash.control.testruns.report import report
from gatecrash.control.ui import run_forms, words
from gatecrash.control.ui.forms import Form, sent
from gatecrash.control.ui.fragments import fragment, nothing_new
from gatecrash.control.ui.listing import ROWS, chosen, listing, page_number, part, searched
from gatecrash.control.ui.page import is_live, page
from gatecrash.control.ui.reads import baselines
from gatecrash.control.ui.reads.run_log import log_of
from gatecrash.control.ui.reads.runs import lines, nothing_tested
from gatecrash.control.ui.visitor import visitor
from gatecrash.core.reports.formats import FORMATS
from gatecrash.core.reports.left_out import remarks
from gatecrash.core.reports.report import at, by_code, grouped

BASELINE_ROWS = 50
COMPARED_ROWS = 200
WORST = 8
MOST_COMPARED = 500
"""Findings of a run among which those of one cause are looked for."""
# What the list does not show of a run, and a run may have much of.
UNSHOWN = ("vulns", "desc", "domains", "tags")
ACTIVE = ("cloning", "running", "paused")


@page(READ)
def runs(request: HttpRequest) -> HttpResponse:
    """Every run with its state and progress; the rows of a page with a run at work come anew each second."""
    state, name = chosen(request, "state", words.STATES), searched(request)
    found = queries.runs(state, name or None)
    query = {"q": name, "state": state or "", "page": page_number(request)}
    if is_live(request):
        return _followed_list(request, found, query)
    rows = listing(request, found.defer(*UNSHOWN))
    query["page"] = rows.number
    context = _table(rows.rows, query) | {"list": rows, "state": state, "q": name, "states": words.STATES}
    return render(request, "testruns/runs.html", context)


def _followed_list(request: HttpRequest, found: Any, query: dict[str, Any]) -> HttpResponse:
    """The rows where any of them changed; to know it, three columns of each are read."""
    here = slice((query["page"] - 1) * ROWS, query["page"] * ROWS)
    marks = tuple((name, _mark(*of)) for name, *of in found.values_list("id", "revision", "state")[here])
    shown = (*query.values(), *marks)
    return fragment(request, "testruns/rows.html", shown, lambda: _table(list(found.defer(*UNSHOWN)[here]), query))


def _table(rows: list[TestRun], query: dict[str, Any]) -> dict[str, Any]:
    active = any(row.state in ACTIVE for row in rows)
    names = policies.names(row.policy_id for row in rows)
    return {"runs": lines(rows), "policies": names, "active": active, "query": urlencode(query)}


@page(RUN, "GET", "POST")
def new_run(request: HttpRequest) -> HttpResponse:
    """Create a run with a new record."""
    initial = {name: request.GET.get(name, "")[:255] for name in ("name", "tags", "auth_profile_id")}
    form = Form(run_forms.create(), sent(request), initial)
    run = _create(request, form) if request.method == "POST" else None
    if run is not None:
        return redirect("run", test_run_id=run.id)
    context = {"form": form, "copied": None, "busy": _busy()}
    return render(request, "testruns/form.html", context, status=400 if form.problems else 200)


@page(RUN, "GET", "POST")
def copy_run(request: HttpRequest, test_run_id: str) -> HttpResponse:
    """Test the same recorded requests again, perhaps by another policy."""
    row = find(test_run_id)
    return _over_record(request, row.record_id, run_forms.of_run(row), copied=row)


@page(RUN, "GET", "POST")
def test_record(request: HttpRequest, test_record_id: str) -> HttpResponse:
    """Test the requests of a record, an imported one for example."""
    record = queries.record(test_record_id)
    if record is None:
        raise Http404
    reader = record.start["auth_profile_id"] or "" if record.start is not None else ""
    return _over_record(request, record.id, {"name": record.name, "auth_profile_id": reader}, tested=record)


def _over_record(
    request: HttpRequest, record_id: str, initial: dict[str, Any], **shown: TestRun | TestRecord
) -> HttpResponse:
    form = Form(run_forms.copy(), sent(request), initial)
    run = _create(request, form, test_record_id=record_id) if request.method == "POST" else None
    if run is not None:
        return redirect("run", test_run_id=run.id)
    refused = queries.why_not_copied(queries.record(record_id))
    reason = words.problem({"error": refused}) if refused else ""
    context = {"form": form, "busy": _busy(), "reason": reason, **shown}
    return render(request, "testruns/form.html", context, status=400 if form.problems else 200)


def _create(request: HttpRequest, form: Form, **more: Any) -> TestRun | None:
    order = form.checked(NewRun, **more)
    if order is None:
        return None
    try:
        return services.create_run(order, visitor(request).caller)
    except FieldErrors as error:
        form.refuse(error)
        return None


def _busy() -> list[dict[str, Any]]:
    """The runs that a new one on their node would interrupt."""
    return [
        {"name": row.name, "node": row.node.name} for row in queries.runs("running", None).select_related("node")[:5]
    ]


@page(READ)
def run(request: HttpRequest, test_run_id: str) -> HttpResponse:
    """One run: live numbers, actions, and its baselines."""
    row = find(test_run_id)
    if is_live(request):
        return _followed(request, row)
    context = _live(row) | _baselines(request, row) | _so_far(row)
    context["policy"] = policies.find(row.policy_id)
    context["profile"] = profiles.find(row.auth_profile_id) if row.auth_profile_id else None
    context["formats"] = FORMATS
    context["others"] = queries.runs(None, None).filter(record_id=row.record_id).exclude(id=row.id)[:20]
    return render(request, "testruns/run.html", context)


def _so_far(row: TestRun) -> dict[str, Any]:
    return {
        "copyable": (copyable := not queries.why_not_copied(queries.record(row.record_id))),
        "repeatable": copyable and to_run(row).ended and row.clone_only is None,
        "log": log_of(row),
        "worst": _worst(row),
        "times": {same[0]["code"]: len(same) for same in by_code(row.vulns)},
    }


def _worst(row: TestRun) -> list[dict[str, Any]]:
    """The gravest flaws, each once by its cause, with where each was found."""
    rows = findings.once(findings.vulnerabilities(row.id, None, None)).order_by("-threat", "code")[:MOST_COMPARED]
    suppressed = suppressed_codes()
    shown = grouped([findings.shown(one, suppressed) for one in rows])
    return [{**one, "endpoint": at(one, others)} for one, others in shown[:WORST]]


def _followed(request: HttpRequest, row: TestRun) -> HttpResponse:
    """The live numbers where they changed; with a change of the run itself, word to the page which of its parts are old."""
    seen, mark = request.GET.get("seen", ""), _seen(row)
    if seen == mark:
        return nothing_new()
    answer = fragment(request, "testruns/live.html", (row.id, mark), lambda: _live(row))
    revision, _, told = seen.split(".", 2) if seen.count(".") > 1 else ("", "", "")
    old = {"run-changed": revision != str(row.revision), "run-told": told != _told(row)}
    if any(old.values()):
        answer["HX-Trigger"] = ", ".join(name for name, is_old in old.items() if is_old)
    return answer


@page(READ)
def run_baselines(request: HttpRequest, test_run_id: str) -> HttpResponse:
    """The table of a run's baselines, by itself: what a live page asks for when the run has changed."""
    row = find(test_run_id)
    if request.GET.get("seen") == str(row.revision):
        return nothing_new()
    status, number = chosen(request, "status", words.BASELINES), page_number(request)
    # The links to other pages are made of the query: of what was understood of it, and nothing else.
    request.GET = QueryDict(urlencode({"page": number, **({"status": status} if status else {})}))
    shown = (row.id, row.revision, status, number)
    return fragment(request, "testruns/baselines.html", shown, lambda: _live(row) | _baselines(request, row))


@page(READ)
def run_told(request: HttpRequest, test_run_id: str) -> HttpResponse:
    """What was found and done so far, by itself: what a live page asks for when there is more of it."""
    row = find(test_run_id)
    return fragment(request, "testruns/told.html", (row.id, row.revision), lambda: _live(row) | _so_far(row))


def _mark(revision: int, state: str) -> str:
    """What a live page has seen: the revision, and while the run runs the second too, for its speed is of this moment."""
    return f"{revision}.{int(time.time()) if state == 'running' else 0}"


def _seen(row: TestRun) -> str:
    return f"{_mark(row.revision, row.state)}.{_told(row)}"


def _told(row: TestRun) -> str:
    """What findings, log and the button to copy depend on: they are fetched when it changes, and not each second."""
    return f"{len(row.vulns)}.{row.state}.{int(row.recording)}"


def _listening_for(row: TestRun) -> float | None:
    """The seconds that a run still stays which has nothing left to test: targets may come to the listener."""
    left = row.listening_until - time.time()
    is_open = row.recording or row.draining or row.users_due or row.waiting or row.running
    return left if row.state == "running" and left > 0 and not is_open else None


def _share_sent(row: TestRun) -> float | None:
    """Of all test requests of a run at work whose recording is over, by the forecast of now; None where that says nothing."""
    run = to_run(row)
    if run.ended or run.recording or not run.planned:
        return None
    return run.sent / (run.sent + run.planned)


def _live(row: TestRun) -> dict[str, Any]:
    shown = shown_run(row, time.time())
    return {
        "row": row,
        "run": shown,
        "node": row.node,
        "silent": row.state == "running" and row.node.last_seen and not is_connected(row.node, time.time()),
        "progress": baselines.progress(shown),
        "share_sent": _share_sent(row),
        "active": row.state in ACTIVE,
        "seen": _seen(row),
        "interruption": words.INTERRUPTIONS.get(row.interrupt_reason or "", ""),
        "nothing_tested": nothing_tested(row, to_run(row)),
        "remarks": shown["notes"] if row.state in ACTIVE else remarks(shown),
        "listening_for": _listening_for(row),
        "found": len(by_code(shown["vulns"])),
    }


def _baselines(request: HttpRequest, row: TestRun) -> dict[str, Any]:
    status = chosen(request, "status", words.BASELINES)
    return {
        "list": part(request, lambda limit, offset: baselines.page(row, status, limit, offset), BASELINE_ROWS),
        "status": status,
        "statuses": words.BASELINES,
    }


@page(RUN, "POST")
def act(request: HttpRequest, test_run_id: str, action: str) -> HttpResponse:
    """Stop recording, pause, resume, interrupt."""
    row = find(test_run_id)
    if action not in services.ACTIONS:
        raise Http404
    try:
        services.act(row.id, action)
    except FieldErrors:
        messages.warning(request, f"“{words.ACTIONS[action]}” is not possible any more: the run has gone on since.")
    return redirect("run", test_run_id=row.id)


@page(READ)
def baseline(request: HttpRequest, test_run_id: str, baseline_id: str) -> HttpResponse:
    """One baseline: its request and answer, its status with the reason, and what was found."""
    row = find(test_run_id)
    found = baselines.one(row, baseline_id)
    if found is None:
        raise Http404
    return render(request, "testruns/baseline.html", {"row": row, "baseline": found, "reason": words.reason_of(found)})


@page(READ)
def compare(request: HttpRequest, test_run_id: str) -> HttpResponse:
    """A run beside an earlier one: what is new, still there, fixed, or was not tested again."""
    row, other = find(test_run_id), find(searched(request, "with"))
    now = time.time()
    run, beside = shown_run(row, now), shown_run(other, now)
    context = {
        "run": run,
        "other": beside,
        "unfinished": [one for one in (run, beside) if one["end_time"] is None],
        "most": COMPARED_ROWS,
        "found": {
            name: sorted((same[0] for same in by_code(each)), key=lambda one: -one["threat"])
            for name, each in compared(row, other).items()
            if isinstance(each, list)
        },
    }
    return render(request, "testruns/compare.html", context)


@page(READ)
def download_report(_request: HttpRequest, test_run_id: str, format_name: str) -> HttpResponse:
    """A run's report as a file."""
    row = find(test_run_id)
    if format_name not in FORMATS:
        raise Http404
    written = FORMATS[format_name]
    return file(written.render(report(row)), written.media_type, f"{row.name}-{row.id}.{written.suffix}")


@page(RUN, "POST")
def retest(request: HttpRequest, vulnerability_id: str) -> HttpResponse:
    """Test one finding's request again, for its type and at its point only."""
    row = Vulnerability.objects.filter(id=vulnerability_id).first()
    if row is None:
        raise Http404
    return redirect("run", test_run_id=retesting.retest(row, visitor(request).caller).id)


def find(run_id: str) -> TestRun:
    """The client's run of this identifier. Raises Http404."""
    row: TestRun | None = TestRun.objects.find(run_id) if run_id else None
    if row is None:
        raise Http404
    return row
