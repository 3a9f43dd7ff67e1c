"""A testing process: a runner whose control plane is the main process of its node.

It is given orders, asks for baselines and hands over results by the same messages as a node does. When the main process
is gone, it ends at once.
"""

import asyncio
import logging
from pathlib import Path
from typing import TypeVar

import msgspec

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.auth.sessions import Sessions
from gatecrash.core.inventory.learned import Learned
from gatecrash.core.message import Exchange
from gatecrash.node.observe.folding import points_of
from gatecrash.node.processes.board import Board
from gatecrash.node.processes.claims import places_of
from gatecrash.node.processes.lane_host import LaneHostPaces
from gatecrash.node.processes.lane_lures import LaneListener, LaneLures
from gatecrash.node.processes.lane_traffic import COUNTERS, LaneTally, LaneTraffic, run_name
from gatecrash.node.processes.messages import (
    Begin,
    Call,
    Channel,
    End,
    Far,
    Heard,
    Letter,
    Met,
    Reply,
    Taught,
    Told,
    Wake,
)
from gatecrash.node.session import Lifeline, Session
from gatecrash.node.tasks import until_one_ends
from gatecrash.node.test.connections.sender import Sender
from gatecrash.node.test.connections.traffic import Tally, Traffic
from gatecrash.node.test.runner import Runner
from gatecrash.node.uplink import PATIENCE_SECONDS, Unreachable
from gatecrash.wire import codec
from gatecrash.wire.session import Config, RunOrder, RunProgress, Welcome

log = logging.getLogger(__name__)

REPORT_SECONDS = 0.2

Answered = TypeVar("Answered", bound=msgspec.Struct)


class Relay:
    """The way to the control plane, through the main process."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._asked: dict[int, asyncio.Future[Reply]] = {}
        self._number = 0

    async def call(
        self, path: str, message: msgspec.Struct, expected: type[Answered], patience: float = PATIENCE_SECONDS
    ) -> Answered:
        """Sends one message and reads its reply. Raises Unreachable."""
        self._number += 1
        number = self._number
        asked = self._asked[number] = asyncio.get_running_loop().create_future()
        self._channel.post(Call(number, path, codec.encode(message)))
        try:
            async with asyncio.timeout(2 * patience):  # the main process has the same patience with the control plane
                reply = await asked
        except TimeoutError as error:
            raise Unreachable("The main process of this node does not answer.") from error
        finally:
            del self._asked[number]
        if reply.error:
            raise Unreachable(reply.error, reply.retry_after)
        return codec.decode(reply.body, expected)

    def take(self, reply: Reply) -> None:
        """A reply came; who gave up waiting does not get it."""
        asked = self._asked.get(reply.number)
        if asked is not None and not asked.done():
            asked.set_result(reply)


class LaneRunner(Runner):
    """All runs, as one of several processes tests them. board, channel, processes: set before the first order."""

    board: Board
    channel: Channel
    processes: int

    def places(self, order: RunOrder) -> int:
        """The share that it has of those that the node tests at once."""
        return places_of(order, self.board.lane, most=self.bounds.workers, processes=self.processes)

    def traffic(self, order: RunOrder, sender: Sender, tally: Tally) -> Traffic:
        """The way of a run's requests to the wire, which other processes go too."""

        def tell_of_page(exchange: Exchange, visited: bool) -> None:
            self.channel.post(Met(order.run_id, order.generation, exchange, visited))

        return LaneTraffic(order, sender, self.lifeline, tally, self.paces, self.board, tell_of_page)

    def new_tally(self, order: RunOrder) -> Tally:
        """The numbers of this process."""
        region = self.board.region(COUNTERS, run_name(order.run_id, order.generation))
        return LaneTally(order.generation, region, self.board.lane)


class Lane:
    """One testing process."""

    def __init__(self, channel: Channel, begin: Begin) -> None:
        """Nothing is tested before the first orders."""
        self._channel = channel
        self._relay = Relay(channel)
        self._lifeline = Lifeline()
        self._session = Session()
        # Whose session it is, and which node's, is put in by the main process.
        self._session.set(Welcome("", "", "", Config(-1)))
        self._recogniser = Learned(compile_recogniser(), Sessions())
        self._orders: tuple[RunOrder, ...] = ()
        self._far: tuple[RunProgress, ...] = ()
        self._runner = LaneRunner(
            self._relay,
            self._session,
            self._lifeline,
            lambda: self._recogniser,
            msgspec.structs.replace(begin.bounds, rps_per_host=None),
        )
        self._runner.board = Board(Path(begin.folder), begin.lane)
        self._runner.channel = channel
        self._runner.processes = begin.processes
        self._runner.paces = LaneHostPaces(self._runner.board, begin.bounds.rps_per_host)
        self._lures = LaneLures(self._runner.outbox.put, channel.post)
        if begin.listening is not None:
            self._runner.listener = LaneListener(begin.listening, begin.grace, self._lures)

    async def run(self) -> None:
        """Obeys until told to end, or until the main process is gone."""
        try:
            await until_one_ends(
                self._obey(), self._report(), self._runner.outbox.send_always(self._relay, self._session)
            )
        finally:
            await self._channel.close()

    async def _obey(self) -> None:
        ending: asyncio.Task[None] | None = None
        async for letter in self._channel.letters():
            if isinstance(letter, End):
                ending = ending or asyncio.ensure_future(self._end())
            else:
                self._take(letter)

    def _take(self, letter: Letter) -> None:
        match letter:
            case Told():
                self._lifeline.heard(asyncio.get_running_loop().time())
                self._runner.limit_hosts(letter.rps_per_host)
                self._orders = letter.orders
                self._runner.obey(letter.orders)
            case Reply():
                self._relay.take(letter)
            case Wake():
                self._runner.wake(letter.run_id)
            case Met():
                self._runner.met(letter.run_id, letter.exchange, visited=letter.visited)
            case Heard():
                self._lures.hear(letter.hit)
            case Taught():
                sessions = Sessions()
                sessions.adopt(letter.sessions)
                self._recogniser = Learned(compile_recogniser(points_of(letter.parameters)), sessions)
            case _:
                log.error("a letter that is not for a testing process", extra={"kind": type(letter).__name__})

    async def _end(self) -> None:
        """Stops all runs, hands over what they found, and lets go of the channel, which ends everything."""
        await self._runner.close()
        self._say_how_far()
        await self._runner.outbox.drained()
        await self._channel.close()

    async def _report(self) -> None:
        while True:
            await asyncio.sleep(REPORT_SECONDS)
            self._say_how_far()

    def _say_how_far(self) -> None:
        far = tuple(self._runner.progress(order, recording=False, unsent=0) for order in self._orders)
        if far != self._far:
            self._far = far
            self._channel.post(Far(far))
