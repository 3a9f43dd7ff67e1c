"""Sessions that their users could make: signed with a common word or a random one, made of a name or of chance."""

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Callable

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, miss, posted, twin

ANN = {"id": 7, "name": "Ann Marsh", "email": "ann@example.com", "phone": "+44 20 7946 0101"}
LOGIN = b'{"user": "annmarsh", "password": "lamp-oil-and-rope"}'
COMMON, OWN, RANDOM = b"supersecret", b"grandmother-on-a-bicycle", secrets.token_bytes(32)
AT = 1_790_000_000
GIVEN = {"sid-5d0c11e7a9b34f20c4d8"}


def padless(raw: bytes) -> bytes:
    return base64.urlsafe_b64encode(raw).rstrip(b"=")


def timed(word: bytes, document: object) -> bytes:
    """A cookie as itsdangerous writes Flask's."""
    said = padless(json.dumps(document).encode()) + b"." + padless(AT.to_bytes(4, "big"))
    return said + b"." + padless(hmac.digest(hmac.digest(word, b"cookie-session", "sha1"), said, "sha1"))


def hashed(word: bytes, document: object) -> bytes:
    """A cookie as people write their own: the data, and a hash of it and a word."""
    said = base64.b64encode(json.dumps(document).encode())
    return said + b"--" + hashlib.sha1(said + word, usedforsecurity=False).hexdigest().encode()


def of_timed(word: bytes, cookie: bytes) -> object:
    said, _, sign = cookie.rpartition(b".")
    made = padless(hmac.digest(hmac.digest(word, b"cookie-session", "sha1"), said, "sha1"))
    data = said.partition(b".")[0]
    return json.loads(base64.urlsafe_b64decode(data + b"=" * (-len(data) % 4))) if made == sign else None


def of_hashed(word: bytes, cookie: bytes) -> object:
    said, _, sign = cookie.rpartition(b"--")
    made = hashlib.sha1(said + word, usedforsecurity=False).hexdigest().encode()
    return json.loads(base64.b64decode(said)) if made == sign else None


def filled(name: bytes, word: bytes, document: object, length: int = 61) -> bytes:
    """A cookie as Mojolicious writes one: filled up, hyphens where base64 pads, signed with the cookie's name."""
    said = base64.b64encode(json.dumps(document).encode().ljust(length, b"Z")).replace(b"=", b"-")
    return said + b"--" + hmac.digest(word, name + b"=" + said, "sha256").hex().encode()


def of_filled(name: bytes, word: bytes, cookie: bytes) -> object:
    said, _, sign = cookie.rpartition(b"--")
    made = hmac.digest(word, name + b"=" + said, "sha256").hex().encode()
    return json.loads(base64.b64decode(said.replace(b"-", b"=")).rstrip(b"Z")) if made == sign else None


def crumbs(request: Request) -> dict[bytes, bytes]:
    pairs = (each.partition(b"=") for each in (request.first(b"Cookie") or b"").split(b"; "))
    return {name: value for name, _, value in pairs}


def account(*, known: bool) -> Response:
    return answer(ANN) if known else answer({"error": "please sign in"}, 401)


def with_cookies(**cookies: bytes) -> Callable[[str], Request]:
    written = b"; ".join(name.encode() + b"=" + value for name, value in cookies.items())
    return lambda place: Request("GET", f"{place}/account".encode(), ((b"Cookie", written),))


def is_ann(said: object) -> bool:
    return isinstance(said, dict) and said.get("user") == "annmarsh"


@flaw("auth", request=with_cookies(session=timed(COMMON, {"user": "annmarsh"})))
def signed_with_a_common_word(given: Given) -> Response:
    return account(known=is_ann(of_timed(COMMON, crumbs(given.request).get(b"session", b""))))


@flaw("auth", request=with_cookies(auth_session=hashed(COMMON, {"user": "annmarsh"})))
def hashed_with_a_common_word(given: Given) -> Response:
    return account(known=is_ann(of_hashed(COMMON, crumbs(given.request).get(b"auth_session", b""))))


@flaw("auth", request=with_cookies(kettle=filled(b"kettle", b"kettle", {"user": "annmarsh"})))
def signed_with_the_name_of_the_cookie(given: Given) -> Response:
    return account(known=is_ann(of_filled(b"kettle", b"kettle", crumbs(given.request).get(b"kettle", b""))))


