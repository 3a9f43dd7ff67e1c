"""Public keys of tokens that another answer of the service tells, at an address of its own, and verifiers that take them for secrets."""

import base64
from datetime import UTC, datetime, timedelta

import jwt as pyjwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID

from gatecrash.core.message import Request, Response
from tests.range.jwt_tokens import (
    CLAIMS,
    Claims,
    Refused,
    account,
    by_hmac,
    by_rsa,
    in_time,
    opened,
    presented,
    unauthorized,
)
from tests.range.place import Given, answer, flaw, page, text, twin

PRIVATE = rsa.generate_private_key(public_exponent=65537, key_size=2048)
STRANGE = rsa.generate_private_key(public_exponent=65537, key_size=2048)
_PEM = serialization.Encoding.PEM
OLD = PRIVATE.public_key().public_bytes(_PEM, serialization.PublicFormat.PKCS1)
USUAL = PRIVATE.public_key().public_bytes(_PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
ELSEWHERE = STRANGE.public_key().public_bytes(_PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
TOKEN = pyjwt.encode(CLAIMS, PRIVATE, algorithm="RS256")


def _certificate() -> bytes:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "login.example")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, PRIVATE.public_key(), 9, now, now + timedelta(days=90))
    return made.sign(PRIVATE, hashes.SHA256()).public_bytes(_PEM)


CERTIFICATE = _certificate()


def settings(place: str) -> Request:
    return Request("GET", f"{place}/settings".encode())


def bearing(place: str) -> Request:
    return Request("GET", f"{place}/me".encode(), ((b"Authorization", f"Bearer {TOKEN}".encode()),))


def asks_for_settings(given: Given) -> bool:
    return given.request.path.endswith(b"/settings")


def whose(given: Given, verify) -> Response:
    try:
        in_time(verify(presented(given.request)))
    except Exception:  # noqa: BLE001 -- whatever is wrong with the token
        return unauthorized()
    return account()


def confusing(key: bytes):
    """As old libraries verify: what the header says, with the one key they were given."""

    def verify(token: str) -> Claims:
        header, claims, signed, signature = opened(token)
        if header["alg"] == "HS256":
            by_hmac(key, signed, signature)
        elif header["alg"] == "RS256":
            by_rsa(PRIVATE.public_key(), signed, signature)
        else:
            raise Refused("algorithm")
        return claims

    return verify


def sound(token: str) -> Claims:
    return pyjwt.decode(token, USUAL, algorithms=["RS256"])


@flaw("auth", request=bearing, beside=(settings,))
def public_key_told_in_settings(given: Given) -> Response:
    if asks_for_settings(given):
        return answer({"region": "north", "login": {"publicKey": OLD.decode(), "minutes": 30}})
    return whose(given, confusing(OLD))


@flaw("auth", request=bearing, beside=(settings,))
def certificate_told_on_a_page(given: Given) -> Response:
    if asks_for_settings(given):
        return page(f"<h1>For partners</h1><pre>{CERTIFICATE.decode()}</pre>")
    return whose(given, confusing(CERTIFICATE.strip()))


@twin("auth", request=bearing, beside=(settings,))
def public_key_told_and_one_algorithm(given: Given) -> Response:
    return text(USUAL.decode()) if asks_for_settings(given) else whose(given, sound)


@twin("auth", request=bearing, beside=(settings,))
def public_key_of_something_else_told(given: Given) -> Response:
    """A key that deliveries are checked with; tokens signed by HMAC are taken too, with a secret that nobody tells."""
    if asks_for_settings(given):
        return answer({"deliveries": {"publicKey": ELSEWHERE.decode(), "seal": base64.b64encode(b"north").decode()}})
    return whose(given, confusing(b"Pelican-77-Samovar-Brook"))
