"""Answers that are files: raw, not in the envelope, while their refusals are (decisions 1).

@router.get("/things/export", **downloading(READ, ("text/csv",), query=True, summary="…"))
def export(request): return file(content, "text/csv", "things.csv")
"""

import re
from collections.abc import Sequence
from typing import IO, Any

from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase

from gatecrash.control.api.operation import operation
from gatecrash.control.api.roles import Roles

_ODD = re.compile(r"[^A-Za-z0-9._]+")


def downloading(roles: Roles, media_types: Sequence[str], **more: Any) -> dict[str, Any]:
    """Arguments of a ninja route that answers a file of one of these types."""
    arguments = operation(roles, None, **more)
    del arguments["response"][200]
    content = {media_type: {"schema": _schema(media_type)} for media_type in media_types}
    arguments["openapi_extra"]["responses"][200] = {"description": "The file", "content": content}
    return arguments


def _schema(media_type: str) -> dict[str, str]:
    """What a reader finds behind the type: an object where it reads JSON, else bytes."""
    return {"type": "object"} if media_type.endswith("json") else {"type": "string", "format": "binary"}


def attached(stream: IO[bytes], media_type: str, name: str) -> FileResponse:
    """The same for a file that is sent piece by piece and closed then."""
    answer = FileResponse(stream, content_type=media_type)
    answer["Content-Disposition"] = f'attachment; filename="{_ODD.sub("-", name)}"'
    _distrust(answer)
    return answer


def file(content: bytes, media_type: str, name: str) -> HttpResponse:
    """A file to keep. name: of the file; what a header or a shell would take badly becomes a dash."""
    answer = HttpResponse(content, content_type=media_type)
    answer["Content-Disposition"] = f'attachment; filename="{_ODD.sub("-", name)}"'
    answer["Content-Length"] = str(len(content))
    _distrust(answer)
    return answer


def _distrust(answer: HttpResponseBase) -> None:
    """A file quotes what hostile targets sent: no browser may take it for something else, or run it here."""
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = "sandbox"
