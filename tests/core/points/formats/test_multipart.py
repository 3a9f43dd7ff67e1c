"""Multipart form data."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.errors import UnwritableValue
from gatecrash.core.points.codec import LIMITS, Part, Unreadable, splice
from gatecrash.core.points.formats.multipart import Multipart, boundary_of

EDGE = Multipart(b"edge")
BODY = (
    b'preamble\r\n--edge \r\ncontent-disposition: form-data; name="f"; filename="a \\"b\\" C:\\x.txt"\r\n'
    b"Content-Type: text/plain \r\nX: y\r\n\r\nline\r\n--edg\r\n\r\n--edge\r\nContent-Type: a/b\r\n"
    b"Content-Disposition: form-data; filename=plain; name=f\r\n\r\n\r\n--edge\r\n\r\nnameless\r\n--edge--\r\nepilogue"
)


def parts(data: bytes) -> list[Part]:
    return EDGE.parts(data, LIMITS, LIMITS.levels)


def test_fields_files_and_their_types_are_found() -> None:
    assert {"/".join(part.steps): part.value for part in parts(BODY)} == {
        "f/array/0": b"line\r\n--edg\r\n",
        "f/array/0/filename": b'a "b" C:\\x.txt',
        "f/array/0/content_type": b"text/plain",
        "f/array/1": b"",
        "f/array/1/filename": b"plain",
        "f/array/1/content_type": b"a/b",
        "": b"nameless",
    }


def test_a_name_in_percent_codes_is_read_and_written_so() -> None:
    body = b"--edge\r\nContent-Disposition: form-data; name=\"f\"; filename*=UTF-8''a%20%C3%A4.txt\r\n\r\nx\r\n--edge--"
    place = next(part for part in parts(body) if part.steps == ("f", "filename"))
    assert place.value == "a ä.txt".encode()
    changed = splice(body, place.start, place.end, EDGE.encode(body, place, b"../'x\r\n"))
    assert b"filename*=UTF-8''..%2F%27x%0D%0A\r\n" in changed
    assert {part.steps: part.value for part in parts(changed)}[place.steps] == b"../'x\r\n"
    both = body.replace(b"filename*", b'filename="b.txt"; filename*')
    assert [part.value for part in parts(both) if part.steps == ("f", "filename")] == [b"b.txt"]


@given(st.sampled_from(parts(BODY)), st.binary(max_size=20))
def test_what_is_written_is_read_again_and_nothing_else_changes(place: Part, value: bytes) -> None:
    try:
        encoded = EDGE.encode(BODY, place, value)
    except UnwritableValue:
        assert place.kind
        return
    again = {part.steps: part.value for part in parts(splice(BODY, place.start, place.end, encoded))}
    assert again == {part.steps: part.value for part in parts(BODY)} | {place.steps: value}


@pytest.mark.parametrize("value", [b"a\r\n--edge", b"--edge--", b"x\r\n--edges"])
def test_a_value_with_the_delimiter_is_refused(value: bytes) -> None:
    with pytest.raises(UnwritableValue):
        EDGE.encode(BODY, parts(BODY)[0], value)


def test_removal_takes_field_parameter_or_header() -> None:
    removed = [EDGE.remove(BODY, part) or b"" for part in parts(BODY)]
    assert removed[0].startswith(b"preamble\r\n--edge\r\nContent-Type: a/b")
    assert b'form-data; name="f"\r\nContent-Type' in removed[1]
    assert b'x.txt"\r\nX: y' in removed[2]
    assert b"--edge\r\nContent-Disposition: form-data; filename=plain" in removed[5]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"--edge",
        b"--edge\r\n",
        b"--edge\r\n\r\n--edge--",
        b"--edgex\r\n\r\nv\r\n--edge--",
        b"--edge\n\nv\n--edge--",
        b"text --edge--",
    ],
)
def test_what_is_malformed_is_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable):
        parts(data)


@pytest.mark.parametrize(
    ("kind", "boundary"),
    [
        (b"multipart/form-data; boundary=x", b"x"),
        (b'multipart/form-data; charset=utf-8;Boundary="a b;c"', b"a b;c"),
        (b"multipart/form-data", None),
        (b"multipart/form-data; boundary=", None),
    ],
)
def test_the_boundary_is_read_from_the_content_type(kind: bytes, boundary: bytes | None) -> None:
    assert boundary_of(kind) == boundary
