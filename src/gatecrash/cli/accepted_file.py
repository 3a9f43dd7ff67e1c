"""The file of `scan --accepted`: findings that need not fail a pipeline, each with a reason; or an earlier scan's JSON."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import orjson
import yaml

from gatecrash.cli.vuln_triage import end_of
from gatecrash.core.errors import UserError
from gatecrash.core.reports.accepted import Accepted
from gatecrash.core.reports.report import place
from gatecrash.core.testing.catalogue import CATALOGUE

_FIELDS = frozenset({"type", "endpoint", "point", "reason", "until"})
_EXAMPLE = "- {type: auth, endpoint: GET /export, reason: public on purpose}"
# Reports hold whole exchanges; a list that a person writes is far shorter, and YAML is slow to read.
_MOST_BYTES, _MOST_YAML = 256 * 1024 * 1024, 1024 * 1024


def accepted_from(path: Path) -> list[Accepted]:
    """The findings that a file accepts. Raises UserError with the entry that is wrong."""
    held = _document(path)
    if isinstance(held, dict) and isinstance(held.get("vulnerabilities"), list):
        return [_of_report(path, one) for one in held["vulnerabilities"]]
    if not isinstance(held, list):
        raise UserError(f"{path} is neither a list such as '{_EXAMPLE}' nor the JSON report of a scan.")
    return [_entry(f"{path}, entry {number}", given) for number, given in enumerate(held, 1)]


def _document(path: Path) -> Any:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise UserError(f"{path} is over {_MOST_BYTES >> 20} MiB, far more than a report.")
        content = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:
        pass
    if len(content) > _MOST_YAML:
        raise UserError(f"{path} is no JSON, and over {_MOST_YAML >> 10} KiB, far more than a list of findings.")
    try:
        return yaml.safe_load(content)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f": line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise UserError(f"{path} is neither YAML nor JSON{where}.") from error


def _of_report(path: Path, one: object) -> Accepted:
    if not isinstance(one, dict):
        raise UserError(f"{path} is no JSON report of a scan: a vulnerability is no set of fields.")
    try:
        return Accepted(
            type=str(one["type"]),
            endpoint=str(one["endpoint"]),
            point=place(one["point"]),
            reason=str(one.get("suppression_reason") or f"known from {path.name}"),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(
            f"{path} is no JSON report of a scan: a vulnerability has no type, endpoint or point."
        ) from error


def _entry(where: str, given: object) -> Accepted:
    if not isinstance(given, dict):
        raise UserError(f"{where} is no set of fields such as '{_EXAMPLE}'.")
    if unknown := sorted(str(name) for name in given if name not in _FIELDS):
        raise UserError(f"{where} has {', '.join(unknown)}; an entry has type, endpoint, point, reason and until.")
    kind = _text(where, given, "type")
    if kind not in CATALOGUE:
        raise UserError(f"{where}: there is no type {kind!r}; choose out of {', '.join(CATALOGUE)}.")
    return Accepted(
        type=kind,
        endpoint=" ".join(_text(where, given, "endpoint").split()),
        point=_text(where, given, "point").strip("/") if given.get("point") is not None else None,
        reason=_text(where, given, "reason"),
        until=_until(where, given.get("until")),
    )


def _text(where: str, given: Mapping[Any, Any], name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not value.strip():
        raise UserError(f"{where} has no {name}, such as {_SUCH[name]!r}.")
    return value.strip()


_SUCH = {"type": "auth", "endpoint": "GET /export", "point": "get/q", "reason": "public on purpose"}


def _until(where: str, given: object) -> int | None:
    """The end of a day, or a moment; YAML reads both by itself."""
    try:
        return end_of(None, None, None if given is None else str(given))
    except click.BadParameter as error:
        raise UserError(f"{where}, until: {error.message}") from error
