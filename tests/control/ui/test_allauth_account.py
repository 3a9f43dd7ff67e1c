"""allauth starts without its middleware in the settings, because the doorway holds it."""

from django.apps import apps
from django.conf import settings

from gatecrash.control.ui.allauth_account import Account


def test_the_app_is_ours_and_ready() -> None:
    assert isinstance(apps.get_app_config("account"), Account)
    assert not any("allauth" in name for name in settings.MIDDLEWARE)
