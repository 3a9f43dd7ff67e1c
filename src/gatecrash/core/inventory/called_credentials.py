"""Credentials in the message of a call: SOAP, JSON-RPC and GraphQL have one address for all, and many bring who calls within
the message.

A SOAP header's elements are there for it: what is called a token, a session, a key or a password, with the name beside
it (WS-Security's UsernameToken). Among the arguments of a call it is what is called a session or a token, holds a long
random value, and is not what the function works on (`verifyToken`, `refresh`). JSON-RPC has it there, or as `auth`
beside the method; GraphQL as a variable or as a literal of its first field.

Only tests ask: contract 2.3 has no such points, so that they are in no count.
References: SOAP 1.1 section 4.2; OASIS WS-Security UsernameToken Profile 1.1; JSON-RPC 2.0.
"""

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from gatecrash.core.auth.placeholders import is_placeholder
from gatecrash.core.auth.randomness import looks_random
from gatecrash.core.auth.recogniser import Recognised
from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.inventory.protocols.document import first_operation
from gatecrash.core.message import Request, with_header
from gatecrash.core.point import Point
from gatecrash.core.points.found import Found
from gatecrash.core.points.rewrite import rewrite_many
from gatecrash.core.points.walk import read, walk

_XML: Final = ("post", "xml", "xml_tag")
_JSON: Final = ("post", "json_doc", "json_obj")
_PARAMETERS: Final = (*_JSON, "params", "json_obj")
_DOCUMENT: Final = (*_JSON, "query")
_VARIABLES: Final = (*_JSON, "variables", "json_obj")
_LONGEST: Final = 64 * 1024
_LEAST: Final = 8
_OF_A_HEADER: Final = re.compile(
    r"token|session|api-?_?key|secret|ticket|jwt|passw|pwd|credential|^sid$|^key$", re.IGNORECASE
)
_NAME: Final = re.compile(r"user_?(?:name|id)?|login|client_?id", re.IGNORECASE)
_PASSWORD: Final = re.compile(r"passw|pwd", re.IGNORECASE)
_ARGUMENT: Final = re.compile(
    r"session_?(?:id|key|token)?|(?:auth|access|security|login|user|session)_?(?:token|key|ticket)|token|jwt|sid|api_?key",
    re.IGNORECASE,
)
_SOUNDS_SO: Final = re.compile(rb"token|session|jwt|sid|key", re.IGNORECASE)
# What tells messages apart, and what a signature covers, are good for one message.
_NO_CREDENTIAL: Final = re.compile(r"idempot|correl|message|request|conversation|csrf|continuation|page", re.IGNORECASE)
_WORKS_ON_IT: Final = re.compile(
    r"verif|confirm|valid|reset|refresh|renew|revoke|activat|redeem|introspect|exchange", re.IGNORECASE
)
# Envelope, Body, the function and its argument.
_OF_ARGUMENTS: Final = 4
_SIGNED: Final = (b"SignatureValue", b"PasswordDigest")
_PART: Final = re.compile(rb"<((?:[\w.-]{1,60}:)?)(Header|Body)(?=[\s/>])")
# WS-Addressing says in the header what is called, and every message has a number of its own.
_OF_ONE_MESSAGE: Final = re.compile(rb"SignatureValue|PasswordDigest|MessageID|Action(?=[\s>])")


def of_a_call(request: Request) -> tuple[Recognised, ...]:
    """The credentials in the message of a request that calls a function."""
    found = [one for one in places_in_a_call(request) if _may_let_in(one)]
    if not found:
        return ()
    # Of a signature all parts hold once and together.
    signed = found[0].point[:3] == _XML and any(name in request.body for name in _SIGNED)
    named = any(_PASSWORD.search(one.point[-1]) for one in found)
    kind = AuthType.HMAC if signed else AuthType.BASIC if named else AuthType.BEARER
    return tuple(Recognised(kind, one.point, True) for one in found)


def places_in_a_call(request: Request) -> tuple[Found, ...]:
    """Where a call has what says who calls, by the names there alone."""
    body = request.body
    if not body or len(body) > _LONGEST:
        return ()
    if b"Envelope" in body and b"Body" in body:
        return _in_an_envelope(request)
    if b'"method"' in body and (b'"jsonrpc"' in body or b'"params"' in body):
        return _in_json(request)
    if b'"query"' in body and _SOUNDS_SO.search(body):
        return _in_graphql(request)
    return ()


def called_by_the_same(request: Request, asked: Request) -> Request:
    """Another call with who calls in the request's message in the place of who called there: by the names of their
    places, or the one value that the request has. An envelope without a header, which somebody asked before anybody signed in,
    gets the request's.
    """
    own = {one.point[-1]: read(request, one.point) or b"" for one in of_a_call(request)}
    asked = _headed_alike(request, asked) if own and not of_a_call(asked) else asked
    alone = {*own.values()} if len(own) == 1 else set()
    found = {one.point: own.get(one.point[-1]) or next(iter(alone), b"") for one in (of_a_call(asked) if own else ())}
    return rewrite_many(asked, {point: value for point, value in found.items() if value})


