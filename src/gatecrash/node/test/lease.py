"""What a run asks of the control plane in its own name: in the node's session, under the generation that the node holds."""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from gatecrash.node.session import Session
from gatecrash.node.uplink import Caller
from gatecrash.wire.session import RunOrder

Told = TypeVar("Told", bound=msgspec.Struct)


class Lease:
    """One run's."""

    def __init__(self, order: RunOrder, uplink: Caller, session: Session) -> None:
        """Nothing is asked before `ask`."""
        self._order = order
        self._uplink = uplink
        self._session = session

    async def ask(self, path: str, message: Callable[..., msgspec.Struct], told: type[Told], *more: Any) -> Told:
        """The answer to a message. more: what it holds behind node, session, run and generation. Raises as Caller has it."""
        welcome = await self._session.welcome()
        asked = message(welcome.node_id, welcome.session, self._order.run_id, self._order.generation, *more)
        return await self._uplink.call(path, asked, told)
