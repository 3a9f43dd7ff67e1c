"""The order of the inventory, kept by a leased job that may run at any time and any number of times.

    documents   endpoints that a document tells of exist, and every endpoint knows whether it is documented
    decided     endpoints under a pin's or a document's template become that one
    alike       30 or more siblings that differ in nothing become one (core/inventory/merging.py)

Each change is a transaction of its own, so that a batch of counts never waits long.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from django.db import transaction
from django.db.models import QuerySet

from gatecrash.control import wall
from gatecrash.control.bulk_sql import insert
from gatecrash.control.inventory import bulk, documents, endpoints, mapping, merging
from gatecrash.control.inventory.mapping import DOCUMENTED, STATUSES, Name
from gatecrash.control.inventory.models import Endpoint, EndpointAlias
from gatecrash.control.inventory.views import types_of
from gatecrash.core.inventory.endpoint import EndpointKey
from gatecrash.core.inventory.merging import Known, merge_siblings

CHUNK = 500
_NAME = ("protocol", "method", "host", "path", "operation")


def arrange(at: int) -> None:
    """Bring the current client's inventory into its order. at: UNIX seconds."""
    for names in _chunks(documents.documented_names()):
        with transaction.atomic():
            bulk.one_writer()
            endpoints.take(names)
    _merge_decided(at)
    _free_aliases()
    _judge()
    _drop_undocumented(at)
    _merge_alike(at)


def _merge_decided(at: int) -> None:
    matcher = documents.decided()
    if not matcher:
        return
    for number, protocol, method, host, path, operation in list(Endpoint.objects.values_list("number", *_NAME)):
        template = matcher.match(method, host, path.encode())
        if template is not None and template != path:
            name = (protocol, method, host, template[: mapping.MAX_PATH], operation)
            with transaction.atomic():
                merging.merge(number, name, at, decided=True)


def _free_aliases() -> None:
    """Old names whose pin or document is gone count for themselves again; their identifiers still redirect."""
    matcher = documents.decided()
    paths = dict(Endpoint.objects.filter(number__in=_decided_aliases().values("target")).values_list("number", "path"))
    for alias in _decided_aliases():
        if matcher.match(alias.method, alias.host, alias.path.encode()) != paths.get(alias.target):
            EndpointAlias.objects.filter(public_id=alias.public_id).update(digest=None)


def _decided_aliases() -> QuerySet[EndpointAlias]:
    return EndpointAlias.objects.filter(decided=True).exclude(digest=None)


def _judge() -> None:
    """Write each endpoint's state where it is another than before."""
    state = documents.judge()
    changed = [
        (state(name), number)
        for number, known, *name in Endpoint.objects.values_list("number", "document", *_NAME)
        if state((name[0], name[1], name[2], name[3], name[4])) != known
    ]
    client_id = wall.required()
    for rows in _chunks(changed):
        with transaction.atomic():
            bulk.one_writer()
            insert(
                f"UPDATE {bulk.ENDPOINTS} SET document = %s WHERE client_id = %s AND number = %s",  # noqa: S608 - our names
                [(new, client_id, number) for new, number in rows],
            )


def _drop_undocumented(at: int) -> None:
    """Endpoints that only a document told of go with it."""
    gone = Endpoint.objects.filter(first_seen=None).exclude(document=DOCUMENTED)
    for numbers in _chunks(gone.values_list("number", flat=True)):
        with transaction.atomic():
            bulk.one_writer()
            merging.remove(numbers, at)


def _merge_alike(at: int) -> None:
    """Merge siblings that differ in nothing; deciding again finds those below."""
    splits = documents.rules("split")
    rows: dict[EndpointKey, int] = {}
    known: list[Known] = []
    columns = ("number", "requests", "types", "status", *_NAME)
    seen = Endpoint.objects.exclude(document=DOCUMENTED).exclude(first_seen=None)
    for number, requests, types, status, *name in seen.values_list(*columns):
        key = EndpointKey(*name)
        rows[key] = number
        known.append(Known(key, requests, tuple(types_of(types)), STATUSES[max(status, 0)]))
    for one in merge_siblings(known, splits):
        for old, new in one.keys:
            with transaction.atomic():
                merging.merge(rows[old], _name(new), at, decided=False)


def _name(key: EndpointKey) -> Name:
    return (key.protocol, key.method, key.host, key.path, key.operation)


def _chunks(rows: Iterable) -> Iterator[list]:
    given = iter(list(rows))
    while chunk := list(islice(given, CHUNK)):
        yield chunk
