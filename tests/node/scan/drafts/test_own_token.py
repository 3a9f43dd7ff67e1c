"""The sender's own token stands where a request asks about a token."""

import json
from typing import Any

import pytest
from tests.range.jwt_tokens import STRONG, issued

from gatecrash.core.message import Request, Response
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.drafts.own_token import holding_ones_own

JSON = ((b"Content-Type", b"application/json"),)
TOKEN = issued({"sub": "7"}, STRONG).encode()


def refused(method: str, target: str, body: Any = None) -> Draft:
    sent = b"" if body is None else json.dumps(body).encode()
    request = Request(method, target.encode(), JSON if sent else (), sent, "http", "127.0.0.1", 9)
    return Draft(request=request, response=Response(400), drafted=True)


def asked(document: str, **variables: str) -> Draft:
    return refused("POST", "/graphql", {"query": document, "variables": variables})


@pytest.mark.parametrize("word", [b"Bearer ", b""])
def test_a_query_about_a_token_is_asked_about_ones_own(word: bytes) -> None:
    one = asked("query W($token: String!) { whoami(token: $token) { id } }", token="example")
    told = holding_ones_own(one, (b"theme=dark", word + TOKEN))
    assert told is not None
    assert json.loads(told.body)["variables"] == {"token": TOKEN.decode()}


def test_so_is_what_stands_in_an_address() -> None:
    told = holding_ones_own(refused("GET", "/check?accessToken=example&page=2"), (b"Bearer " + TOKEN,))
    assert told is not None
    assert told.target == b"/check?accessToken=" + TOKEN + b"&page=2"


@pytest.mark.parametrize(
    ("one", "credential"),
    [
        (asked("query W($token: String!) { whoami(token: $token) { id } }", token="example"), b"Bearer 2f8a6c1e9b7d"),
        (asked("mutation L($token: String!) { leave(token: $token) }", token="example"), TOKEN),
        (asked("query W($resetToken: String!) { mayReset(resetToken: $resetToken) }", resetToken="example"), TOKEN),
        (refused("DELETE", "/sessions?token=example"), TOKEN),
    ],
    ids=["no JSON Web Token", "it changes something", "of another kind", "it ends something"],
)
def test_otherwise_it_is_not(one: Draft, credential: bytes) -> None:
    assert holding_ones_own(one, (credential,)) is None
