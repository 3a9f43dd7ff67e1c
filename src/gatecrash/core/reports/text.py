"""The report as plain text for a terminal or a log: what was found and how to see it oneself, then what was not tested."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gatecrash.core.point import Point
from gatecrash.core.reports.report import nothing_fitted, suppression, unproven, why_untested

MOST_UNTESTED = 10
_WIDTH = 12


def summary(
    run: Mapping[str, Any], vulnerabilities: Sequence[Mapping[str, Any]], baselines: Iterable[Mapping[str, Any]]
) -> str:
    """The whole text. run: the run object of the contract; the others as the API shows them."""
    lines = [line for one in vulnerabilities for line in _vulnerability(one)]
    lines += _untested(baselines)
    lines += _totals(run)
    return "\n".join(lines)


def _vulnerability(one: Mapping[str, Any]) -> Iterator[str]:
    yield f"{one['code']}  {one['type']}  threat {one['threat']}  {one['title']}"
    yield _row("where", f"{one['method']} {one['url']}")
    yield _row("endpoint", one["endpoint"])
    if one["point"]:
        yield _row("point", str(Point(one["point"][0])))
    yield _row("weakness", ", ".join([*(f"CWE-{number}" for number in one["cwe"]), *one["owasp_api"], *one["owasp"]]))
    if why := suppression(one):
        yield _row("suppressed", why)
    yield _row("verified by", one["verified_by"])
    if one["curl"]:
        yield _row("to repeat", one["curl"])
    yield _row("to mend", one["remediation"])
    yield ""


def _untested(baselines: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """What is no part of a good result, one a line."""
    open_ends = unproven(baselines)
    if not open_ends:
        return
    yield "Not tested:"
    for one in open_ends[:MOST_UNTESTED]:
        yield f"  {one['method']} {one['url']}: {why_untested(one)}"
    if len(open_ends) > MOST_UNTESTED:
        yield f"  and {len(open_ends) - MOST_UNTESTED} more"
    yield ""


def _totals(run: Mapping[str, Any]) -> Iterator[str]:
    parts = {
        "passed": run["baseline_check_passed_count"] - nothing_fitted(run),
        "passed with nothing to test": nothing_fitted(run),
        "failed": run["baseline_check_fail_count"],
        "not tested": run["baseline_check_tech_fail_count"] + run["baseline_check_interrupted_count"],
        "skipped": run["baseline_skipped_count"],
    }
    told = ", ".join(f"{number} {name}" for name, number in parts.items() if number) or "none"
    yield f"{run['baseline_count']} baseline requests: {told}; {run['sended_requests_count']} test requests sent."
    found = Counter(one["type"] for one in run["vulns"])
    if found:
        yield "Found: " + ", ".join(f"{number} {kind}" for kind, number in sorted(found.items())) + "."


def _row(name: str, value: object) -> str:
    return f"  {name:<{_WIDTH}}{value}"
