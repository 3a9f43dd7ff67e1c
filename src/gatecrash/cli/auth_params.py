"""`gatecrash auth-params`: the parameters that count as authentication (contract 4.1, 4.2)."""

import click

from gatecrash.cli.api import Api, segment
from gatecrash.cli.options import json_option, with_api
from gatecrash.cli.output import document, say, table
from gatecrash.cli.place import parse_point, place
from gatecrash.cli.shape import Group


@click.group(cls=Group, epilog="gatecrash auth-params add header:X-PARTNER-KEY")
def command() -> None:
    """List, add and remove the parameters that count as authentication."""


@command.command("list", epilog="gatecrash auth-params list --json")
@json_option
@with_api
def list_parameters(api: Api, as_json: bool) -> None:
    """List the default parameters and the client's own."""
    body = api.get(_path(api))
    if as_json:
        document(body)
        return
    rows = ((one["id"], one["source"], place(one["point"])) for one in body["parameters"])
    table(("id", "source", "point"), rows, empty="There are none.")
    for one in api.get(f"/v1/clients/{segment(api.client_id)}/apid/config/auth-suggestions")["suggestions"]:
        say(f"A test run was refused without {place(one['point'])}, which is not counted yet:")
        say(f"  gatecrash auth-params add {place(one['point'])}")


@command.command(
    "add",
    epilog="""
    gatecrash auth-params add header:X-PARTNER-KEY
    gatecrash auth-params add '["get", "ticket"]'
    """,
)
@click.argument("point")
@json_option
@with_api
def add(api: Api, point: str, as_json: bool) -> None:
    """Add a parameter; new traffic counts by it within 5 seconds.

    POINT is header:NAME, cookie:NAME, query:NAME, form:NAME or json:NAME, or the point as JSON.
    """
    body = api.post(_path(api), {"point": parse_point(point)})
    if as_json:
        document(body)
    else:
        say(f"Added {place(body['point'])} as {body['id']}.")


@command.command("remove", epilog="gatecrash auth-params remove ap_5d0c7e")
@click.argument("parameter_id", metavar="ID")
@with_api
def remove(api: Api, parameter_id: str) -> None:
    """Remove one of the client's own parameters; the defaults stay."""
    api.delete(f"{_path(api)}/{segment(parameter_id)}")
    say(f"Removed {parameter_id}.")


def _path(api: Api) -> str:
    return f"/v1/clients/{segment(api.client_id)}/apid/config/auth-parameters"
