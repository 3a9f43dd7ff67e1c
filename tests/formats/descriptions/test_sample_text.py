"""Text by format, pattern, name and length."""

from typing import Any

import pytest

from gatecrash.formats.descriptions.sample_text import FORMATS, LATER, text_for


@pytest.mark.parametrize(
    ("schema", "name", "text"),
    [
        ({"format": "date"}, "email", FORMATS["date"]),
        ({"format": "unknown"}, "", "example"),
        ({"contentEncoding": "base64"}, "state", FORMATS["byte"]),
        ({"description": "the state, as Base64"}, "state", FORMATS["byte"]),
        ({"format": "date", "description": "no base64"}, "", FORMATS["date"]),
        ({}, "contactEmail", FORMATS["email"]),
        ({}, "user_id", "1"),
        ({}, "paid", "example"),
        ({}, "orderId", "1"),
        ({}, "orderBy", "id"),
        ({}, "page", "1"),
        ({}, "totalAmount", "1"),
        ({}, "urlScheme", "http"),
        ({}, "hostname", "example.com"),
        ({}, "debug", "true"),
        ({"format": "date"}, "from_date", FORMATS["date"]),
        ({"format": "date"}, "to_date", LATER[FORMATS["date"]]),
        ({"format": "date-time"}, "endsAt", LATER[FORMATS["date-time"]]),
        ({}, "dateUntil", LATER[FORMATS["date"]]),
        ({}, "checkOut", LATER[FORMATS["date"]]),
        ({}, "to", "example"),
        ({}, "birthDate", "1990-05-17"),
        ({}, "buildYear", "2024"),
        ({"maxLength": 2}, "", "ex"),
        ({"minLength": 9}, "", "exampleaa"),
        ({"pattern": "^a{3}$"}, "", "aaa"),
        ({"pattern": "(?=x)y"}, "", "example"),
    ],
)
def test_text(schema: Any, name: str, text: str) -> None:
    assert text_for(schema, name) == text


def test_a_length_that_nobody_can_send_is_bounded() -> None:
    assert len(text_for({"minLength": 10**12})) == 4096


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("website", "https://example.com/"),
        ("music_xml", "<example>1</example>"),
        ("passphrase", "Example-Password-1"),
        ("passwordRepeat", "Example-Password-1"),
        ("password_again", "Example-Password-1"),
        ("userPwd", "Example-Password-1"),
        ("password_hint", "example"),
    ],
)
def test_a_name_says_which_form_a_text_has(name: str, text: str) -> None:
    assert text_for({}, name) == text
