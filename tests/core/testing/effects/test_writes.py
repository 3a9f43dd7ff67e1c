"""What stays behind a request that writes."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.effects.writes import configures, overwrites, puts_back, renames_sender
from gatecrash.core.testing.ordering import rank

FORM = ((b"Content-Type", b"application/x-www-form-urlencoded"),)


@pytest.mark.parametrize(
    ("method", "path", "body", "expected"),
    [
        ("POST", "/settings", b"city=Bern&email=ann%40a.example", True),
        ("PUT", "/me", b"new_username=ann", True),
        ("POST", "/settings", b"city=Bern&name=ann", False),
        ("POST", "/settings", b"email=", False),
        ("POST", "/login", b"email=ann%40a.example&password=p", False),
        ("GET", "/settings", b"email=ann%40a.example", False),
    ],
)
def test_what_writes_the_name_that_its_sender_signs_in_with(method, path, body, expected):
    headers = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    assert renames_sender(Request(method, path.encode(), headers, body, host="a.example")) is expected


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("POST", "/admin/configure", True),
        ("PUT", "/api/site-settings", True),
        ("PATCH", "/api/userSettings", True),
        ("POST", "/admin/options.php", True),
        ("POST", "/index.php/Special:Preferences", True),
        ("PATCH", "/api/users/me/", True),
        ("POST", "/me/orders", False),
        ("POST", "/theme", False),
        ("GET", "/settings", False),
        ("GET", "/settings/save?theme=dark", True),
        ("GET", "/prefs/set_language?to=de", True),
        ("GET", "/settings/search?q=theme", False),
        ("GET", "/settings/save", False),
        ("GET", "/cards/set?number=7", False),
        ("DELETE", "/settings/7", False),
        ("POST", "/adoptions", False),
        ("POST", "/configurator", False),
        ("POST", "/orders", False),
    ],
)
def test_what_writes_settings_goes_late_and_is_put_back(method, path, expected):
    """A theme that is not there could spoil all pages for whatever is tested afterwards."""
    request = Request(method, path.encode(), FORM, b"theme=plain&city=Bern", host="a.example")
    assert configures(request) is expected
    assert puts_back(request, signed_in=True) is puts_back(request, signed_in=False) is expected
    assert not expected or rank(request) == 2


def test_what_somebody_has_of_his_own_goes_as_late_and_is_put_back_where_somebody_sends_it():
    request = Request("POST", b"/me", FORM, b"theme=plain&city=Bern", host="a.example")
    assert (configures(request), rank(request)) == (True, 2)
    assert puts_back(request, signed_in=True)
    assert not puts_back(request, signed_in=False)


def test_what_its_sender_signs_in_with_is_put_back_for_a_sender_who_signs_in():
    request = Request("POST", b"/members/7", FORM, b"email=ann%40a.example", host="a.example")
    assert puts_back(request, signed_in=True)
    assert not puts_back(request, signed_in=False), "a subscription, or a message"


@pytest.mark.parametrize(
    ("method", "path", "body", "kind", "expected"),
    [
        ("PUT", b"/notes/7", b'{"text": "tea"}', b"application/json", True),
        ("PATCH", b"/me", b"name=ann", b"application/x-www-form-urlencoded", True),
        ("PUT", b"/me/password", b'{"new": "x"}', b"application/json", True),
        ("PATCH", b"/notes/7", b'[{"op": "add", "path": "/tags/-", "value": "a"}]', b"application/json-patch+json", False),
        ("PUT", b"/notes/7/publish", b"", b"application/json", False),
        ("PUT", b"/notes/7/delete", b'{"sure": true}', b"application/json", False),
        ("POST", b"/notes/7/edit", b"text=tea", b"application/x-www-form-urlencoded", True),
        ("POST", b"/notes", b"text=tea", b"application/x-www-form-urlencoded", False),
        ("POST", b"/users/7/role", b'{"role": "editor"}', b"application/json", True),
        ("POST", b"/me/password", b'{"new": "x"}', b"application/json", True),
        ("POST", b"/members/role", b'{"role": "editor"}', b"application/json", False),
        ("POST", b"/orders/7/items", b'{"product": 5}', b"application/json", False),
        ("POST", b"/orders/7/cancel", b"{}", b"application/json", False),
        ("DELETE", b"/notes/7", b"{}", b"application/json", False),
        ("POST", b"/graphql", b'{"query": "mutation { updateNote(id: 7, text: \\"a\\") { id } }"}', b"application/json", True),
        ("POST", b"/graphql", b'{"query": "mutation { createNote(text: \\"a\\") { id } }"}', b"application/json", False),
        ("POST", b"/graphql", b'{"query": "{ notes { id } }"}', b"application/json", False),
    ],
)  # fmt: skip
def test_what_overwrites_is_put_back(method, path, body, kind, expected):
    """What an injection test wrote last would stay in the profile, or as the password."""
    request = Request(method, path, ((b"Content-Type", kind),), body, host="a.example")
    assert overwrites(request) is expected
    assert puts_back(request, signed_in=False) is expected
