"""What the answer to a step of a login says where it lets nobody in."""

import pytest

from gatecrash.core.message import Response
from gatecrash.node.test.sessions.login_answers import may_pass, refused

FORM = Response(200, body=b"<form method=post><input name=user><input type=password name=password></form>")


@pytest.mark.parametrize(
    ("response", "by_page", "told"),
    [
        (Response(401), False, "answered 401"),
        (FORM, False, ""),
        (FORM, True, "answered 200 (shows a login form)"),
        (Response(200, body=b'{"token": "t1"}'), True, ""),
        (Response(302, ((b"Location", b"/home"),)), True, ""),
    ],
)
def test_a_page_refuses_only_where_it_is_known_that_who_is_let_in_is_shown_another(
    response: Response, by_page: bool, told: str
) -> None:
    assert refused(response, by_page=by_page) == told


def test_an_error_of_the_server_or_too_many_requests_may_pass() -> None:
    assert [may_pass(Response(status)) for status in (401, 429, 503)] == [False, True, True]
