"""Requests and answers as text for people."""

from gatecrash.core.message import Headers, Request, Response

SHOWN_BODY = 64 * 1024


def raw_request(request: Request) -> str:
    """The request as HTTP/1.1 writes it."""
    line = b"%s %s HTTP/1.1" % (request.method.encode(), request.target)
    return _raw(line, request.headers, request.body)


def raw_response(response: Response | None) -> str:
    """The answer as HTTP/1.1 writes it; empty where none came."""
    if response is None:
        return ""
    return _raw(b"HTTP/1.1 %d %s" % (response.status, response.reason), response.headers, response.body)


def _raw(line: bytes, headers: Headers, body: bytes) -> str:
    head = b"\r\n".join([line, *(name + b": " + value for name, value in headers)])
    shown = body[:SHOWN_BODY]
    text = (head + b"\r\n\r\n" + shown).decode("utf-8", "backslashreplace")
    return text + (f"\n[{len(body) - SHOWN_BODY} more bytes]" if len(body) > SHOWN_BODY else "")
