"""`gatecrash auth-params`: the parameters that count as authentication (contract 4.1, 4.2)."""

import json
from typing import Any

import click

from gatecrash.cli.api import Api, segment
from gatecrash.cli.options import json_option, with_api
from gatecrash.cli.output import document, say, table
from gatecrash.cli.shape import Group

# The shapes of contract 2.3 under names that are quick to type.
SHORT = {
    "header": ["header"],
    "cookie": ["header", "COOKIE", "cookie"],
    "query": ["get"],
    "form": ["post", "form_urlencoded"],
    "json": ["post", "json_doc", "json_obj"],
}


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


def parse_point(written: str) -> list[Any]:
    """The point in the nested form of the contract, from its short form or from JSON.

    Whether it is a good one is the service's to say; only what cannot be read is refused here.
    """
    if written.lstrip().startswith("["):
        try:
            value = json.loads(written)
        except ValueError as error:
            raise click.BadParameter(f"{written!r} is not JSON: {error}", param_hint="POINT") from error
        return value if value and isinstance(value[0], list) else [value]
    kind, colon, name = written.partition(":")
    if not colon or kind not in SHORT:
        raise click.BadParameter(
            f"{written!r} is no point; write {', '.join(f'{kind}:NAME' for kind in SHORT)}, or JSON like "
            '\'["header", "X-A"]\'.',
            param_hint="POINT",
        )
    return [[*SHORT[kind], name]]


def place(point: object) -> str:
    """A point of the API in the short form where there is one, else its steps with slashes between."""
    steps = point[0] if isinstance(point, list) and point and isinstance(point[0], list) else point
    if not isinstance(steps, list) or not steps:
        return "-"
    for kind, prefix in SHORT.items():
        if steps[:-1] == prefix:
            return f"{kind}:{steps[-1]}"
    return "/".join(str(step) for step in steps)


def _path(api: Api) -> str:
    return f"/v1/clients/{segment(api.client_id)}/apid/config/auth-parameters"
