"""What is written as HAR is read back as it was."""

import io
import json

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.formats.traffic import har
from gatecrash.formats.traffic.har_writing import har as write

EXCHANGES = [
    Exchange(
        Request("POST", b"/a?x=%00&y", ((b"Host", b"h.example"), (b"X", b"1"), (b"X", b"2")), "{ü}".encode(), "https", "h.example", 443, "2"),
        Response(201, ((b"Content-Type", b"application/json"),), b'{"a": 1}', b"Created", "2"),
        started=1_767_225_600.25,
        elapsed=0.5,
        connection="c1",
    ),
    Exchange(Request("PUT", b"/b", (), b"\xff\x00", "http", "h.example", 8080), Response(204), started=1_767_225_601.0),
    Exchange(Request("GET", b"/c", (), b"", "http", "h.example", 80), None, started=1_767_225_602.0),
]  # fmt: skip


def test_exchanges_come_back_as_they_were() -> None:
    data = b"".join(write(EXCHANGES, "1.0"))
    first, second, third = list(har.read(io.BytesIO(data)))
    assert first == EXCHANGES[0]
    assert (second.request, second.response) == (EXCHANGES[1].request, EXCHANGES[1].response)
    assert (third.request, third.response) == (EXCHANGES[2].request, None)


def test_the_document_is_har_1_2_and_empty_without_exchanges() -> None:
    log = json.loads(b"".join(write([], "1.0")))["log"]
    assert log == {"version": "1.2", "creator": {"name": "Gatecrash", "version": "1.0"}, "entries": []}
