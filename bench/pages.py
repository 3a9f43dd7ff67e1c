"""Every page of the web interface over 50,000 endpoints and 1,000 test runs, ten of them with 10,000 baselines.

Asked as a signed-in browser asks: session, wall, queries and template included, in this process and without a server.
Each page is asked 9 times; its median counts. The machine may have other work too, so the processor time stands beside
it: of this process, which on SQLite is all the work there is, and of PostgreSQL's processes.

    python -m bench pages                           SQLite
    BENCH_DATABASE=postgresql python -m bench pages     on a PostgreSQL server started for it
"""

import os
import statistics
import time
from pathlib import Path
from typing import Any

from bench.counts import database

TARGET = 0.2
ENDPOINTS = 50_000
RUNS = 1000
LARGE_RUNS = 10
BASELINES = 10_000
FINDINGS = 200
TIMES = 9
PIECE = 500


def main() -> None:
    """Measure and print."""
    with database() as kind:
        from bench import filling
        from gatecrash.control import urls  # noqa: F401 - all code is loaded before the filling, which takes minutes

        client_id = filling.client()
        began = time.perf_counter()
        filling.fill(client_id, endpoints=ENDPOINTS, days=1)
        run_id = _runs(client_id)
        filling.analyse()
        print(
            f"{kind}: {ENDPOINTS} endpoints, {RUNS} runs, {LARGE_RUNS} of them with {BASELINES} baselines and {FINDINGS} findings, "
            f"filled in {time.perf_counter() - began:.0f} s"
        )
        browser = _browser(client_id)
        slowest = hardest = (0.0, "")
        for address in _addresses(client_id, run_id):
            spent, worked, served, size = ask(browser, address)
            slowest = max(slowest, (spent, address))
            hardest = max(hardest, (worked + served, address))
            name = address.replace(run_id, "RUN")[:60]
            print(
                f"  {name:60} {spent * 1000:7.1f} ms  (work {worked * 1000:5.1f}, database's {served * 1000:5.1f})  {size / 1000:6.1f} kB"
            )
        print(f"  worst {slowest[0] * 1000:.1f} ms ({slowest[1]}), target {TARGET * 1000:.0f} ms")
        print(
            f"  most work of both {hardest[0] * 1000:.1f} ms ({hardest[1]}): what a quiet machine would take at least"
        )


def ask(browser: Any, address: str) -> tuple[float, float, float, int]:
    """The medians of the seconds that a page takes and of this process's work on it, the mean of the database's work
    (its clock ticks a hundred times a second), and the page's size uncompressed.
    """
    times, works = [], []
    size = 0
    served = database_seconds()
    for _ in range(TIMES):
        began, worked = time.perf_counter(), time.process_time()
        answer = browser.get(address)
        times.append(time.perf_counter() - began)
        works.append(time.process_time() - worked)
        assert answer.status_code == 200, (address, answer.status_code)
        size = len(answer.content)
    return statistics.median(times), statistics.median(works), (database_seconds() - served) / TIMES, size


