"""`gatecrash endpoints`: the inventory and, for one endpoint, its Authentication tab (contract 2.4, 2.5)."""

from collections.abc import Mapping
from typing import Any

import click

from gatecrash.cli.api import Api, segment
from gatecrash.cli.options import json_option, service_options, with_api
from gatecrash.cli.output import document, facts, moment, table
from gatecrash.cli.place import place
from gatecrash.cli.shape import Group

TYPES = ("api_key", "aws_sigv4", "basic", "bearer", "cookie", "digest", "hawk", "hmac", "negotiate", "ntlm", "scram")


@click.group(
    cls=Group,
    invoke_without_command=True,
    epilog="""
    gatecrash endpoints --auth missing
    gatecrash endpoints --json | jq '.objects[] | select(.status == "partial")'
    gatecrash endpoints show ep_31d9aa
    """,
)
@click.option("--auth", "status", type=click.Choice(["consistent", "partial", "missing"]), help="Only this status.")
@click.option("--type", type=click.Choice(TYPES), help="Only endpoints that see this type.")
@click.option("--host", help="Only this host.")
@click.option("--method", help="Only this method.")
@click.option("--limit", type=click.IntRange(1), help="At most so many.")
@json_option
@service_options
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """List the endpoints with status and coverage of the last 7 days."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_endpoints, **options)


@with_api
def list_endpoints(api: Api, as_json: bool, **filters: Any) -> None:
    """Write the inventory, filtered."""
    body = api.pages("/v1/endpoints", **filters)
    if as_json:
        document(body)
        return
    columns = ("id", "method", "host", "path", "status", "coverage", "types", "requests", "last seen")
    empty = "No endpoints match. Send traffic through the node's proxy; a path is shown when it was called 3 times."
    table(columns, map(row, body["objects"]), empty=empty)


@command.command("show", epilog="gatecrash endpoints show ep_31d9aa --json")
@click.argument("endpoint_id", metavar="ENDPOINT")
@json_option
@with_api
def show(api: Api, endpoint_id: str, as_json: bool) -> None:
    """Show one endpoint: which parameters authenticate it, how often, and where they are."""
    body = api.get(f"/v1/endpoints/{segment(endpoint_id)}")
    if as_json:
        document(body)
        return
    plain = {name: value for name, value in body.items() if not isinstance(value, dict) and name != "parameters"}
    facts((name, moment(value) if name.endswith("_seen") else value) for name, value in plain.items())
    click.echo()
    parameters = body["parameters"]
    columns = ("type", "coverage", "key", "context", "path")
    rows = (
        (one["type"], share(one["coverage"]), one["key"], one["context"], place(one["point"])) for one in parameters
    )
    table(columns, rows, empty="No authentication parameter was seen.")


def row(one: Mapping[str, Any]) -> tuple[object, ...]:
    """One endpoint as a table's row."""
    return (
        one["id"],
        one["method"],
        one["host"],
        one["path"],
        one["status"] or "no traffic",
        share(one["coverage"]),
        one["types"],
        one["requests"],
        moment(one.get("last_seen")),
    )


def share(percent: object) -> str:
    """A share in percent; never rounded up to a whole that it is not."""
    if not isinstance(percent, int | float):
        return "-"
    cut = int(percent * 10) / 10
    return f"{cut:g}%" if cut or not percent else "<0.1%"
