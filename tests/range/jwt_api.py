"""An API whose callers hold JSON Web Tokens: verified with each mistake that is known, and soundly in ways that look odd."""

import atexit
import functools
import hashlib
import random
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import jwt as pyjwt
from cryptography.hazmat.primitives.asymmetric import rsa

from gatecrash.core.message import Response
from tests.in_memory import InMemory
from tests.range.jwt_tokens import (
    ACCOUNT,
    PEM,
    PUBLIC,
    STRONG,
    TOKENS,
    WEAK,
    Claims,
    Refused,
    b64,
    bearer,
    by_hmac,
    by_rsa,
    cookie,
    guarded,
    in_time,
    opened,
    query,
    sound,
    unb64,
    with_word,
)
from tests.range.place import PLACES, Given, Place, answer, flaw, miss, page, text, twin

LOCAL = threading.local()

# Signatures that mean nothing


@flaw("auth", request=bearer("hs256"))
@guarded
def ignored(token: str) -> Claims:
    return pyjwt.decode(token, options={"verify_signature": False})


@flaw("auth", request=bearer("rs256"))
@guarded
def ignored_rsa(token: str) -> Claims:
    header, claims, _, _ = opened(token)
    if header["alg"] != "RS256":
        raise Refused("algorithm")
    return in_time(claims)


@flaw("auth", request=cookie)
@guarded
def ignored_in_a_cookie(token: str) -> Claims:
    return in_time(opened(token)[1])


@flaw("auth", request=query)
@guarded
def ignored_in_the_query(token: str) -> Claims:
    return in_time(opened(token)[1])


@flaw("auth", request=bearer("hs256", "POST"))
@guarded
def ignored_on_a_post(token: str) -> Claims:
    return in_time(opened(token)[1])


KNOWN_SIGNATURES = {TOKENS["hs256"].rpartition(".")[2]}


@flaw("auth", request=bearer("hs256"))
@guarded
def remembered_by_signature(token: str) -> Claims:
    """A cache of verified tokens whose key is the signature."""
    if token.rpartition(".")[2] in KNOWN_SIGNATURES:
        return in_time(opened(token)[1])
    return sound(token)


@flaw("auth", request=bearer("hs256"))
@guarded
def checked_where_there(token: str) -> Claims:
    """Verifies a signature if there is one."""
    _, claims, _, signature = opened(token)
    return sound(token) if signature else in_time(claims)


# Algorithms that the token may choose


def none_or(token: str, is_none: Callable[[str], bool]) -> Claims:
    header, claims, _, _ = opened(token)
    return in_time(claims) if is_none(str(header["alg"])) else sound(token)


@flaw("auth", request=bearer("hs256"))
@guarded
def none(token: str) -> Claims:
    return none_or(token, lambda alg: alg == "none")


@flaw("auth", request=bearer("hs256"))
@guarded
def none_but_spelt_otherwise(token: str) -> Claims:
    """Refuses the spelling of the standard only."""
    return none_or(token, lambda alg: alg != "none" and alg.lower() == "none")


@flaw("auth", request=bearer("hs256"))
@guarded
def none_as_an_enumeration_has_it(token: str) -> Claims:
    return none_or(token, lambda alg: alg == "NONE")


@flaw("auth", request=bearer("hs256"))
@guarded
def none_as_python_has_it(token: str) -> Claims:
    return none_or(token, lambda alg: alg == "None")


@flaw("auth", request=bearer("hs256"))
@guarded
def none_with_a_signature(token: str) -> Claims:
    """Wants three parts that hold something."""
    if not all(token.split(".")):
        raise Refused("parts")
    return none_or(token, lambda alg: alg == "none")


def confusing(token: str, secret: bytes) -> Claims:
    header, claims, signed, signature = opened(token)
    if header["alg"] == "HS256":
        by_hmac(secret, signed, signature)
    elif header["alg"] == "RS256":
        by_rsa(PUBLIC, signed, signature)
    else:
        raise Refused("algorithm")
    return in_time(claims)


@flaw("auth", request=bearer("rs256"))
@guarded
def confused(token: str) -> Claims:
    return confusing(token, PEM)


@flaw("auth", request=bearer("rs256"))
@guarded
def confused_with_a_stripped_key(token: str) -> Claims:
    return confusing(token, PEM.strip())


# Keys that the token may choose


@flaw("auth", request=bearer("rs256"))
@guarded
def embedded(token: str) -> Claims:
    header, claims, signed, signature = opened(token)
    key = PUBLIC
    if jwk := header.get("jwk"):
        numbers = (int.from_bytes(unb64(jwk[name]), "big") for name in ("e", "n"))
        key = rsa.RSAPublicNumbers(*numbers).public_key()
    by_rsa(key, signed, signature)
    return in_time(claims)


def by_kid(token: str, key_of: Callable[[str], bytes]) -> Claims:
    header, claims, signed, signature = opened(token)
    if header["alg"] != "HS256":
        raise Refused("algorithm")
    by_hmac(key_of(str(header["kid"])), signed, signature)
    return in_time(claims)


