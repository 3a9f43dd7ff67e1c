"""The app of test policies: what a run may look for, and where."""

from django.apps import AppConfig


class PoliciesConfig(AppConfig):
    """A client's own policies; the built-in ones are in the core."""

    name = "gatecrash.control.policies"
    label = "policies"
