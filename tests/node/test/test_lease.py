"""What a run asks goes out in the node's session, under the generation that it was given."""

from typing import Any

from tests.node.loop import run
from tests.node.test.test_runner import order

from gatecrash.node.session import Session
from gatecrash.node.test.lease import Lease
from gatecrash.node.uplink import ACQUAINT
from gatecrash.wire.session import Config, Welcome
from gatecrash.wire.work import Acquaint, Acquainted


@run
async def test_a_message_names_the_node_its_session_the_run_and_the_generation() -> None:
    sent: list[tuple[str, Any, Any]] = []

    class Listener:
        async def call(self, path: str, message: Any, expected: Any, _patience: float = 0.0) -> Any:
            sent.append((path, message, expected))
            return Acquainted(last=9)

    session = Session()
    session.set(Welcome("node_1", "cl_1", "s_1", Config(0)))
    asked = order()
    assert await Lease(asked, Listener(), session).ask(ACQUAINT, Acquaint, Acquainted, 7) == Acquainted(last=9)
    assert sent == [(ACQUAINT, Acquaint("node_1", "s_1", asked.run_id, asked.generation, 7), Acquainted)]
