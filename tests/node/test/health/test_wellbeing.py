"""A target whose pages its own tests spoil: noticed, put right where the recorded request does that, and never passed."""

import asyncio

from tests.node.loop import run
from tests.node.test.answering import Application, traffic
from tests.node.test.trying import passes, probe

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.probes import auth
from gatecrash.core.testing.verdict import safe
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.health.wellbeing import Wellbeing
from gatecrash.node.test.trial import Trial
from gatecrash.wire.session import RunOrder
from gatecrash.wire.work import Result

HTML: Headers = ((b"Content-Type", b"text/html"),)
PAGES = (b"/", b"/ships", b"/crews", b"/ports")
ORDER = RunOrder(run_id="tr_1", generation=1, record_id="r", recording=False, sending=True, policy=DEFAULT)


def request(method: str, target: bytes, body: bytes = b"") -> Request:
    return Request(method, target, ((b"Host", b"x"),), body, "http", "127.0.0.1", 80)


class Site:
    """Pages in a theme. mends: whether the theme is read from what was posted last; else the first bad one stays."""

    def __init__(self, *, mends: bool = True) -> None:
        self.theme = b"plain"
        self.mends = mends
        self.application = Application(self.says)
        self.traffic = traffic(self.application)
        for target in PAGES:
            self.traffic.learn(self.exchange("GET", target))

    def says(self, asked: Request) -> Response:
        if asked.method == "POST":
            if self.mends or self.theme == b"plain":
                self.theme = asked.body.removeprefix(b"theme=")
            return Response(200, HTML, b"<p>saved")
        if self.theme not in (b"plain", b"dark"):
            return Response(200, HTML, b"<p>The theme cannot be read.")
        return Response(200, HTML, b"<p>All the " + asked.target[:0:-1])

    def exchange(self, method: str, target: bytes, body: bytes = b"") -> Exchange:
        asked = request(method, target, body)
        return Exchange(asked, Response(200, HTML, b"<p>saved" if body else b"<p>All the " + target[:0:-1]))


def writes(theme: bytes) -> Probe:
    """A probe that leaves a theme behind."""

    def dialogue(situation: Situation) -> Dialogue:
        yield TestRequest(request("POST", situation.baseline.request.target, b"theme=" + theme))
        return safe("xss", situation.point)

    return Probe(type="xss", entry=auth.ENTRY, whole=True, applies=lambda _: True, forecast=lambda _: 1, run=dialogue)


async def tried(of: Traffic, exchange: Exchange, *probes: Probe, name: str = "bl_1") -> Result:
    return await Trial(Baseline(name, exchange), ORDER, of, compile_recogniser(), probes).run(lambda _: None)


@run
async def test_settings_that_spoil_every_page_are_undecided_and_put_right() -> None:
    site = Site()
    result = await tried(site.traffic, site.exchange("POST", b"/look", b"theme=dark"), writes(b"%27"))
    assert (result.status, result.reason) == ("error", "connection_failed"), result
    assert "every page of the target says the same since POST /look was tested" in result.detail
    assert site.theme == b"dark"
    after = await tried(site.traffic, site.exchange("GET", b"/ships"), probe("auth", passes), name="bl_2")
    assert after.status == "passed", after
    assert any("POST /look" in note for note in site.traffic.notes)


@run
async def test_nothing_passes_at_a_target_that_stays_spoilt() -> None:
    site = Site(mends=False)
    await tried(site.traffic, site.exchange("POST", b"/look", b"theme=dark"), writes(b"%27"))
    for method, target, body in (("GET", b"/ships", b""), ("POST", b"/crews", b"name=ann")):
        result = await tried(site.traffic, site.exchange(method, target, body), probe("auth", passes), name="bl_2")
        assert (result.status, result.reason) == ("error", "connection_failed"), result
        assert "since POST /look was tested" in result.detail, result
    site.theme, site.mends = b"plain", True
    result = await tried(site.traffic, site.exchange("GET", b"/ships"), probe("auth", passes), name="bl_2")
    assert result.status == "passed", result


@run
async def test_all_that_may_have_done_it_are_named() -> None:
    site = Site()
    ways = (b"/look", b"/names")
    trials = (
        tried(site.traffic, site.exchange("POST", way, b"theme=plain"), writes(b"%27"), name=f"bl_{place}")
        for place, way in enumerate(ways)
    )
    first, *_ = await asyncio.gather(*trials)
    assert "POST /look" in first.detail, first
    assert "POST /names" in first.detail, first


@run
async def test_settings_that_the_pages_survive_cost_one_question_and_pass() -> None:
    site = Site()
    result = await tried(site.traffic, site.exchange("POST", b"/look", b"theme=dark"), writes(b"plain"))
    assert result.status == "passed", result
    assert [path for path in site.application.paths() if path != "/look"] == ["/", "/ships", "/crews", "/"]
    assert not site.traffic.notes


@run
async def test_where_tests_go_on_later_no_page_is_looked_for_again() -> None:
    site = Site()
    later, exchange = writes(b"dark"), site.exchange("POST", b"/look", b"theme=dark")
    trial = Trial(Baseline("bl_1", exchange), ORDER, site.traffic, compile_recogniser(), (writes(b"plain"), later))
    await trial.run(lambda _: None, lambda check: check.probe is later)
    result = await trial.resume(lambda _: None)
    assert result.status == "passed", result
    assert [path for path in site.application.paths() if path != "/look"] == ["/", "/ships", "/crews", "/", "/"]


@run
async def test_an_account_that_loses_its_pages_is_told_as_such_and_not_as_a_spoilt_target() -> None:
    site = Site()
    whole = site.says

    def says(asked: Request) -> Response:
        if asked.method == "GET" and site.theme == b"none":
            return Response(403, HTML, b"<p>forbidden")
        return whole(asked)

    application = Application(says)
    site.traffic = traffic(application)
    for target in PAGES:
        site.traffic.learn(site.exchange("GET", target))
    result = await tried(site.traffic, site.exchange("POST", b"/look", b"theme=dark"), writes(b"none"))
    assert "spoilt" not in result.detail
    assert not site.traffic.notes


@run
async def test_what_only_reads_looks_for_no_pages_that_it_might_spoil() -> None:
    site = Site()

    async def sends(_asked: TestRequest) -> Answer:
        raise AssertionError("nothing is to be asked")

    def finds() -> tuple[Page, ...]:
        raise AssertionError("of a large record that takes as long as a dozen tests")

    await Wellbeing("bl_1", request("GET", b"/ships"), site.traffic.spoilt, sends).begin(finds)
