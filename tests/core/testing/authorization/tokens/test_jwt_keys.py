"""Public keys, read from what servers publish and written as what careless verifiers hold."""

import datetime as dt
import json
from base64 import b64encode

import jwt as pyjwt
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from gatecrash.core.testing.authorization.tokens.jwt import compact
from gatecrash.core.testing.authorization.tokens.jwt_keys import as_secrets, carried, from_jwk, own_key

RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC = ec.generate_private_key(ec.SECP256R1())


def jwk_of(key, **more: str) -> dict[str, str]:
    algorithm = pyjwt.algorithms.RSAAlgorithm if isinstance(key, rsa.RSAPublicKey) else pyjwt.algorithms.ECAlgorithm
    return {**json.loads(algorithm.to_jwk(key)), **more}


@pytest.mark.parametrize("key", [RSA.public_key(), EC.public_key()], ids=["rsa", "ec"])
def test_a_published_key_is_read(key):
    assert from_jwk(jwk_of(key)).public_numbers() == key.public_numbers()


@pytest.mark.parametrize("jwk", [{"kty": "EC", "crv": "P-1"}, {"kty": "EC", "crv": "P-256", "x": "AQ", "y": "AQ"}, {}])
def test_what_is_no_key_is_none(jwk):
    assert from_jwk(jwk) is None


def test_a_token_may_carry_its_key_and_a_certificate_of_it():
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "here")])
    day = dt.datetime(2024, 5, 17, tzinfo=dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(RSA.public_key())
        .serial_number(7)
        .not_valid_before(day)
        .not_valid_after(day + dt.timedelta(9))
        .sign(RSA, hashes.SHA256())
    )
    chain = [b64encode(certificate.public_bytes(serialization.Encoding.DER)).decode()]
    found = carried({"jwk": jwk_of(EC.public_key()), "x5c": chain})
    assert [type(key).__name__ for key in found] == ["ECPublicKey", "RSAPublicKey"]
    assert carried({"jwk": "x", "x5c": ["not base64!"]}) == carried({}) == []


def test_the_forms_of_a_key_begin_with_the_likeliest():
    forms = as_secrets([RSA.public_key()])
    assert forms[0].startswith(b"-----BEGIN PUBLIC KEY-----\n")
    assert forms[0].endswith(b"-----END PUBLIC KEY-----\n")
    assert forms[1] == forms[0].rstrip(b"\n")
    assert forms[2].startswith(b"-----BEGIN RSA PUBLIC KEY-----\n")
    assert len(as_secrets([EC.public_key()])) == 2


def test_a_token_with_our_own_key_is_verified_by_that_key():
    header, sign = own_key()
    jwk = header["jwk"]
    made = compact({"alg": "RS256", "jwk": jwk}, {"sub": "ann"}, sign)
    assert pyjwt.decode(made, from_jwk(jwk), algorithms=["RS256"]) == {"sub": "ann"}
    assert "d" not in jwk
    by_certificate, by_jwk = carried({"x5c": header["x5c"]}), from_jwk(jwk)
    assert [key.public_numbers() for key in by_certificate] == [by_jwk.public_numbers()]
