"""Asking: what counts as an answer, and what ends a dialogue without one."""

import re
from random import Random

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.asking import (
    Stopped,
    ask,
    ask_as,
    ask_raw,
    ask_raw_unless_cut_off,
    check_alive,
    concluding,
    enough_samples,
    sample_beside,
    settled_anew,
)
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.health.refused_sessions import OTHER_OUT
from gatecrash.core.testing.memory import Memory
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive

REQUEST = Request("GET", b"/")
RETRY = (b"Retry-After", b"5")


def asked(answer: Answer) -> Exchange:
    dialogue = ask(REQUEST)
    assert next(dialogue).request == REQUEST
    with pytest.raises(StopIteration) as end:
        dialogue.send(answer)
    return end.value.value


def test_an_identity_that_cannot_be_signed_in_is_told_with_the_step_that_failed():
    why = "identity 'bob', login[0]: answered 401"
    with pytest.raises(Stopped, match=rf"^{OTHER_OUT}: {re.escape(why)}$") as stopped:
        asked(Answer(Exchange(REQUEST), "signed_out", detail=why))
    assert stopped.value.reason is Inconclusive.SESSION
    with pytest.raises(Stopped, match=rf"^{OTHER_OUT}$"):
        asked(Answer(Exchange(REQUEST), "signed_out"))


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


BAD_GATEWAY = Answer(Exchange(REQUEST, Response(502)))
GOOD = Answer(Exchange(REQUEST, Response(200)))


def anew(method: str, *answers: Answer) -> Exchange:
    """What `settled_anew` makes of the answers to a request: the first, and the one more that it may ask for."""
    first, *others = answers
    asked = TestRequest(Request(method, b"/"), "test")
    dialogue = settled_anew(first, asked)
    try:
        assert next(dialogue) is asked
        dialogue.send(others.pop(0))
    except StopIteration as end:
        assert not others
        return end.value
    raise AssertionError("it is sent again more than once")


def test_a_payload_in_a_writing_request_is_sent_again_after_a_gateways_error():
    assert anew("POST", BAD_GATEWAY, GOOD) is GOOD.exchange
    assert anew("POST", GOOD) is GOOD.exchange


def test_any_question_that_writes_is_asked_again_after_a_gateways_error():
    dialogue = ask(Request("POST", b"/notes"))
    asked = next(dialogue)
    assert dialogue.send(BAD_GATEWAY) is asked
    with pytest.raises(StopIteration) as end:
        dialogue.send(GOOD)
    assert end.value.value is GOOD.exchange


@pytest.mark.parametrize(
    ("method", "target", "body"),
    [
        ("DELETE", b"/notes/1", b""),
        ("POST", b"/notes/1/delete", b""),
        ("POST", b"/password", b"new=x"),
        ("POST", b"/login", b"user=ann&password=x"),
    ],
)
def test_what_deletes_or_locks_something_is_not_asked_twice(method, target, body):
    dialogue = ask(Request(method, target, body=body))
    next(dialogue)
    with pytest.raises(Stopped):
        dialogue.send(BAD_GATEWAY)


def test_what_only_reads_is_asked_again_where_the_connection_was_closed_without_a_word():
    cut_off = Answer(Exchange(REQUEST), "closed")
    assert anew("GET", cut_off, GOOD) is GOOD.exchange
    dialogue = ask(Request("GET", b"/notes"))
    asked = next(dialogue)
    assert dialogue.send(cut_off) is asked
    with pytest.raises(Stopped, match="closed"):
        dialogue.send(cut_off)
    with pytest.raises(Stopped, match="closed"):
        anew("POST", cut_off)


@pytest.mark.parametrize(
    ("method", "answers"),
    [
        ("POST", [BAD_GATEWAY, BAD_GATEWAY]),
        ("GET", [BAD_GATEWAY]),
        ("POST", [Answer(Exchange(REQUEST, Response(503, (RETRY,))))]),
        ("POST", [Answer(Exchange(REQUEST, Response(504), elapsed=2.5))]),
        ("POST", [Answer(Exchange(REQUEST, Response(502)), "closed")]),
    ],
)
def test_what_a_gateway_goes_on_to_say_or_says_late_ends_the_dialogue(method, answers):
    with pytest.raises(Stopped):
        anew(method, *answers)


def test_a_baseline_that_is_refused_now_and_was_not_has_lost_its_session():
    with pytest.raises(Stopped, match="401"):
        check_alive(Response(200), Response(401))
    check_alive(Response(401), Response(401))
    check_alive(Response(404), Response(404))


def sent_raw(request: Request, *answers: Answer) -> Exchange | None:
    dialogue = ask_raw_unless_cut_off(request)
    assert next(dialogue).raw
    for answer in answers[:-1]:
        assert dialogue.send(answer).raw
    with pytest.raises(StopIteration) as end:
        dialogue.send(answers[-1])
    return end.value.value