@functools.cache
def folder() -> Path:
    path = Path(tempfile.mkdtemp(prefix="range-keys-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    (path / "main").write_bytes(STRONG)
    return path


def database() -> sqlite3.Connection:
    if not hasattr(LOCAL, "database"):
        LOCAL.database = InMemory()
        LOCAL.database.execute("CREATE TABLE keys (kid TEXT PRIMARY KEY, value TEXT)")
        LOCAL.database.execute("INSERT INTO keys VALUES ('main', ?)", (STRONG.decode(),))
    return LOCAL.database


@flaw("auth", request=bearer("kid"))
@guarded
def kid_as_a_path(token: str) -> Claims:
    return by_kid(token, lambda kid: (folder() / kid).read_bytes())


@flaw("auth", request=bearer("kid"))
@guarded
def kid_in_a_statement(token: str) -> Claims:
    return by_kid(
        token,
        lambda kid: database().execute(f"SELECT value FROM keys WHERE kid = '{kid}'").fetchone()[0].encode(),
    )


@flaw("auth", request=bearer("kid"))
@guarded
def kid_unknown(token: str) -> Claims:
    return by_kid(token, lambda kid: {"main": STRONG}.get(kid, b""))


# Keys that anybody knows


@flaw("auth", request=bearer("weak"))
@guarded
def weak(token: str) -> Claims:
    return in_time(with_word(token, WEAK))


@flaw("auth", request=bearer("host"))
@guarded
def named_after_the_host(token: str) -> Claims:
    return in_time(with_word(token, b"127.0.0.1-secret"))


@flaw("auth", request=bearer("weak"))
@guarded
def weak_and_timeless(token: str) -> Claims:
    return with_word(token, WEAK)


@flaw("auth", request=bearer("expired"))
@guarded
def expired(token: str) -> Claims:
    return with_word(token, STRONG)


# Twins


@twin("auth", request=bearer("hs256"))
@guarded
def sound_hmac(token: str) -> Claims:
    return sound(token)


@twin("auth", request=bearer("hs256", "POST"))
@guarded
def sound_on_a_post(token: str) -> Claims:
    return sound(token)


@twin("auth", request=cookie)
@guarded
def sound_in_a_cookie(token: str) -> Claims:
    return sound(token)


@twin("auth", request=bearer("rs256"))
@guarded
def sound_rsa(token: str) -> Claims:
    return pyjwt.decode(token, PEM, algorithms=["RS256"])


@twin("auth", request=bearer("kid"))
@guarded
def sound_kid(token: str) -> Claims:
    return by_kid(token, lambda kid: {"main": STRONG}[kid])


@twin("auth", request=bearer("kid"))
@guarded
def sound_kid_in_a_bound_statement(token: str) -> Claims:
    return by_kid(
        token, lambda kid: database().execute("SELECT value FROM keys WHERE kid = ?", (kid,)).fetchone()[0].encode()
    )


SESSIONS = {hashlib.sha256(TOKENS[name].encode()).digest() for name in ("weak", "hs256")}


@twin("auth", request=bearer("weak"))
@guarded
def weak_but_every_token_is_known(token: str) -> Claims:
    """Looks the token itself up, so that no other one is taken, whoever signed it."""
    if hashlib.sha256(token.encode()).digest() not in SESSIONS:
        raise Refused("unknown")
    return in_time(with_word(token, WEAK))


def firewall() -> Response:
    return page("<h1>403 Forbidden</h1><p>Your request was blocked.</p>", 403)


def in_words() -> Response:
    return answer({"ok": False, "message": "Please log in"})


def broken() -> Response:
    return text("internal error", 500)


def to_the_login() -> Response:
    return text("", 302, (b"Location", b"/login"))


def as_a_guest() -> Response:
    return answer({"name": "guest", "mail": "", "plan": "none", "orders": []})


@twin("auth", request=bearer("hs256"))
def sound_behind_a_firewall(given: Given) -> Response:
    return guarded(sound, firewall)(given)


@twin("auth", request=bearer("hs256"))
def sound_in_words(given: Given) -> Response:
    return guarded(sound, in_words)(given)


@twin("auth", request=bearer("hs256"))
def sound_and_breaking(given: Given) -> Response:
    return guarded(sound, broken)(given)


@twin("auth", request=bearer("rs256"))
def sound_to_the_login(given: Given) -> Response:
    return guarded(lambda token: pyjwt.decode(token, PEM, algorithms=["RS256"]), to_the_login)(given)


@twin("auth", request=bearer("hs256"))
def sound_with_guests(given: Given) -> Response:
    """Whoever has no good token sees what guests see."""
    return guarded(sound, as_a_guest)(given)


@twin("auth", request=bearer("hs256"))
def sound_and_never_the_same(given: Given) -> Response:
    drawn = random.SystemRandom()
    good = guarded(sound)(given)
    if good.status != 200:
        return answer({"error": "invalid token", "trace": drawn.random()}, 401)
    advert = drawn.choice(["Lamps", "Desks", "Chairs", "Shelves"])
    return answer({**ACCOUNT, "advert": advert, "at": drawn.randrange(1_700_000_000, 1_800_000_000)})


def every_parse_error_is_polite() -> Response:
    return answer({"error": "could not decode"}, 400)


@twin("auth", request=bearer("hs256"))
def sound_with_a_400(given: Given) -> Response:
    return guarded(sound, every_parse_error_is_polite)(given)


@miss("auth", request=bearer("rs256"))
@guarded
def confused_with_a_key_that_is_not_published(token: str) -> Claims:
    return confusing(token, PEM + b"\n# rotated 2024-05-17\n")


def jwks(_given: Given) -> Response:
    numbers = PUBLIC.public_numbers()
    written = {"n": b64(numbers.n.to_bytes(256, "big")), "e": b64(numbers.e.to_bytes(3, "big"))}
    return answer({"keys": [{"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "r1", **written}]})


PLACES.append(Place("", False, "/.well-known/jwks.json", jwks, ()))
