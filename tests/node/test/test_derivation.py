"""What was put off is found again by a process that knows nothing of the first part, and what few pages are asked is chosen anew."""

import math

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import Check
from gatecrash.core.testing.pacing.parts import EVERYTHING, Todo
from gatecrash.core.testing.pacing.passes import Pass
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.registry import REGISTRY
from gatecrash.node.session import Lifeline
from gatecrash.node.test.connections.destinations import Destinations
from gatecrash.node.test.connections.sender import Sender
from gatecrash.node.test.connections.traffic import Tally, Traffic
from gatecrash.node.test.derivation import derived
from gatecrash.node.test.sessions.principal import Principal
from gatecrash.wire.session import RunOrder

ORDER = RunOrder(run_id="tr_1", generation=1, record_id="r", recording=False, sending=True, policy=THOROUGH)
HEADERS = ((b"Host", b"x"), (b"User-Agent", b"Browser/7"), (b"Accept", b"text/html"))


def traffic() -> Traffic:
    return Traffic(ORDER, Sender(Destinations(lambda *_: None, lambda *_: None)), Lifeline(math.inf), Tally(1))


def checks(of: Traffic, todo: Todo, path: bytes = b"/a") -> list[Check]:
    request = Request("GET", path + b"?q=lamp", HEADERS, b"", "http", "127.0.0.1", 80)
    baseline = Baseline(f"bl_{path!r}", Exchange(request, Response(200, body=b"lamp")))
    principal = Principal(baseline, of, compile_recogniser())
    return derived(baseline, ORDER, of, principal, REGISTRY, todo, 0)[0]


def places(made: list[Check]) -> set[tuple[str, str, Point]]:
    return {(each.probe.type, each.probe.name, each.point) for each in made}


def test_another_process_finds_what_one_has_put_off() -> None:
    one = checks(traffic(), EVERYTHING)
    for last in (Pass.TELLING, Pass.STATEMENTS, Pass.DEAR):
        late = places([each for each in one if Todo(up_to=last).puts_off(each)])
        assert late
        assert places(checks(traffic(), Todo(last + 1))) == late


def test_no_page_holds_the_place_of_another_where_its_second_part_is_made_elsewhere() -> None:
    here, accept = traffic(), Point.of("header", "ACCEPT")
    for path in (b"/a", b"/b", b"/c"):
        checks(here, EVERYTHING, path)
    assert accept not in {each.point for each in checks(here, EVERYTHING, b"/d")}
    found = [
        accept in {each.point for each in checks(here, Todo(Pass.HEADERS), path)}
        for path in (b"/d", b"/e", b"/f", b"/g")
    ]
    assert found == [True, True, True, False]
