"""The probe auth, driven by hand against an API that guards itself, or seems to."""

import json
from collections.abc import Callable

import msgspec
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import credentials_of, drive, record, runs
from tests.core.testing.guard import TOKEN, Guard

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth import PROBE
from gatecrash.core.testing.verdict import Inconclusive, Outcome

CASES = [case for case in cases_of("probes") if case.file == "auth"]
AUTHORIZATION = (b"Authorization", TOKEN.encode())


def get(path: bytes, *headers: tuple[bytes, bytes]) -> Request:
    return Request("GET", path, (AUTHORIZATION, *headers), host="api.example.com")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    (run,) = runs(Guard(), case.request, (PROBE,))
    verdict = run.verdict
    told = [verdict.outcome.value, *map(str, verdict.cwe), *([verdict.reason.value] if verdict.reason else [])]
    assert case.expected == (" ".join(told),)


def test_without_credentials_there_is_nothing_to_drop():
    assert runs(Guard(), Request("GET", b"/open/orders"), (PROBE,)) == []


def test_a_sound_endpoint_costs_what_was_forecast():
    (run,) = runs(Guard(), get(b"/checked/orders"), (PROBE,))
    assert len(run.sent) == run.check.forecast == 6


def test_a_finding_shows_its_proof_and_was_asked_twice():
    (run,) = runs(Guard(), get(b"/open/orders"), (PROBE,))
    verdict = run.verdict
    assert (verdict.outcome, verdict.threat, verdict.point) == (Outcome.VULNERABLE, 80, ())
    assert verdict.proof.test.request.first(b"Authorization") is None
    assert verdict.proof.control.request.first(b"Authorization") == TOKEN.encode()
    assert [question.purpose for question in run.sent] == ["control", "control", "test", "control", "confirm"]


def test_a_change_is_looked_for_elsewhere_by_reading_alone():
    """Nothing is made at an address that does not exist."""
    request = Request("PUT", b"/spa/orders/7", (AUTHORIZATION,), b'{"item": "lamp"}')
    (run,) = runs(Guard(), request, (PROBE,))
    assert run.verdict.outcome is Outcome.SAFE
    elsewhere = [one.request for one in run.sent if one.request.path != request.path]
    assert [(one.method, one.body, one.first(b"Authorization")) for one in elsewhere] == [("GET", b"", None)]


def test_changing_something_without_credentials_is_worse_than_reading():
    request = Request("POST", b"/open/orders", (AUTHORIZATION,), b'{"item": "lamp"}')
    (run,) = runs(Guard(), request, (PROBE,))
    assert run.verdict.threat == 90
    assert request not in [question.request for question in run.sent]


def test_a_vote_of_anybodys_weighs_less_and_is_told_with_what_may_be_meant():
    request = Request("POST", b"/posts/7/like", (AUTHORIZATION,), b'{"up": true}')
    liked = Response(200, ((b"Content-Type", b"application/json"),), b'{"likes": 12}')
    (run,) = runs(lambda asked: liked if asked.path == request.path else Response(404), request, (PROBE,))
    assert (run.verdict.outcome, run.verdict.threat) == (Outcome.VULNERABLE, 40)
    assert "mark the endpoint as public" in run.verdict.proof.verified_by


def test_a_dead_session_is_said_and_nothing_else_is_sent():
    guard = Guard()
    baseline = record(guard, get(b"/checked/orders"))
    guard.alive = False
    (check,) = plan(baseline, DEFAULT, credentials_of(baseline.request), (PROBE,))
    run = drive(check, guard)
    assert (run.verdict.reason, len(run.sent)) == (Inconclusive.SESSION, 1)


def test_a_baseline_that_was_refused_when_recorded_proves_nothing():
    request = msgspec.structs.replace(get(b"/checked/orders"), headers=((b"Authorization", b"Bearer expired-token-1"),))
    (run,) = runs(Guard(), request, (PROBE,))
    assert run.verdict.reason is Inconclusive.NO_CONTROL


def test_a_changing_method_without_a_recorded_answer_is_not_tried():
    request = Request("POST", b"/open/orders", (AUTHORIZATION,), b'{"item": "lamp"}')
    (check,) = plan(Baseline("bl_1", Exchange(request)), DEFAULT, credentials_of(request), (PROBE,))
    run = drive(check, Guard())
    assert (run.verdict.reason, run.sent) == (Inconclusive.NO_CONTROL, [])


