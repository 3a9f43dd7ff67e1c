"""Reads of the inventory, for the API, the pages and the exports.

    client_config(client_id)                     what nodes need for detection
    list_endpoints(Filters(…), sort=…, limit=…)  a page of the inventory: objects, total, next_cursor
    all_endpoints(Filters(…))                    the whole of it, page by page, for exports
    find_endpoint(id)                            one endpoint as the list shows it; old identifiers redirect
    read_endpoint(id)                            the same with history, hourly series, who is without, notes
    is_public(client_id, method, host, path)     whether somebody marked the endpoint of a request intentionally public

Everything but the first and the last works on the current client (`wall.client`). Documents are those of `views`.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from django.db import connection

from gatecrash.control import wall
from gatecrash.control.accounts.models import Client
from gatecrash.control.bulk_sql import select
from gatecrash.control.clock import now as clock
from gatecrash.control.inventory import documents, shares, views
from gatecrash.control.inventory.bulk import ENDPOINTS
from gatecrash.control.inventory.details import details
from gatecrash.control.inventory.filters import Condition, Filters, Sort, condition, reads_through
from gatecrash.control.inventory.models import (
    LIKELY,
    OLDEST_FIRST,
    AuthParameter,
    Endpoint,
    EndpointAlias,
    InventorySettings,
    LearnedSession,
    PublicMark,
)
from gatecrash.core.auth.sessions import LearnedCookie, State
from gatecrash.core.inventory.documents import HostTemplate
from gatecrash.core.inventory.matcher import TemplateMatcher
from gatecrash.wire.session import Config

_PAGE = 1000
# Rows that are looked at in the order of their index before all that pass a filter are sorted: 5 ms against 60. On SQLite,
# how many must pass for that order to be read.
_AHEAD = 5000


class Page(NamedTuple):
    """A part of a list. total: all that match. next_cursor: where the next part begins; None at the end."""

    objects: list[dict[str, Any]]
    total: int
    next_cursor: str | None = None


def client_config(client_id: str) -> Config:
    """What the client's nodes need for detection. The caller adds the marker keys of its running tests."""
    with wall.client(client_id):
        version = config_version(client_id)
        points = AuthParameter.objects.order_by(*OLDEST_FIRST).values_list("point", flat=True)
        return Config(
            version=version,
            parameters=tuple(tuple(point) for point in points),
            pins=documents.rules("pin"),
            splits=documents.rules("split"),
            documents=documents.paths(),
            sessions=tuple(learned_sessions()),
        )


def config_version(client_id: str) -> int:
    """The version that `client_config` would have: one read, for each heartbeat."""
    version: int = Client.objects.values_list("config_version", flat=True).get(id=client_id)
    return version


def learned_sessions(host: str | None = None) -> Iterator[LearnedCookie]:
    """What the current client's nodes together know of session cookies, of one host or of all."""
    rows = LearnedSession.objects.all() if host is None else LearnedSession.objects.filter(host=host)
    for where, name, state in rows.order_by("host", "name").values_list("host", "name", "state"):
        likely = state == LIKELY
        yield LearnedCookie(where, name, State.UNPROVEN if likely else State(state), likely)


def custom_parameters() -> list[AuthParameter]:
    """The current client's custom authentication parameters, the oldest first."""
    return list(AuthParameter.objects.order_by(*OLDEST_FIRST))


def leaves_refused_out() -> bool:
    """The current client's setting: whether answers 401 and 403 are left out of the shares."""
    return bool(InventorySettings.objects.values_list("leave_refused_out", flat=True).first())


