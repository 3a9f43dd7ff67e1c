"""Archives: the texts in them, and what other readers find after one was written."""

import base64
import io
import zipfile
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.codec import LIMITS, OPAQUE, Limits, Part, Unreadable, splice
from gatecrash.core.points.formats.zip import ZIP
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import read, walk

DOCUMENT = "<w:document xmlns:w='urn:w'><w:p><w:t>Dear Ann</w:t></w:p></w:document>"
PICTURE = bytes(range(256)) * 3
FILES = {
    "mimetype": "application/epub+zip",
    "[Content_Types].xml": "<Types><Default Extension='xml'/></Types>",
    "_rels/.rels": "<Relationships/>",
    "word/document.xml": DOCUMENT,
    "word/media/image1.png": PICTURE,
    "empty.txt": "",
    "data.json": '{"name": "Ann"}',
}


class _Stream(io.RawIOBase):
    """Where nothing can be gone back to, as when an archive is made while it is sent: its sizes stand behind the members."""

    def __init__(self, kept: io.BytesIO) -> None:
        self._kept = kept

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        return self._kept.write(data)  # type: ignore[arg-type]


def archive(
    files: Mapping[str, str | bytes] = FILES, *, packed: int = zipfile.ZIP_DEFLATED, streamed: bool = False
) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(_Stream(kept) if streamed else kept, "w", packed) as made:  # type: ignore[arg-type]
        for name, content in files.items():
            made.writestr(zipfile.ZipInfo(name), content, packed)
        made.comment = b"made for a test"
    return kept.getvalue()


def parts(data: bytes, limits: Limits = LIMITS) -> dict[str, Part]:
    return {"/".join(part.steps): part for part in ZIP.parts(data, limits, 32)}


def contents(data: bytes) -> dict[str, bytes]:
    """What another reader finds."""
    with zipfile.ZipFile(io.BytesIO(data)) as made:
        assert made.testzip() is None
        assert made.comment == b"made for a test"
        return {name: made.read(name) for name in made.namelist()}


def test_members_of_text_are_parts() -> None:
    found = parts(archive())
    assert list(found) == ["[Content_Types].xml", "word/document.xml", "data.json"]
    assert found["word/document.xml"].value == DOCUMENT.encode()
    # How a document is put together is a point as a whole; what a person wrote is looked into.
    assert found["[Content_Types].xml"].inner == OPAQUE
    assert found["data.json"].inner == 0


@pytest.mark.parametrize("packed", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("streamed", [False, True])
@settings(max_examples=10)
@given(value=st.binary(max_size=200))
def test_what_is_written_is_what_another_reader_finds_and_the_rest_stays(
    packed: int, streamed: bool, value: bytes
) -> None:
    data = archive(packed=packed, streamed=streamed)
    before = contents(data)
    for name, part in parts(data).items():
        changed = splice(data, part.start, part.end, ZIP.encode(data, part, value))
        assert contents(changed) == {**before, name: value}


def test_a_member_is_written_twice_and_taken_out() -> None:
    data = archive()
    longer = ZIP.encode(data, parts(data)["data.json"], b"x" * 70_000)
    shorter = ZIP.encode(longer, parts(longer)["word/document.xml"], b"y")
    assert contents(shorter)["data.json"] == b"x" * 70_000
    assert contents(shorter)["word/document.xml"] == b"y"
    removed = ZIP.remove(data, parts(data)["data.json"])
    assert removed is not None
    assert contents(removed)["data.json"] == b""


def test_an_upload_is_walked_and_written() -> None:
    data = archive()
    body = b'--b\r\nContent-Disposition: form-data; name="f"; filename="a.docx"\r\n\r\n' + data + b"\r\n--b--\r\n"
    request = Request("POST", b"/", ((b"Content-Type", b"multipart/form-data; boundary=b"),), body)
    inside = ("post", "multipart", "f", "zip", "word/document.xml")
    text = Point((*inside, "xml", "xml_tag", "w:document", "xml_tag", "w:p", "xml_tag", "w:t"))
    assert {Point(inside), text} <= {found.point for found in walk(request).points}
    changed = rewrite(request, text, b"Dear <Ben>")
    assert read(changed, text) == b"Dear <Ben>"
    assert read(changed, Point(inside)) == DOCUMENT.replace("Ann", "&lt;Ben&gt;").encode()
    assert rewrite(changed, text, b"Dear Ann").headers == request.headers
    assert Point.of(*inside) == Point(inside)  # the notation knows it


def test_an_archive_in_base64_is_opened() -> None:
    body = b'{"file": "' + base64.b64encode(archive()) + b'"}'
    request = Request("POST", b"/", ((b"Content-Type", b"application/json"),), body)
    place = Point(
        ("post", "json_doc", "json_obj", "file", "base64", "zip", "data.json", "json_doc", "json_obj", "name")
    )
    assert read(request, place) == b"Ann"
    assert place in {found.point for found in walk(request).points}
    assert read(rewrite(request, place, b"Ben"), place) == b"Ben"


@settings(max_examples=40)
@given(st.data())
def test_no_archive_makes_it_raise_anything_else(draw: st.DataObject) -> None:
    data = bytearray(archive())
    for _ in range(draw.draw(st.integers(1, 6))):
        data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    try:
        found = ZIP.parts(bytes(data), LIMITS, 32)
    except Unreadable:
        return
    for part in found:
        again = ZIP.encode(bytes(data), part, b"fresh")
        assert ZIP.parts(again, LIMITS, 32)[[each.steps for each in found].index(part.steps)].value == b"fresh"


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", archive()[:-30], archive()[40:], archive() + b"x" * 70_000])
def test_what_is_no_whole_archive_is_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable):
        ZIP.parts(data, LIMITS, 32)


def test_what_is_unpacked_is_bounded() -> None:
    with pytest.raises(Unreadable, match="more than"):
        ZIP.parts(archive({"a.txt": "x" * 10_000_000}), LIMITS, 32)
    with pytest.raises(Unreadable, match="more than"):
        ZIP.parts(archive({"a.txt": "abc" * 200}), Limits(decompressed=500), 32)


def test_many_archives_in_one_request_share_one_allowance() -> None:
    one = base64.b64encode(archive({"a.txt": "x" * 9_000})).decode()
    body = ('{"files": [' + ", ".join(f'"{one}"' for _ in range(50)) + "]}").encode()
    request = Request("POST", b"/", ((b"Content-Type", b"application/json"),), body)
    walked = walk(request, Limits(decompressed=100_000))
    assert sum(found.point[-1] == "a.txt" for found in walked.points) == 11
    assert walked.unreadable
