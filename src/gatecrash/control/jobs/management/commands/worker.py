"""`python -m gatecrash.control worker`: do background work until SIGTERM."""

from typing import Any

from django.core.management.base import BaseCommand

from gatecrash.control.jobs.worker import run_until_signal


class Command(BaseCommand):
    """The worker as a process."""

    help = "Do background work until SIGTERM."
    # The checks would import every page and route, which the worker never serves: half of its start.
    requires_system_checks = ()

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Run until told to stop."""
        run_until_signal()
