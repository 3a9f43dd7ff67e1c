"""The tokens of an answer, and what each says it is meant for."""

import json

import pytest
from tests.range.handing import token

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.tokens.issued_tokens import access_of, handed_out, others_of


def answering(**fields: object) -> Response:
    return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(fields).encode())


def kinds(**fields: object) -> list[str]:
    handed = handed_out(answering(**fields))
    access = access_of(handed)
    return [each.kind for each in others_of(handed, access)] if access is not None else []


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"access_token": token(typ="access"), "refresh_token": token(typ="refresh")}, ["Refresh tokens"]),
        ({"data": {"token": token(), "session": {"refresh": "rt-0123456789abcdef01"}}}, ["Refresh tokens"]),
        ({"access_token": token(), "id_token": token(aud="page")}, ["Identity tokens"]),
        ({"token": token(aud="api"), "chat": token(aud="chat")}, ["Tokens of another audience"]),
        ({"token": token(aud=["api", "chat"]), "chat": token(aud="chat")}, []),
        ({"token": token(), "later": token(typ="refresh")}, ["Tokens of another kind"]),
        ({"refresh_token": token(typ="refresh")}, []),
        ({"token": token(), "token_type": "Bearer", "csrf": "short"}, []),
    ],
)
def test_a_token_is_of_the_kind_that_its_name_or_its_claims_say(fields, expected):
    assert kinds(**fields) == expected
