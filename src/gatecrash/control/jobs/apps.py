"""Background work, leased from rows."""

from django.apps import AppConfig


class Jobs(AppConfig):
    """Background work, leased from rows."""

    name = "gatecrash.control.jobs"
    label = "jobs"
