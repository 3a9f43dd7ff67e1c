"""Texts of a form that words tell."""

import pytest

from gatecrash.formats.descriptions.document import References
from gatecrash.formats.descriptions.said_forms import IBAN, form_said
from gatecrash.formats.descriptions.sample import Sampler


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("HH:MM-HH:MM", "08:00-12:00"),
        ("from and to, HH:mm to HH:mm", "08:00 to 12:00"),
        ("written DD.MM.YYYY", "15.01.2026"),
        ("as YYYY-MM-DDTHH:MM:SSZ", "2026-01-15T08:00:00Z"),
        ("MM/YY", "01/30"),
        ("Month, YYYY-MM.", "2026-01"),
        ("ISO 4217 code", "EUR"),
        ("country (ISO 3166-1 alpha-2)", "DE"),
        ("ISO 3166-1 alpha-3", "DEU"),
        ("E.164", "+12025550123"),
        ("IBAN of the account", IBAN),
        ("Five digits", "12345"),
        ("a 6-digit code", "123456"),
        ("must match 01xxxxxxxxx (digits only)", "01555555555"),
        ("###-##-####", "555-55-5555"),
    ],
)
def test_a_form_in_words(words: str, text: str) -> None:
    assert form_said(words) == text


@pytest.mark.parametrize("words", ["", None, "a name", "8 to 14 digits", "at least 8 digits", "HHMM", "200 digits"])
def test_no_form_in_words(words: str | None) -> None:
    assert form_said(words) is None


def test_the_iban_adds_up() -> None:
    turned = IBAN[4:] + IBAN[:4]
    assert int("".join(str(int(sign, 36)) for sign in turned)) % 97 == 1


def test_a_member_of_which_no_more_is_known_has_it() -> None:
    words = {"description": "HH:MM-HH:MM"}
    sampler = Sampler(References({}))
    assert sampler.value({"type": "object", "properties": {"window": words}}) == {"window": "08:00-12:00"}
    assert sampler.value({"type": "string", **words, "pattern": "^a$"}) == "a"


def test_nobody_was_born_this_year() -> None:
    assert form_said("DD.MM.YYYY", "dob") == "15.01.1990"
    assert form_said("DD.MM.YY", "birthday") == "15.01.90"
