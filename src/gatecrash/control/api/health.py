"""For whoever watches the process: alive, ready, and its numbers. No token, no tenant's data."""

import logging

import orjson
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from gatecrash.control.api import metrics
from gatecrash.control.missing_migrations import missing_migrations

log = logging.getLogger(__name__)


def alive(_request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return _json(200, {"status": "ok"})


def ready(_request: HttpRequest) -> HttpResponse:
    """The database answers and has every migration."""
    try:
        missing = missing_migrations()
    except DatabaseError:
        log.exception("the database does not answer")
        return _json(503, {"status": "unavailable", "reason": "the database does not answer"})
    if missing:
        return _json(503, {"status": "unavailable", "reason": f"{len(missing)} migrations are missing: run db migrate"})
    return _json(200, {"status": "ok"})


def numbers(_request: HttpRequest) -> HttpResponse:
    """The numbers in Prometheus' text format."""
    return HttpResponse(metrics.render(), content_type=metrics.CONTENT_TYPE)


def absent(_request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Nothing is here."""
    del exception
    return _json(404, {"error": "not_found", "message": "There is nothing at this address."})


def crashed(_request: HttpRequest) -> HttpResponse:
    """Ours; the log says what."""
    return _json(
        500, {"error": "internal", "message": "Something went wrong on our side; the service's log says what."}
    )


def _json(status: int, document: dict[str, str]) -> HttpResponse:
    return HttpResponse(orjson.dumps(document), status=status, content_type="application/json")
