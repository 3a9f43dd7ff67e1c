"""Asking: what counts as an answer, and what ends a dialogue without one."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.asking import Stopped, ask, ask_as, ask_raw, check_alive
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.verdict import Inconclusive

REQUEST = Request("GET", b"/")
RETRY = (b"Retry-After", b"5")


def asked(answer: Answer) -> Exchange:
    dialogue = ask(REQUEST)
    assert next(dialogue).request == REQUEST
    with pytest.raises(StopIteration) as end:
        dialogue.send(answer)
    return end.value.value


def test_an_answer_is_given_back():
    exchange = Exchange(REQUEST, Response(404))
    assert asked(Answer(exchange)) is exchange


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer(Exchange(REQUEST), "timeout"), Inconclusive.CONNECTION),
        (Answer(Exchange(REQUEST)), Inconclusive.CONNECTION),
        (Answer(Exchange(REQUEST, Response(200)), "too_large"), Inconclusive.CONNECTION),
        (Answer(Exchange(REQUEST, Response(429))), Inconclusive.RATE_LIMITED),
        (Answer(Exchange(REQUEST, Response(503, (RETRY,)))), Inconclusive.RATE_LIMITED),
        (Answer(Exchange(REQUEST, Response(503))), Inconclusive.UNSTABLE),
        (Answer(Exchange(REQUEST, Response(504))), Inconclusive.UNSTABLE),
    ],
)
def test_what_ends_a_dialogue(answer, reason):
    dialogue = ask(REQUEST)
    next(dialogue)
    with pytest.raises(Stopped) as stopped:
        dialogue.send(answer)
    assert stopped.value.reason is reason
    assert stopped.value.detail


def test_a_baseline_that_is_refused_now_and_was_not_has_lost_its_session():
    with pytest.raises(Stopped, match="401"):
        check_alive(Response(200), Response(401))
    check_alive(Response(401), Response(401))
    check_alive(Response(404), Response(404))


def test_a_server_error_is_no_baseline():
    with pytest.raises(Stopped, match="500"):
        check_alive(Response(500), Response(500))


def test_a_question_says_who_it_is_asked_as_and_what_may_be_put_in_order_on_its_way():
    assert (next(ask(REQUEST)).identity, next(ask(REQUEST)).raw) == (None, False)
    assert (next(ask_as(REQUEST, "ben")).identity, next(ask_as(REQUEST, "", "control")).identity) == ("ben", "")
    assert next(ask_raw(REQUEST, "confirm")).raw
