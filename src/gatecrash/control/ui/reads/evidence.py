"""A vulnerability's proof as its page shows it: point marked, baseline and test side by side, credentials masked."""

from typing import Any

from gatecrash.control.findings import evidence_rows
from gatecrash.control.findings.models import Vulnerability
from gatecrash.control.findings.recognising import current_recogniser, hidden_points
from gatecrash.control.ui.differences import sides
from gatecrash.control.ui.highlighting import marked
from gatecrash.core.message import Exchange
from gatecrash.core.reports.body_secrets import secrets_of
from gatecrash.core.reports.curl import curl
from gatecrash.core.reports.finding import masked
from gatecrash.core.reports.raw import raw_request, raw_response
from gatecrash.core.reports.whose import whose

DESCRIBED = "Nobody had sent it: it was written from a description."


def proof(row: Vulnerability) -> dict[str, Any] | None:
    """What the page shows of the proof; None where none was kept."""
    kept = evidence_rows.read(row.id)
    if kept is None:
        return None
    secrets = secrets_of(kept.baseline.request)
    recogniser, points = current_recogniser(), hidden_points(id=row.run_id)
    test, baseline, control = (
        masked(one, recogniser, points, secrets) for one in (kept.test, kept.baseline, kept.control)
    )
    compared = control or baseline
    where = marked(test.request, list(row.point)) if test else []
    shown: dict[str, Any] = {
        "where": where if any(on for _, on in where) else [],
        "curl": curl(test.request) if test else None,
        "compared_with": "Control" if control else "Baseline",
    }
    if test and compared:
        shown["request_before"], shown["request_after"] = sides(
            raw_request(compared.request), raw_request(test.request)
        )
        shown["answer_before"], shown["answer_after"] = sides(_answer(compared), _answer(test))
        sent = kept.control or kept.baseline
        shown["same_but_masked"] = test.request == compared.request and kept.test.request != sent.request
    brought = [one.request if one else None for one in (kept.baseline, kept.control, kept.test)]
    recorded, against, tried = whose(brought, recogniser, points)
    if len({recorded, against or recorded, tried}) > 1:
        shown["credentials"] = {"baseline": recorded, "compared": against or recorded, "test": tried}
    if control and baseline:
        shown["baseline_request"], shown["baseline_answer"] = raw_request(baseline.request), _answer(baseline)
    return shown


def _answer(exchange: Exchange) -> str:
    if exchange.response is not None:
        return raw_response(exchange.response)
    return DESCRIBED if exchange.drafted else "No answer came."
