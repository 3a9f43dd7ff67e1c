"""Endpoints that become part of another: their counts move, their identifiers redirect. Part of `arranging`."""

from gatecrash.control import wall
from gatecrash.control.bulk_sql import execute, select
from gatecrash.control.inventory import bulk, endpoints, settling, status_days
from gatecrash.control.inventory.mapping import TYPE_BITS, UNCOUNTED, Name
from gatecrash.control.inventory.models import CredentialKind, Endpoint, EndpointAlias, PublicMark, StatusChange
from gatecrash.control.inventory.schema import COUNTS

# The window, and the day more after which the last of its hours are pruned.
_HOURS = 193


def merge(number: int, name: Name, at: int, *, decided: bool) -> None:
    """Make the endpoint of this number part of the one of this name, in the caller's transaction; done twice it is done once.

    decided: by a pin or a document, not by looking alike.
    """
    bulk.one_writer()
    old = Endpoint.objects.filter(number=number).first()
    if old is None:
        return
    target = endpoints.take([name])[name]
    if target == number:
        return
    _move_counts(old, target, at)
    EndpointAlias.objects.filter(target=number).update(target=target)
    EndpointAlias.objects.filter(digest=old.digest).update(digest=None)
    EndpointAlias.objects.create(
        public_id=old.public_id,
        digest=old.digest,
        method=old.method,
        host=old.host,
        path=old.path,
        target=target,
        decided=decided,
        created_at=at,
    )
    remove([number], at)
    settling.settle({target}, at)


def remove(numbers: list[int], at: int) -> None:
    """Take endpoints away with all that hangs on them, in the caller's transaction."""
    hour = at // 3600
    left = Endpoint.objects.filter(number__in=numbers).values_list("status", flat=True)
    status_days.note([(status, UNCOUNTED) for status in left], at)
    bulk.drop_endpoints(numbers, hour - _HOURS, hour)
    StatusChange.objects.filter(endpoint_number__in=numbers).delete()
    PublicMark.objects.filter(endpoint_number__in=numbers).delete()
    EndpointAlias.objects.filter(target__in=numbers).delete()
    Endpoint.objects.filter(number__in=numbers).delete()


def _move_counts(old: Endpoint, target: int, at: int) -> None:
    hours = list(range(at // 3600 - _HOURS, at // 3600 + 1))
    counts = _of_hours("hourly_count", ("hour", *COUNTS), hours, old.number)
    span = (bulk.NEVER if old.first_seen is None else old.first_seen, old.last_seen)
    bulk.add_counts({(hour, target): values for hour, *values in counts}, {target: span})
    _move_parameters(old.number, target, hours, at)
    keys = ("hour", "endpoint", "family", "status")
    without = _of_hours(
        "hourly_without", ("hour", "family", "status", "requests", "first_seen", "last_seen"), hours, old.number
    )
    client_id = wall.required()
    rows = [(client_id, hour, target, *rest) for hour, *rest in without]
    bulk.upsert("hourly_without", keys, ("requests",), rows, text="family", spans=True)
    notes = select(
        "SELECT credential, requests, first_seen, last_seen FROM endpoint_note WHERE client_id = %s AND endpoint = %s",
        [wall.required(), old.number],
    )
    bulk.upsert(
        "endpoint_note",
        ("endpoint", "credential"),
        ("requests",),
        [(client_id, target, *row) for row in notes],
        spans=True,
    )
    execute(
        f"UPDATE {bulk.ENDPOINTS} SET undetected_node = %s, undetected_version = %s WHERE client_id = %s AND number = %s"  # noqa: S608 - our names
        " AND undetected_node = ''",
        [old.undetected_node, old.undetected_version, wall.required(), target],
    )


def _move_parameters(number: int, target: int, hours: list[int], at: int) -> None:
    parameters = _of_hours("hourly_parameter", ("hour", "credential", "seen", "valid"), hours, number)
    unproven = select(
        "SELECT credential, unproven FROM rollup_parameter WHERE client_id = %s AND endpoint = %s",
        [wall.required(), number],
    )
    sums: dict[bulk.Key, list[int]] = {(hour, target, credential): values for hour, credential, *values in parameters}
    bulk.add_parameters(sums, {(target, credential): bool(flag) for credential, flag in unproven})
    valid = {key[2] for key, values in sums.items() if values[1]}
    bits = 0
    for kind in CredentialKind.objects.filter(number__in=valid).values_list("type", flat=True):
        bits |= TYPE_BITS.get(kind, 0)
    if bits:
        settling.widen_types({target: bits}, at)


def _of_hours(table: str, columns: tuple[str, ...], hours: list[int], number: int) -> list[tuple[int, ...]]:
    """An endpoint's hourly rows: asked for hour by hour, for the key begins there."""
    marks = ", ".join(["%s"] * len(hours))
    return select(
        f"SELECT {', '.join(columns)} FROM {table} WHERE client_id = %s AND hour IN ({marks}) AND endpoint = %s",  # noqa: S608 - our names
        [wall.required(), *hours, number],
    )
