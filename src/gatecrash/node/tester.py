"""What tests on a node: this process itself, or several of its own; and what reads addresses for records."""

from gatecrash.node.browser.finding import browser_at
from gatecrash.node.explorers import Explorers
from gatecrash.node.observe.folding import Folding
from gatecrash.node.oob.listener import Listener
from gatecrash.node.processes.crew import Crew
from gatecrash.node.session import Lifeline, Session
from gatecrash.node.settings import NodeSettings
from gatecrash.node.test.bounds import Bounds
from gatecrash.node.test.runner import Runner
from gatecrash.node.uplink import Uplink
from gatecrash.node.upstream_proxy import read_upstream_proxy

Way = tuple[Uplink, Session, Lifeline]
"""To the control plane."""


def make_tester(
    settings: NodeSettings, way: Way, folding: Folding, listener: Listener | None, own: list[tuple[str, int]]
) -> Runner | Crew:
    """As many processes as the settings say. own: where the service itself listens. Raises InvalidPattern, UserError."""
    bounds = _bounds(settings, own)
    if settings.processes == 1:
        runner = Runner(*way, lambda: folding.learned, bounds)
        runner.listener = listener
        return runner
    crew = Crew(*way, lambda: folding.taught, bounds, processes=settings.processes)
    crew.listener = listener
    crew.start()
    return crew


def make_explorers(settings: NodeSettings, way: Way, tester: Runner | Crew, own: list[tuple[str, int]]) -> Explorers:
    """What reads addresses, in this process, at the pace of its runs. Raises InvalidPattern, UserError."""
    return Explorers(*way, _bounds(settings, own), tester.paces if isinstance(tester, Runner) else None)


def _bounds(settings: NodeSettings, own: list[tuple[str, int]]) -> Bounds:
    return Bounds(
        workers=settings.workers,
        allowed_hosts=settings.allowed_hosts,
        own_addresses=tuple(own),
        verify_tls=settings.verify_tls,
        rps_per_host=settings.rps_per_host,
        proxy=read_upstream_proxy(settings.upstream_proxy) if settings.upstream_proxy else None,
        browser=browser_at(settings.browser),
    )
