"""Bodies whose text is not in UTF-8 are read and written in their own encoding."""

import pytest

from gatecrash.core.errors import UnwritableValue
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.charset import charset_of
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import read, walk

CITY = Point.of("post", "json_doc", "json_obj", "city")
XML_CITY = Point.of("post", "xml", "xml_tag", "city")


def post(body: bytes, kind: bytes = b"application/json") -> Request:
    return Request("POST", b"/", ((b"Content-Type", kind), (b"Content-Length", b"%d" % len(body))), body)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
def test_wide_text_is_read_and_written_in_its_own_encoding(encoding: str) -> None:
    request = post('{"city": "Köln"}'.encode(encoding))
    assert read(request, CITY) == "Köln".encode()
    assert rewrite(request, CITY, "Köln".encode()) == request
    changed = rewrite(request, CITY, "x' ä".encode())
    assert changed.body == '{"city": "x\' ä"}'.encode(encoding)
    assert changed.first(b"Content-Length") == b"%d" % len(changed.body)


def test_a_document_says_its_encoding_itself() -> None:
    request = post("<?xml version='1.0' encoding='ISO-8859-1'?><city>Köln</city>".encode("latin-1"), b"text/xml")
    assert read(request, XML_CITY) == "Köln".encode()
    assert rewrite(request, XML_CITY, "Jülich".encode()).body.endswith("<city>Jülich</city>".encode("latin-1"))
    with pytest.raises(UnwritableValue, match="ISO-8859-1"):
        rewrite(request, XML_CITY, "Łódź".encode())
    wide = post("<?xml version='1.0' encoding='UTF-16'?><city>Köln</city>".encode("utf-16"), b"application/soap+xml")
    assert read(wide, XML_CITY) == "Köln".encode()


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (b"application/json", b'{"city": "K\xc3\xb6ln"}'),
        (b"application/json; charset=utf-8", b'{"city": "x"}'),
        (b"application/json; charset=latin-1", b'{"city": "x"}'),
        (b"application/json; charset=latin-99", b'{"city": "\xe4"}'),
        (b"application/json; charset=shift_jis", b'{"city": "\x88\xa4"}'),
        (b"image/png", b"\xff\xfe\x00\x00"),
        (b"multipart/form-data; boundary=x", b"\xff\xfea\x00"),
        (b"application/octet-stream", b"a\x00b\x00"),
        (b"text/plain", b"\x00\x00\x00\x00"),
        (b"text/plain", b""),
    ],
)
def test_all_others_are_left_as_they_are(kind: bytes, body: bytes) -> None:
    assert charset_of(post(body, kind), body) is None


@pytest.mark.parametrize("body", [b"\xff\xfea", b"\xff\xfe\x00\xd8", b"\xfe\xff\xdc\x00x"])
def test_what_begins_like_wide_text_and_is_none_stays_bytes(body: bytes) -> None:
    request = post(body, b"text/plain")
    assert [found.value for found in walk(request).points if found.point[0] == "post"] == [body]
    assert rewrite(request, Point.of("post"), b"new").body == b"new"


def test_a_wide_document_that_is_malformed_is_reported_and_its_text_stays_a_point() -> None:
    found = walk(post("<?xml version='1.0' encoding='utf-16'?><a".encode("utf-16"), b"text/xml"))
    assert [point for point, _ in found.unreadable] == [("post", "xml")]
    assert found.points[-1].value == b"<?xml version='1.0' encoding='utf-16'?><a"
