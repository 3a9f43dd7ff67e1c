"""Requests written down as text: `.http` and `.rest` files of editors, and single raw requests that a tool saved.

    @host = http://127.0.0.1:3000
    ### One book
    GET {{host}}/books/{{bookId}}
    Authorization: Bearer {{token}}

    POST /login HTTP/1.1
    Host: 127.0.0.1:3000

    user=anna

`###` stands between requests; comments (`#`, `//`) stand before a request's line and among its headers, the query may go on
over the next lines.
Lines that are addresses and nothing else, a method before them or not, are a request each: a list of addresses is such a file.
Variables have the value that `@name =` gives them in the file; without one it is as in a Postman collection. A request whose
head names a version is sent byte for byte, but for its length, and line ends behind what is no multipart body: whoever
saves a file ends its last line. What an editor does with an answer (`> {% … %}`, `>> file`) is passed over; a file
that a body would be read from is not read.
Known misses: environments in other files, scripts, values taken from other requests' answers (they are made up, or learned).
"""

import base64
import re
from collections.abc import Iterator, Mapping
from typing import BinaryIO

from gatecrash.core.errors import GatecrashError
from gatecrash.core.message import Exchange, Request, first_value, without_header
from gatecrash.formats.capture import Malformed, UnreadableCapture, address_of, sendable
from gatecrash.formats.draft import MOST_BYTES, Draft, request_to, server_of
from gatecrash.formats.saved.postman import saved
from gatecrash.formats.saved.raw_message import request_line, taken_apart

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
_BETWEEN = re.compile(r"^###[^\n]*(?:\n|\Z)", re.MULTILINE)
_VARIABLE = re.compile(r"^@([\w.-]+)[ \t]*+=(.*)$", re.MULTILINE)
_IDLE = re.compile(r"\s*(?:(?:#|//|@[\w.-]+[ \t]*=)[^\n]*(?:\n|\Z)|<[ \t]*\{%.*?%\}|\n)", re.DOTALL)
_ADDRESS = re.compile(r"(?:https?://|\{\{|/)\S")
_MORE_QUERY = re.compile(r"\r?\n[ \t]+([?&])[ \t]*(?=\S)")
_HANDLED = re.compile(r"^(?:>[ \t]*\{%.*|>>!?[ \t].*|>[ \t]+\S+\.js[ \t]*|<>[ \t].*)\Z", re.MULTILINE | re.DOTALL)
_LISTED = re.compile(rf"(?:(?:{'|'.join(METHODS)})[ \t]+)?https?://\S+[ \t]*\r?")
_READ_FROM = re.compile(r"<(?:@\w*)?[ \t]+\S")
_COMMENTED = re.compile(r"^(?:#|//)[^\n]*\n", re.MULTILINE)
_HEAD = re.compile(r".*?(?:\r?\n\r?\n|\Z)", re.DOTALL)
_SCRIPT = re.compile(r"^>[ \t]*\{%", re.MULTILINE)


def read(stream: BinaryIO) -> Iterator[Exchange | Malformed]:
    """The requests as drafts, in the file's order; the place of what cannot be read is its line."""
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise UnreadableCapture(f"The file of requests is larger than {MOST_BYTES // 1024 // 1024} MiB.")
    text = data.decode("utf-8", "surrogateescape")
    variables = {found[1]: found[2].removesuffix("\r").strip(" \t") for found in _VARIABLE.finditer(text)}
    for begin, end in _blocks(text):
        block = text[begin:end]
        behind = _behind_idle(block)
        place = text.count("\n", 0, begin + behind) + 1
        if not block[behind:].strip():
            continue
        try:
            yield _draft(block[behind:], variables)
        except (ValueError, GatecrashError) as error:
            yield Malformed(place, str(error))


def begins(text: str) -> bool:
    """Whether such a file begins so: by a request's line, comments and variables before it passed over."""
    behind = _BETWEEN.sub("\n", text)
    line = behind[_behind_idle(behind) :].partition("\n")[0]
    method, _, rest = line.partition(" ")
    if _LISTED.fullmatch(line):
        return True
    return method in METHODS and _ADDRESS.match(rest.strip()) is not None


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for found in _BETWEEN.finditer(text):
        yield from _listed(text, at, found.start())
        at = found.end()
    yield from _listed(text, at, len(text))


