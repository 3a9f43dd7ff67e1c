"""Verifiers of tokens that are signed on a curve, that bring a certificate along, or that are signed with a word of the
application's own.
"""

import base64
import json
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.x509.oid import NameOID

from gatecrash.core.message import Request
from tests.range.jwt_tokens import (
    CLAIMS,
    PRIVATE,
    PUBLIC,
    Claims,
    Refused,
    b64,
    by_rsa,
    guarded,
    in_time,
    issued,
    opened,
)
from tests.range.jwt_tokens import with_word as with_this_word
from tests.range.place import flaw, twin

CURVE = ec.generate_private_key(ec.SECP256R1())
_SIZE = 32
READ, DRAWN = base64.b64decode("supersecretkey=="), base64.b64decode("pTq6mXn0Zs4LrV2cYw9KdEhFjB7uGx5A")


def certificate() -> str:
    """The server's own, as its tokens carry it."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tokens.example")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, PUBLIC, 7, now, now + timedelta(days=90)).sign(PRIVATE, hashes.SHA256())
    return base64.b64encode(made.public_bytes(serialization.Encoding.DER)).decode()


def on_the_curve() -> str:
    head, body = b64(json.dumps({"alg": "ES256", "typ": "JWT"}).encode()), b64(json.dumps(CLAIMS).encode())
    numbers = decode_dss_signature(CURVE.sign(f"{head}.{body}".encode(), ec.ECDSA(hashes.SHA256())))
    return f"{head}.{body}.{b64(b''.join(number.to_bytes(_SIZE, 'big') for number in numbers))}"


CERTIFICATE = certificate()
TOKENS = {
    "curve": on_the_curve(),
    "certified": issued(CLAIMS, x5c=[CERTIFICATE]),
    # A word of this place's answer, and one that no answer of it has.
    "own": issued(CLAIMS, b"marsh-secret"),
    "strange": issued(CLAIMS, b"quagmire-5519-secret"),
    # Keys of texts that are taken for base64.
    "read": issued(CLAIMS, READ),
    "drawn": issued(CLAIMS, DRAWN),
}


def bearer(name: str):
    return lambda path: Request("GET", path.encode(), ((b"Authorization", f"Bearer {TOKENS[name]}".encode()),))


def verified(signed: bytes, signature: bytes) -> None:
    """As libraries do today: of two numbers that are both none of nothing."""
    numbers = int.from_bytes(signature[:_SIZE], "big"), int.from_bytes(signature[_SIZE:], "big")
    try:
        CURVE.public_key().verify(encode_dss_signature(*numbers), signed, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature as error:
        raise Refused("signature") from error


def by_curve(token: str, *, zeros: bool) -> Claims:
    header, claims, signed, signature = opened(token)
    if header["alg"] != "ES256" or len(signature) != 2 * _SIZE:
        raise Refused("algorithm")
    if not (zeros and signature == bytes(2 * _SIZE)):
        verified(signed, signature)
    return in_time(claims)


@flaw("auth", request=bearer("curve"))
@guarded
def zeros_fit(token: str) -> Claims:
    """Nobody looked whether the two numbers are zero, which fit every text."""
    return by_curve(token, zeros=True)


@twin("auth", request=bearer("curve"))
@guarded
def zeros_do_not_fit(token: str) -> Claims:
    return by_curve(token, zeros=False)


@flaw("auth", request=bearer("certified"))
@guarded
def any_certificate(token: str) -> Claims:
    header, claims, signed, signature = opened(token)
    if header["alg"] != "RS256":
        raise Refused("algorithm")
    key = x509.load_der_x509_certificate(base64.b64decode(header["x5c"][0])).public_key()
    by_rsa(key, signed, signature)
    return in_time(claims)


@twin("auth", request=bearer("certified"))
@guarded
def its_own_certificate_alone(token: str) -> Claims:
    header, claims, signed, signature = opened(token)
    if header["alg"] != "RS256" or header.get("x5c") != [CERTIFICATE]:
        raise Refused("certificate")
    by_rsa(PUBLIC, signed, signature)
    return in_time(claims)


@twin("auth", request=bearer("certified"))
@guarded
def certificates_are_not_looked_at(token: str) -> Claims:
    header, claims, signed, signature = opened(token)
    if header["alg"] != "RS256":
        raise Refused("algorithm")
    by_rsa(PUBLIC, signed, signature)
    return in_time(claims)


@flaw("auth", request=bearer("own"))
@guarded
def signed_with_its_own_word(token: str) -> Claims:
    return in_time(with_this_word(token, b"marsh-secret"))


@twin("auth", request=bearer("strange"))
@guarded
def signed_with_a_word_that_nobody_reads(token: str) -> Claims:
    return in_time(with_this_word(token, b"quagmire-5519-secret"))


@flaw("auth", request=bearer("read"))
@guarded
def takes_a_word_for_base64(token: str) -> Claims:
    return in_time(with_this_word(token, READ))


@twin("auth", request=bearer("drawn"))
@guarded
def takes_letters_of_chance_for_base64(token: str) -> Claims:
    return in_time(with_this_word(token, DRAWN))
