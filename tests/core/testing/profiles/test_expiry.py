"""When a session must be renewed."""

import base64
import json

import pytest

from gatecrash.core.testing.profiles.expiry import ends_at

NOW = 1_700_000_000.0


def jwt(**claims: object) -> str:
    parts = (b'{"alg":"none"}', json.dumps(claims).encode(), b"s")
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


def test_a_fifth_before_the_end_and_half_a_minute_at_most() -> None:
    assert ends_at("100", {}, (), NOW) == NOW + 80
    assert ends_at("3600", {}, (), NOW) == NOW + 3570
    assert ends_at("${life}", {"life": "5"}, (), NOW) == NOW + 4


def test_a_token_tells_by_itself() -> None:
    assert ends_at("", {"t": jwt(exp=NOW + 10)}, ("t",), NOW) == NOW + 8
    assert ends_at("", {"t": "Bearer " + jwt(exp=NOW + 10)}, ("t",), NOW) == NOW + 8
    assert ends_at("", {"a": jwt(exp=NOW + 10), "b": jwt(exp=NOW + 5)}, ("a", "b"), NOW) == NOW + 4
    assert ends_at("50", {"t": jwt(exp=NOW + 10)}, ("t",), NOW) == NOW + 40, "the profile has the last word"


@pytest.mark.parametrize(
    ("expires_in", "token"),
    [("", "opaque"), ("", jwt(sub="x")), ("", jwt(exp=NOW - 1)), ("", jwt(exp=True)), ("${life}", "x"), ("soon", "x"), ("-5", "x"), ("inf", "x")],
)  # fmt: skip
def test_where_nothing_tells_it_lives_until_it_is_refused(expires_in: str, token: str) -> None:
    assert ends_at(expires_in, {"t": token}, ("t",), NOW) is None