def list_endpoints(
    wanted: Filters,
    *,
    limit: int,
    offset: int = 0,
    cursor: str | None = None,
    sort: str | None = None,
    at: int | None = None,
) -> Page:
    """The wanted page of endpoints with status and coverage, ordered by host, path and method unless told otherwise.

    sort: see `Sort.parse`. at: UNIX seconds, the present by default. Raises InvalidSort, InvalidCursor.
    """
    moment = clock() if at is None else at
    ours = shares.current()
    order = Sort.parse(sort, ours)
    found = condition(wanted, moment)
    matching, everything = Condition(found.sql, list(found.params)), Condition()
    if cursor is not None:
        order.after(found, cursor)
        order.after(everything, cursor)
    if connection.vendor == "sqlite":
        through = reads_through(wanted)
        total = _count(matching.without_index() if through else matching)
        rows, keys = _page_of(total, found, everything, order, limit, offset, through=through)
    else:
        rows, keys = _page(found, everything, order, limit, offset)
        is_whole = len(rows) < limit and not offset and cursor is None
        total = len(rows) if is_whole else _count(matching)  # a second look at 50,000 rows only where it tells more
    following = order.cursor(keys[-1]) if len(rows) == limit else None
    return Page(_shown(rows, ours, moment), total, following)


def all_endpoints(wanted: Filters, *, sort: str | None = None) -> Iterator[dict[str, Any]]:
    """Every wanted endpoint, read a page at a time. Raises InvalidSort before the first."""
    page = list_endpoints(wanted, limit=_PAGE, sort=sort)
    yield from page.objects
    while page.next_cursor:
        page = list_endpoints(wanted, limit=_PAGE, sort=sort, cursor=page.next_cursor)
        yield from page.objects


def find_endpoint(public_id: str, *, at: int | None = None) -> dict[str, Any] | None:
    """One endpoint of the current client; None where there is none. An old identifier gives the endpoint it became
    part of, with `redirected_from`.
    """
    found = Condition()
    found.add("public_id = %s", public_id)
    moment = clock() if at is None else at
    rows = _rows(found)
    if rows:
        return _shown(rows, shares.current(), moment)[0]
    target = EndpointAlias.objects.filter(public_id=public_id).values_list("target", flat=True).first()
    if target is None:
        return None
    found = Condition()
    found.add("number = %s", target)
    shown = _shown(_rows(found), shares.current(), moment)
    return {**shown[0], "redirected_from": public_id} if shown else None


def read_endpoint(public_id: str, *, at: int | None = None) -> dict[str, Any] | None:
    """One endpoint with all that is known of it; None where there is none."""
    shown = find_endpoint(public_id, at=at)
    return None if shown is None else with_details(shown, at=at)


def with_details(shown: dict[str, Any], *, at: int | None = None) -> dict[str, Any]:
    """An endpoint that `find_endpoint` gave, with hours, history, who is without, and weaknesses."""
    number = Endpoint.objects.values_list("number", flat=True).get(public_id=shown["id"])
    return {"redirected_from": None, **shown, **details(number, clock() if at is None else at)}


def is_public(client_id: str, method: str, host: str, path: str) -> bool:
    """Whether the endpoint of such a request is marked intentionally public. host: as in an endpoint's key; path: raw.

    The endpoint is the one with the most literal template that fits, so that a mark on `/users/{id}` says nothing of
    `/users/admin` where that is an endpoint of its own.
    """
    with wall.client(client_id):
        known = Endpoint.objects.filter(host=host.lower(), method=method.upper())
        marked = set(known.filter(public_until__gt=clock()).values_list("path", flat=True))
        if not marked:
            return False
        templates = [HostTemplate("", template) for template in known.values_list("path", flat=True)]
    return TemplateMatcher(templates).match(method.upper(), "", path.partition("?")[0].encode()) in marked


def public_marks() -> Any:
    """The current client's intentionally public marks that have not expired, the newest first; a queryset."""
    return PublicMark.objects.order_by("-created_at", "-id")


def public_ids(numbers: Sequence[int]) -> dict[int, str]:
    """Identifiers of endpoints by their numbers."""
    return dict(Endpoint.objects.filter(number__in=list(numbers)).values_list("number", "public_id"))


_COLUMNS = ", ".join(views.COLUMNS)


def _rows(found: Condition) -> list[tuple[Any, ...]]:
    return select(f"SELECT {_COLUMNS} FROM {ENDPOINTS} WHERE {found.sql}", found.params)  # noqa: S608 - our names


def _count(found: Condition) -> int:
    [(total,)] = select(f"SELECT COUNT(*) FROM {ENDPOINTS} WHERE {found.sql}", found.params)  # noqa: S608 - our names
    return int(total)


