"""Messages survive the wire, and what is no message is refused with the way out."""

from contextlib import suppress

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gatecrash.core.errors import ProtocolMismatch
from gatecrash.wire import codec
from gatecrash.wire.session import Hello
from gatecrash.wire.work import Stored


class Older(msgspec.Struct, frozen=True, array_like=True):
    """A message before a field was appended."""

    name: str


class Newer(msgspec.Struct, frozen=True, array_like=True):
    """The same message with a field more."""

    name: str
    more: int = 7


def test_a_message_comes_back_as_it_was() -> None:
    message = Stored(("bl_1",), (("bl_2", "why"),))
    assert codec.decode(codec.encode(message), Stored) == message


def test_a_side_one_version_apart_is_understood_both_ways() -> None:
    assert codec.decode(codec.encode(Older("a")), Newer) == Newer("a", 7)
    assert codec.decode(codec.encode(Newer("a", 9)), Older) == Older("a")


@pytest.mark.parametrize("data", [b"", b"\x02" + msgspec.msgpack.encode(["a"])])
def test_another_version_is_refused_and_says_what_to_do(data: bytes) -> None:
    with pytest.raises(ProtocolMismatch, match="upgrade the older one"):
        codec.decode(data, Older)


@example(b"\x96\xa1\xff\xa0\xa0\xa0\xa0\xa0")
@given(st.binary())
def test_no_bytes_break_the_decoder(data: bytes) -> None:
    for content in (data, b"\x01" + data):
        with suppress(ProtocolMismatch):
            assert isinstance(codec.decode(content, Hello), Hello)
