"""A run's numbers are on the board as they are counted, and its pages are told once."""

import time
from pathlib import Path

import msgspec
from tests.node.loop import run
from tests.node.test.test_runner import OK, order

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.processes.board import Board
from gatecrash.node.processes.lane_host import LaneHostPaces
from gatecrash.node.processes.lane_traffic import LaneTally, LaneTraffic
from gatecrash.node.session import Lifeline
from gatecrash.node.test.connections.destinations import allowed_by
from gatecrash.node.test.connections.sender import Sender

FORM = ((b"Content-Type", b"application/x-www-form-urlencoded"),)


def test_a_tally_goes_on_where_the_process_before_it_was_ended(tmp_path: Path) -> None:
    region = Board(tmp_path).region("sent", "run")
    first = LaneTally(1, region, 3)
    first.add("bl_1", 5)
    second = LaneTally(1, region, 3)
    second.add("bl_2")
    second.add("bl_2", -1)
    second.add("bl_2")
    LaneTally(1, region, 4).add("bl_3")
    assert (region.cells[3], region.cells[4]) == (6, 1)
    assert second.sent == 1


@run
async def test_requests_of_two_processes_share_the_runs_limit_and_keep_their_baselines_own(tmp_path: Path) -> None:
    async with RawServer().answering(OK) as target:
        lifeline = Lifeline(float("inf"))
        lifeline.heard(0.0)
        told: list[Exchange] = []
        request = Request("GET", b"/a", ((b"Host", b"x"),), b"", "http", "127.0.0.1", target.port)
        traffics = []
        for lane in range(2):
            board = Board(tmp_path, lane)
            tally = LaneTally(1, board.region("sent", "run"), lane)
            sender = Sender(allowed_by([AllowedHosts()]))
            wanted = order(rps=4, rps_per_baseline=3)
            traffics.append((
                LaneTraffic(wanted, sender, lifeline, tally, LaneHostPaces(board), board, lambda *met: told.append(met)),
                sender,
            ))  # fmt: skip
        began = time.monotonic()
        for number in range(4):
            assert not (await traffics[number % 2][0].send(request, f"bl_{number % 2}")).failure
        assert all(traffic._gate.wait(began) > 0 for traffic, _ in traffics if traffic._gate), "full, in both"
        exchange = Exchange(request, Response(200, body=b"<p>a</p>"))
        for traffic, _ in traffics:
            traffic.met(exchange)
            traffic.met(exchange)
            traffic.met(exchange, visited=True)
        assert told == [(exchange, False), (exchange, True)] * 2, "once by each that met it first, and once as visited"
        # A form's token that one process met is known to it, and told to the others, though its page is known already.
        form = b"<p>a</p><form method=post><input type=hidden name=csrf_token value=9a1878fd363f5fba></form>"
        handing = Exchange(request, Response(200, body=form))
        posted = msgspec.structs.replace(request, method="POST", headers=FORM, body=b"csrf_token=9a1878fd363f5fba")
        told.clear()
        for traffic, _ in traffics:
            traffic.met(handing)
            assert traffic.forms.sources.pages(posted, traffic.forms.sources.tokens(posted)) == (b"/a",)
        assert told == [(handing, False)] * 2
        for traffic, sender in traffics:
            await traffic.close()
            await sender.close()