def _headed_alike(request: Request, asked: Request) -> Request:
    """The other call with the header of the request's envelope where it has none and is written alike up to there."""
    header, body = (_PART.search(each.body) for each in (request, asked))
    if header is None or body is None or header[2] != b"Header" or body[2] != b"Body":
        return asked
    before, end = request.body[: header.start()], request.body.find(b"</%bHeader" % header[1], header.end())
    whole = request.body[header.start() : request.body.find(b">", end) + 1] if end >= 0 else b""
    is_alike = before.strip() == asked.body[: body.start()].strip()
    if not (whole and is_alike) or _OF_ONE_MESSAGE.search(whole):
        return asked
    written = before + whole + asked.body[body.start() :]
    headers = with_header(asked.headers, b"Content-Length", b"%d" % len(written))
    changed: Request = msgspec.structs.replace(asked, headers=headers, body=written)
    return changed


def name_in_a_call(values: Mapping[tuple[str, ...], str]) -> str:
    """Who calls by the name beside a password in the header of an envelope; empty where none stands there. values: by point."""
    named = (
        value for point, value in values.items() if point[:3] == _XML and _NAME.fullmatch(point[-1].rpartition(":")[2])
    )
    return next(named, "")


def is_argument(point: Point) -> bool:
    """Whether what says who calls stands among what a call is about: in its body, but in no header of an envelope."""
    return point[0] == "post" and (point[:3] != _XML or _locals(point)[1:2] != ("Header",))


def _in_an_envelope(request: Request) -> tuple[Found, ...]:
    """A name beside its password comes before it."""
    leaves = [one for one in walk(request).points if one.point[:3] == _XML and not one.container]
    named = [(one, _locals(one.point)) for one in leaves]
    headed = [(one, path) for one, path in named if path[:2] == ("Envelope", "Header") and "@" not in path]
    proofs = [(one, path) for one, path in headed if _is_called_one(path[-1])]
    beside = {one.point[:-1] for one, path in proofs if _PASSWORD.search(path[-1])}
    names = [one for one, path in headed if one.point[:-1] in beside and _NAME.fullmatch(path[-1])]
    asked = [one for one, path in named if path[1:2] == ("Body",) and _is_called_argument(path)]
    return (*names, *(one for one, _ in proofs), *asked)


def _locals(point: Point) -> tuple[str, ...]:
    """The local names of the elements that lead to a value; of an attribute with an `@`."""
    return tuple(
        "@" if step == "xml_attr" else name.rpartition(":")[2]
        for step, name in zip(point[2::2], point[3::2], strict=False)
    )


def _is_called_one(name: str) -> bool:
    return _OF_A_HEADER.search(name) is not None and not _NO_CREDENTIAL.search(name)


def _is_called_argument(path: tuple[str, ...]) -> bool:
    """Whether an element right below a function's is an argument that says who calls."""
    function, name = path[2:] if len(path) == _OF_ARGUMENTS else ("", "")
    return _ARGUMENT.fullmatch(name) is not None and not _WORKS_ON_IT.search(function)


def _may_let_in(found: Found) -> bool:
    """Whether a value may let in: of a header a token of some length, or what a user chose; of an argument a long random one."""
    if is_placeholder(found.value):
        return False
    if found.point[:3] != _XML or _locals(found.point)[1] != "Header":
        return looks_random(found.value)
    name = found.point[-1].rpartition(":")[2]
    return len(found.value) >= _LEAST or _PASSWORD.search(name) is not None or _NAME.fullmatch(name) is not None


def _in_json(request: Request) -> tuple[Found, ...]:
    leaves = [one for one in walk(request).points if one.point[:3] == _JSON and not one.container]
    method = next((one.value.decode("latin-1") for one in leaves if one.point == (*_JSON, "method")), "")
    arguments = () if _WORKS_ON_IT.search(method) else _PARAMETERS
    return tuple(
        one
        for one in leaves
        if one.point == (*_JSON, "auth") or (one.point[:-1] == arguments and _ARGUMENT.fullmatch(one.point[-1]))
    )


def _in_graphql(request: Request) -> tuple[Found, ...]:
    operation = first_operation((read(request, Point(_DOCUMENT)) or b"").decode("utf-8", "replace"))
    if operation is None or _WORKS_ON_IT.search(operation.field):
        return ()
    arguments = (_VARIABLES, (*_DOCUMENT, "graphql", operation.field))
    named = [one for one in walk(request).points if one.point[:-1] in arguments and not one.container]
    return tuple(one for one in named if _ARGUMENT.fullmatch(one.point[-1]))
