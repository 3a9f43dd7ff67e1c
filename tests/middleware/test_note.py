"""A note becomes a line that the collector's own reader understands as the same request."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.formats.traffic import jsonl
from gatecrash.middleware.note import Note, line_of


def read(note: Note) -> Exchange:
    found = jsonl.exchange(1, line_of(note))
    assert isinstance(found, Exchange), found
    return found


def test_what_was_noted_is_read_back() -> None:
    headers = [(b"host", b"a.example:81"), (b"x", b"\xe9\xff")]
    note = Note("PUT", "http", "a.example:81", b"/a%2f//b?q=%zz&r", headers, 7.5, 401, [(b"b", b"c")], "::1", b"\0body")
    expected = Request("PUT", b"/a%2f//b?q=%zz&r", tuple(headers), b"\0body", "http", "a.example", 81)
    assert read(note) == Exchange(expected, Response(401, ((b"b", b"c"),)), 7.5, client="::1")


def test_without_an_answer_there_is_none() -> None:
    assert read(Note("GET", "https", "a", b"/", [], 1.0, None, [], "")).response is None


@given(st.binary())
def test_any_target_is_written_as_a_url_can_hold_it(rest: bytes) -> None:
    target = read(Note("GET", "http", "a", b"/" + rest, [], 1.0, 200, [], "")).request.target
    escaped = b"".join(bytes((b,)) if 0x21 <= b <= 0x7E and b != 0x23 else b"%%%02X" % b for b in rest)
    assert target == b"/" + escaped


@pytest.mark.parametrize("target", [b"/plain", b"/a?b=c"])
def test_an_ordinary_target_stays(target: bytes) -> None:
    assert read(Note("GET", "http", "a", target, [], 1.0, 200, [], "")).request.target == target
