"""Vulnerabilities by endpoint: how many different ones each endpoint of a list has, those of one, and the endpoint of a vulnerability."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from gatecrash.control.findings import queries
from gatecrash.control.findings.models import Vulnerability
from gatecrash.control.inventory.models import Endpoint

Name = tuple[str, str]

_MOST_SHOWN = 50


def by_endpoint(endpoints: Iterable[dict[str, Any]]) -> dict[str, int]:
    """How many codes were found on each endpoint, by the endpoint's identifier; those without any are left out."""
    names = {name_of(item): item["id"] for item in endpoints}
    rows = Vulnerability.objects.filter(endpoint__in={path for _, path in names}).values_list("endpoint", "url", "code")
    codes: dict[str, set[str]] = defaultdict(set)
    for path, url, code in rows.distinct():
        known = names.get((host_of(url), path))
        if known:
            codes[known].add(code)
    return {name: len(found) for name, found in codes.items()}


def of_endpoint(endpoint: dict[str, Any]) -> list[dict[str, Any]]:
    """The newest finding of each code on one endpoint, the most severe first."""
    host, path = name_of(endpoint)
    found: dict[str, Vulnerability] = {}
    for row in Vulnerability.objects.filter(endpoint=path).order_by("-found_at", "-id")[:1000]:
        if host_of(row.url) == host:
            found.setdefault(row.code, row)
    rows = sorted(found.values(), key=lambda row: (-row.threat, row.code))
    return [queries.shown(row) for row in rows[:_MOST_SHOWN]]


def endpoint_of(found: Vulnerability) -> str | None:
    """The identifier of the endpoint that a finding names; None where the inventory does not list it."""
    name = found.endpoint.partition(" ")[2]
    # A path may hold blanks, and so may the operation behind it: whichever split the inventory knows is meant.
    ends = [at for at, sign in enumerate(name) if sign == " "]
    splits = {(name, ""), *((name[:at], name[at + 1 :]) for at in ends)}
    rows = Endpoint.objects.filter(
        host=host_of(found.url), method=found.method.upper(), path__in=[path for path, _ in splits]
    ).order_by("number")
    known = rows.values_list("path", "operation", "public_id")
    return next((public_id for path, operation, public_id in known if (path, operation) in splits), None)


def name_of(endpoint: dict[str, Any]) -> Name:
    """The host, and method with path and operation, as findings name an endpoint."""
    return endpoint["host"], f"{endpoint['method']} {endpoint['path']} {endpoint.get('operation') or ''}".rstrip()


def host_of(url: str) -> str:
    """The host of a finding's address, as the inventory calls it."""
    return urlsplit(url).netloc.lower().removesuffix(":80").removesuffix(":443")