def test_an_answer_that_is_sometimes_good_is_unstable():
    guard = Guard()
    count = 0

    def application(request: Request) -> Response:
        nonlocal count
        count += 1
        return guard(request) if count < 5 else Response(401)

    (check,) = plan(record(guard, get(b"/open/orders")), DEFAULT, [Point.of("header", "AUTHORIZATION")], (PROBE,))
    assert drive(check, application).verdict.reason is Inconclusive.UNSTABLE


def test_a_refusal_that_is_not_given_again_says_nothing_of_what_is_checked():
    guard, lost = Guard(), [Response(401)]

    def application(request: Request) -> Response:
        return lost.pop() if lost and not request.first(b"Authorization") else guard(request)

    (check,) = plan(record(guard, get(b"/open/orders")), DEFAULT, [Point.of("header", "AUTHORIZATION")], (PROBE,))
    assert drive(check, application).verdict.reason is Inconclusive.UNSTABLE
    assert not lost


def test_options_is_answered_to_everybody_and_not_tested():
    request = msgspec.structs.replace(get(b"/open/orders"), method="OPTIONS")
    assert runs(Guard(), request, (PROBE,)) == []


def test_of_several_credentials_it_tells_which_is_checked():
    (run,) = runs(Guard(), get(b"/checked/orders?api_key=9f8e7d6c5b4a", (b"X-Api-Key", b"9f8e7d6c5b4a3")), (PROBE,))
    assert run.verdict.outcome is Outcome.SAFE
    assert "checked: header/AUTHORIZATION, the others are not needed" in run.verdict.detail
    assert len(run.sent) == run.check.forecast == 9


def test_empty_credentials_that_are_taken_are_a_finding():
    guard = Guard()

    def application(request: Request) -> Response:
        """Compares what is there with what it knows, but for what is empty."""
        if request.path == b"/nowhere":
            return guard(request)
        return (
            guard(get(b"/checked/orders"))
            if request.first(b"Authorization") == b"Bearer" and request.path == b"/checked/orders"
            else guard(request)
        )

    (run,) = runs(application, get(b"/checked/orders"), (PROBE,))
    assert (run.verdict.outcome, run.verdict.cwe, run.verdict.title) == (
        Outcome.VULNERABLE,
        (287,),
        "Accepts empty credentials",
    )
    assert run.verdict.proof.test.request.first(b"Authorization") == b"Bearer"
    assert [question.purpose for question in run.sent][-2:] == ["control", "confirm"]


def test_credentials_of_another_scheme_that_nobody_checks_are_a_finding():
    guard = Guard()

    def application(request: Request) -> Response:
        """Checks what begins with Bearer, and has no branch for anything else that is there."""
        value = request.first(b"Authorization") or b"Bearer"
        return guard(request if value.startswith(b"Bearer") else get(request.path))

    (run,) = runs(application, get(b"/checked/orders"), (PROBE,))
    verdict = run.verdict
    assert (verdict.outcome, verdict.cwe, verdict.threat) == (Outcome.VULNERABLE, (287,), 75)
    assert verdict.title == "Accepts any credentials of another scheme"
    assert verdict.proof.test.request.first(b"Authorization").startswith(b"Basic ")


def shuffled(order: str) -> Callable[[Request], Response]:
    """An address for everybody that lists what it has in an order of its own: of the answers in turn, `a` or `b`."""
    turns = iter(order)

    def application(request: Request) -> Response:
        if request.path not in (b"/v1/teas", b"/v1/orders"):
            return Response(404, (), b"none")
        names = ["Sencha leaf", "Assam leaf"] if next(turns) == "a" else ["Assam leaf", "Sencha leaf"]
        return Response(200, ((b"Content-Type", b"application/json"),), json.dumps({"teas": names}).encode())

    return application


@pytest.mark.parametrize(
    ("path", "order", "told"),
    [
        # The record and two good answers; without, garbled, emptied credentials; then in turns without and with.
        (b"/v1/teas", "aaabba", "all visitors get this"),
        (b"/v1/teas", "aaaba", "all visitors get this"),
        (b"/v1/orders", "aaababb", "answered in two ways"),
        (b"/v1/orders", "aaabbabb", "answered in two ways"),
    ],
)
def test_an_answer_in_an_order_of_its_own_shows_nothing_of_credentials(path, order, told):
    asked = get(path, (b"User-Agent", b"Mozilla/5.0"))
    (run,) = runs(shuffled(order), asked, (PROBE,))
    assert run.verdict.outcome is not Outcome.VULNERABLE
    assert told in run.verdict.detail


