"""`gatecrash user`: the accounts of people, and their roles in a client."""

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatecrash.cli.installation import inside, on_installation
from gatecrash.cli.options import json_option
from gatecrash.cli.output import document, moment, say, table
from gatecrash.cli.secret import read_secret
from gatecrash.cli.shape import Group

if TYPE_CHECKING:
    from gatecrash.control.accounts.models import Membership

ROLES = ("admin", "analyst", "viewer", "ci")
client_option = click.option("--client", "client_id", metavar="ID", help="The client. [env: GATECRASH_CLIENT]")
password_option = click.option(
    "--password-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File with the password ('-': standard input).",
)


@click.group(cls=Group, epilog="gatecrash user create ada@example.com --role analyst")
def command() -> None:
    """Make, list and change user accounts, directly on the database of this installation."""


@command.command("list", epilog="gatecrash user list --json")
@client_option
@json_option
@on_installation
def list_users(client_id: str | None, as_json: bool) -> None:
    """List the users of a client."""
    from gatecrash.control.accounts.models import Membership

    with inside(client_id):
        rows = [_shown(member) for member in Membership.objects.select_related("user").order_by("created_at")]
    if as_json:
        document({"objects": rows, "total": len(rows)})
        return
    columns = ("id", "email", "name", "role", "active", "created")
    cells = ((*(row[name] for name in columns[:-1]), moment(row["created_at"])) for row in rows)
    table(columns, cells, empty="There are no users.")


@command.command("create", epilog="gatecrash user create ada@example.com --role analyst --password-file ada.txt")
@click.argument("email")
@click.option("--role", type=click.Choice(ROLES), default="viewer", show_default=True, help="What the user may do.")
@click.option("--name", default="", help="The name shown.")
@password_option
@client_option
@json_option
@on_installation
def create(email: str, role: str, name: str, password_file: Path | None, client_id: str | None, as_json: bool) -> None:
    """Make a user in a client; an account that exists already gets the role there too.

    Without a password file a password is made and printed once.
    """
    from django.db import transaction

    from gatecrash.control.accounts import services
    from gatecrash.control.accounts.models import Membership, User
    from gatecrash.control.api.roles import Role

    address = _address(email)
    with inside(client_id), transaction.atomic():
        user = User.objects.filter(email=address).first()
        made = None
        if user is None:
            password, made = _password(password_file)
            user = services.create_user(address, name=name, password=password)
        elif Membership.objects.filter(user=user).exists():
            raise click.UsageError(f"{address} is a user of this client already.")
        member = services.add_member(user, Role(role))
    if as_json:
        document({**_shown(member), **({"password": made} if made else {})})
        return
    click.echo(user.id)
    if made:
        say(f"Password, shown once: {made}")


@command.command("password", epilog="gatecrash user password ada@example.com --password-file ada.txt")
@click.argument("email")
@password_option
@client_option
@on_installation
def password_(email: str, password_file: Path | None, client_id: str | None) -> None:
    """Set a user's password; without a file one is made and printed once."""
    from gatecrash.control.accounts import services

    with inside(client_id):
        member = _member(email)
        given, made = _password(password_file)
        services.set_password(member.user, given)
    say(f"Password, shown once: {made}" if made else "The password is set.")


@command.command("remove", epilog="gatecrash user remove ada@example.com")
@click.argument("email")
@client_option
@on_installation
def remove(email: str, client_id: str | None) -> None:
    """Take a user out of a client; an account that no client has any more goes too."""
    from gatecrash.control.accounts import services

    with inside(client_id):
        services.remove_member(_member(email))
    say(f"Removed {email}.")


def _member(email: str) -> "Membership":
    from gatecrash.control.accounts.models import Membership

    found = Membership.objects.select_related("user").filter(user__email=_address(email)).first()
    if found is None:
        raise click.UsageError(f"{email} is no user of this client; `gatecrash user list` shows them.")
    assert isinstance(found, Membership)
    return found


def _address(email: str) -> str:
    from django.core.exceptions import ValidationError
    from django.core.validators import validate_email

    address = email.strip().lower()
    try:
        validate_email(address)
    except ValidationError as error:
        raise click.BadParameter(f"{email!r} is no e-mail address.", param_hint="EMAIL") from error
    return address


def _password(path: Path | None) -> tuple[str, str | None]:
    """The password to set, and the same again where it was made here and must be shown."""
    from django.contrib.auth.password_validation import validate_password
    from django.core.exceptions import ValidationError

    if path is None:
        made = secrets.token_urlsafe(15)
        return made, made
    given = read_secret(path, "password")
    try:
        validate_password(given)
    except ValidationError as error:
        raise click.BadParameter(" ".join(error.messages), param_hint="--password-file") from error
    return given, None


def _shown(member: "Membership") -> dict[str, Any]:
    user = member.user
    return {
        "id": user.id,
        "email": user.email,
        "name": user.name,
        "role": member.role,
        "active": user.is_active,
        "created_at": member.created_at,
    }
