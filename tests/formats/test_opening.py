"""A capture is known by its first bytes."""

import gzip
import io
import json
import os

import pytest

from gatecrash.core.message import Exchange
from gatecrash.formats import opening
from gatecrash.formats.capture import UnreadableCapture

LINE = b'{"method": "GET", "url": "http://a.example/x"}\n'
HAR = json.dumps(
    {
        "log": {
            "entries": [
                {"startedDateTime": "2026-11-20T10:00:00Z", "request": {"method": "GET", "url": "http://a.example/x"}}
            ]
        }
    }
).encode()


@pytest.mark.parametrize(
    "data",
    [LINE, HAR, b"\xef\xbb\xbf" + HAR, b"  \n" + LINE, gzip.compress(LINE, mtime=0), gzip.compress(HAR, mtime=0)],
)
def test_every_kind_is_recognised_gzipped_or_not(data: bytes) -> None:
    (exchange,) = opening.opened(io.BytesIO(data)).items
    assert isinstance(exchange, Exchange)
    assert exchange.request.target == b"/x"


def test_a_pipe_is_read_like_a_file() -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(gzip.compress(LINE, mtime=0))
    with os.fdopen(reading, "rb") as stream:
        assert len(list(opening.opened(stream).items)) == 1


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"", "empty"), (b"<xml/>", "neither HAR nor JSON lines"), (gzip.compress(LINE, mtime=0)[:-9], "broken")],
)
def test_what_is_no_capture_is_refused_with_the_reason(data: bytes, why: str) -> None:
    with pytest.raises(UnreadableCapture, match=why):
        list(opening.opened(io.BytesIO(data)).items)