def test_what_any_token_opens_and_visitors_get_a_part_of_is_a_finding():
    """Each time, asked in turns."""
    guard = Guard()

    def application(request: Request) -> Response:
        return guard(get(request.path) if request.first(b"Authorization") else Request("GET", request.path))

    (run,) = runs(application, get(b"/reduced/orders"), (PROBE,))
    assert (run.verdict.outcome, run.verdict.cwe) == (Outcome.VULNERABLE, (287,))
    assert [question.purpose for question in run.sent].count("confirm") == 7


def test_what_is_sent_without_good_credentials_is_sent_as_it_is():
    """Else a node would put the session's own token back into the very request that must not have it."""
    (run,) = runs(Guard(), get(b"/checked/orders"), (PROBE,))
    assert [question.raw for question in run.sent] == [False, False, True, True, True, True]


@pytest.mark.parametrize(("missing", "outcome"), [(404, Outcome.VULNERABLE), (401, Outcome.SAFE)])
def test_another_version_tells_something_only_where_not_everything_beside_it_is_refused(missing, outcome):
    """A guard before all of a service answers 401 to addresses that lead nowhere, too."""

    def application(request: Request) -> Response:
        if request.path == b"/v1/rates":
            return Response(200, ((b"Content-Type", b"application/json"),), b'{"rates": {"USD": 1.09, "CHF": 0.97}}')
        return Response(401 if request.path == b"/v2/rates" else missing, (), b"no")

    (run,) = runs(application, get(b"/v1/rates"), (PROBE,))
    assert run.verdict.outcome is outcome


@pytest.mark.parametrize(("looked_at", "outcome"), [("argument", Outcome.SAFE), ("nothing", Outcome.VULNERABLE)])
def test_a_token_that_lets_in_by_an_argument_is_left_out_there_too(looked_at, outcome):
    """A client sends it in the header as well, with all that it asks."""
    token = AUTHORIZATION[1].removeprefix(b"Bearer ")
    query = {"query": "query Me($t: String) { me(token: $t) { id email } }", "variables": {"t": token.decode()}}
    headers = (AUTHORIZATION, (b"Content-Type", b"application/json"))
    asked = Request("POST", b"/graphql", headers, json.dumps(query).encode(), host="api.example.com")

    def application(request: Request) -> Response:
        known = looked_at == "nothing" or token in request.body
        me = b'{"id": 5, "email": "ann@example.com"}' if known else b"null"
        found = request.path == b"/graphql"
        return Response(200 if found else 404, (headers[1],), b'{"data": {"me": %s}}' % me if found else b"{}")

    (check,) = plan(record(application, asked), DEFAULT, credentials_of(asked), (PROBE,))
    assert drive(check, application).verdict.outcome is outcome


def test_what_a_query_of_graphql_reads_now_is_compared_not_what_it_read_once():
    body = b'{"query": "{ myOrders { total } }"}'
    asked = Request("POST", b"/graphql", (AUTHORIZATION, (b"Content-Type", b"application/json")), body)
    read = iter(range(100, 200))

    def application(request: Request) -> Response:
        found, total = request.path == b"/graphql", "one" if next(read) == 100 else "two"
        return Response(200 if found else 404, (), b'{"data": {"myOrders": [{"total": "%s"}]}}' % total.encode())

    (check,) = plan(record(application, asked), DEFAULT, credentials_of(asked), (PROBE,))
    run = drive(check, application)
    assert run.verdict.outcome is Outcome.VULNERABLE
    assert [each.purpose for each in run.sent[:2]] == ["control", "control"]


@pytest.mark.parametrize(
    ("path", "outcome"), [(b"/guestbook.php", Outcome.SAFE), (b"/admin/notices.php", Outcome.VULNERABLE)]
)
def test_a_session_begun_for_whoever_has_none_does_not_say_that_one_is_needed(path, outcome):
    def application(request: Request) -> Response:
        begun = () if request.first(b"Cookie") else ((b"Set-Cookie", b"PHPSESSID=9fb1c63d70ae52; path=/"),)
        return Response(302, ((b"Location", b"index.php?page=guestbook"), *begun))

    form = (b"Content-Type", b"application/x-www-form-urlencoded")
    request = Request("POST", path, ((b"Cookie", b"PHPSESSID=ke83bq72mvd01x"), form), b"name=Rose&text=Lovely")
    (check,) = plan(
        record(application, request), DEFAULT, [Point.of("header", "COOKIE", "cookie", "PHPSESSID")], (PROBE,)
    )
    assert drive(check, application).verdict.outcome is outcome


