"""Who comes for a lure is told to the process that planted it, while its dialogue lasts, and late after that."""

import asyncio
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import msgspec
from tests.node.loop import run, until
from tests.node.test_agent import node_of, order

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.out_of_band import Hit, Lure
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.verdict import Outcome, Verdict
from gatecrash.fakes.control_plane import ControlPlane
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.oob.lures import Lures
from gatecrash.node.oob.settings import OobSettings
from gatecrash.node.processes.lane_lures import LaneLures
from gatecrash.node.processes.messages import Heard, Letter, LureAnswered, LureClosed, Planted
from gatecrash.node.processes.planted import PlantedElsewhere
from gatecrash.wire.work import Result

EXCHANGE = Exchange(Request("GET", b"/", (), b"", "http", "127.0.0.1", 80))
LURE = Lure(number=1, name="a" * 24, verdict=Verdict(type="ssrf", outcome=Outcome.VULNERABLE, threat=80), dns_threat=30)
HIT = Hit(name=LURE.name, protocol="http", source="127.0.0.1", at=1.0)


class House:
    """Both sides of the socket pair, without it: letters go straight across, or wait while it is `slow`."""

    def __init__(self) -> None:
        self.late: list[Result] = []
        self.at_door = Lures(lambda _run, _generation, result: self.late.append(result))
        self.told: list[Heard] = []
        self.elsewhere = PlantedElsewhere(self.at_door, lambda _lane, heard: self.told.append(heard))
        self.posted: list[Letter] = []
        self.in_lane = LaneLures(lambda *_: None, self.posted.append)

    def carry(self) -> None:
        for letter in self.posted:
            assert isinstance(letter, Planted | LureAnswered | LureClosed)
            self.elsewhere.take(1, letter)
        self.posted.clear()
        for heard in self.told:
            self.in_lane.hear(heard.hit)
        self.told.clear()

    def plant(self) -> None:
        self.in_lane.plant(LURE, "tr_1", 1, "bl_1", EXCHANGE)
        self.carry()


def test_a_hit_reaches_the_dialogue_in_the_other_process() -> None:
    house = House()
    house.plant()
    assert house.at_door.hear(HIT) is not None
    house.carry()
    assert house.in_lane.hits(LURE.name) == (HIT,)
    came = house.in_lane.close(LURE.name, decided=False)
    assert came is not None
    assert came[1] == HIT
    house.carry()
    assert house.late == [], "told once, by the dialogue"


def test_a_hit_that_crosses_the_end_of_its_dialogue_is_told_late() -> None:
    house = House()
    house.plant()
    assert house.in_lane.close(LURE.name, decided=False) is None
    house.at_door.hear(HIT)
    house.carry()
    assert [result.baseline_id for result in house.late] == ["bl_1"]
    assert not house.in_lane.awaits


def test_a_hit_after_the_dialogue_is_told_late() -> None:
    house = House()
    house.plant()
    house.in_lane.answered(LURE.name, EXCHANGE)
    house.in_lane.close(LURE.name, decided=False)
    house.carry()
    house.at_door.hear(HIT)
    assert len(house.late) == 1


def test_what_a_killed_process_planted_may_still_be_fetched() -> None:
    house = House()
    house.plant()
    house.elsewhere.lost(1)
    house.at_door.hear(HIT)
    assert len(house.late) == 1
    house.elsewhere.take(1, LureClosed(LURE.name, decided=False))
    house.elsewhere.take(1, LureAnswered(LURE.name, EXCHANGE))
    assert len(house.late) == 1


async def fetch(address: str) -> None:
    """Ask for an address, and look at nothing of the answer."""
    parts = urlsplit(address)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    writer.write(f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
    await reader.read()
    writer.close()


@run
async def test_a_blind_flaw_is_found_by_whichever_process_looks_for_it(tmp_path: Path) -> None:
    """The node listens in one process and tests in two others; the target fetches what it is given on the listener's host."""

    async def fetches(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            asked = await target.read_request(reader)
            given = parse_qs(urlsplit(asked.split(b" ")[1].decode("latin-1")).query).get("url", [""])[0]
            if given.startswith("http://127.0.0.1:"):
                await fetch(given)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            await writer.drain()

    target = RawServer(fetches)
    async with ControlPlane() as control, target:
        policy = msgspec.structs.replace(DEFAULT, types=("ssrf",))
        control.orders = [order(recording=False, policy=policy)]
        for number in range(4):
            address = b"/f?url=http%%3A%%2F%%2Fexample.com%%2F%d" % number
            request = Request("GET", address, ((b"Host", b"x"),), b"", "http", "127.0.0.1", target.port)
            held = control.baselines.setdefault("tr_1", {})
            held[f"bl_{number}"] = Baseline(f"bl_{number}", Exchange(request, Response(200, body=b"ok")))
        async with node_of(control, tmp_path, processes=2, proxy_listen="", oob=OobSettings(grace=2.0)):
            await until(lambda: len(control.finals) == 4)
            assert {result.status for result in control.finals.values()} == {"failed"}
            assert {verdict.type for verdict in control.findings} == {"ssrf"}
