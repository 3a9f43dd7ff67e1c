"""A hundred open pages of running tests: how soon each shows a change, and what a second of it costs.

The real service, a node that reports ten runs' progress twice a second, and a hundred pages, each on a session and a
connection of its own, that ask as htmx does: half of them look at a run, half at the list. Now and then a baseline ends, and
each page of its run is timed until it shows it. All on this machine; the pages' own work is part of the load.

    python -m bench live                            SQLite
    BENCH_DATABASE=postgresql python -m bench live     on a PostgreSQL server started for it
"""

import asyncio
import statistics
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from tests.e2e.live_pages import Crowd, LivePage
from tests.e2e.protocol_node import ProtocolNode, passed
from tests.e2e.service import Service
from tests.e2e.tenant import Tenant

from bench.counts import address
from gatecrash.wire.session import RunProgress

PAGES = 100
BASELINES = 40
CHANGES = 9
TARGET = 2.0
BEAT_SECONDS = 0.5


def main() -> None:
    """Measure and print."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gatecrash-bench-")))
        url = stack.enter_context(address(home))
        service = stack.enter_context(Service(home, url, GATECRASH_LOG_LEVEL="WARNING"))
        tenant = stack.enter_context(service.tenant())
        run = Run(tenant)
        sessions = service.administer(visitors=PAGES, client_id=tenant.client_id, role="viewer")["sessions"]
        for name, paths in (("a run", [f"/runs/{run.id}/"]), ("a run, and the list", [f"/runs/{run.id}/", "/runs/"])):
            asyncio.run(measure(name, Crowd(service.api, sessions, paths), run))


class Run:
    """A run at work: its node beats, and baselines end one by one."""

    def __init__(self, tenant: Tenant) -> None:
        self.node: ProtocolNode = tenant.node
        self.id = tenant.recorded("watched", baselines=BASELINES)["id"]
        self.order = self.node.order(self.id)
        self.waiting = list(self.node.claim(self.order, BASELINES - 1).baselines)
        self.passed = 0
        self.sent = 0

    def beat(self) -> None:
        """Say how far it is."""
        self.sent += 50
        second = int(time.time())
        self.node.beat(RunProgress(self.id, self.order.generation, sent=self.sent, recent=((second, 100),)))

    def go_on(self) -> None:
        """One baseline ends."""
        self.node.results(self.order, [passed(self.waiting.pop().id)])
        self.passed += 1

    def shows(self, page: LivePage) -> bool:
        """Whether a page tells of all that ended."""
        if "live" not in page.parts:
            return f"{self.passed} of {BASELINES} done" in page.parts["run-rows"].text
        table = page.parts["baselines"].text.count(">Passed</span>")
        return f"Passed <strong>{self.passed}</strong>" in page.parts["live"].text and table == self.passed


async def measure(name: str, crowd: Crowd, run: Run) -> None:
    """Open the pages, make changes, print."""
    began = time.perf_counter()
    await crowd.open()
    opened = time.perf_counter() - began
    beating = asyncio.create_task(beats(run))
    began, asked = time.perf_counter(), sum(page.asked for page in crowd.pages)
    spans = [await crowd.sees(run.go_on, run.shows) for _ in range(CHANGES)]
    seconds, asked = time.perf_counter() - began, sum(page.asked for page in crowd.pages) - asked
    beating.cancel()
    await crowd.close()
    lasts = [one[-1] for one in spans]
    print(f"{PAGES} pages of {name}, opened in {opened:.1f} s, asking {asked / seconds:.0f} times a second")
    print(f"  half of the pages saw a change in   {statistics.median(one[PAGES // 2] for one in spans):5.2f} s")
    print(f"  the last page, median of {CHANGES} changes   {statistics.median(lasts):5.2f} s")
    print(f"  the last page of the slowest        {max(lasts):5.2f} s  (target {TARGET:.0f} s)")
    print(
        f"  slowest answer                      {max(page.slowest for page in crowd.pages):5.2f} s, lost {sum(page.lost for page in crowd.pages)}"
    )


async def beats(run: Run) -> None:
    """Beat until cancelled."""
    while True:
        await asyncio.to_thread(run.beat)
        await asyncio.sleep(BEAT_SECONDS)


if __name__ == "__main__":
    main()
