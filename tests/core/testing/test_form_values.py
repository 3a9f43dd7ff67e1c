"""What an answer hands to the requests that follow it."""

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.form_values import handed_out, value_for

PAGE = Response(
    200,
    body=b"""<!doctype html><meta name="csrf-token" content="meta-1"><meta name=author content=anna>
<form action='/other'><input type=hidden name=_token value="other&amp;1"></form>
<form method=post action="save"><input type='hidden' name='_token' value='saved-1'/><input name=title value=t></form>
<form><input type=hidden name=step value=2></form>""",
)
JSON = Response(
    200, ((b"Content-Type", b"application/json"),), b'{"user": "anna", "csrfToken": "json-1", "name": "x-csrf"}'
)


def test_hidden_fields_and_meta_tags_are_read_and_what_a_user_fills_in_is_not() -> None:
    assert [(field.name, field.value, field.action) for field in handed_out(PAGE)] == [
        ("csrf-token", "meta-1", None), ("_token", "other&1", "/other"), ("_token", "saved-1", "save"), ("step", "2", ""),
    ]  # fmt: skip


def test_members_and_variables_are_read_where_they_are_called_so() -> None:
    assert [(field.name, field.value) for field in handed_out(JSON)] == [("csrfToken", "json-1")]
    script = Response(200, body=b"<script>var csrf_token = 'script-1', other = 'plain-1';</script>")
    assert [(field.name, field.value) for field in handed_out(script)] == [("csrf_token", "script-1")]


@pytest.mark.parametrize(
    ("names", "path", "value"),
    [
        (("_token",), "/app/save", "saved-1"),
        (("_token",), "/other", "other&1"),
        (("_token",), "/elsewhere", "other&1"),
        (("X-CSRF-Token", "csrf-token"), "/app/save", "meta-1"),
        (("step",), "/app/edit", "2"),
        (("nonce",), "/app/save", None),
    ],
)
def test_the_form_that_sends_to_the_address_comes_first(names: tuple[str, ...], path: str, value: str | None) -> None:
    assert value_for(PAGE, names, path, "/app/edit") == value


def test_an_error_hands_out_nothing() -> None:
    assert value_for(Response(404, body=PAGE.body), ("_token",), "/other", "/app/edit") is None


def test_of_several_tokens_of_one_name_the_one_at_the_recorded_place_is_taken() -> None:
    """A page that hands its scripts a token for each thing that they do."""
    page = Response(
        200, body=b"<script>a={'nonce': 'for-a-7'}; b={'nonce': 'for-b-7'}; c={'nonce': 'for-c-7'}</script>"
    )
    assert [value_for(page, ("nonce",), "/api", "/", ("old-one", place)) for place in (0, 1, 2, 9)] == [
        "for-a-7", "for-b-7", "for-c-7", "for-a-7",
    ]  # fmt: skip
    assert value_for(page, ("nonce",), "/api", "/", ("for-c-7", 0)) == "for-c-7", (
        "what is still handed out is still good"
    )
    assert value_for(page, ("X-Token", "nonce"), "/api", "/", ("", 2)) == "for-a-7", (
        "its place is known of its own name alone"
    )
    assert value_for(PAGE, ("_token",), "/app/save", "/app/edit", ("", 0)) == "saved-1", "a form's own comes first"
