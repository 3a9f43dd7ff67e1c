"""Who only asks to be let in changes nothing."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.effects.letting_in import asks_to_be_let_in


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (b"/login", True),
        (b"/api/userLogin.php", True),
        (b"/admin/log-in/check", True),
        (b"/auth/local", True),
        (b"/oauth/token", True),
        (b"/session", True),
        (b"/access-tokens", True),
        (b"/exchange/credits/login", True),
        (b"/auth/reset-password", False),
        (b"/auth/verify-email", False),
        (b"/login/confirm", False),
        (b"/tokens/revoke", False),
        (b"/tokens/7/uses", False),
        (b"/sessions/7/rooms", False),
        (b"/auth/register", False),
        (b"/change-login", False),
        (b"/catalog-index", False),
        (b"/orders", False),
    ],
)
def test_what_only_asks_to_be_let_in_is_said_by_its_address(path, expected):
    """A value that holds for every row would change every account where the statement is another than a login's."""
    assert asks_to_be_let_in(Request("POST", path)) is expected
    assert not asks_to_be_let_in(Request("PUT", path))
