"""What the service showed against what is expected of it: every deviation, in a sentence of its own."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from gatecrash.demo.target.expectations import ENDPOINTS, FLAWS, TWINS, Endpoint, Flaw

Shown = Mapping[str, Any]


def shape(path: str) -> str:
    """A path template without the names of its placeholders, which are a matter of taste."""
    return re.sub(r"\{[^/]*\}", "{}", path)


def missing(endpoints: Iterable[Shown]) -> list[str]:
    """The expected endpoints that are not in the inventory."""
    shown = _by_operation(endpoints)
    return [f"{one.method} {one.path}" for one in ENDPOINTS if (one.method, shape(one.path)) not in shown]


def deviations(endpoints: Iterable[Shown], findings: Iterable[Shown]) -> list[str]:
    """Everything that is not as expected; empty where both halves are right."""
    return [*_in_inventory(_by_operation(endpoints)), *_in_findings(list(findings))]


def planted(finding: Shown) -> Flaw | None:
    """The planted flaw that a finding is about, or None."""
    return next((flaw for flaw in FLAWS if _is_about(finding, flaw)), None)


def _in_inventory(shown: Mapping[tuple[str, str], Shown]) -> Iterator[str]:
    for expected in ENDPOINTS:
        found = shown.get((expected.method, shape(expected.path)))
        if found is None:
            yield f"{expected.method} {expected.path} is missing from the inventory."
        else:
            yield from _in_endpoint(expected, found)
    known = {(one.method, shape(one.path)) for one in ENDPOINTS}
    yield from (f"{method} {path} is in the inventory and not of the shop." for method, path in shown.keys() - known)


def _in_endpoint(expected: Endpoint, found: Shown) -> Iterator[str]:
    name = f"{expected.method} {expected.path}"
    if found["status"] != expected.status:
        yield f"{name} shows {found['status']} ({found['coverage']}%), expected {expected.status}."
    if tuple(sorted(found["types"])) != tuple(sorted(expected.types)):
        yield f"{name} shows the types {list(found['types'])}, expected {list(expected.types)}."
    keys = [one["key"] for one in found.get("parameters", ()) if not one.get("unproven")]
    if sorted(keys) != sorted(expected.keys):
        yield f"{name} shows the keys {keys}, expected {list(expected.keys)}."


def _in_findings(findings: list[Shown]) -> Iterator[str]:
    for flaw in FLAWS:
        if not any(_is_about(one, flaw) for one in findings):
            yield f"The {flaw.type} in {flaw.method} {flaw.path} was not found."
    for one in findings:
        if planted(one) is None:
            where = f"{one['type']} in {one['method']} {urlsplit(one['url']).path}"
            twin = next((twin for twin in TWINS if _at(one, twin.method, twin.path)), None)
            reason = f"a safe twin: it {twin.likeness}" if twin else "no flaw was planted there"
            yield f"{where} was reported, but that is {reason}." if twin else f"{where} was reported, but {reason}."


def _is_about(finding: Shown, flaw: Flaw) -> bool:
    if finding["type"] != flaw.type or not _at(finding, flaw.method, flaw.path):
        return False
    return not flaw.point or tuple(_steps(finding.get("point"))) == flaw.point


def _at(finding: Shown, method: str, path: str) -> bool:
    pattern = re.sub(r"\\\{[^/]*?\\\}", "[^/]+", re.escape(path))
    return finding["method"] == method and re.fullmatch(pattern, urlsplit(finding["url"]).path) is not None


def _steps(point: Any) -> list[str]:
    nested = isinstance(point, list) and point and isinstance(point[0], list)
    return list(point[0] if nested else point or ())


def _by_operation(endpoints: Iterable[Shown]) -> dict[tuple[str, str], Shown]:
    return {(one["method"], shape(one["path"])): one for one in endpoints}
