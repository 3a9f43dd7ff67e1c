"""The inventory as a file: CSV, JSON or OpenAPI 3.1, raw and written while it is read."""

from collections.abc import Iterator
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from ninja import Query, Router

from gatecrash.control import wall
from gatecrash.control.api.caller import caller
from gatecrash.control.api.download import downloading
from gatecrash.control.api.roles import READ
from gatecrash.control.inventory import queries
from gatecrash.control.inventory.endpoints_api import filters_of, invalid_sort
from gatecrash.control.inventory.filters import InvalidSort, Sort
from gatecrash.control.inventory.schemas import EndpointExport
from gatecrash.control.inventory.shares import current
from gatecrash.core.reports import inventory_csv, inventory_openapi

router = Router(tags=["inventory"])

_TYPES = ("text/csv", "application/json")
_EXPORT = downloading(READ, _TYPES, query=True, summary="Export endpoints")
MEDIA = {"csv": "text/csv; charset=utf-8", "json": "application/json", "openapi": "application/json"}


@router.get("/endpoints/export", **_EXPORT)
def export_endpoints(request: HttpRequest, wanted: Query[EndpointExport]) -> HttpResponseBase:
    """Every endpoint that the filters let pass, as CSV, as the JSON of the list, or as an OpenAPI 3.1 document."""
    try:
        Sort.parse(wanted.sort, current())
    except InvalidSort as error:
        raise invalid_sort(wanted) from error
    return exported(caller(request).client_id, wanted)


def exported(client_id: str, wanted: EndpointExport) -> HttpResponseBase:
    """The file itself, for the API and for the page; the sort must be one that can be read."""
    answer = StreamingHttpResponse(_within(client_id, wanted), content_type=MEDIA[wanted.format])
    suffix = "csv" if wanted.format == "csv" else "json"
    answer["Content-Disposition"] = f'attachment; filename="endpoints.{suffix}"'
    # It quotes what strangers called: no browser may take it for something else, or run it here.
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = "sandbox"
    return answer


def _within(client_id: str, wanted: EndpointExport) -> Iterator[bytes]:
    """The pieces of the file, read in the client's context: the gate has left it when the answer is sent."""
    pieces = _WRITERS[wanted.format](wanted)
    while True:
        with wall.client(client_id):
            piece = next(pieces, None)
        if piece is None:
            return
        yield piece


def _csv(wanted: EndpointExport) -> Iterator[bytes]:
    lines: list[str] = []
    for line in inventory_csv.rows(_endpoints(wanted)):
        lines.append(line)
        if len(lines) == _LINES:
            yield "".join(lines).encode()
            lines = []
    yield "".join(lines).encode()


def _json(wanted: EndpointExport) -> Iterator[bytes]:
    yield b'{"objects":['
    for number, one in enumerate(_endpoints(wanted)):
        yield (b"," if number else b"") + orjson.dumps(one)
    yield b"]}"


def _openapi(wanted: EndpointExport) -> Iterator[bytes]:
    yield orjson.dumps(inventory_openapi.document(_endpoints(wanted)), option=orjson.OPT_INDENT_2)


def _endpoints(wanted: EndpointExport) -> Iterator[dict[str, Any]]:
    return queries.all_endpoints(filters_of(wanted), sort=wanted.sort)


_LINES = 500
_WRITERS = {"csv": _csv, "json": _json, "openapi": _openapi}
