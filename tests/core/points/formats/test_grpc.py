"""Calls of gRPC and gRPC-Web: values by their numbers, lengths that fit again, and every other value as it was."""

import base64
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.errors import UnwritableValue
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.codec import CONTAINER, LIMITS, Limits, Part, Unreadable, splice
from gatecrash.core.points.formats.grpc import GRPC, GRPC_TEXT, Grpc, told
from gatecrash.core.points.protobuf import as_varint
from gatecrash.core.points.rewrite import remove, rewrite
from gatecrash.core.points.walk import read, walk

TEXTS = st.text(st.characters(min_codepoint=32, exclude_characters="\x7f", exclude_categories=("Cs",)), max_size=200)


def message(*values: tuple[int, object]) -> bytes:
    """A message as its writers write it."""
    written = b""
    for number, value in values:
        if isinstance(value, int):
            written += as_varint(number << 3) + as_varint(value)
        else:
            data = value.encode() if isinstance(value, str) else bytes(value)  # type: ignore[call-overload]
            written += as_varint(number << 3 | 2) + as_varint(len(data)) + data
    return written


def framed(*messages: bytes, flag: int = 0) -> bytes:
    return b"".join(bytes((flag,)) + len(each).to_bytes(4, "big") + each for each in messages)


ORDER = framed(
    message((1, 7), (2, message((1, "Ann"), (3, message((1, "Tea Lane"))))), (4, "a"), (4, "b"), (5, b"\xff\0"))
)


def leaves(data: bytes, codec: Grpc = GRPC) -> dict[str, bytes]:
    return {"/".join(part.steps): part.value for part in parts(data, codec) if part.kind != CONTAINER}


def parts(data: bytes, codec: Grpc = GRPC) -> list[Part]:
    return codec.parts(data, LIMITS, 32)


def written(data: bytes, part: Part, value: bytes, codec: Grpc = GRPC) -> bytes:
    return splice(data, part.start, part.end, codec.encode(data, part, value))


def test_values_are_found_by_the_numbers_of_their_fields() -> None:
    assert leaves(ORDER) == {
        "json_obj/1": b"7",
        "json_obj/2/json_obj/1": b"Ann",
        "json_obj/2/json_obj/3/json_obj/1": b"Tea Lane",
        "json_obj/4/json_array/0": b"a",
        "json_obj/4/json_array/1": b"b",
        "json_obj/5": b"\xff\0",
    }
    two = framed(message((1, "a")), message((1, "b")))
    assert leaves(two) == {"json_array/0/json_obj/1": b"a", "json_array/1/json_obj/1": b"b"}
    assert leaves(two + framed(b"grpc-status:0\r\n", flag=0x80)) == leaves(two)
    assert leaves(b"") == {}


@pytest.mark.parametrize("codec", [GRPC, GRPC_TEXT])
@given(data=st.data(), value=TEXTS)
def test_a_written_text_is_there_and_the_rest_stays(codec: Grpc, data: st.DataObject, value: str) -> None:
    body = base64.b64encode(ORDER) if codec is GRPC_TEXT else ORDER
    texts = [part for part in parts(body, codec) if part.kind != CONTAINER and part.steps != ("json_obj", "1")]
    place = data.draw(st.sampled_from(texts))
    changed = written(body, place, value.encode(), codec)
    assert leaves(changed, codec) == leaves(body, codec) | {"/".join(place.steps): value.encode()}
    again = next(part for part in parts(changed, codec) if part.steps == place.steps)
    assert written(changed, again, place.value, codec) == body


@given(st.integers(0, 2**64 - 1))
def test_a_number_stays_one(number: int) -> None:
    place = parts(ORDER)[0]
    changed = written(ORDER, place, b"%d" % number)
    assert leaves(changed) == leaves(ORDER) | {"json_obj/1": b"%d" % number}
    with pytest.raises(UnwritableValue):
        GRPC.encode(ORDER, place, b"7'")


def test_several_values_are_not_written_at_once() -> None:
    several = next(part for part in parts(ORDER) if part.kind == CONTAINER)
    assert several.steps == ("json_obj", "4")
    with pytest.raises(UnwritableValue):
        GRPC.encode(ORDER, several, b"x")
    assert GRPC.remove(ORDER, several) is None


def test_what_is_removed_is_gone_with_its_length() -> None:
    place = next(part for part in parts(ORDER) if part.value == b"Tea Lane")
    left = GRPC.remove(ORDER, place) or b""
    assert leaves(left).keys() == leaves(ORDER).keys() - {"json_obj/2/json_obj/3/json_obj/1"} | {
        "json_obj/2/json_obj/3"
    }


def test_a_point_of_a_call_is_listed_read_and_written() -> None:
    point = Point.of("post", "grpc", "json_obj", "2", "json_obj", "1")
    assert Point.parse(point) == point
    for kind, body in ((b"application/grpc-web+proto", ORDER), (b"application/grpc-web-text", base64.b64encode(ORDER))):
        headers = ((b"Content-Type", kind), (b"Content-Length", b"%d" % len(body)))
        request = Request("POST", b"/tea.Shop/Order", headers, body)
        assert point in [found.point for found in walk(request).points]
        assert read(request, point) == b"Ann"
        assert rewrite(request, point, b"Ann") == request
        changed = rewrite(request, point, b"Ben", raw=True)
        assert read(changed, point) == b"Ben"
        assert read(remove(request, point), point) is None


@pytest.mark.parametrize(
    "data", [b"\0\0", b"\0\0\0\0\x09x", framed(b"\x08"), framed(message((1, 7)), flag=1)], ids=repr
)
def test_what_is_broken_or_packed_cannot_be_read(data: bytes) -> None:
    with pytest.raises(Unreadable):
        parts(data)
    assert told(data, text=False) is None
    with pytest.raises(Unreadable):
        parts(b"%", GRPC_TEXT)


@given(st.binary(max_size=80))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    with contextlib.suppress(Unreadable):
        for part in GRPC.parts(data, Limits(points=5), 3):
            with contextlib.suppress(UnwritableValue):
                GRPC.encode(data, part, b"7")
    told(data, text=True)


def test_an_answer_is_told_by_numbers_with_its_trailers() -> None:
    trailers = framed(b"grpc-status:16\r\ngrpc-message:sign%20in\r\n", flag=0x80)
    assert told(framed(message((1, message((1, "Ann"))), (2, 7), (2, 8))) + trailers, text=False) == {
        "1": {"1": "Ann"},
        "2": [7, 8],
        "grpc-status": "16",
        "grpc-message": "sign in",
    }
    piece = base64.b64encode(framed(message((1, "a"))))
    assert told(piece + base64.b64encode(trailers), text=True) == {
        "1": "a",
        "grpc-status": "16",
        "grpc-message": "sign in",
    }
    assert told(framed(message((1, "a")), message((1, "b"))), text=False) == {"messages": [{"1": "a"}, {"1": "b"}]}
    assert told(b"", text=False) == {}
