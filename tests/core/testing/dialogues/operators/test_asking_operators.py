"""Where the recorded question found nothing, `$ne` of fresh letters finds something, and what no store agrees with does not."""

import json
from collections.abc import Callable
from random import Random
from urllib.parse import parse_qsl

import pytest
from tests.core.testing.driving import answered
from tests.range import documents_doors, documents_empty
from tests.range.place import Given

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.operators.asking_operators import ask_operator, ask_unknown, finds_by_operators
from gatecrash.core.testing.payloads.nosqli import EQUAL, OTHER, UNKNOWN
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

Place = Callable[[Given], Response]


def driven(place: Place, dialogue_of, path: bytes = b"/people", method: str = "GET"):
    """What comes of a dialogue at a place, and the names and values that were sent."""
    sent: list[tuple[str, str]] = []

    def respond(request: Request) -> Response:
        values = dict(parse_qsl((request.query or b"").decode(), keep_blank_values=True))
        sent.extend(values.items())
        return place(Given(request, values))

    request = Request(method, path + b"?q=zoe12345")
    exchange = Exchange(request, place(Given(request, {"q": "zoe12345"})))
    situation = Situation(
        baseline=Baseline("bl_1", exchange),
        point=Point.of("get", "q"),
        value=b"zoe12345",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
    )
    return answered(dialogue_of(Inquiry(situation, [exchange, exchange])), respond), sent


@pytest.mark.parametrize(
    "place",
    [
        documents_empty.finds_nobody_and_hides_its_errors,
        documents_empty.knows_nobody_of_that_name,
    ],
)
def test_what_finds_nobody_finds_somebody_by_an_operator(place):
    proof, _ = driven(place, finds_by_operators)
    assert proof is not None
    assert '"$ne"' in proof.verified_by


@pytest.mark.parametrize(
    "place",
    [
        documents_empty.finds_nobody_by_texts,
        documents_empty.finds_any_word_of_objects,
        documents_empty.finds_all_for_objects,
        documents_empty.finds_somebody_at_times,
    ],
)
def test_what_any_object_does_is_no_operators_doing(place):
    assert driven(place, finds_by_operators)[0] is None


def at_the_door(place: Place, body: bytes, point: Point):
    def respond(request: Request) -> Response:
        return place(Given(request, dict(parse_qsl(request.body.decode(), keep_blank_values=True))))

    headers = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    request = Request("POST", b"/door", headers, body)
    exchange = Exchange(request, respond(request))
    situation = Situation(
        baseline=Baseline("bl_1", exchange),
        point=point,
        value=b"zoe",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
    )
    return answered(finds_by_operators(Inquiry(situation, [exchange])), respond)


def test_a_login_that_was_refused_is_passed_by_both_of_its_halves():
    proof = at_the_door(
        documents_doors.door_of_objects, b"user=zoe&pass=lantern7", Point.of("post", "form_urlencoded", "user")
    )
    assert proof is not None
    assert b"user%5B%24ne%5D=" in proof.test.request.body
    assert b"pass%5B%24ne%5D=" in proof.test.request.body


@pytest.mark.parametrize("place", [documents_doors.door_of_texts, documents_doors.door_open_to_any_object])
def test_a_sound_login_is_not(place):
    assert at_the_door(place, b"user=zoe&pass=lantern7", Point.of("post", "form_urlencoded", "user")) is None


def repeats_what_it_is_sent(given: Given) -> Response:
    """As the answer to a call does with its number: `{"id": {"$ne": "x"}, "result": []}`."""
    sent = {name.removeprefix("q").strip("[]"): value for name, value in given.values.items()}
    whole = sent.get("", sent)
    return Response(200, ((b"Content-Type", b"application/json"),), json.dumps({"id": whole, "result": []}).encode())


def speaks_of_operators(_: Given) -> Response:
    """A script that has `$ne` in itself, whatever it is asked with."""
    return Response(200, ((b"Content-Type", b"text/javascript"),), b'var $Need = "a"; function $New() { return $Need }')


def test_an_operator_that_the_application_speaks_of_itself_has_found_nothing():
    assert driven(speaks_of_operators, finds_by_operators)[0] is None


def test_an_operator_that_comes_back_has_found_nothing():
    assert driven(repeats_what_it_is_sent, finds_by_operators)[0] is None


@pytest.mark.parametrize(("path", "method"), [(b"/verify", "GET"), (b"/unsubscribe", "GET"), (b"/people", "POST")])
def test_what_may_change_something_is_not_asked_to_find_more(path, method):
    assert driven(documents_empty.finds_nobody, finds_by_operators, path, method) == (None, [])


def test_fresh_letters_have_the_form_of_the_value():
    _, ((name, sent),) = driven(
        documents_empty.finds_nobody, lambda inquiry: ask_operator(inquiry, OTHER.holds, "test")
    )
    assert (name, len(sent)) == ("q[$ne]", len("zoe12345"))
    assert sent != "zoe12345"


def test_the_value_stays_where_the_operator_is_of_it():
    of_value = driven(documents_empty.finds_nobody, lambda inquiry: ask_operator(inquiry, EQUAL.holds, "test"))[1]
    assert of_value == [("q[$eq]", "zoe12345")]


def test_an_operator_of_no_store_has_another_name_each_time():
    def twice(inquiry):
        yield from ask_unknown(inquiry, UNKNOWN, "test")
        yield from ask_unknown(inquiry, UNKNOWN, "test")

    first, second = driven(documents_empty.finds_all_for_objects, twice)[1]
    assert first[0] != second[0]
    assert first[1] == second[1] == "zoe12345"
