"""A hundred open pages follow one running test: each, on a session of its own, shows every change and none is lost.

How soon they do is measured by `python -m bench live`, whose goal is two seconds: other tests share this machine.
"""

import asyncio
from collections.abc import Iterator

import pytest
from tests.e2e.live_pages import Crowd, LivePage
from tests.e2e.protocol_node import passed
from tests.e2e.service import Service
from tests.e2e.tenant import Tenant

pytestmark = pytest.mark.database
PAGES = 100
CHANGES = 2
# A page asks so often, seconds; were it less, no page could show a change within the two seconds of its goal.
EVERY = 1.0
# No goal, only an end to waiting.
PATIENCE = 60.0


@pytest.fixture(scope="module")
def tenant(service: Service) -> Iterator[Tenant]:
    with service.tenant() as one:
        yield one


class Watched:
    """A run at work, of which one baseline after the other ends."""

    def __init__(self, tenant: Tenant) -> None:
        self.tenant, self.node = tenant, tenant.node
        self.run_id = tenant.recorded("watched by many", baselines=CHANGES + 2)["id"]
        self.order = self.node.order(self.run_id)
        self.waiting = list(self.node.claim(self.order, CHANGES + 1).baselines)
        self.passed = 0

    def pass_one(self) -> None:
        """One more baseline ends."""
        self.node.results(self.order, [passed(self.waiting.pop().id)])
        self.passed += 1

    def shows(self, page: LivePage) -> bool:
        """Whether numbers and table tell of all that ended."""
        return (
            f"Passed <strong>{self.passed}</strong>" in page.parts["live"].text
            and page.parts["baselines"].text.count(">Passed</span>") == self.passed
        )


async def watch(api: str, sessions: list[str], watched: Watched) -> list[LivePage]:
    """The pages, after each of them has shown every change."""
    crowd = Crowd(api, sessions, [f"/runs/{watched.run_id}/"])
    await crowd.open()
    try:
        assert {page.parts["live"].every for page in crowd.pages} == {EVERY}
        for change in range(CHANGES):
            spans = await crowd.sees(watched.pass_one, watched.shows, within=PATIENCE)
            assert spans[-1] < PATIENCE, (change, [page.path for page in crowd.pages if not watched.shows(page)])
    finally:
        await crowd.close()
    return crowd.pages


@pytest.mark.timeout(600)
def test_a_hundred_pages_show_every_change(service: Service, tenant: Tenant) -> None:
    sessions = service.administer(visitors=PAGES, client_id=tenant.client_id, role="viewer")["sessions"]
    assert len(set(sessions)) == PAGES
    pages = asyncio.run(watch(service.api, sessions, Watched(tenant)))
    assert sum(page.lost for page in pages) == 0
