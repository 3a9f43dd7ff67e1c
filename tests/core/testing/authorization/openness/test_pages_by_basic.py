"""Whether what credentials in a header came along to should have asked for them."""

from random import Random

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.openness.exposure import is_at_stake
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation


def at_stake(exchange):
    situation = Situation(
        baseline=Baseline("bl_1", exchange),
        point=Point(),
        value=b"",
        credentials=(Point.of("header", "AUTHORIZATION"),),
        policy=DEFAULT,
        random=Random(1),
    )
    return is_at_stake(situation, exchange.response)


@pytest.mark.parametrize(
    ("target", "scheme", "kind", "agent", "expected"),
    [
        (b"/web/", b"Basic", b"text/html", b"", False),  # the frame of an application, which its script fills
        (b"/web/", b"basic", b"text/html; charset=utf-8", b"", False),
        (b"/web/", b"Basic", b"application/xhtml+xml", b"", False),
        (b"/web/", b"Bearer", b"text/html", b"", True),  # a program was told to send it
        (b"/web/", b"Basic", b"application/json", b"", True),
        (b"/orders/", b"Basic", b"text/html", b"", True),  # the address says that it is somebody's
        (b"/notes/7", b"Basic", b"text/html", b"", True),
        (b"/notes/7", b"Basic", b"text/html", b"Mozilla/5.0", False),  # a browser sends them to the manual, too
        (b"/orders/", b"Basic", b"text/html", b"Mozilla/5.0", True),
    ],
)
def test_basic_credentials_come_along_to_pages_and_say_nothing_of_them(target, scheme, kind, agent, expected):
    request = Request("GET", target, ((b"Authorization", scheme + b" YW5uOnNlY3JldA=="), (b"User-Agent", agent)))
    exchange = Exchange(request, Response(200, ((b"Content-Type", kind),), b"<h1>Calendars</h1>"))
    assert at_stake(exchange) is expected


@pytest.mark.parametrize(
    ("target", "accept", "expected"),
    [
        (b"/files/legal.md", b"text/html,*/*;q=0.8", False),  # whoever reads the site sends its token there, too
        (b"/files/legal.md", b"*/*", True),  # a script of a page put it there
        (b"/orders/legal.md", b"text/html,*/*;q=0.8", True),
    ],
)
def test_a_token_that_came_along_to_a_link_says_nothing_of_it(target, accept, expected):
    headers = ((b"Authorization", b"Bearer tea"), (b"Accept", accept), (b"Sec-Fetch-Mode", b"navigate"))
    exchange = Exchange(Request("GET", target, headers), Response(200, ((b"Content-Type", b"text/plain"),), b"Terms"))
    assert at_stake(exchange) is expected
