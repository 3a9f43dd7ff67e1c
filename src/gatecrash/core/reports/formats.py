"""The report formats by name, in the order in which help lists them."""

from collections.abc import Callable

import msgspec
import orjson

from gatecrash.core.reports import csv, html, junit, markdown, sarif
from gatecrash.core.reports.json import document
from gatecrash.core.reports.report import Report
from gatecrash.core.reports.text import summary


class Format(msgspec.Struct, frozen=True):
    """How a report is written. media_type: of its content. suffix: of its file's name, without the dot."""

    media_type: str
    suffix: str
    render: Callable[[Report], bytes]


def _json(report: Report) -> bytes:
    whole = document(report.run, report.vulnerabilities, report.baselines)
    return orjson.dumps(whole, option=orjson.OPT_INDENT_2) + b"\n"


def _text(report: Report) -> bytes:
    return (summary(report.run, report.vulnerabilities, report.baselines) + "\n").encode("utf-8", "backslashreplace")


FORMATS: dict[str, Format] = {
    "sarif": Format("application/sarif+json", "sarif", sarif.render),
    "junit": Format("application/xml", "xml", junit.render),
    "html": Format("text/html; charset=utf-8", "html", html.render),
    "json": Format("application/json", "json", _json),
    "txt": Format("text/plain; charset=utf-8", "txt", _text),
    "csv": Format("text/csv; charset=utf-8", "csv", csv.render),
    "md": Format("text/markdown; charset=utf-8", "md", markdown.render),
}
