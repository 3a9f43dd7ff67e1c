"""The probe nosqli, driven against the range's places over a real port, and against what only tests leave behind."""

import json
import operator
from collections.abc import Callable
from urllib.parse import parse_qs, quote, unquote, urlsplit

import orjson
import pytest
from tests.core.testing.driving import runs
from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.probes.nosqli import PROBE
from gatecrash.core.testing.verdict import Outcome


class TestProbe(AtRange):
    name = "nosqli"
    probe = PROBE


def test_files_that_the_tests_of_an_upload_left_by_their_names_are_no_condition_that_holds() -> None:
    """An upload whose name was tested has stored the first questions; any other name is answered as one that is missing."""
    stored = {"leaf.png", *("leaf.png'+[(typeof parseInt)[8]]+'", "leaf.png'+[(typeof Error)[8]]+'")}

    def application(request: Request) -> Response:
        name = unquote(request.path.decode("latin-1")).removeprefix("/up/")
        return Response(200, body=b"picture") if name in stored else Response(404, body=b"not found")

    request = Request("GET", b"/up/leaf.png", ((b"Host", b"x"),), b"", "http", "127.0.0.1", 80)
    verdicts = [run.verdict for seed in range(1, 6) for run in runs(application, request, (PROBE,), seed=seed)]
    assert verdicts
    assert all(verdict.outcome is not Outcome.VULNERABLE for verdict in verdicts)


def test_what_is_no_longer_there_is_compared_with_itself_and_not_with_its_record() -> None:
    asked: list[Request] = []

    def application(request: Request) -> Response:
        asked.append(request)
        return Response(404, body=b"no such file") if asked[1:] else Response(200, body=b"buy milk")

    request = Request("GET", b"/files/plan.txt", ((b"Host", b"x"),), b"", "http", "127.0.0.1", 80)
    verdicts = [run.verdict for run in runs(application, request, (PROBE,))]
    assert verdicts
    assert all(verdict.outcome is Outcome.SAFE for verdict in verdicts)


LOGIN = Request(
    "POST",
    b"/login",
    ((b"Host", b"x"), (b"Content-Type", b"application/json")),
    b'{"username": "charlotte", "password": "sesame99"}',
    "http",
    "127.0.0.1",
    80,
)


def logged_in(known: bool) -> Response:
    """A login's answer."""
    return Response(200, body=b'{"user": "here you are"}') if known else Response(401, body=b'{"detail": "wrong"}')


def claims(application: Callable[[Request], Response]) -> set[str]:
    """At which names of the login something is claimed."""
    return {
        run.verdict.point[-1]
        for seed in range(1, 4)
        for run in runs(application, LOGIN, (PROBE,), seed=seed)
        if run.verdict.outcome is Outcome.VULNERABLE
    }


def test_an_object_that_a_registration_kept_as_a_text_is_no_operator() -> None:
    """Who writes objects as texts has users by the names that the tests of the registration gave, and lets them in."""
    registered = {"charlotte", '{"$eq": "charlotte"}', '{"$regex": "^charlotte$"}', '{"$in": ["charlotte"]}'}

    def application(request: Request) -> Response:
        name = orjson.loads(request.body)["username"]
        return logged_in((name if isinstance(name, str) else json.dumps(name)) in registered)

    assert "username" not in claims(application)


def test_operators_in_json_are_found() -> None:
    def holds(wanted: object, value: str) -> bool:
        if not isinstance(wanted, dict):
            return wanted == value
        ((name, operand),) = wanted.items()
        known: dict[str, bool] = {"$eq": operand == value, "$in": value in operand, "$ne": operand != value}
        return known.get(name, False)

    def application(request: Request) -> Response:
        body = orjson.loads(request.body)
        return logged_in(holds(body["username"], "charlotte") and holds(body["password"], "sesame99"))

    assert claims(application) == {"username", "password"}


@pytest.mark.parametrize(
    ("where", "claimed"), [({"kind": "oak"}, True), ({"kind": "oak", "price": {"$lt": 9}}, False)], ids=json.dumps
)
def test_operators_that_the_recorded_query_holds_are_offered(where: dict[str, object], claimed: bool) -> None:
    rows = [{"kind": "oak", "price": 4}, {"kind": "elm", "price": 7}]
    known = {"$lt": operator.lt, "$eq": operator.eq, "$ne": operator.ne}

    def fits(row: dict[str, object]) -> bool:
        return all(
            all(known[name](row[member], told) for name, told in wanted.items())
            if isinstance(wanted, dict)
            else row[member] == wanted
            for member, wanted in orjson.loads(parse_qs(urlsplit(asked.target).query)[b"where"][0]).items()
        )

    def application(request: Request) -> Response:
        nonlocal asked
        asked = request
        try:
            return Response(200, body=orjson.dumps([row for row in rows if fits(row)]))
        except (KeyError, TypeError, orjson.JSONDecodeError):
            return Response(400, body=b'{"error": "bad query"}')

    asked = Request("GET", b"/planks?where=" + quote(json.dumps(where)).encode(), ((b"Host", b"x"),))
    found = [
        run.verdict.point for run in runs(application, asked, (PROBE,)) if run.verdict.outcome is Outcome.VULNERABLE
    ]
    assert bool(found) is claimed


@pytest.mark.parametrize(("path", "finds_more"), [("/items", True), ("/items/delete", False)])
def test_a_link_that_deletes_what_it_finds_is_sent_no_operator_that_finds_more(path: str, finds_more: bool) -> None:
    asked: list[str] = []

    def application(request: Request) -> Response:
        asked.append(unquote(request.target.decode()))
        return Response(200, ((b"Content-Type", b"application/json"),), b"[]")

    target = f"{path}?filter={quote(json.dumps({'stock': 7}))}".encode()
    assert runs(application, Request("GET", target, ((b"Host", b"x"),), b"", "http", "127.0.0.1", 80), (PROBE,))
    assert any("$eq" in each for each in asked)
    assert any("$ne" in each for each in asked) is finds_more


@pytest.mark.parametrize(
    ("beside", "claimed"), [("", True), ("&limit=9", True), ("&$limit=9", False), ("&%24sort[kind]=1", False)]
)
def test_a_query_with_names_of_a_language_of_queries_offers_its_operators(beside: str, claimed: bool) -> None:
    """`?$limit=2` is how a client speaks to an API whose operators are for everybody."""
    rows = ["oak", "elm"]

    def application(request: Request) -> Response:
        asked = parse_qs(urlsplit(request.target).query.decode())
        if "kind[$eq]" in asked:
            return Response(200, body=orjson.dumps([row for row in rows if row == asked["kind[$eq]"][0]]))
        found = [row for row in rows if [row] == asked.get("kind")]
        return Response(200 if "kind" in asked else 400, body=orjson.dumps(found))

    asked = Request("GET", f"/planks?kind=oak{beside}".encode(), ((b"Host", b"x"),))
    found = [run for run in runs(application, asked, (PROBE,)) if run.verdict.outcome is Outcome.VULNERABLE]
    assert bool(found) is claimed
