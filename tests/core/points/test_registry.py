"""Which codec reads what."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.points.registry import INSIDE, TARGET, body_codecs, coding, guess, inside


def names(request: Request) -> list[tuple[str, bool]]:
    return [(codec.step, declared) for codec, declared in body_codecs(request, request.body)]


@pytest.mark.parametrize(
    ("kind", "body", "expected"),
    [
        (b"application/json", b"x", [("json_doc", True)]),
        (b"Application/Vnd.API+JSON ; charset=utf-8", b"x", [("json_doc", True)]),
        (b"application/soap+xml", b"x", [("xml", True)]),
        (b"application/json", b'{"a":1}\n{"a":2}', [("ndjson", True)]),
        (b"application/x-ndjson", b"1", [("ndjson", True)]),
        (None, b'{"a":1}\n{"a":2}', [("ndjson", False)]),
        (b"application/grpc", b"x", [("grpc", True)]),
        (b"application/grpc-web-text+proto", b"x", [("grpc", True)]),
        (b"application/grpc-web+json", b"x", [("json_doc", True)]),
        (b"text/csv; header=present", b"a", [("csv", True)]),
        (b'multipart/form-data; boundary="a b"', b"x", [("multipart", True)]),
        (b"multipart/form-data", b"x", []),
        (b"application/x-www-form-urlencoded", b"a=1", [("form_urlencoded", True)]),
        (b"application/x-www-form-urlencoded", b' {"a":1}', [("json_doc", False), ("form_urlencoded", True)]),
        (b"text/plain", b"[1]", [("json_doc", False)]),
        (None, b"<a/>", [("xml", False)]),
        (None, b"a=1", [("form_urlencoded", False)]),
        (None, b"just text", []),
        (b"image/png", b"{}", []),
        (b"application/json-rpc", b'{"a":1}', [("json_doc", False)]),
        (b"application/x-amz-json-1.1", b'{"a":1}', [("json_doc", False)]),
        (b"application/x-orders", b"a=1&b=2", [("form_urlencoded", False)]),
        (b"application/x-orders", b"aGVsbG8gdGhlcmU=", []),  # no format of bodies: a value that holds another
    ],
)
def test_the_content_type_decides_and_then_the_first_bytes(
    kind: bytes | None, body: bytes, expected: list[object]
) -> None:
    headers = ((b"content-type", kind),) if kind is not None else ()
    assert names(Request("POST", b"/", headers, body)) == expected


@pytest.mark.parametrize(
    ("headers", "name", "read"),
    [
        ((), "", False),
        (((b"Content-Encoding", b"identity"),), "", False),
        (((b"content-encoding", b"GZIP"),), "gzip", True),
        (((b"Content-Encoding", b"deflate"),), "deflate", True),
        (((b"Content-Encoding", b"gzip"), (b"Content-Encoding", b"br")), "gzip,br", False),
    ],
)
def test_content_codings(headers: tuple[tuple[bytes, bytes], ...], name: str, read: bool) -> None:
    named, codec = coding(Request("POST", b"/", headers, b"x"))
    assert (named, codec is not None) == (name, read)


@pytest.mark.parametrize(
    ("value", "step"),
    [
        (b'{"a":1}', "json_doc"),
        (b"[1,2,3]", "json_doc"),
        (b"\x1f\x8b\x08 and more", "gzip"),
        (b"eyJhbGciOiJub25lIn0.e30.", "jwt"),
        (b"aGVsbG8gd29ybGQ=", "base64"),
        (b"eyJrIjoiaGVsbG8ifQ", "base64"),
        (b"a=1&b=2", "form_urlencoded"),
        (b'{"a":1}\n{"a":2}', "ndjson"),
        (b"name,city\nAnna,Kiel\n", "csv"),
        (b"<?xml version='1.0'?><a/>", "xml"),
        (b"<a xmlns='u'/>", "xml"),
        (b"<b>bold</b>", ""),
        (b"<p>one</p><p>two</p>", ""),
        (b"<order id='7'><city>Ulm</city></order>", "xml"),
        (b"<order>one</order><other/>", ""),
        (b"<order> and > more", ""),
        (b"1234567890", ""),
        (b"deadbeefdeadbeef", ""),
        (b"https://x.example/?a=1&b=2", ""),
        (b"MQ==", "base64"),
        (b"a=", ""),
        (b"short", ""),
        (b"", ""),
    ],
)
def test_a_value_is_decoded_only_where_there_is_no_doubt(value: bytes, step: str) -> None:
    codec = guess(value)
    assert (codec.step if codec else "") == step


def test_first_bytes_never_hide_what_a_codec_would_take() -> None:
    samples = [
        b'{"a":1}',
        b"[1,2,3]",
        b"\x1f\x8b\x08 and more",
        b"eyJhbGciOiJub25lIn0.e30.",
        b"a=1&b=2",
        b'"a";"b"\n1;2',
        b"-_-_aGVsbG8h",
    ]
    for codec in INSIDE:
        for sample in samples:
            assert not codec.looks(sample) or sample[0] in codec.first_bytes


def test_decoders_are_found_by_their_step() -> None:
    assert [inside(codec.step) for codec in INSIDE] == list(INSIDE)
    assert inside("get") is None
    assert [codec.step for codec in TARGET] == ["uri", "path", "action_name", "get"]
