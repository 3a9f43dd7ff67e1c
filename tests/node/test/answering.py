"""An application in memory that real traffic is sent to: what tests of sessions share."""

import asyncio
import math
from collections.abc import Awaitable, Callable
from typing import Any, cast

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.profile_document import read_profile
from gatecrash.node.session import Lifeline
from gatecrash.node.test.connections.sender import Sender
from gatecrash.node.test.connections.traffic import Tally, Traffic
from gatecrash.wire.session import RunOrder

Says = Callable[[Request], Response | str]


class Application:
    """Answers by a function; a text is a failure. asked: what came. left: when each had passed all that holds it back."""

    def __init__(self, says: Says) -> None:
        self.asked: list[Request] = []
        self.left: list[float] = []
        self._says = says

    async def send(
        self, request: Request, _extra: Headers = (), before: Callable[[], Awaitable[None] | None] | None = None
    ) -> Answer:
        waited_for = before() if before is not None else None
        if waited_for is not None:
            await waited_for
        self.left.append(asyncio.get_running_loop().time())
        self.asked.append(request)
        await asyncio.sleep(0)  # as a network, it lets others run
        said = self._says(request)
        return Answer(Exchange(request), said) if isinstance(said, str) else Answer(Exchange(request, said))

    def excludes(self, _request: Request) -> bool:
        return False

    async def reaches(self, _request: Request) -> bool:
        return True

    async def transmit(self, request: Request, _baseline_id: str) -> Answer:
        return await self.send(request)

    def paths(self) -> list[str]:
        return [request.path.decode() for request in self.asked]


def traffic(application: Application, profile: dict[str, Any] | None = None, **order: Any) -> Traffic:
    """Unpaced traffic of a run with this profile."""
    lifeline = Lifeline(math.inf)
    lifeline.heard(asyncio.get_running_loop().time())
    made = RunOrder(
        run_id="tr_1", generation=1, record_id="r", recording=False, sending=True, policy=DEFAULT,
        profile=read_profile(profile, "p") if profile else None, **order,
    )  # fmt: skip
    return Traffic(made, cast("Sender", application), lifeline, Tally(1))


def get(path: str = "/", *headers: tuple[bytes, bytes], method: str = "GET") -> Request:
    return Request(method, path.encode(), ((b"Host", b"shop.example"), *headers), b"", "https", "shop.example", 443)
