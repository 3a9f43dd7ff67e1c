"""`gatecrash client`: the tenants of this installation."""

import click

from gatecrash.cli.installation import on_installation
from gatecrash.cli.options import json_option
from gatecrash.cli.output import document, moment, say, table
from gatecrash.cli.shape import Group


@click.group(cls=Group, epilog="gatecrash client create 'Payments team'")
def command() -> None:
    """Make, list and delete clients, directly on the database of this installation."""


@command.command("list", epilog="gatecrash client list --json")
@json_option
@on_installation
def list_clients(as_json: bool) -> None:
    """List the clients, the oldest first."""
    from gatecrash.control.accounts.models import Client

    rows = list(Client.objects.order_by("created_at", "id").values("id", "name", "created_at"))
    if as_json:
        document({"objects": rows, "total": len(rows)})
        return
    cells = ((row["id"], row["name"], moment(row["created_at"])) for row in rows)
    table(("id", "name", "created"), cells, empty="There are no clients.")


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


@command.command("delete", epilog="gatecrash client delete cl_payments --yes")
@click.argument("client_id", metavar="CLIENT")
@click.option("--yes", is_flag=True, help="Do not ask.")
@on_installation
def delete(client_id: str, yes: bool) -> None:
    """Delete a client with everything it has: runs, records, endpoints, findings."""
    from gatecrash.control import wall
    from gatecrash.control.accounts import services
    from gatecrash.control.accounts.models import Client

    found = Client.objects.filter(id=client_id).first()
    if found is None:
        raise click.UsageError(f"There is no client {client_id!r}; `gatecrash client list` shows them.")
    if not yes:
        click.confirm(f"Delete {found.name!r} ({client_id}) with all its data?", abort=True, err=True)
    with wall.client(client_id):
        services.delete_client(found)
    say(f"Deleted {client_id}.")
