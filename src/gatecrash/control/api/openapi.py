"""The OpenAPI 3.1 document at /v1/openapi.json, raw, readable without a token."""

from functools import lru_cache

import orjson
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

from gatecrash.control.api.describing import describe
from gatecrash.control.api.service import api


def document(request: HttpRequest) -> HttpResponse:
    """Answer the document."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    return HttpResponse(_document(), content_type="application/json")


@lru_cache(maxsize=1)
def _document() -> bytes:
    """The document never changes while the process lives."""
    return orjson.dumps(describe(api().get_openapi_schema(path_prefix="v1/")), option=orjson.OPT_NON_STR_KEYS)