def test_credentials_over_which_a_server_breaks_twice_are_answered_with_nothing():
    cut_off, refused = Answer(Exchange(REQUEST), "closed"), Answer(Exchange(REQUEST, Response(401)))
    assert sent_raw(REQUEST, cut_off, cut_off) is None
    assert sent_raw(REQUEST, cut_off, refused) is refused.exchange
    assert sent_raw(REQUEST, refused) is refused.exchange
    with pytest.raises(Stopped, match="closed"):
        sent_raw(Request("POST", b"/"), cut_off)
    with pytest.raises(Stopped, match="in time"):
        sent_raw(REQUEST, Answer(Exchange(REQUEST), "timeout"))


def test_a_server_error_is_no_baseline():
    with pytest.raises(Stopped, match="500"):
        check_alive(Response(500), Response(500))


def test_a_question_says_who_it_is_asked_as_and_what_may_be_put_in_order_on_its_way():
    assert (next(ask(REQUEST)).identity, next(ask(REQUEST)).raw) == (None, False)
    assert (next(ask_as(REQUEST, "ben")).identity, next(ask_as(REQUEST, "", "control")).identity) == ("ben", "")
    assert next(ask_raw(REQUEST, "confirm")).raw


def beside(method: str, recorded: Response, *answers: Response) -> list[Exchange]:
    """What `sample_beside` takes for the baseline, and how often it asked."""
    request = Request(method, b"/")
    situation = Situation(
        baseline=Baseline("bl_1", Exchange(request, recorded)),
        point=Point.of("get", "q"),
        value=b"",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
    )
    dialogue, left = sample_beside(situation), list(answers)
    try:
        asked = next(dialogue)
        while True:
            asked = dialogue.send(Answer(Exchange(asked.request, left.pop(0))))
    except StopIteration as end:
        assert left == []
        return end.value


def test_a_recorded_answer_that_is_given_still_is_a_sample_by_itself():
    samples = beside("GET", Response(200, (), b"tea"), Response(200, (), b"tea"))
    assert [sample.response.body for sample in samples] == [b"tea", b"tea"]


def test_what_has_changed_since_it_was_recorded_is_asked_for_twice():
    samples = beside("GET", Response(200, (), b"tea\ncups"), Response(200, (), b"milk"), Response(200, (), b"milk"))
    assert [sample.response.body for sample in samples] == [b"milk", b"milk"]
    assert len(beside("GET", Response(201, (), b"tea"), Response(200, (), b"tea"), Response(200, (), b"tea"))) == 2


def test_a_page_that_breaks_as_it_was_recorded_is_a_sample_and_one_that_broke_since_is_none():
    broken = Response(500, (), b"tea")
    assert [sample.response for sample in beside("GET", broken, broken)] == [broken, broken]
    with pytest.raises(Stopped, match="answered with 500"):
        beside("GET", Response(200, (), b"tea"), broken)


def test_a_request_that_changes_something_is_not_repeated_for_a_sample():
    assert len(beside("POST", Response(200, (), b"tea"))) == 1


def samples_of(method: str, known: list[bytes], later: list[bytes]) -> int:
    """How many samples there are in the end, of a baseline that is answered so."""
    request = Request(method, b"/")
    exchanges = [Exchange(request, Response(200, (), body)) for body in known]
    situation = Situation(
        baseline=Baseline("bl_1", exchanges[0]),
        point=Point(()),
        value=b"",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
    )
    dialogue = enough_samples(situation, exchanges)
    try:
        asked = next(dialogue)
        for body in later:
            asked = dialogue.send(Answer(Exchange(asked.request, Response(200, (), body))))
    except StopIteration as end:
        return len(end.value)
    raise AssertionError("more was asked")


def test_a_page_that_moves_is_asked_for_until_one_more_answer_tells_nothing_new_eight_times_at_most():
    def moving(number: int, body: bytes = b"a\nb\n") -> bytes:
        return body + b"\n".join(b"%c%d" % (ord("k") + number, line) for line in range(9))

    assert samples_of("GET", [b"a\nb", b"a\nb"], []) == 2
    assert samples_of("GET", [moving(1), moving(2)], [moving(3), moving(4), moving(5)]) == 5
    lost = [moving(3), moving(4, b"a\nb\nc\n"), moving(5, b"b\na\n")]
    assert samples_of("GET", [moving(1), moving(2)], lost) == 5
    assert samples_of("GET", [moving(1, b""), moving(2, b"")], [moving(n, b"") for n in range(3, 9)]) == 8
    assert samples_of("POST", [moving(1)], []) == 1


def test_a_point_at_which_three_types_hang_is_left_but_for_files_that_are_there():
    memory, asked = Memory(), []
    situation = Situation(
        baseline=Baseline("bl_1", Exchange(REQUEST, Response(200))),
        point=Point.of("get", "q"),
        value=b"a",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
        memory=memory,
    )

    def hanging(situation: Situation):
        asked.append(situation.point)
        yield from ask(situation.baseline.request)

    def concluded(type_: str):
        dialogue, answer = concluding(type_, hanging)(situation), None
        while True:
            try:
                dialogue.send(answer)
            except StopIteration as end:
                return end.value
            answer = Answer(Exchange(REQUEST), "timeout")

    told = [concluded(type_) for type_ in ("sqli", "nosqli", "rce", "ssti", "xss")]
    assert {verdict.reason for verdict in told} == {Inconclusive.CONNECTION}
    assert len(asked) == 3
    concluded("ptrav")
    assert len(asked) == 4
