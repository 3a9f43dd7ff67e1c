"""The API object: each app's router in the order of `parts.APPS`, errors in our words, the OpenAPI document."""

from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.parser import Parser

from gatecrash import __version__
from gatecrash.control.api.envelope import refusal
from gatecrash.control.api.errors import ApiError, FieldErrors, Problem
from gatecrash.control.api.fields import problems
from gatecrash.control.api.gate import MESSAGES, crash
from gatecrash.control.parts import APPS


class StrictParser(Parser):
    """Hands ninja what the guard has parsed already."""

    def parse_body(self, request: Any) -> dict[str, Any]:
        """The JSON object of the body."""
        document: dict[str, Any] = request.document
        return document


class Unreadable(Exception):
    """ninja could not make models of body or query string; `contexts` are its reports, one a source."""

    def __init__(self, contexts: list[Any]) -> None:
        """Keep the reports until the request is at hand."""
        super().__init__("invalid fields")
        self.contexts = contexts


class ServiceAPI(NinjaAPI):
    """ninja with our errors and our names."""

    def get_openapi_operation_id(self, operation: Any) -> str:
        """Its app and its function, `testruns_create`: what generated clients call it."""
        function = operation.view_func
        place = function.__module__.removeprefix("gatecrash.control.").removesuffix(".api").removesuffix("_api")
        return f"{place}_{function.__name__}".replace(".", "_")

    def validation_error_from_error_contexts(self, error_contexts: list[Any]) -> Any:
        """What ninja raises where fields are wrong; `_invalid` turns it into an answer."""
        return Unreadable(error_contexts)


@lru_cache(maxsize=1)
def api() -> NinjaAPI:
    """The one API object of this process."""
    service = ServiceAPI(
        title="Gatecrash",
        version=__version__,
        description="Finds the HTTP endpoints that nobody guards, and proves it.",
        urls_namespace="v1",
        openapi_url=None,
        docs_url=None,
        parser=StrictParser(),
    )
    for name in APPS:
        if find_spec(f"gatecrash.control.{name}.api"):
            service.add_router("", import_module(f"gatecrash.control.{name}.api").router)
    service.add_exception_handler(ApiError, _refused)
    service.add_exception_handler(FieldErrors, _refused)
    service.add_exception_handler(Unreadable, _invalid)
    service.add_exception_handler(SuspiciousOperation, _hostile)
    service.add_exception_handler(Http404, _absent)
    service.add_exception_handler(Exception, _crashed)
    return service


def _refused(_request: HttpRequest, error: Any) -> HttpResponse:
    return refusal(error)


def _invalid(request: Any, error: Unreadable) -> HttpResponse:
    """All faulty fields of body and query string at once, each with its value as given."""
    found: dict[str, Problem] = {}
    for context in error.contexts:
        ((name, field),) = context.model.model_fields.items()
        given = request.document if context.model.__ninja_param_source__ == "body" else request.GET.dict()
        found |= problems(context.pydantic_validation_error, field.annotation, given, inside=name)
    return refusal(FieldErrors(found))


def _hostile(_request: HttpRequest, _error: object) -> HttpResponse:
    """Django refuses to read it: a query string of more than a thousand fields, for one."""
    return refusal(ApiError("invalid_value", MESSAGES[400]))


def _absent(_request: HttpRequest, _error: object) -> HttpResponse:
    return refusal(ApiError("not_found", MESSAGES[404]))


def _crashed(request: HttpRequest, error: Exception) -> HttpResponse:
    return refusal(crash(request, error))
