"""The report as plain text for a terminal or a log: what was found and how to see it oneself, then what was not tested."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gatecrash.core.point import Point
from gatecrash.core.reports.curl import how_to_repeat
from gatecrash.core.reports.left_out import remarks
from gatecrash.core.reports.plural import plural
from gatecrash.core.reports.report import by_code, doubts, elsewhere, grouped, merged, suppression, tally

MOST_LISTED = 10
_WIDTH = 12


def summary(
    run: Mapping[str, Any], vulnerabilities: Sequence[Mapping[str, Any]], baselines: Iterable[Mapping[str, Any]]
) -> str:
    """The whole text. run: the run object of the contract; the others as the API shows them."""
    found = grouped(vulnerabilities)
    lines = [line for one, others in found for line in _vulnerability(one, others)]
    if told := how_to_repeat(one["curl"] for one, _ in found):
        lines += [f"To repeat a command: {told[0].lower()}{told[1:]}", ""]
    for title, doubted in doubts(baselines, MOST_LISTED):
        lines += [f"{title}:", *(f"  {line}" for line in doubted), ""]
    lines += _totals(run)
    if told := merged(len(vulnerabilities), len(found)):
        lines.append(f"{told}.")
    return "\n".join(lines)


def _vulnerability(one: Mapping[str, Any], others: Sequence[str]) -> Iterator[str]:
    yield f"{one['code']}  {one['type']}  threat {one['threat']}  {one['title']}"
    yield _row("where", f"{one['method']} {one['url']}")
    if others:
        yield _row("also at", elsewhere(others))
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


def _totals(run: Mapping[str, Any]) -> Iterator[str]:
    recorded, sent = (
        plural(run["baseline_count"], "baseline request"),
        plural(run["sended_requests_count"], "test request"),
    )
    yield f"{recorded}: {tally(run)}; {sent} sent."
    found = Counter(same[0]["type"] for same in by_code(run["vulns"]))
    if found:
        yield "Found: " + ", ".join(f"{number} {kind}" for kind, number in sorted(found.items())) + "."
    yield from remarks(run)


def _row(name: str, value: object) -> str:
    return f"  {name:<{_WIDTH}}{value}"
