"""`gatecrash auth-profile`: how test runs sign in (decisions 2): secrets go in and never come out."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from gatecrash.cli.api import Api, segment
from gatecrash.cli.options import json_option, with_api
from gatecrash.cli.output import document, facts, moment, say, table
from gatecrash.cli.place import place
from gatecrash.cli.profile_file import profile_document, profile_from
from gatecrash.cli.shape import Group

PATH = "/v1/auth_profile"
_FILE = click.argument("file", type=click.Path(path_type=Path))


@click.group(
    cls=Group,
    epilog="""
    gatecrash auth-profile create users.yaml
    gatecrash run create nightly --auth-profile prof_5d1e80
    """,
)
def command() -> None:
    """Keep auth profiles: identities, and how a run signs in as each of them and stays so.

    A profile's file is YAML or JSON: name, base, identities, each with values set at points, login steps, an OAuth 2
    grant or a signature (docs/auth-profiles.md). It is encrypted at rest and never shown again; keep the file.
    """


@command.command("list", epilog="gatecrash auth-profile list --json")
@json_option
@with_api
def list_profiles(api: Api, as_json: bool) -> None:
    """List auth profiles: their identities, never their secrets."""
    body = api.pages(PATH)
    if as_json:
        document(body)
        return
    rows = (
        (one["id"], one["name"], [identity["name"] for identity in one["identities"]], moment(one["updated_at"]))
        for one in body["objects"]
    )
    table(("id", "name", "identities", "changed"), rows, empty="There are none.")


@command.command("show", epilog="gatecrash auth-profile show prof_5d1e80")
@click.argument("profile_id", metavar="PROFILE")
@json_option
@with_api
def show(api: Api, profile_id: str, as_json: bool) -> None:
    """Show an auth profile: names, ranks, means and points; values are never shown."""
    body = api.get(f"{PATH}/{segment(profile_id)}")
    if as_json:
        document(body)
        return
    facts(
        (name, moment(value) if name.endswith("_at") else value) for name, value in body.items() if name != "identities"
    )
    click.echo()
    table(("identity", "rank", "by", "points", "may go to"), map(_row, body["identities"]), empty="")


@command.command("create", epilog="gatecrash auth-profile create users.yaml")
@_FILE
@json_option
@with_api
def create(api: Api, file: Path, as_json: bool) -> None:
    """Make an auth profile out of a file; the identifier alone goes to standard output."""
    profile_from(file)  # its own words for a mistake name the file and the place
    _made(api.post(PATH, profile_document(file)), as_json, "made")


@command.command("replace", epilog="gatecrash auth-profile replace prof_5d1e80 users.yaml")
@click.argument("profile_id", metavar="PROFILE")
@_FILE
@json_option
@with_api
def replace(api: Api, profile_id: str, file: Path, as_json: bool) -> None:
    """Put a file in the place of a profile, whole; not while a run or a reading signs in by it."""
    profile_from(file)
    _made(api.put(f"{PATH}/{segment(profile_id)}", profile_document(file)), as_json, "replaced")


@command.command("delete", epilog="gatecrash auth-profile delete prof_5d1e80")
@click.argument("profile_id", metavar="PROFILE")
@with_api
def delete(api: Api, profile_id: str) -> None:
    """Destroy a profile's secrets; not while a run or a reading signs in by it."""
    api.delete(f"{PATH}/{segment(profile_id)}")
    say(f"Deleted {profile_id}.")


def _row(one: Mapping[str, Any]) -> tuple[object, ...]:
    points = [place([point]) for point in one["points"]]
    means = [one["signature"] if kind == "sign" else kind for kind in one["kinds"]]
    return (one["name"], one["rank"], means, points, one["hosts"] or "wherever tests go")


def _made(body: dict[str, Any], as_json: bool, done: str) -> None:
    if as_json:
        document(body)
        return
    click.echo(body["id"])
    say(f"The auth profile {body['name']!r} was {done}; its secrets are sealed.")
    say(f"  gatecrash run create NAME --auth-profile {body['id']}    signs in by it")
