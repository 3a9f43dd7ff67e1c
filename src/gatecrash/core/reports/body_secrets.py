"""Secrets in bodies: what a login sends and what it answers, in JSON and in forms, told by the names of its members.

A recorded password is a credential as a token is. In what a test sends it is found again by its value, because a test may
have put something behind it.
"""

import re
from urllib.parse import quote, quote_plus, unquote_to_bytes

import msgspec

from gatecrash.core.message import Exchange, Request
from gatecrash.core.reports.masking import TOKEN
from gatecrash.core.words.pieces import spellings

_PASSWORD = spellings("password").encode()
_NAMES = (
    rb"[\w.-]*(?:passw(?:or)?d|"
    + _PASSWORD
    + rb"|secret|token|jwt|api[_-]?key|credential|session[_-]?id|otp|pin)[\w.-]*"
)
# Names that say too little by themselves: what they hold is a secret where it looks like one.
_OPAQUE = rb'(?:auth|session|sid|ticket)(?="\s*+:\s*+"[\w.~+/=-]{16,}+")'
_JSON_MEMBER = re.compile(rb'("(?:' + _NAMES + rb"|" + _OPAQUE + rb')"\s*:\s*")((?:[^"\\]|\\.)+)"', re.IGNORECASE)
_FORM_FIELD = re.compile(rb"((?:^|&)(?=[\w.-]*+=)" + _NAMES + rb"=)([^&]+)", re.IGNORECASE)
_LEAST = 4
"""Shorter values stand everywhere by chance."""


def without_secrets(body: bytes) -> bytes:
    """A JSON body with the mask in the place of its secrets."""
    return _JSON_MEMBER.sub(rb"\1" + TOKEN + b'"', body)


def form_without_secrets(body: bytes) -> bytes:
    """The same for a body that is a form."""
    return _FORM_FIELD.sub(rb"\1" + TOKEN, body)


def is_form(request: Request) -> bool:
    """Whether the body is a form, by its type."""
    return (request.first(b"Content-Type") or b"").lower().startswith(b"application/x-www-form-urlencoded")


def secrets_of(request: Request) -> tuple[bytes, ...]:
    """The secrets of a request's body in every spelling that a test may send, the longest first."""
    found = {value for _, value in (_FORM_FIELD if is_form(request) else _JSON_MEMBER).findall(request.body)}
    plain = {unquote_to_bytes(value.replace(b"+", b" ")) for value in found} if is_form(request) else found
    escaped = {spelling(value).encode() for value in plain for spelling in (quote, quote_plus)}
    return tuple(
        sorted((one for one in found | plain | escaped if len(one) >= _LEAST), key=lambda one: (-len(one), one))
    )


def hidden(text: bytes, secrets: tuple[bytes, ...]) -> bytes:
    """The text with the mask wherever one of the secrets stands."""
    for secret in secrets:
        text = text.replace(secret, TOKEN)
    return text


def words_without(words: str, request: Request) -> str:
    """A sentence that may quote the secrets of a request's body."""
    return hidden(words.encode("utf-8", "surrogatepass"), secrets_of(request)).decode("utf-8", "surrogatepass")


def exchange_without(exchange: Exchange, secrets: tuple[bytes, ...]) -> Exchange:
    """A test made of a request with these secrets: without them, and without what its answer issues. Unchanged without any."""
    if not secrets:
        return exchange
    request, response = exchange.request, exchange.response
    request = msgspec.structs.replace(
        request, target=hidden(request.target, secrets), body=hidden(request.body, secrets)
    )
    if response is not None:
        response = msgspec.structs.replace(response, body=without_secrets(hidden(response.body, secrets)))
    return Exchange(request, response)
