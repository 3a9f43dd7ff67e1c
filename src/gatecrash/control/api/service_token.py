"""The check that stands before each operation: role, then size, then type, then JSON (decisions 1)."""

from typing import Any

from django.conf import settings

from gatecrash.control.api import json_body
from gatecrash.control.api.caller import Caller, caller
from gatecrash.control.api.errors import ApiError
from gatecrash.control.api.roles import Roles

JSON = "application/json"


class ServiceToken:
    """An operation's guard, run by ninja after the method matched.

    roles: who may call. deployment: only tokens that manage the deployment. media_type: the body's only type; None where
    the operation takes no body, which is then left unread. file_types: the types of a body that the operation reads itself
    (`upload.stream`). limit: bytes of the body.
    """

    openapi_security_schema = {
        "type": "apiKey",
        "in": "header",
        "name": "X-Service-API-Token",
        "description": "An API token; the header's name is read without case.",
    }

    def __init__(
        self,
        roles: Roles,
        *,
        deployment: bool = False,
        media_type: str | None = None,
        file_types: tuple[str, ...] = (),
        limit: int | None = None,
    ) -> None:
        """Take what the operation asks for."""
        self.roles = roles
        self.deployment = deployment
        self.media_type = media_type
        self.file_types = file_types
        self.limit = limit or settings.MAX_API_BODY

    def __call__(self, request: Any) -> Caller:
        """The caller, where all is well. Raises ApiError."""
        who = caller(request)
        if who.role not in self.roles:
            raise ApiError("forbidden", f"A token of role {who.role} may not do this; {_listed(self.roles)} may.")
        if self.deployment and not who.deployment:
            raise ApiError("forbidden", "Only a token of the deployment's owner may manage clients.")
        if self.media_type is not None:
            self._take_body(request, self.media_type)
        elif self.file_types:
            self._announced(request, self.file_types)
        return who

    def _take_body(self, request: Any, media_type: str) -> None:
        body = _read(request, self.limit) if content_length(request) is None else None
        self._announced(request, (media_type,))
        if request.META.get("HTTP_CONTENT_ENCODING", "").strip().lower() not in ("", "identity"):
            raise ApiError("unsupported_media_type", "The body must come without Content-Encoding.")
        content = body if body is not None else _read(request, self.limit)
        request._body = content  # noqa: SLF001 - where Django keeps what it has read; `request.body` then answers it
        if media_type == JSON:
            request.document = json_body.parse(content)

    def _announced(self, request: Any, media_types: tuple[str, ...]) -> None:
        """Refuse a body by its announced size, then by its type."""
        declared = content_length(request)
        if declared is not None and declared > self.limit:
            raise too_large(self.limit)
        given = request.META.get("CONTENT_TYPE", "").partition(";")[0].strip().lower()
        if given not in media_types:
            raise ApiError("unsupported_media_type", f"The body must be {' or '.join(media_types)}.")


def content_length(request: Any) -> int | None:
    """What the caller says the body's length is; None where it comes in chunks."""
    text = request.META.get("CONTENT_LENGTH") or ""
    if text.isascii() and text.isdigit():
        return int(text)
    return None if "HTTP_TRANSFER_ENCODING" in request.META else 0


def _read(request: Any, limit: int) -> bytes:
    """The body, never more than one byte over the limit.

    Django's own reader stops at Content-Length, so a chunked body would look empty; the server's stream is read instead.
    """
    length = content_length(request)
    if length is None:
        body = _drain(request.META["wsgi.input"], limit + 1)
        if len(body) > limit:
            raise too_large(limit)
        return body
    return bytes(request.read(length)) if length else b""


def _drain(stream: Any, most: int) -> bytes:
    parts: list[bytes] = []
    while most > 0:
        part = stream.read(most)
        if not part:
            break
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def too_large(limit: int) -> ApiError:
    """The refusal of a body that is larger than this."""
    return ApiError("payload_too_large", f"The body may have {limit} bytes.")


def _listed(roles: Roles) -> str:
    return ", ".join(sorted(roles))
