"""What an answer hands to the requests that follow it."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.forms.values import handed_out, value_for, with_tokens_of

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


def test_a_request_takes_the_token_of_the_form_that_sends_to_its_address() -> None:
    page = Exchange(Request("GET", b"/notes/edit"), PAGE)
    headers = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    sent = Request("POST", b"/notes/save", headers, b"_token=recorded-1&title=t")
    assert with_tokens_of(page, sent).body == b"_token=saved-1&title=t"
    without = Request("POST", b"/notes/save", headers, b"title=t")
    assert with_tokens_of(page, without) == without
    assert with_tokens_of(Exchange(page.request), sent) == sent


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


def test_tokens_in_the_addresses_of_forms_and_links_are_read() -> None:
    page = Response(
        200,
        body=b"""<form method=post action="&#47;app&#47;stop?path=&#47;&amp;x.CSRF_NONCE=6802CC4038"><input type=submit></form>
<a href="edit?id=7&amp;_wpnonce=0a1b2c3d">Edit</a> <a href="drop?id=7&amp;_wpnonce=4e5f6a7b#top">Drop</a>
<a href="edit?id=7&amp;_wpnonce=0a1b2c3d">again</a> <a href="/list?sort=name">List</a> <a class=nonce href="/go?to=a">Go</a>""",
    )
    assert [(field.name, field.value) for field in handed_out(page)] == [
        ("x.CSRF_NONCE", "6802CC4038"), ("_wpnonce", "0a1b2c3d"), ("_wpnonce", "4e5f6a7b"),
    ]  # fmt: skip
    assert value_for(page, ("x.CSRF_NONCE",), "/app/stop", "/app/") == "6802CC4038"
    assert value_for(page, ("_wpnonce",), "/app/drop", "/app/") == "4e5f6a7b", "the link that leads there comes first"