@twin("auth", request=with_cookies(lantern=filled(b"lantern", RANDOM, {"user": "annmarsh"})))
def filled_up_and_signed_with_chance(given: Given) -> Response:
    return account(known=is_ann(of_filled(b"lantern", RANDOM, crumbs(given.request).get(b"lantern", b""))))


@miss("auth", request=with_cookies(login_session=timed(OWN, {"user": "annmarsh"})))
def signed_with_a_word_of_no_list(given: Given) -> Response:
    return account(known=is_ann(of_timed(OWN, crumbs(given.request).get(b"login_session", b""))))


@twin("auth", request=with_cookies(user_session=timed(RANDOM, {"user": "annmarsh"})))
def signed_with_chance(given: Given) -> Response:
    return account(known=is_ann(of_timed(RANDOM, crumbs(given.request).get(b"user_session", b""))))


@twin("auth", request=with_cookies(sessionid=next(iter(GIVEN)).encode(), flashes=timed(COMMON, {"flash": "welcome"})))
def message_beside_a_session(given: Given) -> Response:
    """What a common word has signed is a message to be shown; who is asking another cookie says."""
    return account(known=crumbs(given.request).get(b"sessionid", b"").decode() in GIVEN)


def signing_in(place: str) -> Request:
    return posted(f"{place}/login", LOGIN, b"application/json")


def named(given: Given, cookie: bytes, made: Callable[[str], str], *, beside: str = "") -> Response:
    """A login that hands out a cookie, and the account that it opens. made: of the name. beside: a cookie that opens it instead."""
    if given.request.path.endswith(b"/login"):
        user = str(given.values.get("user"))
        if user != "annmarsh" or given.values.get("password") != "lamp-oil-and-rope":
            return answer({"error": "wrong name or password"}, 401)
        issued = [(b"Set-Cookie", cookie + b"=" + made(user).encode() + b"; HttpOnly")]
        issued += [(b"Set-Cookie", f"sessionid={beside}; HttpOnly".encode())] if beside else []
        return Response(200, ((b"Content-Type", b"application/json"), *issued), b'{"ok": true}')
    sent = crumbs(given.request)
    if beside:
        return account(known=sent.get(b"sessionid", b"").decode() == beside)
    return account(known=sent.get(cookie, b"").decode() == made("annmarsh"))


def md5(name: str) -> str:
    return hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()


def keyed(name: str) -> str:
    return hmac.digest(RANDOM, name.encode(), "md5").hex()


@flaw("auth", request=signing_in, beside=(with_cookies(auth=md5("annmarsh").encode()),), also=("info", "csrf"))
def hash_of_the_name(given: Given) -> Response:
    return named(given, b"auth", md5)


@twin("auth", request=signing_in, beside=(with_cookies(auth=keyed("annmarsh").encode()),), also=("info", "csrf"))
def keyed_hash_of_the_name(given: Given) -> Response:
    return named(given, b"auth", keyed)


@twin("auth", request=signing_in, beside=(with_cookies(sessionid=b"sid-77aa0c11e7a9b34f"),), also=("info", "csrf"))
def name_to_be_greeted_by(given: Given) -> Response:
    """A cookie holds the name so that a page may greet him; a random one lets in."""
    return named(given, b"greeting", str, beside="sid-77aa0c11e7a9b34f")


def number_of(name: str) -> str:
    return base64.b64encode(b"7" if name == "annmarsh" else b"8").decode()


@flaw("auth", request=signing_in, beside=(with_cookies(remember=b"Nw=="),), also=("info", "csrf"))
def number_that_remembers(given: Given) -> Response:
    return named(given, b"remember", number_of)


@twin("auth", request=signing_in, beside=(with_cookies(sessionid=b"sid-77aa0c11e7a9b35e"),), also=("info", "csrf"))
def number_to_be_counted_by(given: Given) -> Response:
    """A cookie holds the number that a statistic counts visitors by; a random one lets in."""
    return named(given, b"visitor", number_of, beside="sid-77aa0c11e7a9b35e")


@miss("auth", request=signing_in, beside=(with_cookies(auth=b"annmarsh-1790000000"),), also=("info", "csrf"))
def name_and_a_time(given: Given) -> Response:
    return named(given, b"auth", "{}-1790000000".format)
