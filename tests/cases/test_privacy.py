"""What was observed stays in the node: no secret of any scheme, from any place, in any form, on disk, in logs or batches."""

import logging
from pathlib import Path

import pytest
from tests.cases.planted import PLANTED, found_in
from tests.node.loop import run

from gatecrash.core.message import Exchange
from gatecrash.node.observe.folding import Folding
from gatecrash.node.observe.observations import Observation
from gatecrash.node.spool import Spool
from gatecrash.wire import codec
from gatecrash.wire.session import Config, Heartbeat

TIMES = 12


def observed(odd: Exchange | None = None) -> list[Observation]:
    """All that was planted, a dozen times, as an application's traffic repeats itself."""
    exchanges = [one.exchange for one in PLANTED] * TIMES
    return [Observation(exchange, whole=True) for exchange in [*exchanges, *([odd] if odd else [])]]


def contents(folder: Path) -> bytes:
    """All that is on disk."""
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@run
async def test_no_secret_reaches_the_spool_the_logs_a_batch_or_a_heartbeat(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    spool = Spool(tmp_path)
    folding = Folding(spool)
    folding.configure(Config(1, (("header", "X-PLANTED"),)))
    for _ in range(2):
        folding.add(observed())
        await folding.write()
    news = folding.news()
    batches = await spool.run(lambda: spool.counts(10))
    counted = sum(row.requests for batch in batches for row in batch.endpoints)
    spool.close()
    # Otherwise nothing was there to leak.
    assert counted > TIMES * len(PLANTED)
    assert news
    assert any(row.notes for batch in batches for row in batch.endpoints)
    told = b"".join([codec.encode(batch) for batch in batches] + [codec.encode(Heartbeat("n", "s", 1.0, 1, (), news))])
    kept = contents(tmp_path)
    said = "\n".join(str(record.__dict__) for record in caplog.records).encode()
    assert found_in(told) == []
    assert found_in(kept) == []
    assert found_in(said) == []


@run
async def test_an_exchange_that_breaks_the_folding_is_told_without_its_secrets(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    spool = Spool(tmp_path)
    folding = Folding(spool)
    for one in PLANTED:
        request = one.exchange.request
        broken = Exchange(request, one.exchange.response, started="never")  # type: ignore[arg-type]
        folding.add([Observation(broken, whole=True)])
    spool.close()
    assert "exchange not counted" in caplog.messages
    assert found_in("\n".join(str(record.__dict__) for record in caplog.records).encode()) == []