def _page(
    found: Condition, everything: Condition, order: Sort, limit: int, offset: int
) -> tuple[list[tuple[Any, ...]], list[list[Any]]]:
    """Rows of one page, and the sort keys of each. everything: the same place in the list without any filter."""
    # Only numbers and keys are sorted; the whole rows of one page are read afterwards.
    indexed = found == everything
    keys = [] if indexed else _keys_ahead(found, everything, order, limit, offset)
    if len(keys) < limit:
        keys = _keys(ENDPOINTS, found, order.order_by(indexed=indexed), order, limit, offset)
    return _whole(keys)


def _page_of(
    total: int, found: Condition, everything: Condition, order: Sort, limit: int, offset: int, *, through: bool
) -> tuple[list[tuple[Any, ...]], list[list[Any]]]:
    """The same on SQLite, which counts in a moment how many rows pass and so is told how to come by them.

    Many lie early in the index's order. Few are filtered out first and sorted then. through: the table is read for that.
    """
    indexed = found == everything or total > _AHEAD
    condition = found.without_index() if through and not indexed else found
    return _whole(_keys(ENDPOINTS, condition, order.order_by(indexed=indexed), order, limit, offset) if total else [])


def _whole(keys: list[tuple[Any, ...]]) -> tuple[list[tuple[Any, ...]], list[list[Any]]]:
    """The rows behind sort keys, in their order, and the keys of each."""
    numbers = [row[-1] for row in keys]
    if not numbers:
        return [], []
    named = Condition()
    named.add(f"number IN ({', '.join(['%s'] * len(numbers))})", *numbers)
    rows = {row[0]: row for row in _rows(named)}
    kept = [row for row in keys if row[-1] in rows]
    return [rows[row[-1]] for row in kept], [list(row) for row in kept]


def _keys_ahead(found: Condition, everything: Condition, order: Sort, limit: int, offset: int) -> list[tuple[Any, ...]]:
    """The sort keys of a page behind a filter that many rows pass: as many as lie among the first in the index's order.

    A full page of them is the page. Fewer say that the filter passes few rows, or that they come late.
    """
    if not order.is_hidden or offset:
        return []
    in_order = order.order_by(indexed=True)
    first = f"(SELECT * FROM {ENDPOINTS} WHERE {everything.sql} ORDER BY {in_order} LIMIT {_AHEAD}) AS ahead"  # noqa: S608 - our names
    ahead = Condition(found.sql, [*everything.params, *found.params])
    return _keys(first, ahead, order.order_by(indexed=False), order, limit, 0)


def _keys(source: str, found: Condition, order_by: str, order: Sort, limit: int, offset: int) -> list[tuple[Any, ...]]:
    return select(
        f"SELECT {', '.join(order.expressions)} FROM {source} WHERE {found.sql}"  # noqa: S608 - our names
        f" ORDER BY {order_by} LIMIT %s OFFSET %s",
        [*found.params, limit, offset],
    )


def _shown(rows: Sequence[Sequence[Any]], ours: shares.Shares, at: int) -> list[dict[str, Any]]:
    """Endpoints as the API shows them, each with its parameters that were seen in the window."""
    parameters = _parameters([row[0] for row in rows])
    return [views.endpoint(row, parameters.get(row[0], []), ours, at) for row in rows]


def _parameters(numbers: Sequence[int]) -> dict[int, list[tuple[Any, ...]]]:
    """(type, point, seen, valid, unproven) by endpoint, the most valid first."""
    if not numbers:
        return {}
    marks = ", ".join(["%s"] * len(numbers))
    rows = select(
        "SELECT r.endpoint, k.type, k.point, r.seen, r.valid, r.unproven FROM rollup_parameter r"  # noqa: S608 - our names
        " JOIN inventory_credentialkind k ON k.client_id = r.client_id AND k.number = r.credential"
        f" WHERE r.client_id = %s AND r.endpoint IN ({marks}) ORDER BY r.valid DESC, r.seen DESC, r.credential",
        [wall.required(), *numbers],
    )
    found: dict[int, list[tuple[Any, ...]]] = {}
    for number, *parameter in rows:
        found.setdefault(number, []).append(tuple(parameter))
    return found
