"""One HTML page that needs nothing else: no script, no foreign address, made to be read, mailed and printed.

What targets and payloads wrote stands in it as text only, and a Content-Security-Policy forbids all but its own style,
so that a report about cross-site scripting is not one.
"""

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from html import escape
from typing import Any

from gatecrash.core.reports.curl import how_to_repeat
from gatecrash.core.reports.html_style import STYLE
from gatecrash.core.reports.left_out import remarks
from gatecrash.core.reports.report import (
    Report,
    at,
    by_code,
    elsewhere,
    grouped,
    merged,
    nothing_fitted,
    place,
    severity,
    suppression,
    unproven,
    verdict,
    weaknesses,
    why_untested,
)
from gatecrash.core.testing.catalogue import entry_for

MOST_BASELINES = 2_000
_TONES = {"passed": "passed", "vulnerable": "failed"}


def render(report: Report) -> bytes:
    """The page as UTF-8."""
    digest = b64encode(sha256(STYLE.encode()).digest()).decode()
    title = f"Gatecrash: {report.run['name']}"
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{digest}'\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">'
        f"<title>{_text(title)}</title><style>{STYLE}</style></head><body><main>"
        f"{_head(report)}{_untested(report)}{_left_out(report)}{_findings(report)}{_baselines(report)}{_foot(report)}</main></body></html>\n"
    )
    return page.encode("utf-8", "backslashreplace")


def _text(value: object) -> str:
    # C0 controls are no HTML characters at all; a reader should still see that one was there.
    shown = "".join(letter if letter >= " " or letter in "\n\t" else f"\\x{ord(letter):02x}" for letter in str(value))
    return escape(shown)


def _head(report: Report) -> str:
    run = report.run
    told = verdict(report)
    tiles = (
        ("Vulnerabilities", len(by_code(report.vulnerabilities)), "bad" if report.vulnerabilities else "good"),
        ("Baseline requests", run["baseline_count"], ""),
        ("Passed", run["baseline_check_passed_count"] - nothing_fitted(run), ""),
        ("Failed", run["baseline_check_fail_count"], ""),
        ("Not tested", len(report.untested) - run["baseline_skipped_count"], "warn"),
        ("Skipped", run["baseline_skipped_count"], ""),
        ("Undecided checks", run["inconclusive_count"], "warn"),
        ("Test requests", run["sended_requests_count"], ""),
    )
    shown = "".join(
        f'<li class="{tone if value else ""}"><b>{_text(value)}</b> {_text(name)}</li>' for name, value, tone in tiles
    )
    about = [
        ("Hosts", ", ".join(run["domains"])),
        ("Policy", run["policy_id"]),
        ("Started", _moment(run["start_time"])),
    ]
    if run["end_time"] is not None:
        about.append(("Ended", _moment(run["end_time"])))
    if run["interrupt_reason"]:
        about.append(("Interrupted because", run["interrupt_reason"]))
    if run["authenticated_share"] is not None:
        about.append(("Session alive", f"{run['authenticated_share']:.0%} of control requests"))
    return (
        f'<header><p class="brand">Gatecrash test run</p><h1>{_text(run["name"])}</h1>'
        f'<p><span class="verdict {_TONES.get(told, "interrupted")}">{_text(told.capitalize())}</span></p>'
        f'<ul class="tiles">{shown}</ul>{_list(about)}</header>'
    )


def _left_out(report: Report) -> str:
    told = "".join(f"<p>{_text(remark)}</p>" for remark in remarks(report.run))
    return f'<div class="notice">{told}</div>' if told else ""


def _untested(report: Report) -> str:
    rows = unproven(report.baselines)
    if not rows and report.run["baseline_count"]:
        return ""
    if not report.run["baseline_count"]:
        return '<p class="notice"><b>Nothing was tested:</b> the test record holds no baseline request.</p>'
    return (
        f'<p class="notice"><b>Not tested: {len(rows)} of {report.run["baseline_count"]} baseline requests.</b> That nothing was'
        " found there means nothing. The reasons are in the table of baseline requests.</p>"
    )


