"""The probe xpathi, driven against the range's places over a real port, and where an evaluator's complaint is all that shows."""

from urllib.parse import unquote_to_bytes

import lxml.etree
import pytest
from tests.core.testing.driving import runs
from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probes.xpathi import PROBE

SHELVES = lxml.etree.fromstring("<shelves><shelf name='tea'/><shelf name='rum'/></shelves>")


class TestProbe(AtRange):
    name = "xpathi"
    probe = PROBE


def evaluated(value: str) -> str:
    """What an evaluator complains of; nothing of what it finds."""
    try:
        SHELVES.xpath(f"//shelf[@name='{value}']")
    except lxml.etree.XPathError as error:
        return f"lxml.etree.XPathEvalError: {error}"
    return ""


def counted_in_quotes(value: str) -> str:
    """The words of another language, which calls nothing, and knows no function of anybody's."""
    return "Unterminated string literal" if value.count("'") % 2 else ""


@pytest.mark.parametrize(("complaint", "found"), [(evaluated, True), (counted_in_quotes, False)])
def test_a_complaint_counts_where_a_function_of_xpath_is_known(complaint, found):
    def application(request: Request) -> Response:
        told = complaint(unquote_to_bytes((request.query or b"=").partition(b"=")[2].replace(b"+", b" ")).decode())
        return Response(400 if told else 200, ((b"Content-Type", b"text/plain"),), (told or "noted").encode())

    every = runs(application, Request("GET", b"/note?shelf=tea", ((b"Host", b"a"),), host="a"), (PROBE,), THOROUGH)
    told = {run.verdict.detail for run in every if run.verdict.proof}
    assert told == ({"error of an XPath evaluator"} if found else set())
