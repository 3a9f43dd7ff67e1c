"""Django's `migrate`, let through the tenant wall: it works on every client's tables by its nature."""

from typing import Any

from django.core.management.commands.migrate import Command as DjangoCommand

from gatecrash.control import wall


class Command(DjangoCommand):
    """`migrate` in a system context."""

    def handle(self, *args: Any, **options: Any) -> Any:
        """Run Django's command."""
        with wall.system("migrate"):
            return super().handle(*args, **options)