def _findings(report: Report) -> str:
    if not report.vulnerabilities:
        return "<section><h2>Vulnerabilities</h2><p>None was found in what was tested.</p></section>"
    found = grouped(report.vulnerabilities)
    links = "".join(
        f'<tr><td><a href="#{_text(one["id"])}">{_text(one["code"])}</a></td><td>{_badge(one)}</td>'
        f"<td>{_text(one['title'])}</td><td><code>{_text(at(one, others))}</code></td>"
        f"<td><code>{_text(place(one['point']))}</code></td></tr>"
        for one, others in found
    )
    table = (
        '<div class="scroll"><table class="found"><thead><tr><th>Code<th>Severity<th>What<th>Endpoint<th>Point</tr></thead>'
        f"<tbody>{links}</tbody></table></div>"
    )
    told = merged(len(report.vulnerabilities), len(found))
    note = f"<p>{told}.</p>" if told else ""
    return f"<section><h2>Vulnerabilities</h2>{note}{table}{''.join(_finding(*each) for each in found)}</section>"


def _finding(one: Mapping[str, Any], others: Sequence[str]) -> str:
    about = (
        ("Where", f"{one['method']} {one['url']}"),
        ("Also at", elsewhere(others)),
        ("Point", place(one["point"])),
        ("Weakness", weaknesses(one)),
        ("Threat", f"{one['threat']} of 100"),
        ("Suppressed because", suppression(one)),
        ("Verified by", one["verified_by"]),
        ("Why it matters", entry_for(one["type"], one["title"], one["cwe"]).why),
        ("How to fix it", one["remediation"]),
    )
    told = how_to_repeat([one["curl"]])
    hint = f"<p>{_text(told)}</p>" if told else ""
    command = f"<h4>To reproduce</h4>{hint}<pre>{_text(one['curl'])}</pre>" if one["curl"] else ""
    return (
        f'<article id="{_text(one["id"])}"><h3>{_text(one["code"])} {_text(one["title"])} {_badge(one)}</h3>'
        f"{_list((name, value) for name, value in about if value)}{command}"
        f'<div class="proof">{_message("Test request", one["test_request"])}{_message("Its answer", one["test_response"])}'
        f"{_message('Baseline request', one['baseline_request'])}"
        f"{_message('Its answer', one.get('baseline_response'))}</div></article>"
    )


def _badge(one: Mapping[str, Any]) -> str:
    word = severity(one["threat"])
    known = ' <span class="badge skipped">suppressed</span>' if suppression(one) else ""
    return f'<span class="badge {word}">{word}</span>{known}'


def _message(name: str, shown: str | None) -> str:
    if not shown:
        return ""
    lines = shown.replace("\r\n", "\n").rstrip("\n")
    return f"<figure><figcaption>{_text(name)}</figcaption><pre>{_text(lines)}</pre></figure>"


def _list(pairs: Iterable[tuple[str, object]]) -> str:
    rows = "".join(f"<dt>{_text(name)}</dt><dd>{_text(value)}</dd>" for name, value in pairs)
    return f"<dl>{rows}</dl>"


def _baselines(report: Report) -> str:
    rows = "".join(
        f"<tr><td>{_text(one['method'])}</td><td><code>{_text(one['url'])}</code></td>"
        f'<td><span class="state {_text(one["status"])}">{_text(one["status"].replace("_", " "))}</span></td>'
        f"<td>{_text(_why(one))}</td><td>{_text(one['sent'])}</td></tr>"
        for one in report.baselines[:MOST_BASELINES]
    )
    more = len(report.baselines) - MOST_BASELINES
    rest = f"<p>and {more} more; the JSON report holds them all.</p>" if more > 0 else ""
    return (
        '<section><h2>Baseline requests</h2><div class="scroll"><table class="requests"><thead><tr><th>Method<th>URL<th>Status<th>Reason'
        f"<th>Sent</tr></thead><tbody>{rows}</tbody></table></div>{rest}</section>"
    )


def _why(one: Mapping[str, Any]) -> str:
    """Why it was not tested, or what of it could not be decided."""
    return why_untested(one) if one["status"] == "error" else str(one.get("detail") or "")


def _foot(report: Report) -> str:
    run = report.run
    return (
        f"<footer><p>Test run {_text(run['id'])} on test record {_text(run['test_record_id'])}, "
        f"written by Gatecrash {_text(report.version)}. Credentials are masked as $TOKEN.</p></footer>"
    )


def _moment(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
