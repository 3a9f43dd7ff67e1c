"""The endpoint inventory over the API (contract 2.4, 2.5): list, one endpoint, a test of it, and statuses by day."""

# ruff: noqa: ARG001 - ninja reads path parameters from the arguments' names; the gate has looked them up already

import time
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from gatecrash.control.api.caller import Caller, caller, found
from gatecrash.control.api.envelope import Answer, ok
from gatecrash.control.api.errors import FieldErrors, problem
from gatecrash.control.api.gate import identifier
from gatecrash.control.api.operation import operation
from gatecrash.control.api.roles import READ, RUN
from gatecrash.control.clock import now
from gatecrash.control.inventory import queries, status_days
from gatecrash.control.inventory.filters import SORT_KEYS, Filters, InvalidCursor, InvalidSort
from gatecrash.control.inventory.schemas import (
    EndpointChoice,
    EndpointDetail,
    EndpointFilters,
    EndpointList,
    StatusDayChoice,
    StatusDayList,
)
from gatecrash.control.testruns.bodies import RunView
from gatecrash.control.testruns.mapping import shown_run
from gatecrash.control.ui import endpoint_run

router = Router(tags=["inventory"])


@identifier("endpoint_id")
def _endpoint(_caller: Caller, value: str) -> dict[str, Any] | None:
    return queries.find_endpoint(value)


@router.get("/endpoints", **operation(READ, EndpointList, query=True, summary="List endpoints"))
def list_endpoints(request: HttpRequest, wanted: Query[EndpointFilters]) -> Answer:
    """The inventory with status and coverage of the last 7 days, ordered by host, path and method where not told."""
    try:
        page = queries.list_endpoints(
            filters_of(wanted), limit=wanted.limit, offset=wanted.offset, cursor=wanted.cursor, sort=wanted.sort
        )
    except InvalidSort as error:
        raise invalid_sort(wanted) from error
    except InvalidCursor as error:
        raise FieldErrors({"cursor": problem("invalid_value", wanted.cursor, message=str(error))}) from error
    return ok(page._asdict())


@router.get("/endpoints/{endpoint_id}", **operation(READ, EndpointDetail, summary="Read an endpoint"))
def read_endpoint(request: HttpRequest, endpoint_id: str) -> Answer:
    """One endpoint: parameters with type, coverage, key and path; hours, history, who is without, weaknesses.

    The identifier of an endpoint that became part of another answers that one, with `redirected_from`.
    """
    return ok(queries.with_details(found(request, "endpoint_id")))


@router.post("/endpoints/{endpoint_id}/test", **operation(RUN, RunView, summary="Test one endpoint"))
def test_endpoint(request: HttpRequest, endpoint_id: str) -> Answer:
    """Begin a run over what the newest record with requests of the endpoint holds of it, signed in and aimed as before.

    Where no record holds any, the run is `recording`, and tests what is sent through its node.
    """
    run, _ = endpoint_run.start(found(request, "endpoint_id"), caller(request))
    return ok(shown_run(run, time.time()))


test_endpoint.__test__ = False  # pytest would take the name for a test


@router.get("/endpoint_statuses", **operation(READ, StatusDayList, query=True, summary="Count endpoints by day"))
def count_by_day(request: HttpRequest, wanted: Query[StatusDayChoice]) -> Answer:
    """How many endpoints had each status at the end of each of the last days, the oldest first."""
    return ok({"days": status_days.days(wanted.days, now())})


def filters_of(wanted: EndpointChoice) -> Filters:
    """The filters of a query string."""
    names = Filters.__dataclass_fields__
    return Filters(**{name: getattr(wanted, name) for name in names})


def invalid_sort(wanted: EndpointChoice) -> FieldErrors:
    """The refusal of a sort key that there is not."""
    return FieldErrors({"sort": problem("invalid_value", wanted.sort, choices=list(SORT_KEYS))})