def database_seconds() -> float:
    """Processor time of every process of the PostgreSQL server on this machine so far; 0 on SQLite."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return 0.0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        server = _stat(cursor.fetchone()[0])[1]
    everyone = [_stat(path.name) for path in Path("/proc").glob("[0-9]*") if path.name != str(os.getpid())]
    ticks = sum(int(fields[11]) + int(fields[12]) for fields in everyone if len(fields) > 14 and fields[1] == server)
    ended = _stat(server)  # parallel workers come and go; the server inherits their time
    return (ticks + int(ended[13]) + int(ended[14])) / os.sysconf("SC_CLK_TCK")


def _stat(process: int | str) -> list[str]:
    """The fields of /proc/PID/stat behind the name, from the state on; empty for a process that has gone."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _addresses(client_id: str, run_id: str) -> list[str]:
    from gatecrash.control import wall
    from gatecrash.control.findings.models import Vulnerability
    from gatecrash.control.inventory import queries
    from gatecrash.control.inventory.endpoints_api import filters_of
    from gatecrash.control.inventory.schemas import EndpointChoice
    from gatecrash.control.testruns import check_rows
    from gatecrash.control.testruns.models import TestRun

    with wall.client(client_id):
        endpoint = queries.list_endpoints(filters_of(EndpointChoice()), limit=1).objects[0]["id"]
        record_id = TestRun.objects.get(id=run_id).record_id
        baseline = check_rows.page(run_id, 1, 0)[0].baseline_id
        found = Vulnerability.objects.filter(run_id=run_id).values_list("id", flat=True)[0]
    return [
        "/",
        "/?days=30",
        "/inventory/",
        "/inventory/?status=missing",
        "/inventory/?type=none&sort=-requests",
        "/inventory/?path=parts",
        f"/inventory/{endpoint}/",
        f"/inventory/{endpoint}/?tab=parameters",
        f"/inventory/{endpoint}/?tab=results",
        f"/inventory/{endpoint}/?tab=history",
        "/auth-parameters/",
        "/runs/",
        "/runs/?page=20",
        "/runs/new/",
        f"/runs/{run_id}/",
        f"/runs/{run_id}/?page=100",
        f"/runs/{run_id}/baselines/",
        f"/runs/{run_id}/?status=waiting",
        f"/runs/{run_id}/baselines/{baseline}/",
        f"/runs/{run_id}/copy/",
        "/vulnerabilities/",
        "/vulnerabilities/?sort=threat&type=sqli&state=open",
        f"/vulnerabilities/{found}/",
        "/policies/",
        "/policies/new/",
        "/records/",
        f"/records/{record_id}/",
        "/nodes/",
        "/tokens/",
        "/users/",
        "/audit/",
        "/settings/",
        "/account/",
    ]


def _runs(client_id: str) -> str:
    """All runs; the identifier of a large one."""
    from django.db import transaction

    from gatecrash.control import wall
    from gatecrash.control.api.caller import Caller
    from gatecrash.control.api.roles import Role
    from gatecrash.control.findings import services as findings
    from gatecrash.control.testruns import recording, services
    from gatecrash.control.testruns.bodies import NewRun
    from gatecrash.control.testruns.models import TestRecord

    caller = Caller("tok_bench", client_id, Role.ADMIN, deployment=False, node_id=None, expires_at=None)
    run_id = ""
    with wall.client(client_id):
        for number in range(RUNS):
            run = services.create_run(NewRun(name=f"nightly {number}"), caller)
            if number < RUNS - LARGE_RUNS:
                continue
            run_id = run.id
            for start in range(0, BASELINES, PIECE):
                record = TestRecord.objects.get(id=run.record_id)
                recording.add(record, run, [_baseline(number, one) for one in range(start, start + PIECE)])
            for one in range(FINDINGS):
                with transaction.atomic():
                    findings.keep(run.id, _baseline(number, one), [_verdict(one)], int(time.time()))
    return run_id


def _verdict(number: int) -> Any:
    from gatecrash.core.testing.verdict import Outcome, Proof, Verdict

    exchange = _baseline(0, number).exchange
    return Verdict(
        outcome=Outcome.VULNERABLE,
        type=("sqli", "xss", "auth")[number % 3],
        point=("get", f"p{number}"),
        threat=50 + number % 50,
        title="Found by the bench",
        proof=Proof(test=exchange, control=exchange, verified_by="Twice."),
    )


def _baseline(run: int, number: int) -> Any:
    from gatecrash.core.message import Exchange, Request, Response
    from gatecrash.core.testing.baseline import Baseline

    request = Request(
        "GET",
        f"/v1/things/{number}?page=2".encode(),
        ((b"Host", b"127.0.0.1"), (b"Authorization", b"Bearer abcdefgh12345678")),
        scheme="http",
        host="127.0.0.1",
        port=8000,
    )
    response = Response(200, ((b"Content-Type", b"application/json"),), b'{"id": %d}' % number)
    return Baseline(f"bl_{run:05}{number:019}", Exchange(request=request, response=response, started=time.time()))


def _browser(client_id: str) -> Any:
    """A browser in which an administrator has signed in."""
    from django.conf import settings
    from django.test import Client

    from gatecrash.control import wall
    from gatecrash.control.accounts import services
    from gatecrash.control.api.roles import Role

    with wall.client(client_id):
        user = services.create_user("bench@example.com", password="a long password for benches")
        services.add_member(user, Role.ADMIN)
    browser = Client()
    browser.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[-1])
    return browser


if __name__ == "__main__":
    main()
