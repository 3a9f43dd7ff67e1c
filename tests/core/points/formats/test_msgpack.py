"""MessagePack: values where they say, and documents that others read after one was written."""

import math
import struct

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.codec import CONTAINER, LIMITS, Limits, Part, Unreadable, splice
from gatecrash.core.points.formats.msgpack import MESSAGE_PACK
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import read, walk

pack = msgspec.msgpack.encode
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**64 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=40),
)
DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)),
)


def parts(data: bytes) -> list[Part]:
    return MESSAGE_PACK.parts(data, LIMITS, 64)


def leaves(data: bytes) -> dict[str, bytes]:
    return {"/".join(part.steps): part.value for part in parts(data) if part.kind != CONTAINER}


def test_values_are_found_by_the_steps_of_json() -> None:
    data = pack({"where": {"city": "Köln"}, "n": [3, -1, 300, 1.5, None, True], "file": b"\x00\x01"})
    assert leaves(data) == {
        "json_obj/where/json_obj/city": "Köln".encode(),
        "json_obj/n/json_array/0": b"3",
        "json_obj/n/json_array/1": b"-1",
        "json_obj/n/json_array/2": b"300",
        "json_obj/n/json_array/3": b"1.5",
        "json_obj/n/json_array/4": b"null",
        "json_obj/n/json_array/5": b"true",
        "json_obj/file": b"\x00\x01",
    }


@given(DOCUMENTS, st.text(max_size=300), st.data())
def test_a_written_text_is_what_another_reader_sees_and_the_rest_stays(
    document: object, value: str, draw: st.DataObject
) -> None:
    data = pack({"a": document, "b": "x"})
    place = draw.draw(st.sampled_from([part for part in parts(data) if part.kind != CONTAINER]))
    changed = splice(data, place.start, place.end, MESSAGE_PACK.encode(data, place, value.encode()))
    msgspec.msgpack.decode(changed)
    before = {part.steps: part.value for part in parts(data) if part.kind != CONTAINER}
    after = {part.steps: part.value for part in parts(changed) if part.kind != CONTAINER}
    assert after.keys() == before.keys()
    assert {steps for steps in after if after[steps] != before[steps]} <= {place.steps}
    written = after[place.steps]
    assert written == value.encode() or math.isclose(float(written), float(value))


@pytest.mark.parametrize(
    ("document", "steps", "value", "expected"),
    [
        ({"n": 7}, ("json_obj", "n"), b"70000", {"n": 70000}),
        ({"n": 7}, ("json_obj", "n"), b"7'", {"n": "7'"}),
        ({"n": "7"}, ("json_obj", "n"), b"8", {"n": "8"}),
        ({"n": True}, ("json_obj", "n"), b"false", {"n": False}),
        ({"f": b"x"}, ("json_obj", "f"), b"y" * 300, {"f": b"y" * 300}),
        (["a"], ("json_array", "0"), b"z" * 70_000, ["z" * 70_000]),
    ],
)
def test_numbers_stay_numbers_and_texts_texts(
    document: object, steps: tuple[str, ...], value: bytes, expected: object
) -> None:
    data = pack(document)
    place = next(part for part in parts(data) if part.steps == steps)
    changed = splice(data, place.start, place.end, MESSAGE_PACK.encode(data, place, value))
    assert msgspec.msgpack.decode(changed) == expected


def test_a_point_of_a_body_is_read_written_named_and_given_json() -> None:
    body = pack({"where": {"city": "Ulm"}})
    request = Request("POST", b"/", ((b"Content-Type", b"application/msgpack"),), body)
    point = Point.of("post", "msgpack", "json_obj", "where", "json_obj", "city")
    assert Point.parse(point) == point
    assert read(request, point) == b"Ulm"
    assert rewrite(request, point, b"Ulm") == request
    assert msgspec.msgpack.decode(rewrite(request, point, b'{"$ne": 1}', raw=True).body) == {
        "where": {"city": {"$ne": 1}}
    }
    named = rewrite(request, Point((*point, "name")), b"town")
    assert msgspec.msgpack.decode(named.body) == {"where": {"town": "Ulm"}}
    assert point in [found.point for found in walk(request).points]


@pytest.mark.parametrize("count", [1, 3, 20, 70_000])
def test_what_is_removed_is_counted_no_more(count: int) -> None:
    data = pack(list(range(count))) if count > 20 else pack({f"k{number}": number for number in range(count)})
    found = MESSAGE_PACK.parts(data, Limits(points=100), 32)
    left = msgspec.msgpack.decode(MESSAGE_PACK.remove(data, found[1]) or b"")
    assert len(left) == count - 1
    assert MESSAGE_PACK.remove(data, found[0]) is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc1",
        b"\x81\xa1",
        b"\xa5abc",
        b"\xdd\xff\xff\xff\xff\x01",
        b"\x01\x01",
        b"\x81\x90\x01",
        b"\xcd\x01",
        b"\xd9",
    ],
)
def test_what_is_no_document_is_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable):
        parts(data)


def test_depth_and_number_are_bounded() -> None:
    with pytest.raises(Unreadable, match="levels deep"):
        MESSAGE_PACK.parts(b"\x91" * 100 + b"\x01", LIMITS, 32)
    assert len(MESSAGE_PACK.parts(pack(list(range(1000))), Limits(points=5), 32)) < 10


def test_extensions_and_names_that_are_numbers_are_passed_over_whole() -> None:
    data = b"\x82\x01\xd6\xff" + struct.pack(">I", 1700000000) + b"\xa1a\xc7\x03\x05abc"
    assert {"/".join(part.steps): part.inner for part in parts(data)} == {"": 0, "json_obj/1": -1, "json_obj/a": -1}
