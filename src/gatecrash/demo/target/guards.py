"""Who may call: each guard answers with the caller, or None where the credential is missing or wrong."""

import base64
import binascii
import hmac
from http import HTTPStatus

from gatecrash.demo.target.http import HTML, Call, Reply
from gatecrash.demo.target.store import API_KEY, Store

# A name that no table of frameworks lists: only the sign-in that issues it makes it a credential.
COOKIE = "teahouse"


def bearer(store: Store, call: Call) -> int | None:
    """The customer of the Bearer token in Authorization (RFC 6750 section 2.1)."""
    scheme, _, token = call.headers.get("authorization", "").partition(" ")
    return store.customer_of(token.strip()) if scheme.lower() == "bearer" else None


def session(store: Store, call: Call) -> int | None:
    """The customer of the session cookie."""
    return store.customer_of(call.cookie(COOKIE))


def basic(store: Store, call: Call) -> str | None:
    """The login of the Basic credentials in Authorization (RFC 7617)."""
    scheme, _, encoded = call.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        login, _, password = base64.b64decode(encoded, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return None
    return login if store.password_fits(login, password) else None


def api_key(call: Call) -> bool:
    """Whether X-API-Key holds the warehouse's key."""
    return hmac.compare_digest(call.headers.get("x-api-key", "").encode(), API_KEY.encode())


def to_sign_in() -> Reply:
    """Where browsers without a session are led."""
    return Reply(HTTPStatus.SEE_OTHER, "", {"Location": "/pages/sign-in"}, HTML)


def refused(challenge: str) -> Reply:
    """401 with the challenge that RFC 9110 section 11.6.1 asks for."""
    return Reply(
        HTTPStatus.UNAUTHORIZED,
        {"error": "Please sign in."},
        {"WWW-Authenticate": f'{challenge} realm="tea"'},
    )
