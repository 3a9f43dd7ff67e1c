from importlib.util import find_spec

from django.conf import settings

from gatecrash.control.parts import APPS


def test_every_app_is_there_and_installed_in_order() -> None:
    assert [f"gatecrash.control.{name}" for name in APPS] == settings.INSTALLED_APPS[-len(APPS) :]
    assert all(find_spec(f"gatecrash.control.{name}.models") for name in APPS)
