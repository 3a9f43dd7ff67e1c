"""What standards have servers publish is nobody's secret, whatever its fields are called."""

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.openness.published_by_rule import is_published_by_rule

JSON = ((b"Content-Type", b"application/json"),)
KEYS = b'{"keys": [{"kty": "RSA", "use": "sig", "kid": "a", "n": "AQAB", "e": "AQAB"}]}'


@pytest.mark.parametrize(
    ("path", "body", "published"),
    [
        ("/.well-known/openid-configuration", b'{"token_endpoint": "https://a.example/token"}', True),
        ("/realms/tea/.well-known/openid-configuration", b'{"token_endpoint": "https://a.example/token"}', True),
        ("/oauth2/keys", KEYS, True),
        ("/oauth2/keys", KEYS.replace(b'"e"', b'"d"'), False),
        ("/api/keys", b'{"keys": [{"kid": "a", "key": "k-81"}]}', False),
    ],
    ids=["metadata", "of one realm", "public keys", "a private key", "keys of an API"],
)
def test_what_is_published(path: str, body: bytes, published: bool) -> None:
    assert is_published_by_rule(path, Response(200, JSON, body)) == published