SHOP = (b"Cookie", b"shop_sid=ke83bq72mvd01xTz")
BEGUN = (b"Set-Cookie", b"shop_sid=9fb1c63d70ae52Kq; Path=/; HttpOnly")


@pytest.mark.parametrize(
    ("field", "begun", "result", "outcome"),
    [
        ("addItemToOrder(item: $i)", (BEGUN,), b'{"code": 31, "lines": 1}', Outcome.SAFE),
        ("addItemToOrder(item: $i)", (), b'{"code": 31, "lines": 1}', Outcome.VULNERABLE),
        ("addItemToOrder(orderId: $i)", (BEGUN,), b'{"code": 31, "lines": 1}', Outcome.VULNERABLE),
        ("endSubscription(number: $i)", (BEGUN,), b'{"code": 31, "lines": 1}', Outcome.VULNERABLE),
        (
            "redeemVoucher(code: $i)",
            (),
            b'{"__typename": "VoucherUnknownError", "message": "no such voucher"}',
            Outcome.INCONCLUSIVE,
        ),
    ],
)
def test_a_cart_begun_for_whoever_has_none_is_his_own_and_an_error_for_a_result_shows_nothing(
    field, begun, result, outcome
):
    def application(request: Request) -> Response:
        handed = () if request.first(b"Cookie") else begun
        return Response(200, ((b"Content-Type", b"application/json"), *handed), b'{"data": {"done": %s}}' % result)

    query = {"query": f"mutation Do($i: ID!) {{ {field} {{ code lines }} }}", "variables": {"i": "7"}}
    headers = (SHOP, (b"Content-Type", b"application/json"))
    asked = Request("POST", b"/shop", headers, json.dumps(query).encode(), host="api.example.com")
    (check,) = plan(record(application, asked), DEFAULT, [Point.of("header", "COOKIE", "cookie", "shop_sid")], (PROBE,))
    assert drive(check, application).verdict.outcome is outcome


@pytest.mark.parametrize("asks", [False, True])
def test_a_change_is_seen_though_another_request_has_written_to_its_object_since(asks: bool):
    notes = iter(["", "Fender missing", "Two fenders", "None"])

    def application(request: Request) -> Response:
        if asks and request.first(b"Authorization") != TOKEN.encode():
            return Response(200, ((b"Content-Type", b"application/json"),), b'{"id": 7, "price": null, "note": ""}')
        shown = {"id": 7, "price": 31, "note": next(notes)}
        return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(shown).encode())

    headers = (AUTHORIZATION, (b"Content-Type", b"application/json"))
    asked = Request("PATCH", b"/berths/7", headers, b'{"price": 31}', host="api.example.com")
    (check,) = plan(record(application, asked), DEFAULT, credentials_of(asked), (PROBE,))
    outcome = drive(check, application).verdict.outcome
    assert outcome is (Outcome.INCONCLUSIVE if asks else Outcome.VULNERABLE)


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [(b"application/graphql", Outcome.VULNERABLE), (b"application/x-www-form-urlencoded", Outcome.SAFE)],
)
def test_a_change_by_a_cookie_alone_should_have_asked_for_it_where_no_form_can_send_it(kind: bytes, outcome: Outcome):
    def application(request: Request) -> Response:
        return Response(200, ((b"Content-Type", b"application/json"),), b'{"data": {"setPrice": {"price": 31}}}')

    document = b"mutation { setPrice(price: 31) { price } }"
    body = b"query=" + document if b"form" in kind else document
    asked = Request("POST", b"/graphql", (SHOP, (b"Content-Type", kind)), body, host="api.example.com")
    (check,) = plan(record(application, asked), DEFAULT, [Point.of("header", "COOKIE", "cookie", "shop_sid")], (PROBE,))
    assert drive(check, application).verdict.outcome is outcome


@pytest.mark.parametrize(
    ("path", "outcome"),
    [(b"/login", Outcome.SAFE), (b"/signup", Outcome.SAFE), (b"/orders", Outcome.INCONCLUSIVE)],
)
def test_a_form_that_asks_for_a_password_is_the_page_itself_where_one_signs_in_or_registers(path, outcome):
    form = b'<form method="post"><input name="user"><input name="password" type="password"><button>Go</button></form>'
    asked = Request("GET", path, (SHOP,), host="api.example.com")

    def application(_: Request) -> Response:
        return Response(200, ((b"Content-Type", b"text/html"),), form)

    (check,) = plan(record(application, asked), DEFAULT, [Point.of("header", "COOKIE", "cookie", "shop_sid")], (PROBE,))
    assert drive(check, application).verdict.outcome is outcome
