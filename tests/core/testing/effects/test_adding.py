"""What only adds something: a POST of which nothing says that it changes what is there."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.adding import adds

JSON = ((b"Content-Type", b"application/json"),)
FORM = ((b"Content-Type", b"application/x-www-form-urlencoded"),)


def asked(method: str, target: bytes, body: bytes = b'{"text": "a"}', answer: bytes = b'{"id": 7}') -> Baseline:
    headers = JSON if body.startswith(b"{") else FORM
    return Baseline("b", Exchange(Request(method, target, headers, body), Response(200, JSON, answer)))


@pytest.mark.parametrize(
    "baseline",
    [
        asked("POST", b"/messages"),
        asked("POST", b"/search", b"term=lamp"),
        asked("POST", b"/orders/7/comments"),
        asked("POST", b"/invoices/preview"),
    ],
)
def test_what_only_adds(baseline: Baseline) -> None:
    assert adds(baseline)


@pytest.mark.parametrize(
    "baseline",
    [
        asked("GET", b"/messages", b""),
        asked("PUT", b"/messages/7"),
        asked("PATCH", b"/messages/7"),
        asked("POST", b"/messages/7/update"),
        asked("POST", b"/orders/7/cancel"),
        asked("POST", b"/requests/7/approve"),
        asked("POST", b"/graphql", b'{"query": "mutation { cancelVisit(id: 7) { id } }"}'),
        asked("POST", b"/messages", b"ids=7,8"),
        asked("POST", b"/messages", answer=b'{"updated": 2}'),
    ],
)
def test_what_may_change_what_is_there(baseline: Baseline) -> None:
    assert not adds(baseline)
