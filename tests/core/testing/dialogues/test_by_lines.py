"""What is asked for lines: where all was refused alike, and Ruby or all is asked."""

from contextlib import suppress
from random import Random

import pytest
from tests.core.testing.driving import record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.dialogues.by_lines import is_checked_in_ruby, may_be_checked_by_lines
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.policy import DEFAULT, THOROUGH, Policy
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.probes.sqli import PROBE

RUBY = ((b"Server", b"WEBrick/1.8.1 (Ruby/3.1.2)"),)


def asked(policy: Policy, headers: tuple[tuple[bytes, bytes], ...], answers: tuple[str, ...]) -> bool:
    """Whether lines are worth asking for, after these answers to odd input; the first is the screen's."""
    request = Request("GET", b"/?q=tea", host="127.0.0.1")
    baseline = record(lambda _: Response(200, headers, b"Tea is here"), request)
    check = next(one for one in plan(baseline, policy, (), (PROBE,)) if one.point[0] == "get")
    inquiry = Inquiry(check.situation(Random(1)), [baseline.exchange])
    for text in answers:
        asking = inquiry.send("odd")
        sent = next(asking)
        with suppress(StopIteration):
            asking.send(Answer(Exchange(sent.request, Response(200, headers, text.encode()))))
    assert is_checked_in_ruby(inquiry.situation) == bool(headers)
    return may_be_checked_by_lines(inquiry)


@pytest.mark.parametrize(
    ("policy", "headers", "answers", "worth"),
    [
        (DEFAULT, RUBY, ("Bad name", "Bad name"), True),
        (DEFAULT, RUBY, ("Bad name", "Nothing found"), False),
        (DEFAULT, RUBY, ("Tea is here", "Tea is here"), False),
        (DEFAULT, RUBY, (), False),
        (DEFAULT, (), ("Bad name", "Bad name"), False),
        (THOROUGH, (), ("Bad name", "Bad name"), True),
    ],
)
def test_lines_are_asked_for_where_all_was_refused_alike(policy, headers, answers, worth):
    assert asked(policy, headers, answers) is worth
