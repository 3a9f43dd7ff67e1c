"""`gatecrash observe --diff OLD NEW`: what a change did to the endpoints' authentication, for pull requests."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO

import orjson

from gatecrash.cli.output import table
from gatecrash.core.errors import UserError

_LOOK = 256
_NAMES = ("protocol", "method", "host", "path", "operation")

Endpoint = Mapping[str, Any]


def saved_endpoints(name: str, stream: BinaryIO) -> list[Endpoint] | None:
    """The endpoints of a document that `observe --json` wrote earlier; None where the file is traffic.

    Raises UserError where it begins like such a document and is none.
    """
    beginning = stream.peek(_LOOK)[:_LOOK].lstrip() if hasattr(stream, "peek") else b""
    if not beginning.startswith(b"{") or not beginning[1:].lstrip().startswith(b'"endpoints"'):
        return None
    try:
        listed = orjson.loads(stream.read())["endpoints"]
        return [dict(one) for one in listed if all(isinstance(one[key], str) for key in _NAMES[:4])]
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{name} begins like a document of `gatecrash observe --json` and is none: {error}.") from error


def difference(old: Iterable[Endpoint], new: Iterable[Endpoint]) -> dict[str, list[Any]]:
    """Endpoints that are new, gone, or changed status or type. A status that is not known is no change."""
    before = {_name(one): one for one in old}
    after = {_name(one): one for one in new}
    changed = [
        {**_place(one), "before": _state(before[name]), "after": _state(one)}
        for name, one in after.items()
        if name in before and _differs(before[name], one)
    ]
    return {
        "new": [one for name, one in after.items() if name not in before],
        "gone": [one for name, one in before.items() if name not in after],
        "changed": changed,
    }


def show(found: Mapping[str, Sequence[Any]]) -> None:
    """The table for people."""
    rows = [("new", *_shown(one), "-", _words(_state(one))) for one in found["new"]]
    rows += [("gone", *_shown(one), _words(_state(one)), "-") for one in found["gone"]]
    rows += [("changed", *_shown(one), _words(one["before"]), _words(one["after"])) for one in found["changed"]]
    table(("what", "method", "host", "path", "before", "after"), rows, empty="Nothing is new, gone or changed.")


def statuses(found: Mapping[str, Sequence[Any]]) -> list[str | None]:
    """The statuses of what is new or changed, as they are now."""
    return [one["status"] for one in found["new"]] + [one["after"]["status"] for one in found["changed"]]


def _name(one: Endpoint) -> tuple[str, ...]:
    return tuple(str(one.get(key) or "") for key in _NAMES)


def _place(one: Endpoint) -> dict[str, Any]:
    return {key: one[key] for key in _NAMES if one.get(key)}


def _state(one: Endpoint) -> dict[str, Any]:
    return {"status": one.get("status"), "types": list(one.get("types") or ())}


def _differs(old: Endpoint, new: Endpoint) -> bool:
    before, after = _state(old), _state(new)
    return None not in (before["status"], after["status"]) and before != after


def _shown(one: Endpoint) -> tuple[str, str, str]:
    return one["method"], one["host"], f"{one['path']} {one.get('operation') or ''}".rstrip()


def _words(state: Mapping[str, Any]) -> str:
    types = ", ".join(state["types"])
    return f"{state['status'] or '-'}{f' ({types})' if types else ''}"
