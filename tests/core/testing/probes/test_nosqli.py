"""The probe nosqli, driven against the range's places over a real port, and against what only tests leave behind."""

import json
import operator
from collections.abc import Callable
from urllib.parse import parse_qs, quote, unquote, urlsplit

import msgspec
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
    assert any("$in" in each for each in asked)
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


class _Embedded:
    """A store within the application: what it does not know is thrown where nobody catches it, and no answer comes.

    only_texts: it breaks over any object just so, as none ever reaches it. thrown: over which.
    """

    def __init__(self, *, only_texts: bool = False) -> None:
        self.only_texts = only_texts
        self.thrown: list[object] = []

    def __call__(self, request: Request) -> Response:
        if request.method == "GET":
            asked = {"kind": _in_brackets(urlsplit(request.target).query.decode())}
            return Response(200, body=orjson.dumps([row for row in ("oak", "elm") if self._holds(asked["kind"], row)]))
        body = orjson.loads(request.body)
        known = self._holds(body["username"], "charlotte") and self._holds(body["password"], "sesame99")
        return logged_in(known) if known else Response(401, body=b'{"error": "Wrong username or password"}')

    def _holds(self, wanted: object, value: str) -> bool:
        if isinstance(wanted, str):
            return wanted == value
        name, operand = next(iter(wanted.items())) if isinstance(wanted, dict) else ("", None)
        is_plain = not name.startswith("$")
        known: dict[str, Callable[[], bool]] = {"$in": lambda: value in operand, "$ne": lambda: operand != value}
        if self.only_texts or (not is_plain and name not in known):
            self.thrown.append(wanted)
            raise TimeoutError
        return not is_plain and known[name]()


def _in_brackets(query: str) -> object:
    """The value of `kind`, with an object of what stands in brackets behind the name."""
    ((name, values),) = parse_qs(query).items()
    if "[" not in name:
        return values[0]
    operator_name = name.partition("[")[2].partition("]")[0]
    return {operator_name: values if name.endswith("[]") else values[0]}


@pytest.mark.parametrize("kind", ["oak", "yew"])
def test_a_store_that_throws_over_what_it_does_not_know_is_found_by_what_all_know(kind: str) -> None:
    store = _Embedded()
    request = Request("GET", b"/planks?kind=" + kind.encode(), ((b"Host", b"x"),), b"", "http", "127.0.0.1", 80)
    found = [run.verdict for run in runs(store, request, (PROBE,)) if run.verdict.outcome is Outcome.VULNERABLE]
    assert [verdict.point[-1] for verdict in found] == ["kind"]
    assert not store.thrown


@pytest.mark.parametrize("password", [b"sesame99", b"sesame98"])
def test_so_is_its_login(password: bytes) -> None:
    store = _Embedded()
    request = msgspec.structs.replace(LOGIN, body=LOGIN.body.replace(b"sesame99", password))
    found = [run.verdict for run in runs(store, request, (PROBE,)) if run.verdict.outcome is Outcome.VULNERABLE]
    assert "password" in [verdict.point[-1] for verdict in found]
    assert not store.thrown


def test_no_answer_to_an_object_proves_nothing_and_is_waited_for_once() -> None:
    texts = _Embedded(only_texts=True)
    request = Request("GET", b"/planks?kind=oak", ((b"Host", b"x"),), b"", "http", "127.0.0.1", 80)
    verdicts = {run.verdict.point[-1]: run.verdict.outcome for run in runs(texts, request, (PROBE,))}
    assert verdicts["kind"] is Outcome.INCONCLUSIVE
    assert texts.thrown == [{"$in": ["oak"]}]
