"""A curl command that sends a request again, byte for byte, with its credentials masked.

    curl --globoff --path-as-is -H "Authorization: Bearer $TOKEN" 'http://127.0.0.1:8001/orders?q=%27'

Bytes that a command line cannot carry are written in the shell's $'…' form, which bash, zsh and ksh understand.
"""

import re
from collections.abc import Iterable

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import read
from gatecrash.core.reports.masking import TOKEN
from gatecrash.core.testing.operations.sockets import opens_socket

_MASK = TOKEN.decode()
# Put in the credential's place while the request is rewritten: it survives every encoding unchanged.
_STAND_IN = "GATECRASHMASKEDTOKEN"
_SECRET_HEADER = re.compile(rb"auth|token|key|secret|session|jwt|signature|credential", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Za-z0-9_@%+=:,./-]+")
HOW_TO_REPEAT = (
    "Replace each $TOKEN by a valid credential of your own: a session, a key or a password, as the recorded request had there."
    " Where the proof says that other credentials were sent (another user's, random or empty ones), take such."
    " A recorded one-time value, such as a form's CSRF token, may have to be replaced by a fresh one."
)
"""What a reader of a command has to know."""


def how_to_repeat(commands: Iterable[str | None]) -> str | None:
    """What a reader of these commands has to know; None where no credential was taken out of any."""
    return HOW_TO_REPEAT if any(_MASK in command for command in commands if command) else None


# curl writes these itself, from the address and the body.
_WRITTEN_BY_CURL = frozenset({b"content-length", b"transfer-encoding", b"connection"})
# A socket need not end: what is heard in five seconds is shown behind the answer's head.
_HEARS_A_SOCKET = ["--http1.1", "--include", "--no-buffer", "--max-time", "5"]
# Sixteen random bytes that let nobody in (RFC 6455, section 4.1).
_NO_SECRETS = frozenset({b"sec-websocket-key"})


def curl(request: Request, credentials: Iterable[Point] = ()) -> str:
    """One command line. credentials: points whose values become $TOKEN, besides cookies and headers named like secrets.

    Where the request was masked before, its $TOKEN are the reader's to fill in, too. A WebSocket is opened and listened to; nothing
    is said through it, as curl says nothing there.
    """
    is_socket = opens_socket(request)
    request = _masked(msgspec.structs.replace(request, body=b"") if is_socket else request, credentials)
    words = ["curl", "--globoff", "--path-as-is", *(_HEARS_A_SOCKET if is_socket else ())]
    if request.method != "GET" or request.body:
        words += ["-X", quote(request.method.encode())]
    for name, value in request.headers:
        by_curl = name.lower() in _WRITTEN_BY_CURL and not is_socket
        if not by_curl and not _is_own_host(request, name, value):
            # A header without a value ends in a semicolon there, or curl would leave it out.
            words += ["-H", quote(name + (b": " + value if value else b";"))]
    if request.body:
        # --data-raw, because --data-binary would take a body that begins with @ for a file's name.
        words += ["--data-raw", quote(request.body)]
    words.append(quote(request.origin.encode() + request.target))
    return " ".join(words).replace(_STAND_IN, _MASK)


def quote(word: bytes) -> str:
    """A word for the shell: bare, in single quotes, in double quotes around a mask, or as $'…' for other bytes."""
    text = word.decode("utf-8", "surrogateescape")
    if _STAND_IN in text and text.isprintable() and not re.search(r"[\"`\\!]|\$", text):
        return f'"{text}"'
    if _PLAIN.fullmatch(text):
        return text
    if text.isprintable() and _STAND_IN not in text:
        return "'" + text.replace("'", "'\\''") + "'"
    pieces = text.split(_STAND_IN)
    return f'"{_STAND_IN}"'.join("$'" + _escaped(piece) + "'" if piece else "" for piece in pieces)


def _escaped(text: str) -> str:
    raw = text.encode("utf-8", "surrogateescape")
    return "".join(chr(byte) if 0x20 <= byte < 0x7F and byte not in b"'\\" else f"\\x{byte:02x}" for byte in raw)


def _masked(request: Request, credentials: Iterable[Point]) -> Request:
    for point in credentials:
        value = read(request, point)
        try:
            request = request if value is None else rewrite(request, point, _mask(value))
        except UserError:
            continue
    headers = tuple((name, _standing_in(_masked_header(name, value))) for name, value in request.headers)
    target, body = _standing_in(request.target), _standing_in(request.body)
    return msgspec.structs.replace(request, headers=headers, target=target, body=body)


def _standing_in(value: bytes) -> bytes:
    return value.replace(TOKEN, _STAND_IN.encode())


def _masked_header(name: bytes, value: bytes) -> bytes:
    if name.lower() == b"cookie":
        pairs = (pair.partition(b"=") for pair in value.split(b";"))
        return b";".join(key + equals + (_STAND_IN.encode() if equals else b"") for key, equals, _ in pairs)
    is_secret = _SECRET_HEADER.search(name) is not None and name.lower() not in _NO_SECRETS
    return _mask(value) if is_secret and value else value


def _mask(value: bytes) -> bytes:
    """The stand-in, behind the scheme word where there is one."""
    word, space, _ = value.partition(b" ")
    return word + space + _STAND_IN.encode() if space and word.isalnum() else _STAND_IN.encode()


def _is_own_host(request: Request, name: bytes, value: bytes) -> bool:
    """Whether curl would write this very Host header from the address."""
    return name.lower() == b"host" and value == request.origin.encode().partition(b"://")[2]
