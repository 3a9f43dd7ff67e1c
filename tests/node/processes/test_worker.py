"""A testing process is started at the other end of a socket pair, and ends with it."""

from tests.node.loop import run

from gatecrash.core.message import Exchange, Request
from gatecrash.node.processes.messages import Met
from gatecrash.node.processes.worker import Known, started

EXCHANGE = Exchange(Request("GET", b"/", (), b"", "http", "h", 80))


@run
async def test_a_process_ends_when_its_channel_does() -> None:
    worker = await started(0)
    assert worker.process.returncode is None
    assert await worker.ended() in (0, -9)  # a busy machine may not let it come up in time


@run
async def test_a_process_that_is_told_nonsense_first_ends_too() -> None:
    worker = await started(1)
    worker.channel.post(Met("tr_1", 1, EXCHANGE))
    assert await worker.channel.next() is None
    assert await worker.ended() == 0


def test_pages_are_kept_for_the_runs_that_there_are() -> None:
    known = Known(2)
    for number in range(3):
        known.add(Met("tr_1", number, EXCHANGE))
        known.add(Met("tr_1", 9, EXCHANGE))
    assert len(known.of({("tr_1", 9), ("tr_1", 0)})) == 3
    assert known.of({("tr_2", 1)}) == []
    assert known.of({("tr_1", 9)}) == []
