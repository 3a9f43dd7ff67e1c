"""By which of his names somebody is known who has several, in a record of his sign-up and his sign-in."""

import pytest
from tests.core.testing.profiles.test_recorded_logins import JSON, SESSION, login

from gatecrash.core.testing.profiles.recorded_logins import RecordedLogins
from gatecrash.core.testing.profiles.several_names import names_beside, to_sign_in_by


@pytest.mark.parametrize(
    ("fields", "first"),
    [
        (["name", "email"], "email"),
        (["full_name", "phone"], "phone"),
        (["name"], "name"),
        (["name", "account"], "name"),
        (["account", "email"], "account"),
        (["username", "email"], "username"),
    ],
)
def test_what_somebody_is_called_is_his_name_where_he_has_no_other(fields: list[str], first: str) -> None:
    assert to_sign_in_by(fields)[0] == first
    assert to_sign_in_by([]) == []


def test_other_names_are_those_of_fields_that_people_sign_in_by() -> None:
    body = {"username": "ann", "E-Mail": "Ann@shop.example", "invited_by": "ben", "phone": 7, "handle": " "}
    assert names_beside(body, "ann") == {"ann@shop.example"}


@pytest.mark.parametrize(
    ("signed_up", "names"),
    [
        (b'{"name": "Ann Smith", "email": "ann@shop.example", "password": "k"}', {"ann@shop.example"}),
        (b'{"username": "ann", "email": "Ann@shop.example", "password": "k"}', {"ann"}),
        (b'{"username": "ann", "invited_by": "ann@shop.example", "password": "k"}', {"ann", "ann@shop.example"}),
    ],
)
def test_who_signs_up_and_then_signs_in_by_another_of_his_names_is_one_and_the_same(
    signed_up: bytes, names: set[str]
) -> None:
    logins, fresh = RecordedLogins(), "sid-77aa5c1d90e3f412"
    logins.see(login(signed_up, JSON, 201))
    signed_in_again = b'{"email": "ann@shop.example", "password": "k"}'
    logins.see(login(signed_in_again, JSON, 200, (b"Set-Cookie", f"sid={fresh}; HttpOnly".encode())))
    assert {logins.name_of([SESSION]), logins.name_of([fresh])} == names


def test_two_who_are_called_the_same_are_not_taken_for_one() -> None:
    logins, fresh = RecordedLogins(), "sid-77aa5c1d90e3f412"
    logins.see(login(b'{"name": "Ann", "email": "ann@shop.example", "password": "k"}', JSON, 201))
    told = (b"Set-Cookie", f"sid={fresh}; HttpOnly".encode())
    logins.see(login(b'{"name": "Ann", "email": "ann@other.example", "password": "k"}', JSON, 201, told))
    assert logins.name_of([SESSION]) != logins.name_of([fresh])
