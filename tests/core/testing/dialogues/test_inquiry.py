"""An inquiry: what it sends, what it reads, and how it ends when nothing was found."""

from random import Random

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.asking import Stopped
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.inquiry import Inquiry, inquiring
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation
from gatecrash.core.testing.verdict import Inconclusive, Outcome, safe

REQUEST = Request("POST", b"/search?q=lamp", ((b"Referer", b"/start"),))


def exchange(body: bytes, status: int = 200) -> Exchange:
    return Exchange(REQUEST, Response(status, ((b"Content-Type", b"text/plain"),), body))


def inquiry(*bodies: bytes, point: tuple[str, ...] = ("get", "q")) -> Inquiry:
    situation = Situation(
        baseline=Baseline("bl_1", exchange(bodies[0])),
        point=Point(point),
        value=b"lamp",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
    )
    return Inquiry(situation, [exchange(body) for body in bodies])


def ended(dialogue, *answers: Exchange):
    try:
        next(dialogue)
        for answer in answers:
            dialogue.send(Answer(answer))
    except StopIteration as end:
        return end.value
    raise AssertionError("the dialogue goes on")


def test_the_echo_of_a_payload_is_read_as_the_value_it_took_the_place_of():
    asked = inquiry(b"you asked for lamp", b"you asked for lamp")
    reply = ended(asked.send("lamp'\""), exchange(b"you asked for lamp&#x27;&quot;"))
    assert asked.like_baseline(reply.reading)


def test_an_answer_of_another_status_is_not_like_baselines_that_have_nothing_in_common():
    first, second = exchange(b"shall we go on?"), exchange(b"", 302)
    asked = Inquiry(inquiry(b"shall we go on?").situation, [second, first])
    refused = ended(asked.send("x"), exchange(b"unknown", 400))
    assert not asked.like_baseline(refused.reading)
    assert asked.like_baseline(ended(asked.send("y"), second).reading)


def test_a_block_is_remembered_and_is_no_reply():
    asked = inquiry(b"results")
    assert ended(asked.send("x"), exchange(b"Forbidden", 403), exchange(b"results")) is None
    # What any other value is told was asked for once.
    verdict = ended(asked.nothing_found("sqli"))
    assert (verdict.outcome, verdict.reason) == (Outcome.INCONCLUSIVE, Inconclusive.BLOCKED)


def test_an_application_that_answers_as_a_gateway_does_is_heard_when_it_says_so_again():
    asked = inquiry(b"results")
    own = exchange(b"no answer from there", 502)
    assert ended(asked.send("x"), own, own).reading.status == 502
    # Known by then, it is not asked twice of other payloads.
    assert ended(asked.send("y"), own).reading.status == 502


@pytest.mark.parametrize(
    "answers",
    [
        [exchange(b"<h1>502 Bad Gateway</h1>", 502)] * 2,
        [exchange(b"", 504)] * 2,
        [exchange(b"no answer from there", 502), exchange(b"results")],
        [Exchange(REQUEST, Response(502, ((b"Content-Type", b"text/html"),), b"<p>down"))],
    ],
    ids=["named", "empty", "once", "of another kind"],
)
def test_a_gateways_answer_says_nothing_of_the_application(answers):
    with pytest.raises(Stopped, match="gateway"):
        ended(inquiry(b"results").send("x"), *answers)


@pytest.mark.parametrize("error", [exchange(b"<h1>502 Bad Gateway</h1>", 502), exchange(b"", 504)])
def test_a_gateways_passing_error_is_asked_past(error):
    asked = inquiry(b"results")
    assert ended(asked.send("x"), error, exchange(b"results")).reading.status == 200
    assert ended(asked.submit(REQUEST, "x"), error, exchange(b"results")).reading.status == 200


def test_a_safe_baseline_must_be_answered_well_in_between():
    asked, own = inquiry(b"results", b"results"), exchange(b"no answer from there", 502)
    baseline = msgspec.structs.replace(REQUEST, method="GET")
    good = Exchange(baseline, exchange(b"results").response)
    asked.situation = msgspec.structs.replace(asked.situation, baseline=Baseline("bl_1", good))
    assert ended(asked.send("x"), own, good, own).reading.status == 502
    with pytest.raises(Stopped, match="gateway"):
        ended(inquiry(b"results").send("x"), exchange(b"gone", 503), exchange(b"other", 503))


