"""What stands for a credential and is none."""

import pytest

from gatecrash.core.auth.placeholders import is_placeholder


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b" ",
        b"null",
        b"NULL",
        b"Undefined",
        b"none",
        b"NaN",
        b"false",
        b"True",
        b"0",
        b"deleted",
        b"changeme",
        b"REDACTED",
        b"[FILTERED]",
        b"[object Object]",
        b"***",
        b"********",
        b"{{token}}",
        b"${TOKEN}",
        b"<token>",
        b":token",
        b'"undefined"',
        b"'null'",
        b'""',
    ],
)
def test_placeholders(value):
    assert is_placeholder(value)


@pytest.mark.parametrize(
    "value",
    [b"00", b"nullable", b"**", b"{a}", b"$TOKEN", b"<a", b"a:b", b":1", b"12345678", b'"', b'"null', b"'null\""],
)
def test_what_could_be_a_credential(value):
    assert not is_placeholder(value)
