"""Too many logins are told from a wrong password."""

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.profiles.locked_out import SAID, locked_out


@pytest.mark.parametrize(
    ("status", "body", "told"),
    [
        (403, b"Too many unsuccessful logins. Try again later.", SAID),
        (400, b'{"detail": "Too many failed login attempts"}', SAID),
        (200, b"<p>Your account has been temporarily locked</p>", SAID),
        (429, b"", SAID),
        (401, b"Wrong name or password", ""),
        (200, b"<p>Too many items in your basket</p><p>Account settings</p>", ""),
    ],
)
def test_an_answer_says_that_there_were_too_many_logins(status: int, body: bytes, told: str) -> None:
    assert locked_out(Response(status, ((b"Content-Type", b"text/html"),), body)) == told
