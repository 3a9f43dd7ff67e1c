"""The frames of WebSockets: what is written is read again, however it is cut, and no bytes are too odd."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.node.test.connections.frames import BINARY, CLOSE, PING, TEXT, BrokenFrame, Frames, Message, frame

SIZES = st.sampled_from([0, 1, 125, 126, 127, 65_535, 65_536])


@given(SIZES, st.integers(1, 70_000), st.sampled_from([TEXT, BINARY, PING]))
def test_a_frame_is_read_as_what_was_written_however_it_is_cut(size: int, cut: int, opcode: int) -> None:
    data = bytes(number % 251 for number in range(size))
    written, frames = frame(opcode, data), Frames()
    assert written[1] & 0x80, "a client masks"
    assert [*frames.feed(written[:cut]), *frames.feed(written[cut:])] == [Message(opcode, data)]


def test_a_message_in_several_frames_is_one_and_control_frames_stand_between() -> None:
    sent = b"\x01\x02he" + b"\x89\x01p" + b"\x00\x01l" + b"\x80\x02lo" + b"\x88\x02\x03\xe8"
    assert Frames().feed(sent) == [
        Message(PING, b"p"),
        Message(TEXT, b"hello"),
        Message(CLOSE, (1000).to_bytes(2, "big")),
    ]


@pytest.mark.parametrize(
    "sent", [b"\xc1\x01x", b"\x81\x7f" + (1 << 40).to_bytes(8, "big")], ids=["an extension", "a petabyte"]
)
def test_what_cannot_be_read_is_broken(sent: bytes) -> None:
    with pytest.raises(BrokenFrame):
        Frames().feed(sent)


@given(st.lists(st.binary(max_size=40), max_size=6))
def test_no_bytes_raise_anything_else(pieces: list[bytes]) -> None:
    frames = Frames()
    with contextlib.suppress(BrokenFrame):
        for piece in pieces:
            frames.feed(piece)
