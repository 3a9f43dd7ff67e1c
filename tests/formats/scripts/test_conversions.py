"""Texts are converted as browsers do it."""

import pytest

from gatecrash.formats.scripts.conversions import ENCODES, KEEPS, converted


@pytest.mark.parametrize(
    ("by", "told"),
    [
        ("btoa", "YSBiLyc="),
        ("encodeURIComponent", "a%20b%2F'"),
        ("encodeURI", "a%20b/'"),
        ("escape", "a%20b/%27"),
        ("String", "a b/'"),
    ],
)
def test_each_function_does_its_own(by: str, told: str) -> None:
    assert converted(by, "a b/'") == told


def test_only_calls_are_known_by_name() -> None:
    found = ENCODES.match("window.btoa(x)")
    assert found is not None
    assert found[1] == "btoa"
    assert ENCODES.match("btoas(x)") is None
    assert KEEPS.search("x.trim()")
    assert not KEEPS.search("x.split(',')")
