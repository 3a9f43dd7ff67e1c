"""Messages on the wire: what was written is read, and no bytes are too odd."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.points.protobuf import (
    DELIMITED,
    VARINT,
    Field,
    NoMessage,
    as_varint,
    delimited,
    fields,
    is_message,
    is_text,
    varint,
)


@given(st.integers(-(2**63), 2**64 - 1))
def test_a_number_is_read_as_it_was_written(number: int) -> None:
    written = as_varint(number)
    assert varint(b"x" + written, 1) == (number % 2**64, 1 + len(written))


def test_fields_say_where_their_values_are() -> None:
    # The example of the encoding's own description: 150 as field 1, "testing" as field 2.
    data = bytes.fromhex("089601") + b"\x12\x07testing" + b"\x1d\0\0\0\0" + b"\x21" + bytes(8)
    assert [(each.number, each.kind, data[each.start : each.end]) for each in fields(data)] == [
        (1, VARINT, b"\x96\x01"),
        (2, DELIMITED, b"testing"),
        (3, 5, bytes(4)),
        (4, 1, bytes(8)),
    ]


def test_another_payload_has_its_own_length() -> None:
    data = b"\x08\x01\x12\x02hi\x18\x07"
    changed = delimited(data, fields(data)[1], b"x" * 200)
    assert [changed[each.start : each.end] for each in fields(changed)] == [b"\x01", b"x" * 200, b"\x07"]


def test_texts_are_told_from_messages() -> None:
    assert all(map(is_text, (b"", b"tea", "Köln\n".encode())))
    assert not any(map(is_text, (b"\x08\x07", b"\xff", b"a\x7f")))
    assert is_message(b"\x08\x07")
    assert is_message(b"\n\x28" + b"a" * 40), "which is a text, too"
    assert not any(map(is_message, (b"", b"\n\n", b"\x08", b"\xff\xff")))


@pytest.mark.parametrize(
    "data",
    [
        b"\x08",
        b"\x12\x05hi",
        b"\x0b",
        b"\x00\x01",
        b"\x1d\0",
        b"\xff" * 11,
        b"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    ],
)
def test_what_is_none_says_so(data: bytes) -> None:
    with pytest.raises(NoMessage):
        fields(data)


@given(st.binary(max_size=60))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    found: list[Field] = []
    with contextlib.suppress(NoMessage):
        found = fields(data)
    assert all(each.end <= len(data) for each in found)
