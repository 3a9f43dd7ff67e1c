"""Letters arrive whole and in order, and the end of one side is the end of the other."""

import asyncio
import socket

from tests.node.loop import run
from tests.node.test.test_runner import order

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.node.children import channel_at
from gatecrash.node.processes.messages import Call, Channel, End, Met, Told, Wake, decoder


async def pair() -> tuple[Channel, Channel]:
    ours, theirs = socket.socketpair()
    return (
        await channel_at(ours.detach(), decoder),
        await channel_at(theirs.detach(), decoder),
    )


@run
async def test_letters_arrive_as_they_were_posted() -> None:
    one, other = await pair()
    large = Exchange(Request("GET", b"/\xff", (), b"", "http", "h", 80), Response(200, body=b"x" * 3_000_000))
    posted = [Told((order(),), 5), Wake("tr_1"), Met("tr_1", 2, large), Call(1, "/v1/node/claim", b"\x01\x90"), End()]
    for letter in posted:
        one.post(letter)
    closing = asyncio.ensure_future(one.close())
    assert [letter async for letter in other.letters()] == posted
    await closing
    assert await other.next() is None
    other.post(End())  # to nobody
    await other.close()
    other.post(End())


@run
async def test_what_is_no_letter_ends_the_channel() -> None:
    ours, theirs = socket.socketpair()
    channel = await channel_at(ours.detach(), decoder)
    theirs.sendall(b"\x00\x00\x00\x02\x93\x01")
    assert await channel.next() is None
    theirs.close()
    await channel.close()
