"""Tokens among the subprotocols of a WebSocket, and subprotocols that are none."""

import pytest

from gatecrash.core.auth.subprotocols import names_token

JWT = b"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl"


@pytest.mark.parametrize(
    "members",
    [
        JWT,
        b"graphql-ws," + JWT,
        b"Bearer, 3f9a0c77de114b02",
        b"base64url.bearer.3f9a0c77de114b02",
        b"jwt ,3f9a0c77de114b02, soap",
    ],
)
def test_a_token_is_seen(members):
    assert names_token(members)


@pytest.mark.parametrize(
    "members",
    [
        b"",
        b",,",
        b"graphql-transport-ws",
        b"token, graphql-transport-ws",
        b"auth, undefined",
        b"3f9a0c77de114b02",
        b"soap, 3f9a0c77de114b02",
        b"bearer, base64.binary.k8s.io",
        b"base64url.bearer.k8s.io",
        b"eyJhbGciOiJIUzI1NiJ9",
    ],
)
def test_a_subprotocol_is_none(members):
    assert not names_token(members)
