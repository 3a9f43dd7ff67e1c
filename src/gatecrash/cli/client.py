"""`gatecrash client`: the tenants of this installation."""

from typing import TYPE_CHECKING

import click

from gatecrash.cli.installation import on_installation
from gatecrash.cli.options import json_option
from gatecrash.cli.output import document, moment, say, table
from gatecrash.cli.shape import Command, Group

if TYPE_CHECKING:
    from gatecrash.control.accounts.models import Client


@click.group(cls=Group, epilog="gatecrash client create 'Payments team'")
def command() -> None:
    """Make, list, change and delete clients, directly on the database of this installation."""


@command.command("list", epilog="gatecrash client list --json")
@json_option
@on_installation
def list_clients(as_json: bool) -> None:
    """List the clients, the oldest first."""
    from gatecrash.control.accounts.models import Client

    rows = list(Client.objects.order_by("created_at", "id").values("id", "name", "rps_per_host", "created_at"))
    if as_json:
        document({"objects": rows, "total": len(rows)})
        return
    cells = ((row["id"], row["name"], limit_of(row["rps_per_host"]), moment(row["created_at"])) for row in rows)
    table(("id", "name", "requests/s per host", "created"), cells, empty="There are no clients.")


@command.command("create", epilog="gatecrash client create 'Payments team' --id cl_payments")
@click.argument("name")
@click.option("--id", "client_id", metavar="ID", help="Identifier of your own choice.")
@json_option
@on_installation
def create(name: str, client_id: str | None, as_json: bool) -> None:
    """Make a client."""
    from gatecrash.control.accounts import services
    from gatecrash.control.accounts.models import Client

    if not name.strip() or len(name) > 255:
        raise click.BadParameter("a name has 1 to 255 characters", param_hint="NAME")
    if client_id is not None and Client.objects.filter(id=client_id).exists():
        raise click.UsageError(f"There is a client {client_id!r} already.")
    made = services.create_client(name, client_id)
    if as_json:
        document({"id": made.id, "name": made.name, "created_at": made.created_at})
        return
    click.echo(made.id)
    say(f"A token for it: gatecrash token create NAME --client {made.id}")


@command.command(
    "change",
    cls=Command,
    epilog="""
    gatecrash client change cl_payments --rps-per-host 50
    gatecrash client change cl_payments --name Payments --no-rps-per-host
    """,
)
@click.argument("client_id", metavar="CLIENT")
@click.option("--name", help="Its new name.")
@click.option("--rps-per-host", type=click.IntRange(1, 1000), metavar="N", help="Test requests a second to any one host, over all its runs and nodes.")  # fmt: skip
@click.option("--no-rps-per-host", "unlimited", is_flag=True, help="Take that limit away.")
@json_option
@on_installation
def change(client_id: str, name: str | None, rps_per_host: int | None, unlimited: bool, as_json: bool) -> None:
    """Rename a client, or limit what all its tests together send to one host. Nodes hear of it within 2 seconds."""
    from gatecrash.control.accounts import services

    if unlimited and rps_per_host is not None:
        raise click.UsageError("--rps-per-host sets the limit and --no-rps-per-host takes it away: give one of them.")
    if name is not None and (not name.strip() or len(name) > 255):
        raise click.BadParameter("a name has 1 to 255 characters", param_hint="--name")
    changes: dict[str, str | bool | int | None] = {} if name is None else {"name": name}
    if unlimited or rps_per_host is not None:
        changes["rps_per_host"] = rps_per_host
    if not changes:
        raise click.UsageError("Nothing to change: give --name, --rps-per-host or --no-rps-per-host.")
    found = services.change_client(existing(client_id), **changes)
    if as_json:
        document({"id": found.id, "name": found.name, "rps_per_host": found.rps_per_host})
        return
    say(f"{found.id}: {found.name}, requests a second to one host: {limit_of(found.rps_per_host)}.")


@command.command("delete", epilog="gatecrash client delete cl_payments --yes")
@click.argument("client_id", metavar="CLIENT")
@click.option("--yes", is_flag=True, help="Do not ask.")
@on_installation
def delete(client_id: str, yes: bool) -> None:
    """Delete a client with everything it has: runs, records, endpoints, findings."""
    from gatecrash.control import wall
    from gatecrash.control.accounts import services

    found = existing(client_id)
    if not yes:
        click.confirm(f"Delete {found.name!r} ({client_id}) with all its data?", abort=True, err=True)
    with wall.client(client_id):
        services.delete_client(found)
    say(f"Deleted {client_id}.")


def existing(client_id: str) -> "Client":
    """The client. Raises UsageError where there is none."""
    from gatecrash.control.accounts.models import Client

    found: Client | None = Client.objects.filter(id=client_id).first()
    if found is None:
        raise click.UsageError(f"There is no client {client_id!r}; `gatecrash client list` shows them.")
    return found


def limit_of(rps: int | None) -> str:
    """A limit as it is shown."""
    return "no limit" if rps is None else str(rps)
