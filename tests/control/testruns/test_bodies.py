"""The origin that a run may be sent to instead."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import PydanticCustomError

from gatecrash.control.testruns.bodies import origin


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("http://x", "http://x"),
        ("https://X.test:8443/", "https://x.test:8443"),
        ("http://[::1]:80", "http://[::1]:80"),
    ],
)
def test_origins_are_taken(given: str, expected: str) -> None:
    assert origin(given) == expected


@pytest.mark.parametrize(
    "given",
    ["", "x", "//x", "http://", "http://x/a", "http://x?q", "http://x#f", "http://u:p@x", "http://x:0", "http://[::1"],
)
def test_anything_else_is_refused(given: str) -> None:
    with pytest.raises(PydanticCustomError):
        origin(given)


@given(st.text())
def test_no_text_breaks_it(text: str) -> None:
    with suppress(PydanticCustomError):
        assert origin(text).startswith(("http://", "https://"))
