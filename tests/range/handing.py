"""Logins that hand out more than one token, before an API that takes any of them, or only the one that is meant for it."""

import json
import time
from collections.abc import Callable

import jwt as pyjwt

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, miss, posted, twin

KEY, OTHER_KEY = "0f4f7a0e4b1c4d6f9f0d2c7a61f8a3be", "b1946ac92492d2347c6235b4d2611184b1946ac9"
PERSON = {"sub": "7", "name": "ann"}
SHOWN = {"id": 7, "name": "ann", "email": "ann@example.com", "plan": "family"}
OPAQUE = "rt-5b1f0c9a7de34a51b02f0a6c"


def login(path: str) -> Request:
    body = json.dumps({"user": "ann", "password": "lamp-oil-and-rope"}).encode()
    return posted(path + "/login", body, b"application/json")


def token(key: str = KEY, **claims: object) -> str:
    return pyjwt.encode({**PERSON, "exp": int(time.time()) + 3600, **claims}, key, algorithm="HS256")


def served(given: Given, tokens: dict[str, str], takes: Callable[[str], bool]) -> Response:
    """The login, and the address that says who the caller is."""
    if given.request.path.endswith(b"/login"):
        return answer(tokens)
    sent = (given.request.first(b"Authorization") or b"").decode().removeprefix("Bearer ")
    try:
        return answer(SHOWN) if takes(sent) else answer({"error": "unauthorized"}, 401)
    except pyjwt.PyJWTError:
        return answer({"error": "unauthorized"}, 401)


def read(sent: str, **options: object) -> dict:
    return pyjwt.decode(sent, KEY, algorithms=["HS256"], **options)


ANY = {"verify_aud": False}


def refreshed() -> dict[str, str]:
    return {"access_token": token(typ="access"), "refresh_token": token(typ="refresh"), "token_type": "Bearer"}


@flaw("auth", request=login)
def refresh_lets_in(given: Given) -> Response:
    """Whatever this service has signed."""
    return served(given, refreshed(), lambda sent: bool(read(sent)))


@flaw("auth", request=login)
def identity_lets_in(given: Given) -> Response:
    handed = {"access_token": token(aud="api"), "id_token": token(aud="web-page")}
    return served(given, handed, lambda sent: bool(read(sent, options=ANY)))


@flaw("auth", request=login)
def another_audience_lets_in(given: Given) -> Response:
    """A token for the chat is as good."""
    handed = {"accessToken": token(aud="api"), "chatToken": token(aud="chat")}
    return served(given, handed, lambda sent: bool(read(sent, options=ANY)))


@flaw("auth", request=login)
def opaque_refresh_lets_in(given: Given) -> Response:
    handed = {"token": token(), "refreshToken": OPAQUE}
    return served(given, handed, lambda sent: sent == OPAQUE or bool(read(sent)))


@twin("auth", request=login)
def access_only(given: Given) -> Response:
    return served(given, refreshed(), lambda sent: read(sent)["typ"] == "access")


@twin("auth", request=login)
def own_audience_only(given: Given) -> Response:
    handed = {"access_token": token(aud="api"), "id_token": token(aud="web-page"), "chat_token": token(aud="chat")}
    return served(given, handed, lambda sent: bool(read(sent, audience="api")))


@twin("auth", request=login)
def signed_with_another_key(given: Given) -> Response:
    handed = {"access_token": token(), "refresh_token": token(OTHER_KEY)}
    return served(given, handed, lambda sent: bool(read(sent)))


@twin("auth", request=login)
def two_of_one_kind(given: Given) -> Response:
    """Both are meant for the same."""
    handed = {"token": token(aud="api"), "jwt": token(aud="api", iat=int(time.time()))}
    return served(given, handed, lambda sent: bool(read(sent, audience="api")))


@twin("auth", request=login, also=("auth",))
def answers_anybody(given: Given) -> Response:
    """What it says is public, so that any token is as good as none."""
    return served(given, refreshed(), lambda sent: True)


@miss("auth", request=login)
def nothing_says_what_it_is_for(given: Given) -> Response:
    handed = {"access_token": token(), "support": token(iat=1)}
    return served(given, handed, lambda sent: bool(read(sent)))
