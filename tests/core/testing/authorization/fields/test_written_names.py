"""How a request writes the names that answers write otherwise."""

import pytest

from gatecrash.core.testing.authorization.fields.written_names import by_plain, manner_of, shared_prefix
from gatecrash.core.words.names import plain


@pytest.mark.parametrize("name", ["is_admin", "isAdmin", "IsAdmin", "is-admin", "IS_ADMIN", "isadmin"])
def test_a_name_is_the_same_in_every_manner(name: str):
    assert plain(name) == "isadmin"
    assert by_plain({name: 1}) == {"isadmin": 1}


@pytest.mark.parametrize(
    ("shown", "sent", "written"),
    [
        ("first_name", "firstName", "isAdmin"),
        ("firstName", "first_name", "is_admin"),
        ("first_name", "FirstName", "IsAdmin"),
        ("city", "City", "IsAdmin"),
        ("first_name", "first-name", "is-admin"),
        ("city", "CITY", "IS_ADMIN"),
        ("first_name", "firstname", "isadmin"),
    ],
)
def test_a_name_is_written_as_the_others_are(shown: str, sent: str, written: str):
    manner = manner_of([shown, "is_admin", "town"], [sent, "_token", "town" if sent.islower() else "other"])
    assert manner is not None
    assert manner("is_admin") == manner("isAdmin") == written


@pytest.mark.parametrize(
    ("shown", "sent"),
    [
        (["first_name", "isAdmin"], ["first_name"]),
        (["city", "is_admin"], ["town"]),
        (["first_name", "last_name"], ["FirstName", "last_name"]),
    ],
)
def test_where_names_are_written_alike_or_in_no_one_manner_nothing_is_guessed(shown: list[str], sent: list[str]):
    assert manner_of(shown, sent) is None


@pytest.mark.parametrize(
    ("names", "prefix"),
    [
        (["profile_name", "profile_city", "_token"], "profile_"),
        (["user-name", "user-city"], "user-"),
        (["txtName", "txtCity"], "txt"),
        (["Form$Main$txtName", "Form$Main$txtCity"], "Form$Main$txt"),
        (["rows[0].name", "rows[0].city"], "rows[0]."),
        (["first_name", "last_name"], ""),
        (["first_name", "first_town", "last_name", "street", "note"], ""),
        (["name", "city"], ""),
        ([], ""),
    ],
)
def test_what_names_begin_with_before_their_own_word(names: list[str], prefix: str):
    assert shared_prefix(names) == prefix
