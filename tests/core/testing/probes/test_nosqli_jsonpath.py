"""The probe nosqli_jsonpath, driven against the range's places over a real port."""

import pytest
from tests.cases.case import Case
from tests.core.testing.driving import runs
from tests.core.testing.probes.at_range import cases, run_case, told_all

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.probes.nosqli_jsonpath import PROBE

HEADERS = ((b"Host", b"x"),)


@pytest.mark.parametrize("case", cases("nosqli_jsonpath"), ids=str)
def test_case(case: Case) -> None:
    assert case.expected == told_all(run_case(case.request, PROBE))


@pytest.mark.parametrize(
    ("kind", "body", "asked"),
    [
        (b"application/json", b'[{"name": "tea"}]', True),
        (b"application/json", b'{"total": 1, "jars": [{"name": "tea"}]}', True),
        (b"application/json", b'[{"name": "salt"}]', False),
        (b"application/json", b'{"name": "tea"}', False),
        (b"application/json", b'["tea"]', False),
        (b"text/html", b"<p>tea</p>", False),
    ],
)
def test_it_is_asked_where_a_list_shows_the_value(kind: bytes, body: bytes, *, asked: bool) -> None:
    def application(_: Request) -> Response:
        return Response(200, ((b"Content-Type", kind),), body)

    request = Request("GET", b"/jars?name=tea", HEADERS, b"", "http", "127.0.0.1", 80)
    assert bool(list(runs(application, request, (PROBE,)))) is asked
