"""Credentials in the message of a call: SOAP and JSON-RPC have one address for all, and many bring who calls within the message.

A SOAP header's elements are there for it: what is called a token, a session, a key or a password, with the name beside it
(WS-Security's UsernameToken). Among the arguments of a call it is what is called a session or a token, holds a long random value, and is not what
the function works on (`verifyToken`, `refresh`). JSON-RPC has it there, or as `auth` beside the method.

Only tests ask: contract 2.3 has no such points, so that they are in no count.
References: SOAP 1.1 section 4.2; OASIS WS-Security UsernameToken Profile 1.1; JSON-RPC 2.0.
"""

import re
from typing import Final

from gatecrash.core.auth.placeholders import is_placeholder
from gatecrash.core.auth.recogniser import Recognised
from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.auth.set_cookie import looks_random
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.found import Found
from gatecrash.core.points.walk import walk

_XML: Final = ("post", "xml", "xml_tag")
_JSON: Final = ("post", "json_doc", "json_obj")
_PARAMETERS: Final = (*_JSON, "params", "json_obj")
_LONGEST: Final = 64 * 1024
_LEAST: Final = 8
_OF_A_HEADER: Final = re.compile(
    r"token|session|api-?_?key|secret|ticket|jwt|passw|pwd|credential|^sid$|^key$", re.IGNORECASE
)
_NAME: Final = re.compile(r"user_?(?:name|id)?|login|client_?id", re.IGNORECASE)
_PASSWORD: Final = re.compile(r"passw|pwd", re.IGNORECASE)
_ARGUMENT: Final = re.compile(
    r"session_?(?:id|key|token)?|(?:auth|access|security|login|user|session)_?(?:token|key|ticket)|token|sid|api_?key",
    re.IGNORECASE,
)
# What tells messages apart, and what a signature covers, are good for one message.
_NO_CREDENTIAL: Final = re.compile(r"idempot|correl|message|request|conversation|csrf|continuation|page", re.IGNORECASE)
_WORKS_ON_IT: Final = re.compile(
    rb"verif|confirm|valid|reset|refresh|renew|revoke|activat|redeem|introspect|exchange", re.IGNORECASE
)
_SIGNED: Final = (b"SignatureValue", b"PasswordDigest")


def of_a_call(request: Request) -> tuple[Recognised, ...]:
    """The credentials in the message of a request that calls a function."""
    body = request.body
    if not body or len(body) > _LONGEST:
        return ()
    if b"Envelope" in body and b"Body" in body:
        return _in_an_envelope(request)
    if b'"method"' in body and (b'"jsonrpc"' in body or b'"params"' in body):
        return _in_a_call(request)
    return ()


def _in_an_envelope(request: Request) -> tuple[Recognised, ...]:
    leaves = [one for one in walk(request).points if one.point[:3] == _XML and not one.container]
    named = [(one, _locals(one.point)) for one in leaves]
    headed = [(one, path) for one, path in named if path[:2] == ("Envelope", "Header") and "@" not in path]
    proofs = [(one, path) for one, path in headed if _OF_A_HEADER.search(path[-1]) and _is_one(one, path[-1])]
    beside = {one.point[:-1] for one, path in proofs if _PASSWORD.search(path[-1])}
    found = [one.point for one, path in headed if one.point[:-1] in beside and _NAME.fullmatch(path[-1])]
    found += [one.point for one, _ in proofs]
    # Of a signature all parts hold once and together.
    signed = any(name in request.body for name in _SIGNED)
    kind = AuthType.HMAC if signed else AuthType.BASIC if beside else AuthType.BEARER
    found += [
        one.point
        for one, path in named
        if len(path) == 4 and path[1] == "Body" and _is_argument(one, path[-1], path[2])
    ]
    return tuple(Recognised(kind, point, True) for point in found)


def _locals(point: Point) -> tuple[str, ...]:
    """The local names of the elements that lead to a value; of an attribute with an `@`."""
    return tuple(
        "@" if step == "xml_attr" else name.rpartition(":")[2]
        for step, name in zip(point[2::2], point[3::2], strict=False)
    )


def _is_one(found: Found, name: str) -> bool:
    """Whether the value in a header may let in; a password may be short."""
    is_long = len(found.value) >= _LEAST or _PASSWORD.search(name) is not None
    return is_long and not is_placeholder(found.value) and not _NO_CREDENTIAL.search(name)


def _in_a_call(request: Request) -> tuple[Recognised, ...]:
    leaves = [one for one in walk(request).points if one.point[:3] == _JSON and not one.container]
    method = next((one.value.decode("latin-1") for one in leaves if one.point == (*_JSON, "method")), "")
    found = [
        one.point
        for one in leaves
        if (one.point == (*_JSON, "auth") and looks_random(one.value))
        or (one.point[:-1] == _PARAMETERS and _is_argument(one, one.point[-1], method))
    ]
    return tuple(Recognised(AuthType.BEARER, point, True) for point in found)


def _is_argument(found: Found, name: str, function: str) -> bool:
    """Whether an argument of a call says who calls."""
    return (
        _ARGUMENT.fullmatch(name) is not None
        and looks_random(found.value)
        and not _WORKS_ON_IT.search(function.encode())
    )
