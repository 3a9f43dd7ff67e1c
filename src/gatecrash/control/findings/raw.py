"""Requests and answers as text for people, and as a curl command that repeats a request."""

import shlex

from gatecrash.core.message import Headers, Request, Response

SHOWN_BODY = 64 * 1024
_FRAMING = frozenset({b"content-length", b"transfer-encoding", b"connection"})


def raw_request(request: Request) -> str:
    """The request as HTTP/1.1 writes it."""
    line = b"%s %s HTTP/1.1" % (request.method.encode(), request.target)
    return _raw(line, request.headers, request.body)


def raw_response(response: Response | None) -> str:
    """The answer as HTTP/1.1 writes it; empty where none came."""
    if response is None:
        return ""
    return _raw(b"HTTP/1.1 %d %s" % (response.status, response.reason), response.headers, response.body)


def curl(request: Request) -> str:
    """A command that sends this request: the path is left as it is, `$TOKEN` is the reader's to fill in."""
    parts = ["curl", "--path-as-is", "-i", "-X", shlex.quote(request.method)]
    for name, value in request.headers:
        if name.lower() not in _FRAMING:
            parts += ["-H", _quoted(name + b": " + value)]
    if request.body:
        parts += ["--data-binary", _quoted(request.body)]
    return " ".join([*parts, _quoted(request.origin.encode() + request.target)])


def _quoted(value: bytes) -> str:
    """A shell word for any bytes: bash's $'…' where they are no plain text, an open $TOKEN where there is one."""
    if all(0x20 <= byte < 0x7F for byte in value):
        text = value.decode()
        return _with_token(text) if "$TOKEN" in text else shlex.quote(text)
    escaped = "".join(chr(byte) if 0x20 <= byte < 0x7F and byte not in b"'\\" else f"\\x{byte:02x}" for byte in value)
    return f"$'{escaped}'"


def _with_token(text: str) -> str:
    """Single quotes around all but `$TOKEN`, which the shell must fill in."""
    parts = [part.replace("'", "'\\''") for part in text.split("$TOKEN")]
    return "'" + "'\"$TOKEN\"'".join(parts) + "'"


def _raw(line: bytes, headers: Headers, body: bytes) -> str:
    head = b"\r\n".join([line, *(name + b": " + value for name, value in headers)])
    shown = body[:SHOWN_BODY]
    text = (head + b"\r\n\r\n" + shown).decode("utf-8", "backslashreplace")
    return text + (f"\n[{len(body) - SHOWN_BODY} more bytes]" if len(body) > SHOWN_BODY else "")
