"""Files that a refused form lacks, or that are of another kind than it takes: `file is required`, `only png or jpg`.

What a description leaves open is a form without any part, and what it calls a file is sent as a text. The refusal tells the
field, and how the file's name must end. Where a description tells of no body at all, the refusal tells that a form of parts is
wanted (`the request is not multipart`), and what the file in it is called where the next one does; most call it `file`.
"""

import re

import msgspec

from gatecrash.core.errors import GatecrashError
from gatecrash.core.message import Request, Response, with_body, with_header
from gatecrash.core.point import Point
from gatecrash.core.points.formats.multipart import boundary_of
from gatecrash.core.points.rewrite import rewrite_many
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.formats.descriptions.media import EXAMPLE_FILE, EXAMPLE_NAME, Part, multipart_body, type_of
from gatecrash.formats.refusals.told_fields import lacking

MOST_CHARACTERS = 4000
_REFUSED = frozenset({400, 415, 422})
_ENDING = re.compile(r"(?<![\w/])\.?(png|jpe?g|gif|svg|pdf|xml|csv|json|zip|html?)(?![\w/])", re.IGNORECASE)
# Some frameworks fall over where there are no parts to read, and some answer that they accept no such request.
_NO_FORM = frozenset({400, 406, 415, 422, 500})
_WANTS_PARTS = re.compile(
    r"\b(?:not|isn.?t|no|non)[ -](?:an? )?(?:valid )?multipart|multipart(?:/form-data)? (?:\w+ )?(?:is |was )?(?:required|expected)"
    r"|(?:must be|expect(?:s|ed|ing)?|requires?) (?:an? )?multipart|(?:isn.?t|is not|not) multipart/form-data",
    re.IGNORECASE,
)
_UNSAID, _USUAL_FIELD = (b"", b"{}"), "file"
_FILE = ("post", "multipart")


def with_file(request: Request, response: Response) -> Request | None:
    """The form with the file that its refusal asks for; None where it is no form of parts and none is asked for, or the refusal
    tells of no file.
    """
    if request.body in _UNSAID and response.status in _NO_FORM:
        wanted = _WANTS_PARTS.search(text_of(response)[:MOST_CHARACTERS]) is not None
        if wanted and b"multipart/" not in (request.first(b"Content-Type") or b"").lower():
            return _as_form(request)
    kind = request.first(b"Content-Type") or b""
    boundary = boundary_of(kind) if b"multipart/" in kind.lower() else None
    if response.status not in _REFUSED or boundary is None:
        return None
    at = {tuple(one.point) for one in walk(request).points if tuple(one.point[:2]) == _FILE}
    named = {point[2] for point in at if len(point) > len(_FILE)}
    # Some descriptions call a form's one file otherwise than its application.
    is_open = not named or (len(named) == 1 and (*_FILE, *named, "filename") in at)
    missing = [each for each in lacking(response) if each not in named][:1] if is_open else []
    if missing:
        return _with_part(request, boundary, missing[0])
    return _renamed(request, text_of(response)[:MOST_CHARACTERS])


def _as_form(request: Request) -> Request:
    """The request as a form of one file."""
    form = multipart_body([Part(_USUAL_FIELD, EXAMPLE_FILE, EXAMPLE_NAME, type_of(EXAMPLE_NAME))])
    changed: Request = msgspec.structs.replace(
        request, headers=with_header(request.headers, b"Content-Type", form.content_type.encode())
    )
    return with_body(changed, form.data)


def _with_part(request: Request, boundary: bytes, name: str) -> Request | None:
    """A form of one part: what a form without any other field sends is a file."""
    part = (
        f'Content-Disposition: form-data; name="{name}"; filename="{EXAMPLE_NAME}"\r\n'
        f"Content-Type: {type_of(EXAMPLE_NAME)}\r\n\r\n{EXAMPLE_FILE}"
    ).encode()
    body = b"--" + boundary + b"\r\n" + part + b"\r\n--" + boundary + b"--\r\n"
    headers = with_header(request.headers, b"Content-Length", b"%d" % len(body))
    changed: Request = msgspec.structs.replace(request, headers=headers, body=body)
    return changed


def _renamed(request: Request, message: str) -> Request | None:
    """The form with its files called by the first ending that the message names."""
    told = _ENDING.search(message)
    if told is None:
        return None
    name = f"example.{told[1].lower()}"
    found = {tuple(one.point): one.value for one in walk(request).points if tuple(one.point[:2]) == _FILE}
    values = {
        Point(at): (name if at[-1] == "filename" else type_of(name)).encode()
        for at in found
        if len(at) > len(_FILE) + 1 and at[-1] in ("filename", "content_type") and (*at[:3], "filename") in found
    }
    try:
        changed = rewrite_many(request, values) if values else request
    except GatecrashError:
        return None
    return changed if changed != request else None
