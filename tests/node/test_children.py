"""Letters reach a process of ours, whatever their size, and a process that does not end is ended."""

import asyncio
import socket

import msgspec
import pytest
from tests.node.loop import run

from gatecrash.node.children import Channel, channel_at, exit_code, keep_one


class Word(msgspec.Struct, frozen=True, array_like=True, tag=True):
    text: str


class Other(msgspec.Struct, frozen=True, array_like=True, tag=True):
    number: int


words: "msgspec.msgpack.Decoder[Word]" = msgspec.msgpack.Decoder(Word)


async def pair() -> tuple[Channel[Word], Channel[Word]]:
    one, two = socket.socketpair()
    return await channel_at(one.detach(), words), await channel_at(two.detach(), words)


@run
async def test_letters_of_any_size_come_in_order_until_the_other_end_is_gone() -> None:
    here, there = await pair()
    sent = [Word(""), Word("x" * 1_000_000), Word("last")]

    async def send() -> None:
        for word in sent:
            here.post(word)
            await here.drain()
        await here.close()

    sending = asyncio.ensure_future(send())
    assert [letter async for letter in there.letters()] == sent
    await sending
    there.post(Word("nobody hears this"))
    assert await there.next() is None
    await there.close()
    there.post(Word("nor this"))


@run
async def test_a_letter_of_another_installation_ends_the_talk() -> None:
    here, there = await pair()
    here.post(Other(1))
    assert await there.next() is None
    await here.close()
    await there.close()


@pytest.mark.parametrize(("command", "code"), [(("sh", "-c", "exit 3"), 3), (("sleep", "60"), -9)])
@run
async def test_a_process_ends_by_itself_or_is_ended(command: tuple[str, ...], code: int) -> None:
    process = await asyncio.create_subprocess_exec(*command)
    assert await exit_code(process, 20.0 if code > 0 else 0.05) == code


@run
async def test_one_is_kept_until_the_end_also_where_it_cannot_be_started_at_once() -> None:
    ending = asyncio.Event()
    attended: list[int] = []
    tries = iter(range(10))

    async def start() -> int:
        number = next(tries)
        if number == 0:
            raise OSError("no more processes")
        return number

    async def attend(child: int) -> None:
        attended.append(child)
        if child == 2:
            ending.set()

    await keep_one(start, attend, ending)
    assert attended == [1, 2]
