"""The app of schedules: test runs that are begun again by themselves."""

from django.apps import AppConfig


class SchedulesConfig(AppConfig):
    """A client's schedules."""

    name = "gatecrash.control.schedules"
    label = "schedules"
