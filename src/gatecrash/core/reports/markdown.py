"""Markdown: for a comment on a merge request or a wiki page."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gatecrash.core.reports.curl import how_to_repeat
from gatecrash.core.reports.left_out import remarks
from gatecrash.core.reports.report import (
    Report,
    at,
    by_code,
    doubts,
    elsewhere,
    grouped,
    merged,
    place,
    severity,
    suppression,
    tally,
    verdict,
    weaknesses,
)

MOST_LISTED = 50
# What would start markup, a mention or a link in the flavours that forges read.
_MARKUP = re.compile(r"([\\`*_{}\[\]<>()#+!|~@-])")
_FENCE = re.compile("`{3,}")


def render(report: Report) -> bytes:
    """The document as UTF-8."""
    lines = [
        *_head(report),
        *_table(report),
        *([text(told), ""] if (told := how_to_repeat(one["curl"] for one in report.vulnerabilities)) else []),
        *(line for one, others in grouped(report.vulnerabilities) for line in _finding(one, others)),
    ]
    for title, doubted in doubts(report.baselines, MOST_LISTED):
        lines += [f"## {title}", "", *(f"- {text(line)}" for line in doubted), ""]
    return ("\n".join(lines) + "\n").encode("utf-8", "backslashreplace")


def text(words: object) -> str:
    """Words that stay words: no markup of theirs works."""
    return _MARKUP.sub(r"\\\1", str(words)).replace("\r", " ").replace("\n", " ")


def _head(report: Report) -> Iterator[str]:
    run = report.run
    yield f"# Test run {text(run['name'])}: {verdict(report)}"
    yield ""
    yield f"- Vulnerabilities: **{len(by_code(report.vulnerabilities))}**"
    if told := merged(len(report.vulnerabilities), len(grouped(report.vulnerabilities))):
        yield f"- {told}"
    yield f"- Baseline requests: {run['baseline_count']} ({tally(run)})"
    yield f"- Test requests sent: {run['sended_requests_count']}"
    if run["inconclusive_count"]:
        yield f"- Checks that could not decide: {run['inconclusive_count']}"
    if run["interrupt_reason"]:
        yield f"- Interrupted: {text(run['interrupt_reason'])}"
    yield from (f"- {text(remark)}" for remark in remarks(run))
    yield ""


def _table(report: Report) -> Iterator[str]:
    if not report.vulnerabilities:
        return
    yield "| Code | Type | Severity | Endpoint | Point |"
    yield "| --- | --- | --- | --- | --- |"
    for one, others in grouped(report.vulnerabilities):
        rank = severity(one["threat"]) + (" (suppressed)" if suppression(one) else "")
        cells = (one["code"], one["type"], rank, at(one, others), place(one["point"]))
        yield "| " + " | ".join(text(cell) for cell in cells) + " |"
    yield ""


def _finding(one: Mapping[str, Any], others: Sequence[str]) -> Iterator[str]:
    yield f"## {text(one['code'])}: {text(one['title'])}"
    yield ""
    yield f"- Where: {text(one['method'])} {text(one['url'])}, at {text(place(one['point']))}"
    if others:
        yield f"- Also at: {text(elsewhere(others))}"
    yield f"- Weakness: {text(weaknesses(one))}, threat {one['threat']} of 100"
    if why := suppression(one):
        yield f"- Suppressed: {text(why)}"
    yield f"- Verified by: {text(one['verified_by'])}"
    yield f"- To mend: {text(one['remediation'])}"
    yield ""
    for heading, name, language in (
        ("To reproduce", "curl", "sh"),
        ("Test request", "test_request", "http"),
        ("Answer", "test_response", "http"),
    ):
        if one.get(name):
            yield from _fenced(heading, str(one[name]), language)


def _fenced(heading: str, block: str, language: str) -> Iterator[str]:
    """A block that nothing in it can end: its fence is longer than any of its own (CommonMark 0.31, section 4.5)."""
    fence = "`" * max(3, 1 + max((len(run) for run in _FENCE.findall(block)), default=0))
    yield f"{heading}:"
    yield ""
    yield fence + language
    yield block.replace("\r\n", "\n").rstrip("\n")
    yield fence
    yield ""
