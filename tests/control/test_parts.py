from importlib.util import find_spec

from django.conf import settings

from gatecrash.control.parts import APPS


def test_every_app_is_there_and_installed_in_order() -> None:
    ours = [f"gatecrash.control.{name}" for name in APPS]
    assert [name for name in settings.INSTALLED_APPS if name in ours] == ours
    assert all(find_spec(f"gatecrash.control.{name}.models") for name in APPS)
