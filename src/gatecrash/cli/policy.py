"""`gatecrash policy`: test policies, what a run may look for and where (decisions 9)."""

from pathlib import Path
from typing import Any

import click

from gatecrash.cli.api import Api, segment
from gatecrash.cli.options import json_option, with_api
from gatecrash.cli.output import document, facts, moment, say, table
from gatecrash.cli.policy_file import policy_fields, policy_from
from gatecrash.cli.shape import Group

_FILE = click.argument("file", type=click.Path(path_type=Path))


@click.group(cls=Group, epilog="gatecrash policy create careful.yaml")
def command() -> None:
    """List, make and change test policies.

    A policy's file is YAML or JSON: name, desc, tags, types, locations, include and exclude (points whose elements are
    regular expressions), methods_excluded, budget (test requests for one baseline), fuzzer, extensions (files beside
    the policy's), only_custom, logins (info tries wrong passwords), one_family (of each class only the payloads that
    confirm most of it).
    """


@command.command("list", epilog="gatecrash policy list --json")
@json_option
@with_api
def list_policies(api: Api, as_json: bool) -> None:
    """List the built-in policies and the client's own."""
    body = api.pages("/v1/policy")
    if as_json:
        document(body)
        return
    rows = ((one["id"], one["name"], ", ".join(one["types"]), one["built_in"]) for one in body["objects"])
    table(("id", "name", "types", "built in"), rows, empty="There are none.")


@command.command("show", epilog="gatecrash policy show quick")
@click.argument("policy_id", metavar="POLICY")
@json_option
@with_api
def show(api: Api, policy_id: str, as_json: bool) -> None:
    """Show one policy."""
    body = api.get(f"/v1/policy/{segment(policy_id)}")
    if as_json:
        document(body)
        return
    facts((name, moment(value) if name.endswith("_at") and value else value) for name, value in body.items())


@command.command("create", epilog="gatecrash policy create careful.yaml")
@_FILE
@json_option
@with_api
def create(api: Api, file: Path, as_json: bool) -> None:
    """Make a policy out of a file; the identifier alone goes to standard output."""
    policy_from(file)  # its own words for a mistake name the file and the place
    body = api.post("/v1/policy", {"name": file.stem, **policy_fields(file)})
    _made(body, as_json, "made")


@command.command("change", epilog="gatecrash policy change pol_2c81f0 careful.yaml")
@click.argument("policy_id", metavar="POLICY")
@_FILE
@json_option
@with_api
def change(api: Api, policy_id: str, file: Path, as_json: bool) -> None:
    """Change the fields that a file names; the others stay. Runs that began before keep the policy as it was."""
    body = api.patch(f"/v1/policy/{segment(policy_id)}", policy_fields(file))
    _made(body, as_json, "changed")


@command.command("delete", epilog="gatecrash policy delete pol_2c81f0")
@click.argument("policy_id", metavar="POLICY")
@with_api
def delete(api: Api, policy_id: str) -> None:
    """Delete one of the client's own policies; runs that began with it keep it."""
    api.delete(f"/v1/policy/{segment(policy_id)}")
    say(f"Deleted {policy_id}.")


def _made(body: dict[str, Any], as_json: bool, done: str) -> None:
    if as_json:
        document(body)
        return
    click.echo(body["id"])
    say(f"The policy {body['name']!r} was {done}.")
    say(f"  gatecrash run create NAME --policy {body['id']}    tests by it")
