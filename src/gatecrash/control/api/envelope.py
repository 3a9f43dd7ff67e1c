"""Every answer of the API: `{"status": …, "body": {…}}`, with the HTTP status equal to `status` (decisions 1)."""

import json
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import orjson
from django.http import HttpResponse
from pydantic import BaseModel, ConfigDict, Field

from gatecrash.control.api.errors import ApiError, FieldErrors

JSON = "application/json"
SCHEMAS = "#/components/schemas/{model}"
"""Where the OpenAPI document has a model."""
Body = TypeVar("Body")


class Envelope(BaseModel, Generic[Body]):
    """The envelope of a successful answer, for the OpenAPI document."""

    status: int
    body: Body


class Reason(BaseModel):
    """Why a request as a whole was refused."""

    error: str
    message: str


class Refusal(BaseModel):
    """The envelope of a refusal that is about no field."""

    status: int
    body: Reason


class FieldProblem(BaseModel):
    """What is wrong with one field; hints such as `min`, `max` and `choices` may follow."""

    model_config = ConfigDict(extra="allow")

    error: str
    value: Any = Field(description="the value as it was given; null where it was absent")


class FieldRefusal(BaseModel):
    """The envelope of a refusal that names every faulty field."""

    status: int
    body: dict[str, FieldProblem]


class Answer(HttpResponse):
    """An answer that is in its envelope already."""


def ok(body: Mapping[str, Any]) -> Answer:
    """A successful answer."""
    return answer(200, body)


def answer(status: int, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Answer:
    """An answer with its envelope."""
    content = _dump({"status": status, "body": body})
    length = {"Content-Length": str(len(content))}  # without it the server sends chunks
    return Answer(content, status=status, content_type=JSON, headers={**length, **(headers or {})})


def refusal(error: ApiError | FieldErrors) -> Answer:
    """The answer that a refusal becomes."""
    if isinstance(error, FieldErrors):
        return answer(error.status, error.problems)
    return answer(error.status, {"error": error.code, "message": error.message}, error.headers)


def _dump(document: object) -> bytes:
    """JSON bytes. orjson refuses lone surrogates and integers over 64 bits, which an echoed value may hold."""
    try:
        return orjson.dumps(document)
    except TypeError:
        return json.dumps(document).encode("ascii")
