"""The probe ssti, driven against the range's places over a real port, and against a mail that nobody sees."""

import re
from urllib.parse import unquote_to_bytes

import pytest
from tests.core.testing.driving import runs
from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.policy import DEFAULT, QUICK, THOROUGH
from gatecrash.core.testing.probes.ssti import PROBE
from gatecrash.core.testing.verdict import Outcome


class TestProbe(AtRange):
    name = "ssti"
    probe = PROBE


class Mail:
    """Says the same whatever it is asked, and waits where Jinja2 would, on a clock of its own. renders: whether it does."""

    def __init__(self, *, renders: bool) -> None:
        self.renders, self.elapsed = renders, 0.05

    def __call__(self, request: Request) -> Response:
        text = unquote_to_bytes(request.target.replace(b"+", b" "))
        waits = re.search(rb"[{]{2}cycler[^}]+[.]sleep[(](\d)[)][}]{2}", text)
        self.elapsed = 0.05 + (int(waits[1]) if waits and self.renders else 0)
        return Response(200, ((b"Content-Type", b"text/plain"),), b"The mail is on its way.")


@pytest.mark.parametrize("query", [b"text=Dear%20%7B%7Bname%7D%7D", b"mail_template=Dear"])
def test_a_template_by_its_look_or_name_is_asked_for_waits_by_the_default_policy(query):
    asked = Request("GET", b"/mail?" + query)
    (found,) = runs(Mail(renders=True), asked, (PROBE,), DEFAULT)
    assert found.verdict.detail == "computed by a template engine: it waits"
    (sound,) = runs(Mail(renders=False), asked, (PROBE,), DEFAULT)
    assert sound.verdict.outcome is Outcome.SAFE
    assert len(sound.sent) <= sound.check.forecast


def test_any_other_text_is_asked_for_waits_where_all_is_asked_for():
    asked = Request("GET", b"/mail?name=Ann")
    told = {policy.id: runs(Mail(renders=True), asked, (PROBE,), policy)[0] for policy in (QUICK, DEFAULT, THOROUGH)}
    assert [name for name, run in told.items() if run.verdict.outcome is Outcome.VULNERABLE] == ["thorough"]
