"""`gatecrash endpoints`: the inventory and, for one endpoint, its Authentication tab (contract 2.4, 2.5)."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from gatecrash.cli.api import Api, segment
from gatecrash.cli.endpoint_decisions import COMMANDS
from gatecrash.cli.options import json_option, service_options, with_api
from gatecrash.cli.output import document, facts, moment, say, table
from gatecrash.cli.place import place
from gatecrash.cli.shape import Group
from gatecrash.cli.written import save

F = TypeVar("F", bound=Callable[..., Any])

TYPES = ("api_key", "aws_sigv4", "basic", "bearer", "cookie", "digest", "hawk", "hmac", "negotiate", "ntlm", "scram")
PAGE = 1000
PATH = "/v1/endpoints"

_FILTERS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--auth",
        "status",
        type=click.Choice(["consistent", "partial", "missing", "no_traffic"]),
        help="Only this status. `missing` leaves out what is marked as public on purpose.",
    ),
    click.option(
        "--type", type=click.Choice([*TYPES, "none"]), help="Only endpoints that see this type; `none`: no type."
    ),
    click.option("--host", help="Only this host."),
    click.option("--method", help="Only this method."),
    click.option("--protocol", type=click.Choice(["rest", "graphql", "soap", "grpc"]), help="Only this protocol."),
    click.option("--path", help="Only endpoints with this text in path or operation."),
    click.option("--seen-since", type=click.IntRange(0), metavar="SECONDS", help="Only those seen since a UNIX time."),
    click.option(
        "--public",
        type=click.Choice(["only", "without", "any"]),
        help="Endpoints that are public on purpose: only these, without these, or any.",
    ),
    click.option(
        "--document",
        type=click.Choice(["documented", "shadow", "unused", "none"]),
        help="By the uploaded documents: in one, missing from one, in one without traffic, or on a host without one.",
    ),
    click.option("--badge", type=click.Choice(["new", "changed", "unused"]), help="What happened within a week."),
    click.option("--sort", metavar="KEYS", help="Order, such as `-requests,host`; a minus sorts downwards."),
)


def filter_options(function: F) -> F:
    """Add the options that choose endpoints."""
    for option in reversed(_FILTERS):
        function = option(function)
    return function


@click.group(
    cls=Group,
    invoke_without_command=True,
    epilog="""
    gatecrash endpoints --auth missing
    gatecrash endpoints --type none --sort -requests
    gatecrash endpoints --export openapi --output observed.json
    gatecrash endpoints --json | jq '.objects[] | select(.status == "partial")'
    gatecrash endpoints show ep_31d9aa
    """,
)
@filter_options
@click.option("--limit", type=click.IntRange(1), help="At most so many.")
@click.option("--export", "format", type=click.Choice(["csv", "json", "openapi"]), help="Write all of them as a file.")
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="Where to; standard output by default.")
@json_option
@service_options
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """List the endpoints with status and coverage of the last 7 days."""
    if ctx.invoked_subcommand is not None:
        return
    if options["output"] is not None and options["format"] is None:
        raise click.UsageError("--output needs --export csv, json or openapi.")
    if options["format"] is None:
        options.pop("format")
        options.pop("output")
        ctx.invoke(list_endpoints, **options)
    else:
        if options.pop("limit") is not None or options.pop("as_json"):
            raise click.UsageError("--export writes all endpoints; leave --limit and --json out.")
        ctx.invoke(export, **options)


@with_api
def list_endpoints(api: Api, as_json: bool, limit: int | None, **filters: Any) -> None:
    """Write the inventory, filtered."""
    body = read_all(api, limit, **filters)
    if as_json:
        document(body)
        return
    columns = ("id", "method", "host", "path", "status", "coverage", "types", "requests", "last seen")
    empty = "No endpoints match. Send traffic through the node's proxy; a path is shown when it was called 3 times."
    table(columns, map(row, body["objects"]), empty=empty)


@with_api
def export(api: Api, output: Path | None, **wanted: Any) -> None:
    """Write the inventory as a file."""
    content = api.download(f"{PATH}/export", **wanted)
    if output is None:
        click.echo(content, nl=False)
    else:
        save(output, content)
        say(f"Wrote {output}.")


def read_all(api: Api, limit: int | None, **filters: Any) -> dict[str, Any]:
    """The endpoints that the filters let pass, page by page by the cursor of each: `objects` and `total`."""
    body = api.get(PATH, limit=min(limit or PAGE, PAGE), **filters)
    objects, cursor = list(body["objects"]), body["next_cursor"]
    while cursor and (limit is None or len(objects) < limit):
        left = PAGE if limit is None else min(limit - len(objects), PAGE)
        more = api.get(PATH, limit=left, cursor=cursor, **filters)
        objects += more["objects"]
        cursor = more["next_cursor"]
    return {"objects": objects, "total": body["total"]}


@command.command("show", epilog="gatecrash endpoints show ep_31d9aa --json")
@click.argument("endpoint_id", metavar="ENDPOINT")
@json_option
@with_api
def show(api: Api, endpoint_id: str, as_json: bool) -> None:
    """Show one endpoint: what authenticates it and how often, who is without, what was weak, how its status changed."""
    body = api.get(f"{PATH}/{segment(endpoint_id)}")
    if as_json:
        document(body)
        return
    plain = {name: value for name, value in body.items() if name not in _TABLES and not isinstance(value, dict)}
    facts((name, moment(value) if name.endswith("_seen") else value) for name, value in plain.items())
    click.echo()
    columns = ("type", "coverage", "key", "context", "path", "")
    rows = (
        (
            one["type"],
            share(one["coverage"]),
            one["key"],
            one["context"],
            place(one["point"]),
            "unproven, not counted" if one["unproven"] else "",
        )
        for one in body["parameters"]
    )
    table(columns, rows, empty="No authentication parameter was seen.")
    _show_without(body["without"])
    _show_notes(body["notes"])
    _show_history(body["history"])


@command.command("test", epilog="gatecrash endpoints test ep_31d9aa")
@click.argument("endpoint_id", metavar="ENDPOINT")
@json_option
@with_api
def test(api: Api, endpoint_id: str, as_json: bool) -> None:
    """Test one endpoint: a run over what was recorded of it last, signed in and aimed as then.

    Like any new run it interrupts the one before on its node.
    """
    run = api.post(f"{PATH}/{segment(endpoint_id)}/test")
    if as_json:
        document(run)
        return
    click.echo(run["id"])
    if run["recording"]:
        say("No record holds a request of this endpoint yet: the run waits for what is sent through its node's proxy.")
    say(f"  gatecrash run wait {run['id']}    watches it to its end")


_TABLES = frozenset({"parameters", "series", "history", "without", "notes"})


def _show_without(without: Mapping[str, Any]) -> None:
    if not without["clients"]:
        return
    click.echo(f"\n{without['requests']} requests without valid authentication since {moment(without['since'])}:")
    rows = (
        (one["family"], one["requests"], moment(one["since"]), [f"{n} {c}" for c, n in one["statuses"].items() if n])
        for one in without["clients"]
    )
    table(("client", "requests", "since", "answers"), rows, empty="")


def _show_notes(notes: Iterable[Mapping[str, Any]]) -> None:
    rows = [(one["kind"], place(one["point"]), one["requests"], moment(one["last_seen"])) for one in notes]
    if rows:
        click.echo("\nWeak credentials:")
        table(("what", "where", "requests", "last seen"), rows, empty="")


def _show_history(history: Iterable[Mapping[str, Any]]) -> None:
    rows = [(moment(one["at"]), one["from"] or "no traffic", one["to"] or "no traffic") for one in history]
    if rows:
        click.echo("\nChanges of the status:")
        table(("when", "from", "to"), rows, empty="")


def row(one: Mapping[str, Any]) -> tuple[object, ...]:
    """One endpoint as a table's row."""
    return (
        one["id"],
        one["method"],
        one["host"],
        # Operations share a path, and rows that look alike would tell nothing apart.
        f"{one['path']} {one.get('operation') or ''}".rstrip(),
        one["status"] or "no traffic",
        share(one["coverage"]),
        one["types"],
        one["requests"],
        moment(one.get("last_seen")),
    )


def share(percent: object) -> str:
    """A share in percent, as the service rounds it."""
    if not isinstance(percent, int | float):
        return "-"
    return f"{percent:g}%"


for _decision in COMMANDS:
    command.add_command(_decision)
