"""Variables that a GraphQL query declares and nobody gave."""

import orjson
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.places.unset_variables import with_unset
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes import sqli

NOTES = "query Notes($like: String, $limit: Int) { notes(like: $like, limit: $limit) { title } }"


def baseline(query: str, **beside: object) -> Baseline:
    body = orjson.dumps({"query": query, **beside})
    headers = ((b"Content-Type", b"application/json"), (b"Content-Length", b"%d" % len(body)))
    request = Request("POST", b"/graphql", headers, body, host="a")
    return Baseline("bl_1", Exchange(request, Response(200, (), b'{"data": {"notes": []}}')))


@pytest.mark.parametrize(
    ("query", "beside", "variables"),
    [
        (NOTES, {}, {"like": ""}),
        (NOTES, {"variables": None}, {"like": ""}),
        (NOTES, {"variables": {"limit": 3}}, {"limit": 3, "like": ""}),
        (NOTES, {"variables": {"like": None}}, {"like": ""}),
        ('query A($by: String! = "title") { all(by: $by) }', {"variables": {}}, {"by": "title"}),
    ],
)
def test_texts_are_given_as_the_server_takes_them_for_none(query, beside, variables):
    (fuller,) = with_unset(baseline(query, **beside))
    assert orjson.loads(fuller.request.body)["variables"] == variables
    assert fuller.request.first(b"Content-Length") == str(len(fuller.request.body)).encode()
    assert fuller.response is not None


@pytest.mark.parametrize(
    ("query", "beside"),
    [
        (NOTES, {"variables": {"like": "tea"}}),
        ("query A($id: ID, $of: [String], $n: Int) { all { id } }", {}),
        ("mutation Edit($id: ID!, $text: String) { edit(id: $id, text: $text) { id } }", {"variables": {"id": 3}}),
        ("{ notes { title } }", {}),
        (NOTES, {"variables": "none"}),
    ],
)
def test_what_is_given_what_is_no_text_and_what_changes_something_is_left(query, beside):
    assert list(with_unset(baseline(query, **beside))) == []


def test_they_are_places_of_their_own():
    checks = plan(baseline(NOTES, variables={"limit": 3}), DEFAULT, (), (sqli.PROBE,))
    assert ("like", b"") in [(check.point[-1], check.planned.value) for check in checks]
