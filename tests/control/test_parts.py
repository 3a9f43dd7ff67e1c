from django.conf import settings

from gatecrash.control.parts import APPS, ORDER


def test_every_app_is_there_and_installed_in_order() -> None:
    assert APPS == ORDER
    assert [f"gatecrash.control.{name}" for name in ORDER] == settings.INSTALLED_APPS[-len(ORDER) :]
