"""Digest: a hash over user, password and the server's nonce proves the password without sending it.

The server asks first (a 401 with a challenge); the same nonce then serves many requests, counted in `nc`.

Standards and references
    RFC 7616 sections 3.3 (challenge), 3.4 (response, qop `auth` and `auth-int`, -sess, userhash), 3.5
    (Authentication-Info); RFC 2069 for servers without qop.
"""

import hashlib
from typing import Final

import msgspec

from gatecrash.core.auth.auth_params import auth_params
from gatecrash.core.message import Request, Response, with_header
from gatecrash.core.point import Point
from gatecrash.core.testing.profiles.guarded import Guarded
from gatecrash.core.testing.profiles.moment import Challenge, Moment

PROOF: Final = Point.of("header", "AUTHORIZATION")
# The strongest first: RFC 7616 section 3.7 lets the client choose, and a server lists what it likes first.
_HASHES: Final = {"SHA-512-256": "sha512_256", "SHA-256": "sha256", "MD5": "md5"}


class Digest(Guarded, frozen=True, array_like=True, kw_only=True, tag="digest"):
    """A user and a password."""

    username: str
    password: str


def points(_config: Digest) -> tuple[Point, ...]:
    """Where the proof stands."""
    return (PROOF,)


def challenge_of(response: Response) -> Challenge | None:
    """The strongest Digest challenge of an answer that we can meet; None where there is none."""
    found: dict[str, Challenge] = {}
    for value in response.all(b"WWW-Authenticate"):
        word, _, rest = value.strip().partition(b" ")
        params = auth_params(rest) if word.lower() == b"digest" else None
        if not params or b"nonce" not in params:
            continue
        read = {name.decode("latin-1"): given.decode("utf-8", "replace") for name, given in params.items()}
        algorithm = read.get("algorithm", "MD5").upper()
        found[algorithm.removesuffix("-SESS")] = Challenge(
            realm=read.get("realm", ""),
            nonce=read["nonce"],
            opaque=read.get("opaque", ""),
            algorithm=algorithm,
            qop=read.get("qop", ""),
            userhash=read.get("userhash", "").lower() == "true",
        )
    return next((found[name] for name in _HASHES if name in found), None)


def next_nonce(response: Response) -> str | None:
    """The nonce that the server wants from now on (RFC 7616 section 3.5)."""
    params = auth_params(response.first(b"Authentication-Info") or b"") or {}
    given = params.get(b"nextnonce")
    return given.decode("latin-1") if given else None


def sign(config: Digest, request: Request, moment: Moment) -> Request:
    """The request with its proof; as it was where the server has not asked yet."""
    challenge = moment.challenge
    if challenge is None:
        return request
    base = challenge.algorithm.removesuffix("-SESS")
    offered = {word.strip() for word in challenge.qop.lower().split(",") if word.strip()}
    qop = "auth" if "auth" in offered else "auth-int" if "auth-int" in offered else ""
    count, cnonce = f"{moment.count:08x}", moment.nonce
    uri = request.target.decode("latin-1")
    secret = _hash(base, f"{config.username}:{challenge.realm}:{config.password}".encode())
    if challenge.algorithm.endswith("-SESS"):
        secret = _hash(base, f"{secret}:{challenge.nonce}:{cnonce}".encode())
    asked = f"{request.method}:{uri}".encode("latin-1")
    if qop == "auth-int":
        asked += b":" + _hash(base, request.body).encode()
    middle = f"{challenge.nonce}:{count}:{cnonce}:{qop}" if qop else challenge.nonce
    response = _hash(base, f"{secret}:{middle}:{_hash(base, asked)}".encode())
    user = _hash(base, f"{config.username}:{challenge.realm}".encode()) if challenge.userhash else config.username
    fields = [
        f'username="{_quoted(user)}"',
        f'realm="{_quoted(challenge.realm)}"',
        f'nonce="{_quoted(challenge.nonce)}"',
    ]
    fields += [f'uri="{uri}"', f"algorithm={challenge.algorithm}", f'response="{response}"']
    fields += [f'opaque="{_quoted(challenge.opaque)}"'] if challenge.opaque else []
    fields += [f"qop={qop}", f"nc={count}", f'cnonce="{cnonce}"'] if qop else []
    fields += ["userhash=true"] if challenge.userhash else []
    value = ("Digest " + ", ".join(fields)).encode("utf-8", "replace")
    result: Request = msgspec.structs.replace(request, headers=with_header(request.headers, b"Authorization", value))
    return result


def _hash(algorithm: str, data: bytes) -> str:
    if algorithm == "MD5":
        return hashlib.md5(data, usedforsecurity=False).hexdigest()
    return hashlib.new(_HASHES[algorithm], data).hexdigest()


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
