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


METADATA = b"""<?xml version="1.0"?>
<!-- made by a machine -->
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="http://a.example/sp">
<md:ContactPerson><md:EmailAddress>ann@a.example</md:EmailAddress></md:ContactPerson></md:EntityDescriptor>"""


@pytest.mark.parametrize(
    ("body", "published"),
    [
        (METADATA, True),
        (METADATA.replace(b"EntityDescriptor", b"EntitiesDescriptor"), True),
        (METADATA.replace(b"SAML:2.0:metadata", b"SAML:2.0:assertion"), False),
        (b"<users>" + METADATA + b"</users>", False),
        (b"<p>urn:oasis:names:tc:SAML:2.0:metadata EntityDescriptor</p>", False),
    ],
    ids=["one", "several", "another namespace", "within something else", "told of"],
)
def test_who_takes_part_in_a_sign_in_across_sites_is_published(body: bytes, published: bool) -> None:
    kind = ((b"Content-Type", b"application/samlmetadata+xml"),)
    assert is_published_by_rule("/users/sp/metadata", Response(200, kind, body)) == published
