"""Public keys are read wherever an answer tells them, and only those that verify a token are its own."""

import html
import json
from base64 import b64encode

import jwt as pyjwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from tests.core.testing.authorization.tokens.test_jwt_keys import jwk_of

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.tokens.jwt import parse
from gatecrash.core.testing.authorization.tokens.jwt_keys import as_pem, from_pem, own_key, verifies
from gatecrash.core.testing.authorization.tokens.known_keys import keys_known, keys_told, remember_key

RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC = ec.generate_private_key(ec.SECP256R1())
PEM = as_pem(RSA.public_key()).decode()
OLD = RSA.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.PKCS1).decode().rstrip()


def certificate() -> str:
    body = own_key()[0]["x5c"][0]
    lines = [body[at : at + 64] for at in range(0, len(body), 64)]
    return "\n".join(("-----BEGIN CERTIFICATE-----", *lines, "-----END CERTIFICATE-----"))


def token_by(key, algorithm: str):
    return parse(pyjwt.encode({"sub": "ann"}, key, algorithm=algorithm).encode())


@pytest.mark.parametrize("pem", [PEM, OLD, certificate()], ids=["spki", "pkcs1", "certificate"])
@pytest.mark.parametrize(
    "written",
    [
        lambda pem: f"{pem}\n",
        lambda pem: json.dumps({"login": {"publicKey": f"{pem}\n"}}),
        lambda pem: json.dumps({"publicKey": pem.replace("\n", "\r\n")}).replace("/", "\\/"),
        lambda pem: f"<pre>{html.escape(pem).replace('+', '&#43;').replace('/', '&#x2F;')}</pre>",
        lambda pem: "key: |\n" + "".join(f"  {line}\n" for line in pem.splitlines()),
    ],
    ids=["file", "json", "php", "page", "yaml"],
)
def test_a_key_is_read_however_it_is_written(pem, written):
    assert keys_told(Response(200, body=written(pem).encode())) == (pem.encode(),)


def test_keys_in_numbers_are_read_at_any_depth():
    document = {"issuer": {"keys": [jwk_of(RSA.public_key()), jwk_of(EC.public_key()), {"kty": "oct", "k": "AA"}]}}
    told = keys_told(Response(200, body=json.dumps(document).encode()))
    assert told == (as_pem(RSA.public_key()), as_pem(EC.public_key()))


@pytest.mark.parametrize(
    "body",
    [
        "",
        "-----BEGIN PUBLIC KEY-----",
        f"-----BEGIN PUBLIC KEY-----\n{b64encode(bytes(200)).decode()}\n-----END PUBLIC KEY-----",
        PEM.replace("PUBLIC", "PRIVATE"),
        '{"kty": "RSA"}',
        '"kty": "RSA" {',
    ],
    ids=["nothing", "a beginning", "no key", "a private key", "no numbers", "no JSON"],
)
def test_what_is_none_is_not_read(body):
    assert keys_told(Response(200, body=body.encode())) == ()


@pytest.mark.parametrize(
    ("key", "algorithm"),
    [(RSA, "RS256"), (RSA, "RS512"), (RSA, "PS384"), (EC, "ES256")],
    ids=["rs256", "rs512", "ps384", "es256"],
)
def test_a_token_is_verified_by_its_own_key_alone(key, algorithm):
    token, other = token_by(key, algorithm), EC if key is RSA else RSA
    assert verifies(key.public_key(), token)
    assert not verifies(other.public_key(), token)
    changed = pyjwt.encode({"sub": "bob"}, key, algorithm=algorithm).encode().rpartition(b".")[0]
    assert not verifies(key.public_key(), parse(changed + b"." + token.parts[2]))


def test_of_the_known_keys_those_of_the_token_are_given_and_all_their_texts():
    told: set[tuple[str, ...]] = {("something else", "tea")}
    for text in (PEM, OLD, as_pem(EC.public_key()).decode(), certificate()):
        remember_key(told, text.encode())
    assert {each.text for each in keys_known(told, token_by(RSA, "RS256"))} == {PEM.encode(), OLD.encode()}
    assert keys_known(told, parse(pyjwt.encode({"sub": "ann"}, "x" * 40, algorithm="HS256").encode())) == []


def test_a_run_keeps_no_more_than_it_can_try():
    told: set[tuple[str, ...]] = set()
    for number in range(1_000):
        remember_key(told, b"%d" % number)
    assert len(told) == 200


def test_the_key_of_a_certificate_is_its_owners():
    assert from_pem(certificate().encode()) is not None
    assert from_pem(b"no key") is None


def test_hostile_answers_end():
    begin = "-----BEGIN PUBLIC KEY-----"
    for text in (begin * 20_000, begin + "A" * 400_000, (begin + "A" * 7_000) * 60, '{"kty":"RSA",' * 40_000):
        assert keys_told(Response(200, body=text.encode())) == ()
