"""Tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.errors import UnwritableValue
from gatecrash.core.points.codec import LIMITS, Part, Unreadable, splice
from gatecrash.core.points.formats.jwt import JWT

TOKEN = b"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2ln"


def parts(data: bytes) -> dict[str, Part]:
    return {"/".join(part.steps): part for part in JWT.parts(data, LIMITS, 32)}


def test_a_token_has_header_payload_and_a_signature_as_written() -> None:
    assert {name: part.value for name, part in parts(TOKEN).items()} == {
        "": b"",
        "jwt_header": b'{"alg":"HS256"}',
        "jwt_payload": b'{"sub":"7"}',
        "jwt_signature": b"c2ln",
    }


def test_of_an_encrypted_token_only_the_header_is_read() -> None:
    assert list(parts(b"eyJhbGciOiJkaXIifQ..a.b.c")) == ["", "jwt_header"]


@given(st.binary(), st.sampled_from(["jwt_header", "jwt_payload"]))
def test_any_bytes_can_be_written_and_the_rest_stays(value: bytes, name: str) -> None:
    place = parts(TOKEN)[name]
    changed = splice(TOKEN, place.start, place.end, JWT.encode(TOKEN, place, value))
    expected = {key: part.value for key, part in parts(TOKEN).items()} | {name: value}
    assert {key: part.value for key, part in parts(changed).items()} == expected


@pytest.mark.parametrize(
    ("name", "value"), [("", b"x"), ("", b"a.b"), ("jwt_signature", b"a.b"), ("jwt_signature", b"="), ("", b"a.b.c d")]
)
def test_what_would_break_the_token_is_refused(name: str, value: bytes) -> None:
    with pytest.raises(UnwritableValue):
        JWT.encode(TOKEN, parts(TOKEN)[name], value)


def test_removal_leaves_the_dots() -> None:
    removed = {name: JWT.remove(TOKEN, part) for name, part in parts(TOKEN).items()}
    assert removed["jwt_signature"] == b"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0."
    assert removed[""] is None


@pytest.mark.parametrize("data", [b"", b"a.b", b"a.b.c.d", b"a.b.!", b"abcde.e30.x"])
def test_what_is_no_token_is_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable):
        parts(data)
