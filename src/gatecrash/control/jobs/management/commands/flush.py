"""Django's `flush`, let through the tenant wall: it works on every client's tables by its nature."""

from typing import Any

from django.core.management.commands.flush import Command as DjangoCommand

from gatecrash.control import wall


class Command(DjangoCommand):
    """`flush` in a system context."""

    def handle(self, *args: Any, **options: Any) -> Any:
        """Run Django's command."""
        with wall.system("flush"):
            return super().handle(*args, **options)
