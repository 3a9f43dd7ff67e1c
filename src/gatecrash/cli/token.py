"""`gatecrash token`: API tokens, their roles and their ends."""

import time
from collections.abc import Mapping
from typing import Any

import click

from gatecrash.cli.installation import inside, on_installation
from gatecrash.cli.options import json_option
from gatecrash.cli.output import document, moment, say, table
from gatecrash.cli.shape import Group

ROLES = ("admin", "analyst", "viewer", "ci", "node")
FIELDS = ("id", "name", "role", "node_id", "created_at", "expires_at", "revoked_at", "last_used_at")
client_option = click.option("--client", "client_id", metavar="ID", help="The client. [env: GATECRASH_CLIENT]")


@click.group(cls=Group, epilog="gatecrash token create pipeline --role ci --expires-in 90")
def command() -> None:
    """Make, list and revoke API tokens, directly on the database of this installation."""


@command.command("list", epilog="gatecrash token list --json")
@client_option
@json_option
@on_installation
def list_tokens(client_id: str | None, as_json: bool) -> None:
    """List a client's tokens; the tokens themselves are not stored and cannot be shown."""
    from gatecrash.control.accounts.models import ApiToken

    with inside(client_id):
        rows = list(ApiToken.objects.order_by("created_at", "id").values(*FIELDS))
    if as_json:
        document({"objects": rows, "total": len(rows)})
        return
    columns = ("id", "name", "role", "state", "expires", "last used")
    cells = (
        (row["id"], row["name"], row["role"], state(row), moment(row["expires_at"]), moment(row["last_used_at"]))
        for row in rows
    )
    table(columns, cells, empty="There are no tokens.")


@command.command(
    "create",
    epilog="""
    gatecrash token create pipeline --role ci --expires-in 90
    gatecrash token create edge-1 --role node > edge-1.token
    """,
)
@click.argument("name")
@click.option("--role", type=click.Choice(ROLES), default="analyst", show_default=True, help="What it may do.")
@click.option(
    "--expires-in", type=click.IntRange(1, 36500), metavar="DAYS", help="Valid for so long; without: until revoked."
)
@client_option
@json_option
@on_installation
def create(name: str, role: str, expires_in: int | None, client_id: str | None, as_json: bool) -> None:
    """Make a token; it is printed once, alone on standard output."""
    from gatecrash.control.accounts import services
    from gatecrash.control.api.roles import Role

    if not name.strip() or len(name) > 255:
        raise click.BadParameter("a name has 1 to 255 characters", param_hint="NAME")
    expires_at = None if expires_in is None else int(time.time()) + expires_in * 86400
    with inside(client_id) as chosen:
        row, text = services.create_token(name, Role(role), expires_at=expires_at)
    if as_json:
        document(
            {"id": row.id, "name": name, "role": role, "client_id": chosen, "expires_at": expires_at, "token": text}
        )
        return
    click.echo(text)
    say(f"{row.id}: shown once. Use it as GATECRASH_TOKEN, or put it into config.toml.")


@command.command("revoke", epilog="gatecrash token revoke tok_83aa10")
@click.argument("token_id", metavar="TOKEN-ID")
@client_option
@on_installation
def revoke(token_id: str, client_id: str | None) -> None:
    """End a token now."""
    from gatecrash.control.accounts import services
    from gatecrash.control.accounts.models import ApiToken

    with inside(client_id):
        row = ApiToken.objects.filter(id=token_id).first()
        if row is None:
            raise click.UsageError(f"There is no token {token_id!r}; `gatecrash token list` shows their identifiers.")
        services.revoke_token(row)
    say(f"Revoked {token_id}; running services refuse it within a second.")


def state(row: Mapping[str, Any]) -> str:
    """Whether a token opens anything."""
    if row["revoked_at"] is not None:
        return "revoked"
    if row["expires_at"] is not None and row["expires_at"] <= time.time():
        return "expired"
    return "valid"
