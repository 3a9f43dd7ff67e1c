"""Clients, users, roles, API tokens and the audit log."""

from django.apps import AppConfig
from django.db.backends.signals import connection_created

from gatecrash.control import wall


class Accounts(AppConfig):
    """The app that all others stand on; it also puts the wall before every database connection."""

    name = "gatecrash.control.accounts"
    label = "accounts"

    def ready(self) -> None:
        """Guard every connection from its start."""
        connection_created.connect(_guard, dispatch_uid="gatecrash.wall")


def _guard(sender: object, connection: object, **_: object) -> None:
    del sender
    wall.install(connection)
