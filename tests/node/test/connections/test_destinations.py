"""Names are checked before they are resolved, resolved once, and checked again at their address."""

import asyncio

import pytest
from tests.node.loop import run

from gatecrash.node.test.connections.destinations import Destinations, NotAllowed, Unresolved, look_up


@run
async def test_many_who_ask_at_once_cause_one_lookup() -> None:
    asked = 0

    async def lookup(_host: str, _port: int) -> list[str]:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0)
        return ["10.0.0.1", "10.0.0.2"]

    places = Destinations(lambda *_: None, lambda *_: None, lookup)
    assert places.pinned("a", 1) is None
    assert set(await asyncio.gather(*(places.find("a", 1) for _ in range(10)))) == {"10.0.0.1"}
    assert asked == 1
    assert places.pinned("a", 1) == "10.0.0.1"


@run
async def test_a_refused_name_is_never_looked_up() -> None:
    async def lookup(_host: str, _port: int) -> list[str]:
        raise AssertionError

    places = Destinations(lambda *_: "no", lambda *_: None, lookup)
    assert places.excludes("a", 1)
    with pytest.raises(NotAllowed, match="no"):
        await places.find("a", 1)
    assert not Destinations(lambda *_: None, lambda *_: "no", lookup).excludes("a", 1)


@run
async def test_a_failed_lookup_is_tried_again() -> None:
    answers: list[list[str]] = [[], ["10.0.0.1"]]

    async def lookup(_host: str, _port: int) -> list[str]:
        return answers.pop(0)

    places = Destinations(lambda *_: None, lambda *_: None, lookup)
    with pytest.raises(Unresolved):
        await places.find("a", 1)
    assert await places.find("a", 1) == "10.0.0.1"


@run
async def test_the_systems_lookup_knows_addresses() -> None:
    assert await look_up("127.0.0.1", 80) == ["127.0.0.1"]
