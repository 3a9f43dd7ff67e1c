"""The app of auth profiles: how runs sign in to the application under test."""

from django.apps import AppConfig


class ProfilesConfig(AppConfig):
    """A client's auth profiles, sealed."""

    name = "gatecrash.control.profiles"
    label = "profiles"
