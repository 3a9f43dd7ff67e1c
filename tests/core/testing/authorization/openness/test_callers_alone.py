"""What can act upon nobody but its caller changes nothing where there is none."""

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.openness.callers_alone import acts_on_its_caller_alone

DONE = b'{"ok": true}'


@pytest.mark.parametrize(
    ("method", "target", "body", "told", "alone"),
    [
        ("POST", b"/api/account/leave", b"", DONE, True),
        ("POST", b"/me/refresh-view", b"", b"", True),
        ("GET", b"/api/account/leave", b"", DONE, False),
        ("POST", b"/api/account/leave?user=7", b"", DONE, False),
        ("POST", b"/api/account/mail", b"mail=a", DONE, False),
        ("POST", b"/api/accounts/7/close", b"", DONE, False),
        ("POST", b"/api/cache/clear", b"", DONE, False),
        ("POST", b"/api/auth/rotate-keys", b"", DONE, False),
        ("POST", b"/api/account/export", b"", b'{"name": "Ann", "mail": "a@b.example", "tel": "1"}', False),
        ("POST", b"/api/account/key", b"", b'{"key": "%s"}' % (b"k" * 80), False),
        ("POST", b"/api/account/page", b"", b"<p>all of it</p>", False),
    ],
)
def test_it_brings_nothing_and_tells_nothing(method, target, body, told, alone):
    answer = Response(200, ((b"Content-Type", b"application/json"),), told)
    assert acts_on_its_caller_alone(Request(method, target, (), body), answer) is alone