def _listed(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """The block; its lines where all of them are addresses."""
    lines: list[tuple[int, int]] = []
    for found in re.compile(r"[^\n]+").finditer(text, begin, end):
        if _LISTED.fullmatch(found[0]):
            lines.append(found.span())
        elif found[0].strip() and not _IDLE.match(found[0]):
            yield begin, end
            return
    yield from lines if len(lines) > 1 else [(begin, end)]


def _behind_idle(block: str) -> int:
    """Where a block's request begins: behind comments, variables, scripts and empty lines."""
    at = 0
    while found := _IDLE.match(block, at):
        at = found.end()
    return at + len(block[at:]) - len(block[at:].lstrip())


def _draft(block: str, variables: Mapping[str, str]) -> Draft:
    """One request. Raises ValueError with what is wrong with it."""
    first = block.partition("\n")[0].rstrip("\r")
    block = _HEAD.sub(lambda found: _COMMENTED.sub("", found[0]), block, count=1)
    is_raw = re.search(r"[ \t]HTTP/[\d.]+[ \t]*\Z", first) is not None
    if is_raw and "{{" not in block and not _SCRIPT.search(block):
        return _byte_for_byte(block)
    block = _HANDLED.sub("", _MORE_QUERY.sub(r"\1", block)).rstrip()
    line, headers, body = taken_apart(block.encode("utf-8", "surrogateescape"))
    method, target, _ = _line(line)
    if _READ_FROM.match(body.decode("utf-8", "replace")):
        raise ValueError(
            f"the body would be read from a file ({body[:40].decode('utf-8', 'replace')}), which is not read"
        )
    host = first_value(headers, b"host")
    url = target.decode("utf-8", "surrogateescape")
    if url.startswith("/") and host is not None:
        url = host.decode("latin-1") + url
    listed = [
        {"key": name.decode("latin-1"), "value": _basic(value.decode("utf-8", "surrogateescape"))}
        for name, value in headers
    ]
    text = body.decode("utf-8", "surrogateescape")
    written = {"mode": "raw", "raw": text, **_language(listed)} if text else {}
    return saved({"request": {"method": method, "url": url, "header": listed, "body": written}}, variables, None)


def _line(line: bytes) -> tuple[str, bytes, str]:
    """Method, target and version; an address alone is asked by GET."""
    if re.match(rb"https?://", line):
        line = b"GET " + line
    return request_line(line)


def _byte_for_byte(block: str) -> Draft:
    """A raw request as it was saved; its length is counted anew, and a Host is added where only its address says it."""
    line, headers, body = taken_apart(block.encode("utf-8", "surrogateescape"))
    method, target, version = request_line(line)
    host = first_value(headers, b"host") or b""
    if b"multipart/" not in (first_value(headers, b"content-type") or b"").lower():
        body = body.rstrip(b"\r\n")
    if b"://" in target.partition(b"?")[0]:
        address = address_of(target.decode("latin-1"))
        place = server_of(f"{address.scheme}://{address.host}:{address.port}")
        target = address.target
    else:
        place = server_of(_origin(host.decode("latin-1"))) if host else server_of("/")
    made = request_to(place, method, "/", (), body)
    added = [pair for pair in made.headers if pair[0] == b"Host" and not host]
    length = [pair for pair in made.headers if pair[0] == b"Content-Length"]
    headers = (*added, *without_header(headers, b"Content-Length"), *length)
    request = Request(method, target, headers, body, made.scheme, made.host, made.port, version)
    return Draft(request=sendable(request), drafted=True)


def _origin(host: str) -> str:
    """Where a Host header leads: a raw request does not say whether by TLS."""
    return f"{'https' if host.endswith((':443', ':8443')) else 'http'}://{host}"


def _language(listed: list[dict[str, str]]) -> dict[str, object]:
    kinds = [pair["value"] for pair in listed if pair["key"].lower() == "content-type"]
    return {"options": {"raw": {"language": "json"}}} if any("json" in kind for kind in kinds) else {}


def _basic(value: str) -> str:
    """`Basic name password` and `Basic name:password`, as editors let people write it, encoded (RFC 7617 section 2)."""
    found = re.fullmatch(r"Basic[ \t]+([^\s:{}]+)(?:[ \t]+|:)([^\s{}]+)", value, re.IGNORECASE)
    return "Basic " + base64.b64encode(f"{found[1]}:{found[2]}".encode()).decode() if found else value
