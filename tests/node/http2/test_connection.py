"""What `h2` does not do for us: a GOAWAY that lets streams end, and cookies as one field."""

from gatecrash.node.http2.connection import PREFACE, _WithoutGoaway, joined_cookies, listed, pseudo

PING = b"\0\0\x08\x06\0\0\0\0\0" + b"12345678"
GOAWAY = b"\0\0\x08\x07\0\0\0\0\0" + b"\0\0\0\x05" + b"\0\0\0\0"


def test_a_goaway_is_taken_out_however_the_bytes_are_cut() -> None:
    data = PREFACE + PING + GOAWAY + PING
    for size in range(1, len(data)):
        frames = _WithoutGoaway(len(PREFACE))
        passed = b"".join(frames.feed(data[start : start + size]) for start in range(0, len(data), size))
        assert (passed, frames.last_stream) == (PREFACE + PING + PING, 5)


def test_cookies_that_were_split_are_one_again_in_the_place_of_the_first() -> None:
    split = ((b"cookie", b"a=1"), (b"x", b"y"), (b"cookie", b"b=2"))
    assert joined_cookies(split) == ((b"cookie", b"a=1; b=2"), (b"x", b"y"))
    assert joined_cookies(split[:2]) == split[:2]


def test_header_tuples_of_the_library_become_plain_ones() -> None:
    assert listed([(bytearray(b":path"), b"/")]) == ((b":path", b"/"),)


def test_pseudo_headers_are_told_apart() -> None:
    assert pseudo([(b":path", b"/"), (b"a", b"b")]) == ({b":path": b"/"}, ((b"a", b"b"),))
