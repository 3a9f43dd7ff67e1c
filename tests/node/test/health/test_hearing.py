"""What an answer of the target's says of the target, and of its baseline's way."""

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.node.test.health.hearing import FAILURES_AT_FIRST, FAILURES_IN_A_ROW, Hearing
from gatecrash.node.test.wording import SILENT, TIMED_OUT, TargetGone

PAGE = Request("GET", b"/staff/pictures/", ((b"Host", b"x"), (b"Cookie", b"sid=3f9a")), b"", "http", "127.0.0.1", 80)
TO_THE_LOGIN = Response(302, ((b"Location", b"/login/?next=/staff/pictures/"),))


@pytest.mark.parametrize(("started", "cut"), [(1.0, True), (0.0, False)])
def test_a_silent_host_ends_the_tests_and_only_what_was_sent_may_have_silenced_it(started: float, cut: bool):
    baseline = Baseline(id="b", exchange=Exchange(PAGE, Response(200, body=b"pictures")))
    hearing = Hearing(baseline, cast("Any", SimpleNamespace(patience=None)), cast("Any", None))
    heard = hearing.hear(TestRequest(PAGE), Answer(Exchange(PAGE, started=started), SILENT))
    assert heard is not None
    with pytest.raises(TargetGone, match=SILENT) as gone:
        cast("Any", heard).send(None)
    assert (gone.value.cut, gone.value.request) == (cut, PAGE)


@pytest.mark.parametrize(("answers", "most"), [(True, FAILURES_IN_A_ROW), (False, FAILURES_AT_FIRST)])
def test_answers_that_stall_on_their_way_are_none_and_few_are_waited_for_where_there_never_was_one(
    answers: bool, most: int
):
    traffic = SimpleNamespace(answers=lambda *_: answers)
    hearing = Hearing(Baseline(id="b", exchange=Exchange(PAGE)), cast("Any", traffic), cast("Any", None))
    stalled = Answer(Exchange(PAGE, Response(200, body=b"pic", truncated=True)), TIMED_OUT)
    for number in range(most):
        heard = cast("Any", hearing.hear(TestRequest(PAGE), stalled))
        with pytest.raises(TargetGone if number == most - 1 else StopIteration):
            heard.send(None)


@pytest.mark.parametrize(("identity", "follows"), [(None, True), ("", False), ("recorded 2", False)])
def test_only_where_the_baselines_sender_is_led_is_the_baselines_way(identity: str | None, follows: bool):
    """Nobody is sent to the login, which sends on who is signed in: neither goes in a circle."""
    attendance = SimpleNamespace(control=SimpleNamespace(watch=lambda response: None))
    baseline = Baseline(id="b", exchange=Exchange(PAGE, Response(200, body=b"pictures")))
    hearing = Hearing(baseline, cast("Any", None), cast("Any", attendance))
    way = hearing.hear(TestRequest(PAGE, "control", identity), Answer(Exchange(PAGE, TO_THE_LOGIN)))
    assert (way is not None) is follows
    if way is not None:
        cast("Any", way).close()


@pytest.mark.parametrize(("path", "gone"), [(b"/staff/pictures/", True), (b"/staff/pictures/x", False)])
def test_a_mirror_that_sends_on_what_it_does_not_have_has_not_moved(path: bytes, gone: bool):
    control = SimpleNamespace(watch=lambda response: None)
    baseline = Baseline(id="b", exchange=Exchange(PAGE, Response(200, body=b"pictures")))
    hearing = Hearing(baseline, cast("Any", None), cast("Any", SimpleNamespace(control=control)))
    asked = msgspec.structs.replace(PAGE, target=path)
    elsewhere = Response(302, ((b"Location", b"https://master.example" + path),))
    with pytest.raises(TargetGone, match="moved") if gone else nullcontext():
        hearing.hear(TestRequest(asked), Answer(Exchange(asked, elsewhere)))
