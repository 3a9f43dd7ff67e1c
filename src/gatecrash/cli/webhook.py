"""`gatecrash webhook`: addresses that are told what happened (docs/notifications.md)."""

import time
from pathlib import Path
from typing import Any

import click

from gatecrash.cli.api import Api, segment
from gatecrash.cli.options import json_option, with_api
from gatecrash.cli.output import document, facts, moment, say, table
from gatecrash.cli.secret import read_secret
from gatecrash.cli.shape import Group
from gatecrash.core.errors import TargetError

EVENTS = ("test_run.ended", "vulnerability.found", "endpoint.status", "schedule.paused")
# A receiver has 10 seconds to answer, and the worker looks for work every second or so.
PATIENCE, PAUSE = 20.0, 0.5
_WEBHOOK = click.argument("webhook_id", metavar="WEBHOOK")
_URL_FILE = click.option(
    "--url-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File with the address ('-': standard input): others on this machine can see a command line.",
)


class NotTaken(TargetError):
    """A test that the receiver did not take."""


@click.group(
    cls=Group,
    epilog="""
    gatecrash webhook add "team chat" https://chat.example.com/hooks/42 --event vulnerability.found
    gatecrash webhook test wh_5d0c7e
    """,
)
def command() -> None:
    """List, add, change, test and remove the addresses that are told what happened."""


@command.command("list", epilog="gatecrash webhook list --json")
@json_option
@with_api
def list_webhooks(api: Api, as_json: bool) -> None:
    """List the webhooks; of their addresses only the origin is ever shown."""
    body = api.pages("/v1/webhook")
    if as_json:
        document(body)
        return
    columns = ("id", "name", "origin", "events", "state", "waiting", "last try", "answer")
    rows = (
        (
            one["id"],
            one["name"],
            one["origin"],
            one["events"],
            "on" if one["enabled"] else "paused",
            one["waiting"],
            moment(one["last_at"]),
            one["last_error"] or one["last_status"],
        )
        for one in body["objects"]
    )
    table(columns, rows, empty="There are no webhooks. `gatecrash webhook add NAME URL` makes one.")


@command.command("show", epilog="gatecrash webhook show wh_5d0c7e")
@_WEBHOOK
@click.option(
    "--limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="So many deliveries at most."
)
@json_option
@with_api
def show(api: Api, webhook_id: str, limit: int, as_json: bool) -> None:
    """Show one webhook and what was sent to it, the newest first."""
    body = api.get(_path(webhook_id))
    deliveries = api.get(f"{_path(webhook_id)}/deliveries", limit=limit)
    if as_json:
        document({**body, "deliveries": deliveries})
        return
    facts((name, moment(value) if name.endswith("_at") else value) for name, value in body.items())
    click.echo()
    columns = ("event", "type", "state", "tries", "tried", "answer", "next try")
    rows = (
        (
            one["event_id"],
            one["type"],
            one["state"].replace("_", " "),
            one["tries"],
            moment(one["tried_at"]),
            one["error"] or one["status"],
            moment(one["next_at"]),
        )
        for one in deliveries["objects"]
    )
    table(columns, rows, empty="Nothing was sent yet.")


@command.command(
    "add",
    epilog="""
    gatecrash webhook add "team chat" https://chat.example.com/hooks/42
    gatecrash webhook add tickets --url-file address.txt --event vulnerability.found --event endpoint.status
    """,
)
@click.argument("name")
@click.argument("url", required=False)
@_URL_FILE
@click.option(
    "--event", "events", type=click.Choice(EVENTS), multiple=True, help="What it is told; several times; without: all."
)
@json_option
@with_api
def add(api: Api, name: str, url: str | None, url_file: Path | None, events: tuple[str, ...], as_json: bool) -> None:
    """Register an address; the secret that its messages are signed with is shown this once."""
    if (url is None) == (url_file is None):
        raise click.UsageError("Give the address as URL or in --url-file.")
    address = read_secret(url_file, "address") if url_file is not None else url
    body = api.post("/v1/webhook", {"name": name, "url": address, "events": list(events or EVENTS)})
    _with_secret(body, as_json, f"gatecrash webhook test {body['id']}    sends it a message")


