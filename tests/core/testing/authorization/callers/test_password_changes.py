"""Which requests change one's own password, and by which fields."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.callers.password_changes import (
    password_change,
    sets_password,
    sets_password_of_a_user,
)

FORM = (b"Content-Type", b"application/x-www-form-urlencoded")


def names(body: bytes, path: bytes = b"/account/password", own: frozenset[str] = frozenset()):
    change = password_change(Request("POST", path, (FORM,), body), own)
    if change is None:
        return None
    return change.new[-1], change.old and change.old[-1], [point[-1] for point in change.again]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"old=x&new=y&again=y", ("new", "old", ["again"])),
        (b"current_password=x&new_password=y", ("new_password", "current_password", [])),
        (b"password_new=y&password_conf=y&Change=Change", ("password_new", None, ["password_conf"])),
        (b"password=y&password2=y", ("password", None, ["password2"])),
        (b"clave_nueva=A-new-one-1&clave_conf=A-new-one-1&go=Go", ("clave_nueva", None, ["clave_conf"])),
        (b"old=A-new-one-0&new=A-new-one-1&nochmal=A-new-one-1", ("new", "old", ["nochmal"])),
        (b"new=short&theme=short", ("new", None, [])),
        (b"new=y&theme=dark&csrf_token=77", ("new", None, [])),
        (b"password=y&passphrase=z", None),
        (b"new=y&otp=551177", None),
        (b"new=", None),
    ],
)
def test_the_fields_are_told_by_their_names_and_values(body: bytes, told):
    assert names(body) == told


@pytest.mark.parametrize("path", [b"/club/pw", b"/change-pw.php"])
def test_a_path_may_be_called_after_passwords_in_short(path: bytes):
    assert names(b"new=y&again=y", path) == ("new", None, ["again"])


def test_elsewhere_a_new_password_must_be_called_one():
    assert names(b"new_password=y", b"/settings") == ("new_password", None, [])
    assert names(b"password=y", b"/settings") is None
    assert names(b"new=y", b"/settings") is None
    assert names(b"new=y", b"/pw/settings") is None
    assert names(b"new=y", b"/rpw") is None


def test_the_present_one_may_be_called_no_more_than_that():
    body = b"current=x&password_new=y&password_conf=y"
    assert names(body, b"/account/secret") == ("password_new", "current", ["password_conf"])
    assert names(b"current=&password_new=y", b"/account/secret") == ("password_new", None, [])
    assert names(b"current_page=3&password_new=y", b"/account/secret") == ("password_new", None, [])


def test_a_name_beside_the_password_must_be_the_senders_own():
    body = b"email=Ann%40x.example&password=y"
    assert names(body) is None
    assert names(body, own=frozenset({"ann@x.example"})) == ("password", None, [])
    assert names(body, own=frozenset({"bob@x.example"})) is None


def test_a_version_in_the_path_is_nobodys_number():
    assert names(b"password=y", b"/users/v1/ann/password") == ("password", None, [])
    assert names(b"password=y", b"/users/17/password") is None


def mutation(document: bytes) -> Request:
    body = b'{"query": "mutation C($password: String!) { %s }", "variables": {"password": "y"}}' % document
    return Request("POST", b"/graphql", ((b"Content-Type", b"application/json"),), body)


def test_a_mutation_says_so_by_its_field():
    change = password_change(mutation(b"changePassword(password: $password)"))
    assert change is not None
    assert (change.new[-1], change.old, change.again) == ("password", None, ())
    assert password_change(mutation(b"resetForgottenPassword(password: $password)")) is None
    assert password_change(mutation(b"openVault(password: $password) { id }")) is None


@pytest.mark.parametrize(
    ("path", "body", "sets"),
    [
        (b"/account/password", b"new=y", True),
        (b"/password/reset", b"email=a%40b.example&password=y&code=77", True),
        (b"/fans/renew", b"username=ann&new_password=y", True),
        (b"/users/7/password", b"password=y", True),
        (b"/password/forgot", b"email=a%40b.example", False),
        (b"/password/reset", b"password=", False),
        (b"/login", b"user=ann&new_password=y", False),
        (b"/register/password", b"password=y", False),
        (b"/me/secret", b"secret=y", True),
        (b"/me/secret", b"question=y", False),
        (b"/webhooks/7/secret", b"secret=y", False),
        (b"/members", b"user=ann&password=y", False),
    ],
)
def test_a_password_is_set_whosever_it_is_but_where_an_account_is_made(path: bytes, body: bytes, *, sets: bool) -> None:
    assert sets_password(Request("POST", path, (FORM,), body)) is sets


@pytest.mark.parametrize(
    ("path", "body", "sets"),
    [
        (b"/me", b"password_new=y&token=7", True),
        (b"/admin/users/7/password", b"password=y", True),
        (b"/forgot", b"new_password=y&code=7", False),
        (b"/register", b"user=x&new_password=y", False),
        (b"/me", b"town=x", False),
    ],
)
def test_who_is_signed_in_sets_a_password_where_nobody_joins_or_forgot_his(path: bytes, body: bytes, sets: bool):
    assert sets_password_of_a_user(Request("POST", path, (FORM,), body)) is sets
