"""Messages of a directory's client: what is read of them, what is answered, and that nonsense raises nothing."""

import asyncio
from random import Random

import pytest
from tests.node.loop import run
from tests.node.oob.directory import bind, search, unbind

from gatecrash.node.oob.ldap_message import BIND, SEARCH, Message, answer, read_message


async def read(packet: bytes) -> Message | None:
    reader = asyncio.StreamReader()
    reader.feed_data(packet)
    reader.feed_eof()
    return await read_message(reader)


@run
async def test_a_bind_and_a_search_are_told_apart_and_the_search_names_its_object():
    assert await read(bind(1)) == Message(b"\x01", BIND)
    assert await read(search(7, "o=tea")) == Message(b"\x07", SEARCH, "o=tea")
    long = "o=" + "x" * 300
    assert await read(search(7, long)) == Message(b"\x07", SEARCH, long)
    other = await read(unbind(3))
    assert other is not None
    assert answer(other) == b""


def test_a_bind_succeeds_and_no_object_is_there():
    assert answer(Message(b"\x01", BIND)) == bytes.fromhex("300c02010161070a010004000400")
    assert answer(Message(b"\x00\x80", SEARCH)) == bytes.fromhex("300d0202008065070a012004000400")


@pytest.mark.parametrize("packet", [b"\x31\x00", b"\x30\x00", b"\x30\x84\xff\xff\xff\xff", b"\x30\x03\x02\x05a"])
@run
async def test_what_is_no_message_is_none(packet: bytes):
    assert await read(packet) is None


@run
async def test_nonsense_is_none_or_cut_short_and_raises_nothing_else():
    random = Random(7)
    whole = search(2, "o=tea")
    for _ in range(2000):
        packet = bytearray(whole[: random.randrange(len(whole) + 1)])
        for at in random.sample(range(len(packet)), min(len(packet), random.randrange(3))):
            packet[at] = random.randrange(256)
        try:
            message = await read(bytes(packet))
        except asyncio.IncompleteReadError:
            continue
        assert message is None or answer(message) is not None