def test_what_refuses_any_other_value_is_no_firewall():
    asked = inquiry(b"results")
    told = ended(asked.send("x' AND 1=1"), exchange(b"not yours", 403), exchange(b"not yours", 403))
    assert told.reading.status == 403
    # Known by then, it is an answer like any other.
    assert ended(asked.send("y"), exchange(b"not yours", 403)).reading.status == 403
    assert ended(asked.send("z"), exchange(b"Blocked by the firewall", 403)) is None


def test_a_refusal_in_other_words_than_any_other_value_is_told_may_be_its_own_or_not():
    asked = inquiry(b"results")
    assert ended(asked.send("x"), exchange(b"not that one, x", 403), exchange(b"nor this", 403)) is None
    verdict = ended(asked.nothing_found("sqli"))
    assert (verdict.outcome, verdict.detail) == (Outcome.SAFE, "any other value is refused there: 403 to the payload")


def test_the_harmless_value_names_nothing_where_something_may_change():
    asked = inquiry(b"results")
    sending = asked.send("x")
    next(sending)
    question = sending.send(Answer(exchange(b"Forbidden", 403)))
    value = question.request.target.partition(b"q=")[2]
    assert (len(value), value.isalpha(), question.purpose) == (12, True, "control")


def test_a_point_that_cannot_hold_the_payload_is_passed_over():
    asked = inquiry(b"results", point=("get", "absent"))
    assert ended(asked.send("x")) is None


@pytest.mark.parametrize(
    ("point", "outcome"), [(("header", "REFERER"), Outcome.SAFE), (("get", "z"), Outcome.INCONCLUSIVE)]
)
def test_where_no_payload_was_written_only_a_place_that_can_hold_none_is_safe(point, outcome):
    asked = inquiry(b"results", point=point)
    assert ended(asked.send("a\r\nb")) is None
    verdict = ended(asked.nothing_found("crlf"))
    assert verdict.outcome is outcome
    assert verdict.detail.startswith("no payload can be written there: ")


def test_steady_answers_without_a_finding_are_safe_and_others_unstable():
    assert ended(inquiry(b"a\nb\nc", b"a\nb\nc").nothing_found("sqli")).outcome is Outcome.SAFE
    verdict = ended(inquiry(b"a\nb\nc", b"d\ne\nf").nothing_found("sqli"))
    assert verdict.reason is Inconclusive.UNSTABLE


def test_answers_that_list_what_was_sent_before_are_not_told_apart_by_it():
    asked = inquiry(b"they wrote\nlamp")
    ones = [ended(asked.send("la' 'mp"), exchange(b"they wrote\nla' 'mp"))]
    others = [ended(asked.send("la' 'mpx"), exchange(b"they wrote\nla' 'mp\nla' 'mpx"))]
    more = [ended(asked.send("la' 'mp"), exchange(b"they wrote\nla' 'mp\nla' 'mpx\nla' 'mp"))]
    assert ones[0].reading.facts != others[0].reading.facts
    assert not asked.told_apart(ones + more, others)


def test_answers_that_say_another_thing_are_told_apart():
    asked = inquiry(b"they wrote\nlamp")
    there = ended(asked.send("la' 'mp"), exchange(b"they wrote\nla' 'mp"))
    gone = ended(asked.send("la' 'mpx"), exchange(b"nobody wrote\nla' 'mpx"))
    assert asked.told_apart([there], [gone])


def test_marks_are_fresh():
    asked = inquiry(b"a")
    assert len({asked.mark() for _ in range(100)}) == 100


@pytest.mark.parametrize(("broken", "skipped"), [(b"found", True), (b"not found", False), (None, False)])
def test_a_language_is_not_looked_for_where_its_signs_changed_nothing(broken, skipped):
    situation = inquiry(b"found").situation

    def asking(asked: Inquiry):
        yield from asked.send("lamp" if broken is None else "lamp ('')")
        return safe("sqli", asked.situation.point)

    def looking(asked: Inquiry):
        raise AssertionError("it is looked for")
        yield

    ended(inquiring("sqli", asking)(situation), exchange(broken or b"found"))
    looked = inquiring("ldapi", looking, signs="()")(situation)
    if not skipped:
        with pytest.raises(AssertionError, match="it is looked for"):
            next(looked)
        return
    verdict = ended(looked)
    assert (verdict.outcome, verdict.type) == (Outcome.SAFE, "ldapi")


def test_any_request_that_is_refused_as_other_values_are_is_answered():
    asked, refused = inquiry(b"results"), exchange(b"only lamps here", 403)
    reply = ended(asked.submit(REQUEST, "x"), refused, refused)
    assert reply.reading.status == 403
    assert not asked.blocked
