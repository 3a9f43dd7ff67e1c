"""Removing all that a client has."""

from django.db import connection

from gatecrash.control import wall


def erase(client_id: str) -> None:
    """Delete the client's rows from every table behind the wall, in the caller's transaction.

    The database's foreign keys are checked at the transaction's end, so the order of tables does not matter.
    """
    with wall.client(client_id), connection.cursor() as cursor:
        for table in sorted(wall.tables()):
            cursor.execute(f'DELETE FROM "{table}" WHERE client_id = %s', [client_id])  # noqa: S608 - names of our own tables
