"""`gatecrash vuln`: what was found, and what proves it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import click

from gatecrash.cli.api import Api, segment
from gatecrash.cli.options import json_option, with_api
from gatecrash.cli.output import document, facts, moment, table
from gatecrash.cli.place import place
from gatecrash.cli.shape import Group
from gatecrash.cli.vuln_triage import COMMANDS, named
from gatecrash.core.reports.report import by_code

VULNERABILITY_COLUMNS = ("id", "code", "threat", "type", "state", "method", "url", "point")
FOUND_COLUMNS = (*VULNERABILITY_COLUMNS, "findings")


@click.group(cls=Group, epilog="gatecrash vuln list --run tr_9f2c41")
def command() -> None:
    """Look at vulnerabilities, decide about them, and test them again.

    A vulnerability is named by its identifier (vuln_…, one finding in one run) or by its code (S0001, the same flaw in
    every run: the newest finding of it is meant).
    """


@command.command(
    "list",
    epilog="""
    gatecrash vuln list --run tr_9f2c41
    gatecrash vuln list --json | jq -r '.objects[].url'
    """,
)
@click.option("--run", "run_id", metavar="RUN", help="Only those of this test run.")
@click.option("--type", "type_", metavar="TYPE", help="Only this type: sqli, auth, …")
@click.option("--code", metavar="CODE", help="Only this code: S0001, …")
@click.option("--limit", type=click.IntRange(1), help="At most so many.")
@click.option("--offset", type=click.IntRange(0), help="Leave out the first ones.")
@json_option
@with_api
def list_vulnerabilities(
    api: Api,
    run_id: str | None,
    type_: str | None,
    code: str | None,
    limit: int | None,
    offset: int | None,
    as_json: bool,
) -> None:
    """List vulnerabilities, the newest first."""
    body = api.pages("/v1/vulns", test_run_id=run_id, type=type_, code=code, limit=limit, offset=offset)
    if as_json:
        document(body)
        return
    rows = map(vulnerability_row, body["objects"])
    table(
        VULNERABILITY_COLUMNS, rows, empty="No vulnerabilities are known. Mind that only what was tested can be found."
    )


@command.command("show", epilog="gatecrash vuln show S0001")
@click.argument("vulnerability", metavar="VULN")
@json_option
@with_api
def show(api: Api, vulnerability: str, as_json: bool) -> None:
    """Show one vulnerability with its proof, its history, how to reproduce and how to fix it."""
    body = api.get(f"/v1/vulns/{segment(named(api, vulnerability))}")
    if as_json:
        document(body)
        return
    facts(_short(body))
    for name, heading in _LONG.items():
        if body.get(name):
            click.echo(f"\n{heading}")
            facts([("", body[name])])
    if body["history"]:
        click.echo("\nWhat was decided")
        rows = ((moment(one["at"]), one["state"], one["actor"], one["comment"]) for one in body["history"])
        table(("when", "state", "by", "comment"), rows, empty="")


def vulnerability_row(one: Mapping[str, Any]) -> tuple[object, ...]:
    """One vulnerability as a table's row."""
    return (*(one[name] for name in VULNERABILITY_COLUMNS[:-1]), place(one["point"]))


def once(found: Iterable[Mapping[str, Any]]) -> Iterator[tuple[object, ...]]:
    """A row for each vulnerability of a run, and how many findings it is: FOUND_COLUMNS."""
    return ((*vulnerability_row(same[0]), len(same)) for same in by_code(found))


_LONG = {
    "verified_by": "How it was verified",
    "curl": "To reproduce it",
    "test_request": "The request that proves it",
    "test_response": "Its answer",
    "baseline_request": "The baseline request beside it",
    "baseline_response": "Its answer",
    "control_request": "The request it was compared with",
    "control_response": "Its answer",
    "remediation": "How to fix it",
}


def _short(body: dict[str, Any]) -> Iterator[tuple[str, object]]:
    for name, value in body.items():
        if name in _LONG or name == "history" or isinstance(value, dict):
            continue
        shown = place(value) if name == "point" else moment(value) if name == "found_at" else value
        yield name, shown


for _decision in COMMANDS:
    command.add_command(_decision)
