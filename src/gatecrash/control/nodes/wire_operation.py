"""An operation of the node protocol: a msgpack message in, a msgpack message out, refusals in the JSON envelope."""

from typing import Any, TypeVar

import msgspec
from django.http import HttpRequest, HttpResponse

from gatecrash.control.api.errors import ApiError
from gatecrash.control.api.roles import NODE
from gatecrash.control.api.service_token import ServiceToken
from gatecrash.core.errors import ProtocolMismatch
from gatecrash.wire import codec

MAX_MESSAGE = 64 * 1024 * 1024  # a batch of baselines may hold several bodies of 10 MiB

Message = TypeVar("Message", bound=msgspec.Struct)


def wire_operation() -> dict[str, Any]:
    """Arguments of a ninja route. The messages are described in gatecrash.wire, not in the OpenAPI document."""
    return {
        "auth": ServiceToken(NODE, media_type=codec.CONTENT_TYPE, limit=MAX_MESSAGE),
        "include_in_schema": False,
        "response": None,
    }


def read(request: HttpRequest, expected: type[Message]) -> Message:
    """The message of a request. Raises ApiError (400) where it is another one or of another version."""
    try:
        return codec.decode(request.body, expected)
    except ProtocolMismatch as error:
        raise ApiError("invalid_value", str(error)) from error


def answer(message: msgspec.Struct) -> HttpResponse:
    """The message as an answer."""
    return HttpResponse(codec.encode(message), content_type=codec.CONTENT_TYPE)
