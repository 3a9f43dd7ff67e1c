"""Pages whose scripts read the address, answered from memory, and a real browser that opens them for the probe."""

from collections.abc import Mapping
from random import Random

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.probes.xss_dom import PROBE
from gatecrash.core.testing.verdict import Outcome, Verdict
from gatecrash.node.browser.showing import Showing

Headers = tuple[tuple[bytes, bytes], ...]
HTML: Headers = ((b"Content-Type", b"text/html"),)


class Site:
    """Who answers. at: what stands at each path. asked: the targets that were asked for."""

    def __init__(self, at: Mapping[str, str], headers: Headers = ()) -> None:
        self.at, self.headers = at, headers
        self.asked: list[str] = []

    async def send(self, asked: TestRequest) -> Answer:
        return Answer(self.answered(asked.request))

    def answered(self, request: Request) -> Exchange:
        self.asked.append(request.target.decode())
        path = request.path.decode()
        if path not in self.at:
            return Exchange(request, Response(404, HTML, b"nothing here"))
        kind = HTML if not path.endswith(".js") else ((b"Content-Type", b"text/javascript"),)
        body = self.at[path].replace("[[query]]", request.target.decode().partition("?")[2])
        return Exchange(request, Response(200, (*kind, *self.headers), body.encode()))


async def verdict_of(showing: Showing, site: Site, target: str = "/") -> Verdict:
    """What the probe says of a page, driven to its end."""
    request = Request("GET", target.encode(), ((b"Host", b"shop.example"),), host="shop.example")
    check = plan(Baseline("b", site.answered(request)), THOROUGH, (), (PROBE,), has_browser=showing.is_possible)[0]
    dialogue = PROBE.run(check.situation(Random(7)))
    try:
        asked = next(dialogue)
        while True:
            answer = await (showing.opened(asked, site.send) if asked.opening else site.send(asked))
            asked = dialogue.send(answer)
    except StopIteration as end:
        verdict: Verdict = end.value
        return verdict


def is_found(verdict: Verdict) -> bool:
    return verdict.outcome is Outcome.VULNERABLE
