"""An inquiry: what it sends, what it reads, and how it ends when nothing was found."""

import re
from random import Random
from urllib.parse import unquote

import msgspec
import pytest
from werkzeug.sansio.http import parse_cookie

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.asking import Stopped
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation
from gatecrash.core.testing.verdict import Inconclusive, Outcome

REQUEST = Request("POST", b"/search?q=lamp")


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


def at_cookie(recorded: Exchange):
    """The situation of a cookie's value."""
    return msgspec.structs.replace(
        inquiry(b"x").situation,
        baseline=Baseline("bl_1", recorded),
        point=Point.of("header", "COOKIE", "cookie", "pref"),
        value=b"tea",
    )


def answered(dialogue, seen, cookies):
    """What comes of a dialogue with a target whose exchanges are these; the cookies that were sent to it are kept."""
    try:
        question = next(dialogue)
        while True:
            cookies.append(question.request.first(b"Cookie"))
            question = dialogue.send(Answer(seen(question.request)))
    except StopIteration as end:
        return end.value


def as_werkzeug(header: str) -> str:
    return parse_cookie(header).get("pref", "")


def as_strictly_decoded(header: str) -> str:
    """Takes what RFC 6265 allows, quotes around it left off, and decodes percent escapes."""
    held = next((each[5:] for each in header.split("; ") if each.startswith("pref=")), "")
    return unquote(held.strip('"')) if not re.search(r'[ "\\,]', held.strip('"')) else ""


@pytest.mark.parametrize(
    ("reader", "controls", "payloads"),
    [
        (as_werkzeug, [b"a=1", b'a=1; pref="\\164ea"'], ("tea' AND 1=1", "tea OR 2")),
        (as_strictly_decoded, [b"a=1", b'a=1; pref="\\164ea"', b"a=1; pref=%74ea"], (r"\74ea", "tea' AND 1=1")),
    ],
)
def test_a_cookie_that_is_dropped_for_its_signs_is_sent_in_a_coding_that_is_read(reader, controls, payloads):
    def seen(request: Request) -> Exchange:
        held = reader(request.first(b"Cookie").decode())
        return Exchange(request, exchange(f"you like {held or 'nothing'}".encode()).response)

    baseline = Request("GET", b"/", ((b"Cookie", b"a=1; pref=tea"),))
    asked, cookies = Inquiry(at_cookie(seen(baseline)), [seen(baseline)] * 2), []
    assert answered(asked.send(payloads[0]), seen, cookies).text == f"you like {payloads[0]}"
    assert cookies[1:-1] == controls
    assert answered(asked.send(payloads[1]), seen, cookies).text == f"you like {payloads[1]}"
    assert len(cookies) == len(controls) + 3


def as_it_stands(header: str) -> str:
    return next((each[5:] for each in header.split("; ") if each.startswith("pref=")), "")


@pytest.mark.parametrize(
    ("reader", "read"),
    [(as_werkzeug, True), (as_strictly_decoded, True), (as_it_stands, True), (lambda header: "tea", False)],
)
def test_a_cookie_without_which_all_goes_well_is_sent_in_the_coding_in_which_open_quotes_do_not(reader, read):
    """A request that changes something, and tells nothing but whether that went well."""

    def seen(request: Request) -> Exchange:
        odd = reader(request.first(b"Cookie").decode()).count("'") % 2
        return Exchange(request, exchange(b"there was an error" if odd else b"saved").response)

    baseline = Request("POST", b"/", ((b"Cookie", b"a=1; pref=tea"),))
    asked, sent = Inquiry(at_cookie(seen(baseline)), [seen(baseline)]), []
    broken = answered(asked.send("tea' AND 1=1"), seen, sent).text
    assert (broken == "there was an error") is read
    assert answered(asked.send("tea' AND 'a'='a' AND 'b'"), seen, sent).text == broken
    assert len(sent) <= 7


def test_a_cookie_that_is_written_with_percent_codes_is_sent_in_no_other_coding():
    """The application says to odd values what it says where the cookie is missing: no parser has dropped it."""

    def seen(request: Request) -> Exchange:
        held = unquote(parse_cookie(request.first(b"Cookie").decode()).get("pref", ""))
        return Exchange(request, Response(200, (), b"you like it" if held == "green tea" else b"nothing"))

    baseline = Request("GET", b"/", ((b"Cookie", b"pref=green%20tea"),))
    asked, cookies = Inquiry(at_cookie(seen(baseline)), [seen(baseline)] * 2), []
    assert answered(asked.send("green tea' OR 1"), seen, cookies).text == "nothing"
    assert len(cookies) == 1
