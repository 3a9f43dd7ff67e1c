"""A vulnerability as reports and the API show it: its facts, the words of its class, and its proof without credentials."""

from collections.abc import Collection, Sequence
from typing import Any, Protocol

from gatecrash.core.auth.recogniser import Recogniser
from gatecrash.core.message import Exchange
from gatecrash.core.point import Point
from gatecrash.core.reports.body_secrets import exchange_without, secrets_of
from gatecrash.core.reports.curl import curl
from gatecrash.core.reports.masking import mask_request, mask_response
from gatecrash.core.reports.raw import raw_request, raw_response
from gatecrash.core.reports.whose import whose
from gatecrash.core.testing.catalogue import entry_for


class FindingFacts(Protocol):
    """What is kept of a vulnerability. point: its steps. url: credentials masked. found_at: UNIX seconds."""

    id: str
    code: str
    type: str
    threat: int
    title: str
    cwe: Sequence[int]
    method: str
    url: str
    endpoint: str
    point: Sequence[str]
    verified_by: str
    run_id: str
    baseline_id: str
    found_at: int


def vulnerability(facts: FindingFacts) -> dict[str, Any]:
    """A vulnerability without its proof; what is true of all that its check finds comes from the catalogue."""
    about = entry_for(facts.type, facts.title, facts.cwe)
    return {
        "id": facts.id,
        "code": facts.code,
        "type": facts.type,
        "threat": facts.threat,
        "title": facts.title or about.title,
        "cwe": list(facts.cwe or about.cwe),
        "owasp": list(about.owasp),
        "owasp_api": list(about.owasp_api),
        "method": facts.method,
        "url": facts.url,
        "endpoint": facts.endpoint,
        "point": [list(facts.point)] if facts.point else [],
        "verified_by": facts.verified_by,
        "remediation": about.remediation,
        "test_run_id": facts.run_id,
        "baseline_id": facts.baseline_id,
        "found_at": facts.found_at,
    }


def evidence(
    test: Exchange | None,
    baseline: Exchange | None,
    control: Exchange | None,
    recogniser: Recogniser,
    points: Collection[Point] = (),
) -> dict[str, str | None]:
    """The exchanges that prove it as text, credentials masked, and a curl command; each null where nothing was kept.

    `…_credentials`: as `whose` tells them, in the order of baseline, control and test.
    points: where an auth profile sets credentials, as `mask_request` takes them.
    """
    secrets = secrets_of(baseline.request) if baseline else ()
    recorded, compared, tried = whose(
        [exchange.request if exchange else None for exchange in (baseline, control, test)], recogniser, points
    )
    test, baseline, control = (masked(exchange, recogniser, points, secrets) for exchange in (test, baseline, control))
    return {
        "curl": curl(test.request) if test else None,
        "test_request": _request(test),
        "test_response": _response(test),
        "baseline_request": _request(baseline),
        "baseline_response": _response(baseline),
        "control_request": _request(control),
        "control_response": _response(control),
        "test_credentials": tried,
        "baseline_credentials": recorded,
        "control_credentials": compared,
    }


def masked(
    exchange: Exchange | None, recogniser: Recogniser, points: Collection[Point], secrets: tuple[bytes, ...]
) -> Exchange | None:
    """An exchange as it may be shown. secrets: of the baseline's body (body_secrets), wherever a test has carried them."""
    if exchange is None:
        return None
    response = mask_response(exchange.response) if exchange.response is not None else None
    return exchange_without(Exchange(mask_request(exchange.request, recogniser, points), response), secrets)


def _request(exchange: Exchange | None) -> str | None:
    return raw_request(exchange.request) if exchange else None


def _response(exchange: Exchange | None) -> str | None:
    return raw_response(exchange.response) if exchange and exchange.response is not None else None
