"""What is written into which field."""

import pytest

from gatecrash.core.testing.profiles.entrance import Account
from gatecrash.node.browser.filling import NOBODY, Field, written

ANN = Account(user="ann", mail="ann@notes.example", password="lighthouse-9")


def filled(*fields: Field, account: Account = ANN) -> list[str]:
    return [value for _, value in written(fields, account)]


@pytest.mark.parametrize(
    ("words", "type_", "value"),
    [
        ("Your e-mail", "text", ANN.mail),
        ("", "email", ANN.mail),
        ("username", "text", ANN.user),
        ("Benutzername", "text", ANN.user),
        ("", "password", ANN.password),
        ("phone", "text", "5551234567"),
        ("card number", "text", "4111111111111111"),
        ("quantity", "text", "1"),
        ("website", "text", "http://127.0.0.1/"),
        ("comment", "textarea", "tea"),
        ("when", "date", "2030-05-01"),
    ],
)
def test_a_field_is_filled_in_by_what_it_is_called(words: str, type_: str, value: str) -> None:
    assert filled(Field(at=0, words=words, type=type_, value="")) == [value]


def test_what_is_filled_in_and_what_slides_stays() -> None:
    assert not filled(
        Field(0, "name", "text", "Ann"), Field(1, "rating", "range", "3"), Field(2, "agree", "checkbox", "1")
    )


def test_a_number_keeps_to_its_bounds_and_a_choice_to_what_is_offered() -> None:
    choice = Field(1, "colour", "select", "", choices=("", "green", "blue"))
    assert filled(Field(0, "places", "number", "", least="4"), choice) == ["4", "green"]
    assert not filled(Field(0, "empty", "select", "", choices=("",)))


def test_one_of_a_group_is_chosen() -> None:
    group = [Field(at, "size", "radio", "", group="size") for at in range(3)]
    assert [field.at for field, _ in written(group)] == [0]
    chosen = [Field(0, "size", "radio", "", group="size"), Field(1, "size", "radio", "1", group="size")]
    assert not list(written(chosen))


def test_a_field_before_the_password_is_the_name_whatever_it_is_called() -> None:
    assert filled(Field(0, "", "text", ""), Field(1, "", "password", "")) == [ANN.mail, ANN.password]


def test_where_a_password_is_asked_for_twice_nobodys_is_written() -> None:
    fields = [Field(0, "e-mail", "text", ""), Field(1, "new", "password", ""), Field(2, "again", "password", "")]
    assert filled(*fields) == [NOBODY.mail, NOBODY.password, NOBODY.password]
