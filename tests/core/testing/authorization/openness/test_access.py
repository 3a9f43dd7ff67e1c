"""What an answer must say to count as let in."""

import contextlib
import json
from random import Random

import orjson
import pytest
from tests.core.testing.driving import credentials_of

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.asking import Stopped
from gatecrash.core.testing.authorization.openness.access import (
    Access,
    may_be_repeated,
    nowhere,
    read_nowhere,
    sample_reading,
    sample_repeatable,
)
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation
from gatecrash.core.testing.verdict import Inconclusive

GET = Request("GET", b"/orders/7?page=2", ((b"Authorization", b"Bearer 3f9a0c77de114b02"),))


def answer(document: object, status: int = 200) -> Response:
    return Response(status, ((b"Content-Type", b"application/json"),), json.dumps(document).encode())


def situation(request: Request = GET) -> Situation:
    return Situation(
        baseline=Baseline("bl_1", Exchange(request)),
        point=Point(),
        value=b"",
        credentials=credentials_of(request),
        policy=DEFAULT,
        random=Random(1),
    )


def access(*answers: Response, request: Request = GET) -> Access:
    return Access(situation(request), [Exchange(request, each) for each in answers])


def test_without_any_good_answer_nothing_can_be_compared():
    with pytest.raises(Stopped) as stopped:
        access()
    assert stopped.value.reason is Inconclusive.NO_CONTROL


@pytest.mark.parametrize("good", [answer({"error": "forbidden"}), answer({"id": 7}, 404), Response(200)])
def test_a_good_answer_that_refuses_fails_or_says_nothing_is_none(good):
    with pytest.raises(Stopped):
        access(good, good).check_comparable()


@pytest.mark.parametrize(
    ("good", "told"),
    [
        (Response(404, body=b"Nothing here"), r"\(404\)$"),
        (answer({"error": "not authorized"}), r"\(200, which says “not authorized”\)$"),
        (Response(200, body=b'<form><input type="password" name="pw"></form>'), r"\(200, which shows a login form\)$"),
    ],
)
def test_why_a_good_status_is_no_success_is_told(good, told):
    with pytest.raises(Stopped, match=told):
        access(good, good).check_comparable()


def test_a_session_that_is_begun_for_whoever_has_none_is_no_part_of_an_answer():
    request = Request("POST", b"/notes", ((b"Cookie", b"Sid=3f9a0c77; lang=en"),))
    good, other = answer({"saved": "yes"}), answer({"saved": "no"})
    begun, marked = (
        Response(200, (*good.headers, (b"Set-Cookie", name + b"=8d21; Path=/")), good.body)
        for name in (b"Sid", b"mark")
    )
    case = access(good, request=request)
    assert case.as_good(Exchange(request, begun))
    assert not case.as_good(Exchange(request, marked))
    assert not case.as_good(Exchange(request, other))


def test_as_good_is_what_says_all_that_every_good_answer_says():
    seen = access(answer({"item": "lamp", "at": "x1"}), answer({"item": "lamp", "at": "x2"}))
    seen.check_comparable()
    assert seen.as_good(Exchange(GET, answer({"item": "lamp", "at": "x3"})))
    assert not seen.as_good(Exchange(GET, answer({"item": "desk", "at": "x1"})))
    assert not seen.as_good(Exchange(GET, answer({"item": "lamp"}, 401)))


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_answer_that_was_seen_once_may_differ_in_numbers(method):
    request = Request(method, b"/orders")
    seen = access(answer({"id": 5, "item": "lamp"}), request=request)
    assert seen.as_good(Exchange(request, answer({"id": 6, "item": "lamp"})))
    assert not seen.as_good(Exchange(request, answer({"id": 6, "item": "desk"})))


def test_near_is_what_has_half_of_a_good_answer_or_differs_in_numbers():
    seen = access(answer({"item": "lamp", "advert": "desks", "id": 5}))
    assert seen.near(Exchange(GET, answer({"item": "lamp", "advert": "chairs", "id": 5})))
    assert access(answer({"id": 5})).near(Exchange(GET, answer({"id": 6})))
    assert not seen.near(Exchange(GET, answer({"hello": "guest"})))
    assert not seen.near(Exchange(GET, answer({"item": "lamp", "advert": "desks", "id": 5}, 202)))


def test_a_refusal_is_told_in_words():
    seen = access(answer({"item": "lamp"}))
    assert seen.refuses(Exchange(GET, Response(401))) == "401 Unauthorized"
    assert seen.refuses(Exchange(GET, Response(404))) == "answers 404"
    assert seen.refuses(Exchange(GET, answer({"item": "desk"}))) is None


def test_nowhere_is_beside_the_resource_with_the_same_query():
    elsewhere = nowhere(GET, situation())
    assert elsewhere.target.startswith(b"/orders/")
    assert elsewhere.target.endswith(b"?page=2")
    assert elsewhere.path != GET.path


