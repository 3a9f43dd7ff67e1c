"""Tokens of the range, the guard that reads them, and how it refuses."""

import base64
import functools
import hmac
import json
from collections.abc import Callable
from email.utils import formatdate

import jwt as pyjwt
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, posted

STRONG = b"b8f1c64de0a34f2bb1d7c09a7a0e52f2c1d79b34"
WEAK = b"secret123"
LONG_GONE, NEVER = 1_600_000_000, 4_102_444_800
CLAIMS = {"sub": "ann", "role": "customer", "iat": 1_500_000_000, "exp": NEVER}
ACCOUNT = {"name": "Ann Marsh", "mail": "ann@example.com", "plan": "gold", "orders": [{"id": 31, "item": "desk lamp"}]}
PRIVATE = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PUBLIC = PRIVATE.public_key()
PEM = PUBLIC.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)

Claims = dict[str, object]
Verify = Callable[[str], Claims]


class Refused(Exception):
    """The token is not taken."""


# Written and read here, by nothing of ours that is under test.


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def issued(claims: Claims, key: bytes | None = None, **header: object) -> str:
    """A token: by HMAC with the key, else by RSA."""
    head = {"alg": "HS256" if key is not None else "RS256", "typ": "JWT", **header}
    signed = f"{b64(json.dumps(head).encode())}.{b64(json.dumps(claims).encode())}"
    if key is not None:
        return f"{signed}.{b64(hmac.digest(key, signed.encode(), 'sha256'))}"
    return f"{signed}.{b64(PRIVATE.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256()))}"


TOKENS = {
    "hs256": issued(CLAIMS, STRONG),
    "weak": issued(CLAIMS, WEAK),
    "host": issued(CLAIMS, b"127.0.0.1-secret"),
    "kid": issued(CLAIMS, STRONG, kid="main"),
    "rs256": issued(CLAIMS, kid="r1"),
    "expired": issued({**CLAIMS, "exp": LONG_GONE}, STRONG),
}


def opened(token: str) -> tuple[dict, Claims, bytes, bytes]:
    """Header, claims, what is signed, and the signature; whatever raises is a 401."""
    head, body, signature = token.split(".")
    return json.loads(unb64(head)), json.loads(unb64(body)), f"{head}.{body}".encode(), unb64(signature)


def by_hmac(key: bytes, signed: bytes, signature: bytes) -> None:
    if not hmac.compare_digest(hmac.digest(key, signed, "sha256"), signature):
        raise Refused("signature")


def by_rsa(key: rsa.RSAPublicKey, signed: bytes, signature: bytes) -> None:
    try:
        key.verify(signature, signed, padding.PKCS1v15(), hashes.SHA256())
    except InvalidSignature as error:
        raise Refused("signature") from error


def in_time(claims: Claims) -> Claims:
    if claims.get("exp", 0) < 1_700_000_000 or claims.get("nbf", 0) > 2_000_000_000:
        raise Refused("time")
    return claims


def with_word(token: str, word: bytes) -> Claims:
    header, claims, signed, signature = opened(token)
    if header["alg"] != "HS256":
        raise Refused("algorithm")
    by_hmac(word, signed, signature)
    return claims


# Asked


def bearer(name: str, method: str = "GET") -> Callable[[str], Request]:
    def request(path: str) -> Request:
        header = (b"Authorization", f"Bearer {TOKENS[name]}".encode())
        if method == "POST":
            return posted(path, b'{"item": "desk lamp"}', b"application/json", (header,))
        return Request("GET", path.encode(), (header,))

    return request


def cookie(path: str) -> Request:
    return Request("GET", path.encode(), ((b"Cookie", f"theme=dark; access_token={TOKENS['hs256']}".encode()),))


def query(path: str) -> Request:
    return Request("GET", f"{path}?access_token={TOKENS['hs256']}&view=full".encode())


def presented(request: Request) -> str:
    """The token, wherever it stands."""
    value = (request.first(b"Authorization") or b"").decode()
    if value.startswith("Bearer "):
        return value[7:]
    for pair in (request.first(b"Cookie") or b"").decode().split(";"):
        if pair.strip().startswith("access_token="):
            return pair.strip()[13:]
    for pair in (request.query or b"").decode().split("&"):
        if pair.startswith("access_token="):
            return pair[13:]
    raise Refused("none")


def account() -> Response:
    return answer(ACCOUNT, 200, (b"Date", formatdate(1_750_000_000, usegmt=True).encode()))


def unauthorized() -> Response:
    return answer({"error": "invalid token"}, 401)


def guarded(verify: Verify, refuse: Callable[[], Response] = unauthorized) -> Callable[[Given], Response]:
    """A handler behind a verifier. Whatever the verifier raises refuses, as guards do."""

    @functools.wraps(verify)
    def handler(given: Given) -> Response:
        try:
            claims = verify(presented(given.request))
        except Exception:  # noqa: BLE001 -- see above
            return refuse()
        return account() if claims.get("sub") == "ann" else answer({"error": "no such account"}, 404)

    return handler


def sound(token: str) -> Claims:
    """By a library that is told what to allow."""
    return pyjwt.decode(token, STRONG, algorithms=["HS256"])
