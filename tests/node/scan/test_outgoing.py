"""A scan's own way out sends where it may, and is closed behind it."""

from tests.node.loop import run

from gatecrash.core.message import Request
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.scan.outgoing import Way, traffic_of
from gatecrash.node.test.connections.traffic import Tally
from gatecrash.wire.session import RunOrder

ORDER = RunOrder(run_id="tr_1", generation=1, record_id="rec_1", recording=False, sending=True, policy=DEFAULT)


@run
async def test_what_is_sent_is_answered_and_counted_and_other_hosts_are_refused() -> None:
    tally = Tally(1)
    async with RawServer().answering(b"HTTP/1.1 204 X\r\n\r\n") as server:
        asked = Request("GET", b"/", ((b"Host", b"x"),), b"", "http", "127.0.0.1", server.port)
        async with traffic_of(ORDER, Way(AllowedHosts()), tally) as traffic:
            answer = await traffic.send(asked, "a")
        async with traffic_of(ORDER, Way(AllowedHosts("elsewhere.example")), tally) as traffic:
            refused = await traffic.send(asked, "a")
    assert answer.exchange.response is not None
    assert answer.exchange.response.status == 204
    assert refused.failure == "not_allowed"
    assert (len(server.received), tally.answered) == (1, 1)
