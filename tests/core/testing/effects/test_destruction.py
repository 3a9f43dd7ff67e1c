"""What destroys says why."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.effects.destruction import (
    CHANGES_ACCOUNT,
    DELETES,
    bears_repeating,
    deletes,
    destroys,
    names_a_change,
    resets_all,
)

FORM = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
JSON = ((b"Content-Type", b"application/json"),)


def test_what_destroys_says_why():
    assert destroys(Request("GET", b"/logout")) == "ends the session"
    assert destroys(Request("DELETE", b"/orders/1")) == "deletes"
    assert destroys(Request("PUT", b"/me/password")) == "changes who may sign in, or what they may do"
    assert destroys(Request("PUT", b"/customers/7/secret")) == "changes who may sign in, or what they may do"
    assert destroys(Request("POST", b"/secrets")) is None
    assert destroys(Request("POST", b"/boards/7/pins")) is None
    assert destroys(Request("POST", b"/account/mail")) == CHANGES_ACCOUNT
    assert destroys(Request("POST", b"/account/delete")) == "deletes"
    assert destroys(Request("POST", b"/index.php?page=delete_message")) == "deletes"
    assert destroys(Request("POST", b"/index.php?page=profile_edit")) == CHANGES_ACCOUNT
    assert destroys(Request("POST", b"/index.php?page=guestbook")) is None
    assert destroys(Request("GET", b"/orders")) is None


@pytest.mark.parametrize(
    ("path", "changes"),
    [
        (b"/accounts/7/transfers", False),
        (b"/accounts/7/withdraw", False),
        (b"/bank/accounts/7f3a-11/notes", False),
        (b"/accounts/7/transfers/9", False),
        (b"/accounts/7/settings", True),
        (b"/accounts/7/limits", True),
        (b"/accounts/7/close", True),
        (b"/accounts/7", True),
        (b"/accounts", True),
        (b"/account/notes", True),
        (b"/accounting/entries", False),
        (b"/accounts-receivable/bills", False),
        (b"/accountants/4/messages", False),
        (b"/profiler/runs", False),
    ],
)
def test_what_is_made_below_one_of_several_accounts_or_has_another_meaning_leaves_it_as_it_is(
    path: bytes, changes: bool
) -> None:
    assert (destroys(Request("POST", path)) == CHANGES_ACCOUNT) is changes


def test_a_change_of_the_account_bears_repeating_and_what_deletes_does_not() -> None:
    assert bears_repeating(Request("POST", b"/account/mail"))
    assert bears_repeating(Request("POST", b"/orders"))
    assert not bears_repeating(Request("DELETE", b"/orders/1"))
    assert not bears_repeating(Request("POST", b"/account/delete"))


@pytest.mark.parametrize(
    "request_",
    [Request("GET", b"/clear-database"), Request("POST", b"/setup", headers=FORM, body=b"do=Clear+database")],
    ids=["by its address", "by a button"],
)
def test_what_empties_all_there_is_destroys_whatever_its_method(request_: Request) -> None:
    assert resets_all(request_)
    assert destroys(request_) == DELETES
    assert not bears_repeating(request_)


def test_a_question_destroys_nothing_whatever_it_asks_for() -> None:
    assert destroys(Request("GET", b"/account/reset")) is None
    assert destroys(Request("POST", b"/graphql", headers=JSON, body=b'{"query": "{ account { id } }"}')) is None


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "changes"),
    [
        ("POST", b"/api/account", b'{"email":"a@x.example","password":"p"}', (), False),
        ("POST", b"/api/accounts", b'{"email":"a@x.example","password":"p","passwordConfirm":"p"}', (), False),
        ("PUT", b"/api/account", b'{"email":"a@x.example","password":"p"}', (), True),
        ("POST", b"/api/account", b'{"email":"a@x.example"}', (), True),
        ("POST", b"/api/account", b'{"password":"p","newPassword":"q"}', (), True),
        ("POST", b"/api/account/mail", b'{"email":"a@x.example","password":"p"}', (), True),
        ("POST", b"/api/account", b'{"email":"a@x.example","password":"p"}', ((b"Cookie", b"sid=1"),), True),
    ],
)
def test_what_makes_an_account_changes_none(
    method: str, path: bytes, body: bytes, headers: tuple[tuple[bytes, bytes], ...], changes: bool
) -> None:
    request = Request(method, path, ((b"Content-Type", b"application/json"), *headers), body)
    assert (destroys(request) == CHANGES_ACCOUNT) is changes


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("DELETE", b"/items?ids=7", True),
        ("POST", b"/items/bulk-remove", True),
        ("GET", b"/files/delete?name=tea", True),
        ("GET", b"/files/rm/tea", True),
        ("POST", b"/apps/undeploy?path=/shop", True),
        ("POST", b"/plugins/7/uninstall", True),
        ("POST", b"/apps/deploy", False),
        ("POST", b"/plugins/7/install", False),
        ("GET", b"/crm/rma?name=tea", False),
        ("POST", b"/password/reset", False),
        ("GET", b"/items?name=tea", False),
    ],
)
def test_what_deletes_by_its_method_or_its_address(method: str, path: bytes, expected: bool) -> None:
    assert deletes(Request(method, path)) is expected


@pytest.mark.parametrize("path", [b"/unsubscribe?code=tea", b"/users/verify?token=tea", b"/items/delete?id=7"])
def test_an_address_may_name_a_change_whatever_the_method(path):
    assert names_a_change(Request("GET", path))
    assert not names_a_change(Request("GET", b"/items?id=7"))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (b"/go/link?to=/home", False),
        (b"/external-link.php?lang=en&url=http%3A%2F%2Fa.example", False),
        (b"/account/link?token=tea", True),
        (b"/account/link", True),
        (b"/users/7/link-account?next=/home", True),
        (b"/verify/link?to=/home", True),
        (b"/pages/links?lang=en&u=7", False),
        (b"/index.php?page=link&u=/home", False),
        (b"/index.php?page=link&token=tea", True),
        (b"/index.php?page=update&link=x&u=/home", True),
    ],
)
def test_a_link_that_is_told_where_to_lead_changes_nothing(path: bytes, expected: bool) -> None:
    assert names_a_change(Request("GET", path)) is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [(b"/v1/__flush__", DELETES), (b"/cache/flushall", DELETES), (b"/flushing/7", None), (b"/toilets/reflush", None)],
)
def test_what_is_flushed_is_emptied(path: bytes, expected: str | None) -> None:
    """A service may empty its stores by one request that says no more."""
    assert destroys(Request("POST", path)) == expected
    assert destroys(Request("GET", path)) is None
