"""What a browser is asked of a page, answered by one that is only said to run what it is given."""

import re
from collections.abc import Callable
from random import Random

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.probes.xss_dom import PROBE
from gatecrash.core.testing.verdict import Outcome, Verdict

HTML = ((b"Content-Type", b"text/html"),)
BOTH = "const p = new URLSearchParams(location.search); go(p.get('q'), p.get('by'), location.hash); box.innerHTML = p"
Runs = Callable[[TestRequest], tuple[str, ...]]


def drive(
    script: str,
    runs: Runs,
    told: set[tuple[str, ...]] | None = None,
    path: str = "/",
    *,
    browser: bool = True,
    all_asked: list[bytes] | None = None,
) -> tuple[Verdict, list[TestRequest]]:
    """The verdict, and the pages that were to be opened. all_asked: what else was asked for."""
    page = f"<script>{script}</script>".encode()
    request = Request("GET", path.encode(), ((b"Host", b"shop.example"),), host="shop.example")
    baseline = Baseline("b", Exchange(request, Response(200, HTML, page)))
    check = plan(baseline, THOROUGH, (), (PROBE,), told=told, has_browser=browser)[0]
    dialogue, opened = PROBE.run(check.situation(Random(7))), list[TestRequest]()
    try:
        asked = next(dialogue)
        while True:
            ran = runs(asked) if asked.opening else ()
            if all_asked is not None:
                all_asked.append(asked.request.target)
            opened += [asked] if asked.opening else []
            asked = dialogue.send(Answer(Exchange(asked.request, Response(200, HTML, page)), ran=ran))
    except StopIteration as end:
        verdict: Verdict = end.value
        return verdict, opened


def runs_by(asked: TestRequest) -> tuple[str, ...]:
    """A page that runs the parameter `by`."""
    found = re.findall(rb"[?&]by=%3Cimg%2Fsrc%2Fonerror%3D(\w+)", asked.request.target)
    return tuple(each.decode() for each in found)


def nothing(_asked: TestRequest) -> tuple[str, ...]:
    return ()


def test_what_ran_among_all_is_opened_alone_once_more() -> None:
    verdict, (first, second) = drive(BOTH, runs_by)
    assert verdict.outcome is Outcome.VULNERABLE
    assert verdict.detail == "in the DOM, from location.search (by)"
    assert first.opening is not None
    assert second.opening is not None
    assert len(first.opening.names) == 3
    assert second.request.target.startswith(b"/?by=%3Cimg")
    assert b"&" not in second.request.target
    assert set(first.opening.names).isdisjoint(second.opening.names)


def test_what_runs_only_once_is_no_proof() -> None:
    verdict, opened = drive(BOTH, lambda asked: runs_by(asked) if asked.purpose == "test" else ())
    assert verdict.outcome is Outcome.SAFE
    assert [each.purpose for each in opened][:2] == ["test", "confirm"]


def test_without_a_browser_nothing_is_opened() -> None:
    assert drive(BOTH, runs_by, browser=False)[1] == []


def test_scripts_that_were_tried_at_a_page_are_not_tried_there_again() -> None:
    told = set[tuple[str, ...]]()
    assert drive(BOTH, nothing, told)[1]
    assert not drive(BOTH, nothing, told)[1]
    others = [bool(drive(BOTH, nothing, told, f"/{number}")[1]) for number in range(8)]
    assert others == [True] * 5 + [False] * 3


def test_a_script_that_reads_no_address_is_not_asked_for_again() -> None:
    told, first, then = set[tuple[str, ...]](), list[bytes](), list[bytes]()
    drive("</script><script src=/app.js></script><script>", nothing, told, all_asked=first)
    drive("</script><script src=/app.js></script><script>", nothing, told, "/other", all_asked=then)
    assert b"/app.js" in first
    assert b"/app.js" not in then


def test_a_script_that_was_found_to_run_something_is_told_once() -> None:
    told = set[tuple[str, ...]]()
    assert drive(BOTH, runs_by, told)[0].outcome is Outcome.VULNERABLE
    assert drive(BOTH, runs_by, told, "/other")[1] == []


def test_routes_and_the_name_of_the_window_are_places() -> None:
    code = "addEventListener('hashchange', go); r = [{path: '/u/:id'}, {path: '/s'}]; q.get('t'); box.innerHTML = window.name + r"
    _, opened = drive(code + "new URLSearchParams(location.hash)", nothing)
    behind = [each.opening.behind for each in opened if each.opening is not None]
    assert any(each.startswith("/u/%3Cimg") for each in behind)
    assert any(each.startswith("/s?t=%3Cimg") for each in behind)
    assert any(each.opening is not None and each.opening.window.startswith("<img") for each in opened)
