"""The gate before every `/v1` path, in the order of decisions 1: 401, 404, 405, 403, 413, 415, 400.

    Gate (middleware)     401 for any path, 429, then the client's context for all that follows
    Gate.process_view     404 for identifiers in the path: a loader for each name, another client's row does not exist
    ninja                 404 for paths, 405 for methods
    ServiceToken (auth)   403 by role, 413 by size, 415 by type, 400 for what is no JSON
    models of fields.py   400 for fields

Everything leaves in its envelope, refusals of the framework and crashes too.
"""

import logging
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from gatecrash.control import database_trouble, ids, wall
from gatecrash.control.api import metrics, unread_body
from gatecrash.control.api.caller import Caller
from gatecrash.control.api.envelope import Answer, answer, refusal
from gatecrash.control.api.errors import CODE, ApiError, FieldErrors
from gatecrash.control.api.rate_limit import RateLimit

log = logging.getLogger(__name__)

OPEN_PATHS = frozenset({"/v1/openapi.json"})
NODE_PATHS = "/v1/node/"  # a node's heartbeat must not starve because its token also creates runs
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
MESSAGES = {
    400: "The request cannot be understood.",
    403: "This is not allowed.",
    404: "There is nothing at this address.",
    405: "This address does not take this method; see the Allow header.",
    413: "The body is too large.",
    500: "Something went wrong on our side; the service's log says what.",
}

Loader = Callable[[Caller, str], Any]
_loaders: dict[str, Loader] = {}


def identifier(name: str) -> Callable[[Loader], Loader]:
    """Register how the path identifier `name` is looked up; None means 404. The row is then `caller.found(request, name)`."""

    def register(loader: Loader) -> Loader:
        assert name not in _loaders, name
        _loaders[name] = loader
        return loader

    return register


def absent(name: str) -> ApiError:
    """The refusal of a path identifier that names nothing."""
    return ApiError("not_found", f"There is no {name.removesuffix('_id').replace('_', ' ')} with this identifier.")


def still_there(removed: bool, name: str) -> None:
    """Raise ApiError (404) where another removed what a path named since the gate found it: one of two removes it."""
    if not removed:
        raise absent(name)


class Gate:
    """Authenticates, sets the client's context, and puts every answer into its envelope."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Stand before the rest of Django."""
        self._next = get_response
        self._limit = RateLimit(settings.RATE_LIMIT)

    def __call__(self, request: Any) -> HttpResponse:
        """Answer; paths outside the API pass."""
        path = request.path_info
        if not (path.startswith("/v1/") or path == "/v1"):
            return self._next(request)
        started = time.perf_counter()
        method = request.method if request.method in METHODS else "other"
        if method == "HEAD":  # GET without content (RFC 9110 section 9.3.2), which the server leaves out
            request.method = "GET"
        response = self._guarded(request, path)
        response.headers.setdefault("Cache-Control", "no-store")  # answers are one client's, some hold secrets
        response.headers.setdefault("X-Content-Type-Options", "nosniff")  # they quote what hostile targets sent
        unread_body.settle(request, response, settings.MAX_API_BODY)
        metrics.REQUESTS.add(method=method, status=str(response.status_code))
        metrics.SECONDS.observe(time.perf_counter() - started)
        return response

    def process_view(self, request: Any, _view: object, _args: object, kwargs: dict[str, str]) -> HttpResponse | None:
        """Look up every identifier in the path before method, role or body matter."""
        if not hasattr(request, "caller"):
            return None
        request.found = {}
        for name, value in kwargs.items():
            loader = _loaders.get(name)
            if loader is None:
                continue
            row = loader(request.caller, value) if ids.is_shaped(value) else None
            if row is None:
                return refusal(absent(name))
            request.found[name] = row
        return None

    def _guarded(self, request: Any, path: str) -> HttpResponse:
        try:
            if path in OPEN_PATHS:
                return enveloped(self._next(request))
            return self._authenticated(request, path)
        except (ApiError, FieldErrors) as error:
            return refusal(error)
        except Exception as error:  # noqa: BLE001 - whatever it is, it leaves in an envelope
            return refusal(crash(request, error))

    def _authenticated(self, request: Any, path: str) -> HttpResponse:
        from gatecrash.control.accounts import actor, callers  # models may be imported only when all apps are loaded

        who = callers.authenticate(request.META.get("HTTP_X_SERVICE_API_TOKEN", ""))
        if not path.startswith(NODE_PATHS):
            wait = self._limit.wait(who.token_id, time.monotonic())
            if wait:
                raise ApiError(
                    "rate_limited",
                    f"More than {settings.RATE_LIMIT} requests in a minute; wait {wait} seconds.",
                    headers={"Retry-After": str(wait)},
                )
        request.caller = who
        with wall.client(who.client_id), actor.acting(who.token_id):
            return enveloped(self._next(request))


def crash(request: HttpRequest, error: Exception) -> ApiError:
    """The cause goes to the log; the caller is told only that it was ours. A full disk, or a database that is away, is
    told: he may mend it.
    """
    if database_trouble.is_full(error):
        log.error("%s %s failed: %s", request.method, request.path, error)
    else:
        log.error("%s %s failed", request.method, request.path, exc_info=error)
    return ApiError("internal", database_trouble.said(error) or MESSAGES[500])


def enveloped(response: HttpResponse) -> HttpResponse:
    """The response, put into an envelope where it is a refusal that the framework wrote."""
    status = response.status_code
    if status < 400 or isinstance(response, Answer):
        return response
    code = CODE.get(status, "invalid_value")
    wrapped = answer(status, {"error": code, "message": MESSAGES.get(status, "The request was refused.")})
    if "Allow" in response:
        methods = {part.strip() for part in response["Allow"].split(",")}
        wrapped["Allow"] = ", ".join(sorted(methods | {"HEAD"} if "GET" in methods else methods))
    return wrapped
