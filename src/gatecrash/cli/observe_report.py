"""What `gatecrash observe` tells: the document of the command line reference, a table, warnings."""

from collections.abc import Iterable
from typing import Any

from gatecrash.cli.capture_file import STRIPPED_WORDS
from gatecrash.cli.observation import Observation
from gatecrash.cli.output import table, warn
from gatecrash.core.auth.scheme import DISPLAY_NAMES
from gatecrash.core.inventory.observed import Observed, ObservedParameter
from gatecrash.core.point import context, key

BLIND_WORDS = (
    "The access log has no field for the Authorization header or cookies, so nothing can be said of its authentication. "
    "Log with the format in deploy/nginx or deploy/envoy."
)
NO_ENDPOINT_WORDS = (
    "No endpoint was seen: an endpoint appears with its first answer other than 400, 404, 405, "
    "or with its 10th request where answers are not known."
)


def as_document(endpoints: Iterable[Observed], observation: Observation) -> dict[str, Any]:
    """The document of cli.md."""
    body: dict[str, Any] = {
        "endpoints": [as_object(endpoint, stripped=observation.silent) for endpoint in endpoints],
        "skipped": {"malformed": observation.malformed},
    }
    if observation.silent:
        body["credentials_stripped"] = True
    return body


def as_object(endpoint: Observed, *, stripped: bool) -> dict[str, Any]:
    """One endpoint; a status is not claimed where the credentials were taken out of the file."""
    operation = {"operation": endpoint.key.operation} if endpoint.key.operation else {}
    return {
        "protocol": endpoint.key.protocol,
        "method": endpoint.key.method,
        "host": endpoint.key.host,
        "path": endpoint.key.path,
        **operation,
        "requests": endpoint.requests,
        "authenticated": endpoint.authenticated,
        "refused": endpoint.refused,
        "status": None if stripped else endpoint.status,
        "coverage": endpoint.coverage,
        "types": list(endpoint.types),
        "parameters": [_parameter(parameter) for parameter in endpoint.parameters],
    }


def _parameter(parameter: ObservedParameter) -> dict[str, Any]:
    """One parameter; one that is listed and not counted says so."""
    told: dict[str, Any] = {
        "type": parameter.type,
        "coverage": parameter.coverage,
        "key": key(parameter.point),
        "context": context(parameter.point),
        "point": parameter.point.nested(),
        "seen": parameter.seen,
        "valid": parameter.valid,
    }
    return {**told, "unproven": True} if parameter.unproven else told


def show(endpoints: tuple[Observed, ...], observation: Observation) -> None:
    """The table for people."""
    stripped = observation.silent
    rows = [
        (
            endpoint.key.method,
            endpoint.key.host,
            f"{endpoint.key.path} {endpoint.key.operation}".rstrip(),
            endpoint.requests,
            "-" if stripped else endpoint.status,
            "-" if stripped else f"{endpoint.coverage}%",
            ", ".join(DISPLAY_NAMES[kind] for kind in endpoint.types) or "-",
            ", ".join(key(parameter.point) for parameter in endpoint.parameters if parameter.valid) or "-",
        )
        for endpoint in endpoints
    ]
    columns = ("method", "host", "path", "requests", "status", "coverage", "types", "keys")
    table(columns, rows, empty=NO_ENDPOINT_WORDS if observation.requests else "The capture holds no requests.")


def warn_of(observation: Observation) -> None:
    """What the reader of the table must know."""
    for name, item in observation.examples:
        warn(f"{name}: entry {item.place} was passed over: {item.why}.")
    if observation.malformed > len(observation.examples):
        warn(f"{observation.malformed - len(observation.examples)} more entries were passed over.")
    if observation.expired:
        warn(f"Requests of more than 7 days before the newest one count for nothing: {observation.expired}.")
    if observation.blind:
        warn(BLIND_WORDS)
    if observation.stripped:
        warn(STRIPPED_WORDS.format(what=", so nothing can be said of its authentication"))
