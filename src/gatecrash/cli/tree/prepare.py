"""`python -m gatecrash.cli.tree.prepare`: what must be done before the tree starts, in a process of its own.

So Django never grows in the supervisor. Prints one JSON document on standard output, which only the supervisor reads:
it may hold credentials.
"""

import json
import sys
from typing import Any

from gatecrash.cli.installation import Unopened, opened, run_management
from gatecrash.cli.settings import data_dir
from gatecrash.cli.tree.credentials import NODE_TOKEN, write_private
from gatecrash.core.errors import UserError
from gatecrash.node.garbage import collect_hardly

USER_ERROR = 2


def main() -> None:
    """Migrate, make the first client where there is none, see that the node has a token."""
    collect_hardly()
    try:
        with opened():
            migrate()
            remember_database()
            print(json.dumps(prepare()))
    except (Unopened, UserError) as error:
        print(error.message if isinstance(error, Unopened) else error, file=sys.stderr)
        sys.exit(error.exit_code if isinstance(error, Unopened) else USER_ERROR)


def migrate() -> None:
    """Bring the database to this version's shape. Raises UserError where a later version has been there."""
    from gatecrash.control.missing_migrations import later_migrations, missing_migrations

    if later := later_migrations():
        raise UserError(
            f"The database is of a later version: this one does not know its migration {'.'.join(later[0])}. "
            "Start the version that made it, or restore a backup of before (gatecrash restore FILE --replace)."
        )
    if missing_migrations():
        run_management("migrate", "--verbosity=0")


def remember_database() -> None:
    """So that a later command is not led to an empty file where it is not told of the server."""
    from gatecrash.control import chosen_database, places

    chosen_database.remember(data_dir(), places.database_url())


def prepare() -> dict[str, Any]:
    """The first start's credentials, where this is it, and the client that the embedded node works for."""
    from gatecrash.control.accounts.first_start import first_start
    from gatecrash.control.accounts.models import Client

    made = first_start()
    client_id = made.client_id if made else Client.objects.order_by("created_at", "id").values_list("id", flat=True)[0]
    ensure_node_token(client_id)
    return {
        "client_id": client_id,
        "first": made is not None,
        "owner": made.owner if made else None,
        "password": made.password if made else None,
        "token": made.token if made else None,
    }


def ensure_node_token(client_id: str) -> None:
    """Keep the embedded node's token, for it is the node's identity; make a new one where it is not valid any more."""
    from gatecrash.control import wall
    from gatecrash.control.accounts import services, tokens
    from gatecrash.control.accounts.models import ApiToken
    from gatecrash.control.api.roles import Role

    path = data_dir() / NODE_TOKEN
    known = path.read_text(encoding="utf-8").strip() if path.exists() else ""
    with wall.client(client_id):
        if known and ApiToken.objects.filter(digest=tokens.digest(known), revoked_at=None).exists():
            return
        _, text = services.create_token("embedded node", Role.NODE)
    write_private(path, text + "\n")


if __name__ == "__main__":
    main()
