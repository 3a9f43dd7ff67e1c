"""One side of a WebSocket: what the other says is heard however it is cut, what it asks for is due, and no bytes are too odd."""

import contextlib
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.node.test.connections.frames import CLOSE, LONGEST, TEXT, BrokenFrame, Message, Talk

SIZES = st.sampled_from([0, 1, 125, 126, 127, 65_535, 65_536])


@given(SIZES, st.integers(1, 70_000), st.booleans())
def test_what_one_side_says_the_other_hears_however_it_is_cut(size: int, cut: int, server: bool) -> None:
    data = bytes(number % 251 for number in range(size))
    speaker, hearer = Talk(server=server), Talk(server=not server)
    speaker.say(data)
    written = speaker.due()
    assert bool(written[1] & 0x80) is not server, "a client masks, and a server must not"
    assert [*hearer.hear(written[:cut]), *hearer.hear(written[cut:])] == [Message(TEXT, data)]
    assert (speaker.due(), hearer.due()) == (b"", b"")


def test_a_message_in_several_frames_is_one_and_pings_between_are_answered() -> None:
    talk = Talk()
    assert talk.hear(b"\x01\x02he" + b"\x89\x01p" + b"\x00\x01l" + b"\x80\x02lo") == [Message(TEXT, b"hello")]
    pong = talk.due()
    assert (pong[0], pong[1]) == (0x8A, 0x81)


def test_a_farewell_is_returned_once_and_nothing_is_said_or_heard_behind_it() -> None:
    talk = Talk()
    assert talk.hear(b"\x88\x02\x0f\xa1" + b"\x81\x01x") == [Message(CLOSE, (4001).to_bytes(2, "big"))]
    assert talk.due()[0] == 0x88
    talk.say(b"late")
    talk.end()
    assert talk.due() == b""
    other = Talk()
    other.end()
    other.end()
    assert other.due().count(b"\x88\x82") == 1


@pytest.mark.parametrize(
    "sent",
    [b"\xc1\x01x", b"\x81\x7f" + (LONGEST + 1).to_bytes(8, "big"), b"\x80\x01x"],
    ids=["an extension", "too long", "a part of nothing"],
)
def test_what_cannot_be_read_is_broken(sent: bytes) -> None:
    with pytest.raises(BrokenFrame):
        Talk().hear(sent)


@given(st.lists(st.binary(max_size=40), max_size=6))
def test_no_bytes_raise_anything_else(pieces: list[bytes]) -> None:
    talk = Talk()
    with contextlib.suppress(BrokenFrame):
        for piece in pieces:
            talk.hear(piece)


def test_nothing_that_is_said_gets_into_a_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        talk = Talk()
        talk.say(b"my secret")
        talk.hear(b"\x81\x05their")
    assert caplog.records == []
