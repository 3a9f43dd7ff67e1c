"""`gatecrash node list` and `node remove`: the nodes that the service knows, and silent ones taken off its list."""

import time
from typing import Any

import click

from gatecrash.cli.api import Api, Refused, segment
from gatecrash.cli.options import json_option, with_api
from gatecrash.cli.output import document, moment, say, table, warn
from gatecrash.cli.shape import Command
from gatecrash.core.reports.plural import plural

DAY = 86400


@click.command("list", cls=Command, epilog="gatecrash node list --json")
@json_option
@with_api
def list_nodes(api: Api, as_json: bool) -> None:
    """List the nodes that the service knows, the default one first."""
    body = api.pages("/v1/nodes")
    if as_json:
        document(body)
        return
    columns = ("id", "name", "build", "default", "state", "version", "proxy", "last heard")
    rows = (
        (
            one["id"],
            one["name"],
            one["build_id"],
            one["default"],
            state(one),
            one["version"],
            one["proxy_address"],
            moment(one["last_seen"]),
        )
        for one in body["objects"]
    )
    table(columns, rows, empty="There are no nodes.")


@click.command(
    "remove",
    cls=Command,
    epilog="""
    gatecrash node remove node_5d0c7e
    gatecrash node remove --builds-silent-for 7
    """,
)
@click.argument("node_ids", metavar="[NODE]...", nargs=-1)
@click.option(
    "--builds-silent-for",
    "days",
    type=click.IntRange(0, 36500),
    metavar="DAYS",
    help="All nodes of builds (BUILD_ID) that were not heard for so many days.",
)
@with_api
def remove(api: Api, node_ids: tuple[str, ...], days: int | None) -> None:
    """Take silent nodes off the list; what they counted and tested stays. At its next hello a node is there again.

    One that is connected, or that a run or a recording waits for, stays; the exit code is 4 then where it was named.
    """
    if not node_ids and days is None:
        raise click.UsageError("Name nodes (`gatecrash node list` shows them), or give --builds-silent-for.")
    for node_id in node_ids:
        api.delete(f"/v1/nodes/{segment(node_id)}")
        say(f"Removed {node_id}.")
    if days is not None:
        _remove_builds(api, time.time() - days * DAY)


def _remove_builds(api: Api, before: float) -> None:
    """Remove builds' nodes that were last heard before that moment; those that something waits for are told and kept."""
    removed = 0
    for one in api.pages("/v1/nodes")["objects"]:
        if not one["build_id"] or one["default"] or one["connected"] or (one["last_seen"] or before) >= before:
            continue
        try:
            api.delete(f"/v1/nodes/{segment(one['id'])}")
        except Refused as error:
            if error.status not in (404, 409):
                raise
            warn(f"{one['id']} ({one['name']}) stays: something waits for it, or it is heard again.")
        else:
            removed += 1
    say(f"Removed {plural(removed, 'node')}.")


def state(node: dict[str, Any]) -> str:
    """Whether it is there."""
    if node["connected"]:
        return "connected"
    return "awaited" if node["last_seen"] is None else "silent"
