"""SARIF 2.1.0 (OASIS, 2020): what code scanning pages of forges and security dashboards read.

A result of a dynamic test has no line of source. Its place is the endpoint as a logical location (SARIF 3.33), and its
proof the exchange itself as webRequest and webResponse (3.46, 3.47). Forges want a physical location, and GitHub's code
scanning refuses the whole file where that is an address such as http://…: it takes paths within the repository only. So
the place is written like one, host first and then the endpoint; the address is among the properties.

Type, endpoint and point are the fingerprint (3.27.17), under the one name too that GitHub goes by, so that a second run
updates instead of doubling. The run has no automationDetails.id (3.17.3): an identifier of its own would make each
upload a category of its own, in which nothing that was mended is ever closed.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import orjson

from gatecrash.core.reports.report import Report, place, severity, suppression, told_at, unproven, why_untested
from gatecrash.core.testing.catalogue import entry_of
from gatecrash.core.testing.fingerprint import digest

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
# Unreserved and reserved characters (RFC 3986, sections 2.2 and 2.3) that may stand in a relative path: no colon, which
# would end a scheme, and no question mark.
_SIGNS = "-._~/@!$&'()*+,;=%"
_LONE_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")
# GitHub refuses the whole file where a rule has more.
_MOST_TAGS = 20
_LEVELS = {"critical": "error", "high": "error", "medium": "warning", "low": "note"}


def render(report: Report) -> bytes:
    """The document as UTF-8."""
    types = sorted({one["type"] for one in report.vulnerabilities})
    run = {
        "tool": {
            "driver": {
                "name": "Gatecrash",
                "semanticVersion": report.version,
                "rules": [_rule(kind, report) for kind in types],
            }
        },
        "invocations": [_invocation(report)],
        "results": [
            _result(one, types, cause)
            for one, cause in zip(report.vulnerabilities, told_at(report.vulnerabilities), strict=True)
        ],
    }
    return orjson.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, option=orjson.OPT_INDENT_2)


def _rule(kind: str, report: Report) -> dict[str, Any]:
    about = entry_of(kind)
    found = [one for one in report.vulnerabilities if one["type"] == kind]
    threat = max(one["threat"] for one in found)
    weaknesses = dict.fromkeys(number for one in found for number in one["cwe"])
    tags = ["security", *about.owasp, *about.owasp_api, *(f"external/cwe/cwe-{number}" for number in weaknesses)]
    rule: dict[str, Any] = {
        "id": kind,
        "shortDescription": {"text": about.title},
        "defaultConfiguration": {"level": _LEVELS[severity(threat)]},
        # Forges sort by this number, which they expect as a text from 0.0 to 10.0.
        "properties": {"security-severity": f"{threat / 10:.1f}", "tags": tags[:_MOST_TAGS]},
    }
    if about.why:
        rule["fullDescription"] = {"text": about.why}
    if about.remediation:
        rule["help"] = {"text": about.remediation}
    return rule


def _result(one: Mapping[str, Any], types: list[str], cause: str) -> dict[str, Any]:
    host, same = _host(one["url"]), _fingerprint(one)
    text = f"{one['title']} at {place(one['point'])} of {one['endpoint']}. {one['verified_by']}"
    result: dict[str, Any] = {
        "ruleId": one["type"],
        "ruleIndex": types.index(one["type"]),
        "level": _LEVELS[severity(one["threat"])],
        "rank": float(one["threat"]),
        "message": {"text": text},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": _path(host, one["endpoint"])},
                    "region": {"startLine": 1},
                },
                "logicalLocations": [
                    {"name": place(one["point"]), "fullyQualifiedName": one["endpoint"], "kind": "resource"}
                ],
            }
        ],
        "partialFingerprints": {"gatecrashFinding/v1": same, "primaryLocationLineHash": f"{same[:16]}:1"},
        "properties": {name: one[name] for name in ("id", "code", "url", "threat", "curl", "point")},
    }
    if cause:
        result["properties"]["cause"] = cause
    if "suppressed" in one:
        # 3.27.23: once one result has the list, all must have it, and an empty one says "not suppressed".
        why = suppression(one)
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": why}] if why else []
    request = _message(one["test_request"])
    if request:
        start, headers, body = request
        method, _, rest = start.partition(" ")
        target = rest.rpartition(" ")[0]
        result["webRequest"] = {"protocol": "HTTP", "version": "1.1", "method": method, "target": target, **_parts(headers, body)}  # fmt: skip
    response = _message(one["test_response"])
    if response:
        start, headers, body = response
        _, _, rest = start.partition(" ")
        status, _, phrase = rest.partition(" ")
        result["webResponse"] = {"protocol": "HTTP", "version": "1.1", "statusCode": int(status), "reasonPhrase": phrase, **_parts(headers, body)}  # fmt: skip
    return result


def _host(url: str) -> str:
    """The host of an address, with its port."""
    return url.partition("://")[2].partition("/")[0].partition("?")[0]


def _fingerprint(one: Mapping[str, Any]) -> str:
    """What stays the same while the flaw does: its address and its code may be others in the next scan."""
    point = [step for location in one["point"] for step in location]
    return digest((one["type"], _host(one["url"]), one["endpoint"], *point))


def _path(host: str, endpoint: str) -> str:
    """Host and endpoint (`GET /items/{item_id}`) as one relative path (RFC 3986, section 4.2): 127.0.0.1_80/items/…"""
    path = endpoint.partition(" ")[2].partition(" ")[0]
    steps = [host.strip("[").replace("]", "").replace(":", "_"), *path.split("/")]
    told = "/".join(step for step in steps if step.strip("."))
    return _LONE_PERCENT.sub("%25", _encoded(told, _SIGNS))


def _encoded(text: str, signs: str) -> str:
    return "".join(
        letter if letter.isascii() and (letter.isalnum() or letter in signs) else _percent(letter) for letter in text
    )


def _percent(letter: str) -> str:
    return "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "surrogatepass"))


def _message(text: str | None) -> tuple[str, list[tuple[str, str]], str] | None:
    """A shown message taken apart again: start line, headers, body."""
    if not text:
        return None
    head, _, body = text.partition("\r\n\r\n")
    start, *lines = head.split("\r\n")
    return start, [(name, value) for name, _, value in (line.partition(": ") for line in lines)], body


def _parts(headers: list[tuple[str, str]], body: str) -> dict[str, Any]:
    """Headers are an object in SARIF: those of the same name are one, as RFC 9110 5.3 lets them be."""
    joined: dict[str, str] = {}
    for name, value in headers:
        joined[name] = f"{joined[name]}, {value}" if name in joined else value
    return {"headers": joined, "body": {"text": body}}


def _invocation(report: Report) -> dict[str, Any]:
    run = report.run
    told = {
        # False only where the run itself was cut short: results are complete otherwise.
        "executionSuccessful": run["state"] in ("passed", "failed"),
        "startTimeUtc": _utc(run["start_time"]),
        "toolExecutionNotifications": list(_notifications(report)),
        "properties": {name: run[name] for name in ("id", "name", "state", "sended_requests_count", "baseline_count")},
    }
    if run["end_time"] is not None:
        told["endTimeUtc"] = _utc(run["end_time"])
    return told


def _notifications(report: Report) -> Iterator[dict[str, Any]]:
    for one in unproven(report.baselines):
        text = f"Not tested: {one['method']} {one['url']}: {why_untested(one)}"
        yield {"level": "note" if one["status"] == "passed" else "warning", "message": {"text": text}}


def _utc(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