def test_nowhere_is_read_alone_where_a_change_might_make_something_and_not_where_one_path_is_for_all():
    change = Request("PUT", b"/orders/7", (), b'{"item": "lamp"}')
    asked = read_nowhere(change, Response(200), situation(change))
    assert (asked.method, asked.body) == ("GET", b"")
    assert asked.target.startswith(b"/orders/")
    assert asked.target != change.target
    assert read_nowhere(change, Response(302), situation(change)) is None
    json_ = ((b"Content-Type", b"application/json"),)
    query = Request("POST", b"/graphql", json_, b'{"query": "mutation { pay(id: 7) { done } }"}')
    called = Request("POST", b"/rpc", json_, b'{"jsonrpc": "2.0", "id": 1, "method": "orders.pay", "params": []}')
    assert read_nowhere(query, Response(200), situation(query)) is None
    assert read_nowhere(called, Response(200), situation(called)) is None


def test_where_an_answer_differs_by_what_may_move_another_sample_tells():
    seen = access(answer({"item": "lamp", "advert": "desks"}))
    asking = seen.admits(Exchange(GET, answer({"item": "lamp", "advert": "chairs"})))
    asked = next(asking)
    assert (asked.request, asked.purpose) == (GET, "control")
    with pytest.raises(StopIteration) as end:
        asking.send(Answer(Exchange(GET, answer({"item": "lamp", "advert": "shelves"}))))
    assert end.value.value is True


@pytest.mark.parametrize("other", [answer({"item": "lamp"}, 401), answer({"error": "token expired"})])
def test_a_refusal_costs_no_other_sample(other):
    with pytest.raises(StopIteration) as end:
        next(access(answer({"item": "lamp"})).admits(Exchange(GET, other)))
    assert end.value.value is False


@pytest.mark.parametrize(("path", "asked"), [(b"/contacts/search", 2), (b"/contacts", 0)])
def test_a_question_by_post_is_asked_again_for_what_it_reads_now(path, asked):
    known = situation(Request("POST", path, (), b'{"tenant": 5}'))
    reading = sample_reading(known)
    sent: list[Request] = []
    with contextlib.suppress(StopIteration):
        question = next(reading)
        while True:
            sent.append(question.request)
            question = reading.send(Answer(Exchange(question.request, answer({"now": len(sent)}))))
    assert sent == [known.baseline.request] * asked


def test_a_query_of_graphql_may_be_repeated_and_a_mutation_may_not():
    query = Request("POST", b"/graphql", (), b'{"query": "{ orders { id } }"}')
    mutation = Request("POST", b"/graphql", (), b'{"query": "mutation { add(n: 1) { id } }"}')
    assert (may_be_repeated(query), may_be_repeated(mutation), may_be_repeated(GET)) == (True, False, True)
    reading = sample_repeatable(situation(query), 1)
    assert next(reading).request == query
    with pytest.raises(StopIteration) as end:
        next(sample_repeatable(situation(mutation), 1))
    assert end.value.value == [], "what was recorded is all there is"


@pytest.mark.parametrize(
    ("query", "told", "comparable"),
    [
        ("{ me { id } }", {"data": {"me": {"id": 5}}}, True),
        ("{ me { id } }", {"data": {"me": None}}, False),
        ("{ me { id } }", {"data": None, "errors": [{"message": "No such pin"}]}, False),
        ("mutation { drop(id: 5) }", {"data": {"drop": None}}, True),
        ("mutation { drop(id: 5) }", {"data": {"drop": None}, "errors": [{"message": "No such pin"}]}, False),
    ],
)
def test_errors_and_nothing_under_a_good_status_are_nothing_to_compare_with(query, told, comparable):
    seen = access(answer(told), request=Request("POST", b"/graphql", (), json.dumps({"query": query}).encode()))
    if comparable:
        seen.check_comparable()
    else:
        with pytest.raises(Stopped):
            seen.check_comparable()


def test_a_page_of_a_site_of_one_script_that_is_nowhere_is_named_in_its_query():
    site = Request("GET", b"/index.php?page=admin_users&sort=name", GET.headers)
    target = nowhere(site, situation(site)).target
    assert target.startswith(b"/index.php?page=")
    assert target.endswith(b"&sort=name")
    assert b"admin" not in target


def test_a_function_that_does_not_exist_is_asked_for_where_all_have_one_path():
    body = b'<e:Envelope xmlns:e="urn:e"><e:Body><d:GetOrder><id>GetOrderNow</id></d:GetOrder></e:Body></e:Envelope>'
    headers = (
        (b"Content-Type", b"text/xml"),
        (b"SOAPAction", b'"urn:d/GetOrder"'),
        (b"Content-Length", b"%d" % len(body)),
    )
    request = Request("POST", b"/service", headers, body)
    asked = nowhere(request, situation(request))
    assert asked.target == b"/service"
    assert b"<id>GetOrderNow</id>" in asked.body
    assert b":GetOrder>" not in asked.body
    assert asked.first(b"SOAPAction") not in (None, b'"urn:d/GetOrder"')
    assert asked.first(b"Content-Length") == b"%d" % len(asked.body)
    batch = orjson.dumps([{"jsonrpc": "2.0", "id": one, "method": name} for one, name in enumerate(("a.get", "b.get"))])
    rpc = Request("POST", b"/rpc", ((b"Content-Type", b"application/json"),), batch)
    assert {each["method"] for each in orjson.loads(nowhere(rpc, situation(rpc)).body)}.isdisjoint({"a.get", "b.get"})
