"""Rights that a GraphQL schema lists among what a mutation takes."""

from random import Random

import orjson
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.fields.described_rights import changes_what_is_there, without_rights
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation

JSON = (b"Content-Type", b"application/json")
TAKEN = Response(200, (JSON,), b'{"data": {"register": {"id": 4, "role": "customer"}}}')
REFUSED = Response(200, (JSON,), b'{"data": null, "errors": [{"message": "role is required"}]}')


def asking(field: str = "register", **given: object) -> Request:
    document = f"mutation Do($input: DoInput!) {{ {field}(input: $input) {{ id role }} }}"
    body = orjson.dumps({"query": document, "variables": {"input": given}})
    return Request("POST", b"/graphql", (JSON,), body)


def sent_for(request: Request, answer: Response = TAKEN, *, drafted: bool = True) -> tuple[Situation, list[dict]]:
    """The situation that comes of it, and the input objects that were sent."""
    exchange = Exchange(request, TAKEN, drafted=drafted)
    situation = Situation(
        baseline=Baseline("bl_1", exchange), point=Point(), value=b"", credentials=(), policy=DEFAULT, random=Random(1)
    )
    dialogue, sent = without_rights(situation), []
    try:
        question = next(dialogue)
        while True:
            sent.append(orjson.loads(question.request.body)["variables"]["input"])
            question = dialogue.send(Answer(Exchange(question.request, answer)))
    except StopIteration as end:
        return end.value, sent


def test_what_a_schema_lists_of_rights_is_left_out_first():
    situation, (sent,) = sent_for(asking(username="ann", password="sesame", bio="I read", role="string", isAdmin=True))
    assert sent.keys() == {"username", "password", "bio"}
    assert sent["username"] != "ann", "a new account has a name of its own"
    assert sent == orjson.loads(situation.baseline.request.body)["variables"]["input"]
    assert situation.baseline.response == TAKEN


def test_who_is_changed_keeps_his_name():
    _, (sent,) = sent_for(asking("updateProfile", username="ann", bio="I read", credit=1))
    assert sent == {"username": "ann", "bio": "I read"}


@pytest.mark.parametrize(
    ("request_", "answer", "drafted"),
    [
        (asking(username="ann", bio="I read", role="string"), REFUSED, True),
        (asking(username="ann", bio="I read", role="customer"), TAKEN, False),
        (asking(username="ann", bio="I read"), TAKEN, True),
        (asking("setUserRole", userId=7, role="string"), TAKEN, True),
        (asking("setUserRole", userName="ann", role="string"), TAKEN, True),
    ],
    ids=["refused", "sent by somebody", "no right", "of whom alone", "of whom by name"],
)
def test_otherwise_the_request_stays_as_it_is(request_: Request, answer: Response, *, drafted: bool):
    situation, _ = sent_for(request_, answer, drafted=drafted)
    assert situation.baseline.request == request_


def test_what_is_only_about_somebodys_right_is_not_sent_without_it():
    _, sent = sent_for(asking("setUserRole", userId=7, role="string"))
    assert sent == []


def test_a_mutation_says_by_its_first_word_that_it_changes_something():
    assert changes_what_is_there(asking("updateProfile", bio="I read"))
    assert not changes_what_is_there(asking("register", bio="I read"))
    assert not changes_what_is_there(Request("POST", b"/update", (JSON,), b"{}"))


@pytest.mark.parametrize(("method", "changes"), [("user.update", True), ("updateUser", True), ("user.create", False)])
def test_so_does_a_function_that_is_called_by_rpc(method: str, *, changes: bool):
    call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"city": "York"}}
    assert changes_what_is_there(Request("POST", b"/rpc", (JSON,), orjson.dumps(call))) is changes
