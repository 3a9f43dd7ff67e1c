"""A password that a scan drew is known where it is shown."""

from gatecrash.core.testing.own_passwords import SHOWN, is_own_password, own_password


def test_a_drawn_password_is_known_by_its_form() -> None:
    assert is_own_password(own_password("0123456789"))
    assert SHOWN in own_password("0123456789").encode()
    assert not any(map(is_own_password, ("Gc-0123-Xq7!", "x" + own_password("0123456789"), "gold", 7, None)))
