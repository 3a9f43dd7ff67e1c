"""A control plane that is away for an hour of simulated time: bounded memory and disk, and every count afterwards."""

from pathlib import Path

from tests.node.loop import run

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.fakes.control_plane import TOKEN, ControlPlane
from gatecrash.node.observe.folding import Folding
from gatecrash.node.observe.observations import Observation
from gatecrash.node.session import Session
from gatecrash.node.spool import MOST_FRESH, Spool
from gatecrash.node.uplink import HELLO, Uplink
from gatecrash.wire.session import Hello, Welcome

HOUR = 3600
# A sync of the disk each simulated second would make up most of the test's time.
BATCH_EVERY = 4
BEGIN = 1_760_000_000 // HOUR * HOUR + HOUR // 2
NAMES = [f"/{first}/{second}" for first in ("teas", "cups", "pots") for second in ("new", "old", "fine", "best")]
AUTHORIZED = ((b"Authorization", b"Bearer token-3f9a8b7c6d5e"),)


def seen(second: int, path: str) -> Observation:
    headers = AUTHORIZED if second % 2 else ()
    request = Request("GET", path.encode(), headers, host="shop.example")
    return Observation(Exchange(request, Response(200), started=BEGIN + second), whole=True)


@run
async def test_a_control_plane_away_for_an_hour_costs_no_count(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    folding = Folding(spool)
    sizes = []
    for second in range(HOUR):
        folding.add([seen(second, path) for path in NAMES])
        folding.add([seen(second, f"/users/{second}/teas")])
        if second % BATCH_EVERY == BATCH_EVERY - 1:
            await folding.write(ended=False)
        if second % 900 == 899:
            sizes.append((spool._db.execute("SELECT count(*) FROM counts").fetchone()[0], spool._counts_size))
    assert all(batches <= MOST_FRESH + 1 for batches, _ in sizes), sizes
    assert sizes[-1][1] < 1.2 * sizes[0][1] + 10_000, "the disk does not grow with the time"
    assert folding._folder.waiting == 0
    assert not folding._folder._counts, "and the memory holds nothing"
    async with ControlPlane() as control:
        uplink, session = Uplink(control.api, TOKEN), Session()
        session.set(await uplink.call(HELLO, Hello("n", "native", "1", spool.name), Welcome))
        await folding.write()
        await folding.send(uplink, session)
        await uplink.close()
        rows = control.endpoints()
        assert sum(row.requests for row in rows) == HOUR * (len(NAMES) + 1)
        assert sum(row.authenticated for row in rows) == HOUR // 2 * (len(NAMES) + 1)
        assert {row.hour for row in rows} == {BEGIN // HOUR, BEGIN // HOUR + 1}
        assert {row.path for row in rows} == {*NAMES, "/users/{user_id}/teas"}
    spool.close()