@command.command(
    "change",
    epilog="""
    gatecrash webhook change wh_5d0c7e --event vulnerability.found --event test_run.ended
    gatecrash webhook change wh_5d0c7e --name tickets --url-file address.txt
    """,
)
@_WEBHOOK
@click.option("--name", help="Its new name.")
@click.option("--url", help="Its new address.")
@_URL_FILE
@click.option(
    "--event", "events", type=click.Choice(EVENTS), multiple=True, help="What it is told from now on; several times."
)
@json_option
@with_api
def change(
    api: Api,
    webhook_id: str,
    name: str | None,
    url: str | None,
    url_file: Path | None,
    events: tuple[str, ...],
    as_json: bool,
) -> None:
    """Change what is named; all else stays, the secret too."""
    if url is not None and url_file is not None:
        raise click.UsageError("Give the address in --url or in --url-file.")
    address = read_secret(url_file, "address") if url_file is not None else url
    given = {"name": name, "url": address, "events": list(events) or None}
    wish = {field: value for field, value in given.items() if value is not None}
    if not wish:
        raise click.UsageError("Nothing to change: give --name, --url, --url-file or --event.")
    body = api.patch(_path(webhook_id), wish)
    if as_json:
        document(body)
        return
    say(f"{webhook_id}: {body['name']} at {body['origin']} is told {', '.join(body['events'])}.")


@command.command("secret", epilog="gatecrash webhook secret wh_5d0c7e")
@_WEBHOOK
@json_option
@with_api
def replace_secret(api: Api, webhook_id: str, as_json: bool) -> None:
    """Replace the secret; for 24 hours messages carry a signature by the one before, too."""
    _with_secret(api.post(f"{_path(webhook_id)}/secret"), as_json, "For 24 hours both sign.")


@command.command("test", epilog="gatecrash webhook test wh_5d0c7e")
@_WEBHOOK
@json_option
@with_api
def test(api: Api, webhook_id: str, as_json: bool) -> None:
    """Send a message that says that nothing happened, and wait for the answer; the exit code is 3 where none took it."""
    path = f"{_path(webhook_id)}/deliveries"
    before = {one["id"] for one in _tests(api, path)}
    api.post(f"{_path(webhook_id)}/test")
    sent = _tried(api, path, before)
    if as_json:
        document(sent)
    if sent["state"] != "delivered":
        if not sent["tries"]:
            raise NotTaken("The test was not sent yet; does a worker of the service run?")
        reason = sent["error"] or f"answered with {sent['status']}"
        raise NotTaken(
            f"The test was not taken: {reason.rstrip('.')}. It is tried again; `gatecrash webhook show` tells."
        )
    say(f"Taken with {sent['status']}.", colour="green")


@command.command("pause", epilog="gatecrash webhook pause wh_5d0c7e")
@_WEBHOOK
@with_api
def pause(api: Api, webhook_id: str) -> None:
    """Tell it nothing until it is resumed; what happens in between is not kept for it."""
    api.patch(_path(webhook_id), {"enabled": False})
    say(f"Paused {webhook_id}.")


@command.command("resume", epilog="gatecrash webhook resume wh_5d0c7e")
@_WEBHOOK
@with_api
def resume(api: Api, webhook_id: str) -> None:
    """Tell it again what happens from now on."""
    api.patch(_path(webhook_id), {"enabled": True})
    say(f"Resumed {webhook_id}.")


@command.command("remove", epilog="gatecrash webhook remove wh_5d0c7e")
@_WEBHOOK
@with_api
def remove(api: Api, webhook_id: str) -> None:
    """Remove a webhook, and what was still to be sent to it."""
    api.delete(_path(webhook_id))
    say(f"Removed {webhook_id}.")


def _path(webhook_id: str) -> str:
    return f"/v1/webhook/{segment(webhook_id)}"


def _with_secret(body: dict[str, Any], as_json: bool, then: str) -> None:
    """The new secret alone on standard output, as a new token is."""
    if as_json:
        document(body)
        return
    click.echo(body["secret"])
    say(f"{body['id']}: its secret, shown once. The receiver checks signatures with it.")
    say(f"  {then}")


def _tests(api: Api, path: str) -> list[dict[str, Any]]:
    return [one for one in api.get(path, limit=200)["objects"] if one["type"] == "webhook.test"]


def _tried(api: Api, path: str, before: set[str]) -> dict[str, Any]:
    """The test that was not there before, once it was tried or patience is over."""
    until = time.monotonic() + PATIENCE
    while True:
        new = [one for one in _tests(api, path) if one["id"] not in before]
        if new and (new[0]["tries"] or time.monotonic() > until):
            return new[0]
        if time.monotonic() > until:
            raise NotTaken("The test is not among what was sent; was the webhook changed meanwhile?")
        time.sleep(PAUSE)
