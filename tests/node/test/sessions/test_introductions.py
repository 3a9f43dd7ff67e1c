"""Identities of a profile are asked who they are before anything is tested, each with its own credentials, and once."""

from typing import Any

import orjson
from tests.node.loop import run
from tests.node.test.answering import Application, get, traffic

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Request, Response
from gatecrash.node.test.sessions.introductions import Introductions

JSON = (b"Content-Type", b"application/json")
PEOPLE = {
    b"of-ann": {"id": 41, "email": "ann@north.example", "company_id": 501},
    b"of-ben": {"id": 42, "email": "ben@south.example", "company_id": 502},
}
TWO: dict[str, Any] = {
    "values": [{"point": ["header", "X-Key"], "value": "${key}"}],
    "identities": [
        {"name": "ann", "variables": {"key": "of-ann"}},
        {"name": "ben", "variables": {"key": "of-ben"}},
    ],
}
ANN = ("41", "501", "ann@north.example", "tenant=501")
BEN = ("42", "502", "ben@south.example", "tenant=502")


def _says(request: Request) -> Response:
    told = PEOPLE.get(request.first(b"X-Key") or b"")
    return Response(401) if told is None else Response(200, (JSON,), orjson.dumps(told))


async def known(profile: dict[str, Any] | None, *requests: Request) -> tuple[list[tuple[str, ...]], list[str]]:
    application = Application(_says)
    sent = traffic(application, profile)
    introductions = Introductions(sent, compile_recogniser(), "questions")
    for _ in range(2):
        await introductions.make(list(requests))
    return [each.known for each in sent.sessions.identities(get("/things/7"))], application.paths()


@run
async def test_each_is_known_by_what_it_is_told_about_itself() -> None:
    assert await known(TWO, get("/things"), get("/me")) == ([ANN, BEN], ["/me", "/me"])


@run
async def test_an_address_that_says_what_it_changes_is_no_question_who_somebody_is() -> None:
    paths = ("/deactivate-account", "/delete_account.php", "/end-session", "/update-profile")
    assert await known(TWO, *map(get, paths)) == ([(), ()], [])


@run
async def test_the_role_that_it_is_told_is_known_too() -> None:
    def says(request: Request) -> Response:
        is_ann = request.first(b"X-Key") == b"of-ann"
        return Response(200, (JSON,), orjson.dumps({"id": 41 + (not is_ann), "role": "keeper" if is_ann else "clerk"}))

    sent = traffic(Application(says), TWO)
    await Introductions(sent, compile_recogniser(), "questions").make([get("/me")])
    assert [each.known for each in sent.sessions.identities(get("/x"))] == [("41", "is=keeper"), ("42", "is=clerk")]


@run
async def test_the_check_address_is_asked_where_it_tells_that() -> None:
    assert await known({**TWO, "check": {"path": "/me"}}, get("/things")) == ([ANN, BEN], ["/me", "/me"])
    assert await known({**TWO, "check": {"path": "/things"}}, get("/things")) == ([(), ()], [])


@run
async def test_nobody_is_asked_who_is_alone_or_without_a_profile() -> None:
    alone = {**TWO, "identities": TWO["identities"][:1]}
    assert await known(alone, get("/me")) == ([()], [])
    assert await known(None, get("/me")) == ([], [])


@run
async def test_a_refusal_tells_nothing_and_a_login_that_fails_leaves_the_other_known() -> None:
    other = {"name": "cem", "variables": {"key": "of-nobody"}}
    refused = {
        "name": "dot",
        "variables": {"key": "x"},
        "login": [{"path": "/things/login", "take": {"t": {"json": "$.t"}}}],
    }
    profile = {**TWO, "identities": [TWO["identities"][0], other, refused]}
    assert (await known(profile, get("/me")))[0] == [ANN, (), ()]


@run
async def test_a_list_that_shows_each_his_own_tenants_tells_who_belongs_where() -> None:
    own = {b"of-ann": [{"slug": "red-clay"}], b"of-ben": [{"slug": "north-kiln"}]}

    def says(request: Request) -> Response:
        return Response(200, (JSON,), orjson.dumps({"items": own[request.first(b"X-Key") or b""]}))

    application = Application(says)
    sent = traffic(application, TWO)
    introductions = Introductions(sent, compile_recogniser(), "questions")
    for _ in range(2):
        await introductions.make([get("/v1/orgs"), get("/v1/orgs?page=2"), get("/v1/things")])
    told = [each.known for each in sent.sessions.identities(get("/x"))]
    assert told == [("tenant=red-clay",), ("tenant=north-kiln",)]
    assert application.paths() == ["/v1/orgs", "/v1/orgs"]
