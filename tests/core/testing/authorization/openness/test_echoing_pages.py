"""A page that shows what it was asked with holds nothing of anybody's."""

from random import Random

import pytest
from tests.core.testing.authorization.openness.test_exposure import KEY, situation

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.openness.echoing_pages import (
    shows_only_what_was_asked,
    writes_out_what_was_sent,
)
from gatecrash.core.testing.authorization.openness.exposure import is_at_stake
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

HTML = (b"Content-Type", b"text/html; charset=utf-8")


def shows_only(target: str, body: str, kind: tuple[bytes, bytes] = HTML) -> bool:
    return shows_only_what_was_asked(Request("GET", target.encode()), Response(200, (kind,), body.encode()))


@pytest.mark.parametrize(
    "page",
    [
        "<p>It was saved</p>",
        "<title>Devices</title><h1>Your devices</h1><div class=note>it was <b>saved</b></div><footer>2024</footer>",
        "<nav><a href=/devices>All</a></nav>It was saved &nbsp;",
        "<title>Devices</title><h1>Well: it was saved</h1>",
    ],
)
def test_a_page_of_the_words_of_its_address_is_one(page):
    assert shows_only("/ui/device?msg=It%20was%20saved", page)


@pytest.mark.parametrize(
    "page",
    [
        "<h1>Devices</h1>",
        "<title>It was saved</title><h1>Devices</h1>",
        "<h1>It was saved</h1><script src=/devices.js></script>",
        "<h1>Devices</h1><p>It was saved</p><p>Ann's telephone</p>",
        "<p>It was saved</p><input name=pin value=4711>",
        "<p>It was saved</p><img src=/photos/ann.png>",
        "<p>It was saved</p><h1>Mine</h1><li>telephone",
    ],
)
def test_a_page_that_says_or_holds_more_is_none(page):
    assert not shows_only("/ui/device?msg=It%20was%20saved", page)


def test_what_is_no_page_or_was_asked_nothing_is_none():
    assert not shows_only("/device?msg=saved", '{"msg": "saved"}', (b"Content-Type", b"application/json"))
    assert not shows_only("/device/saved", "<p>saved</p>")


@pytest.mark.parametrize(("page", "kept"), [(b"<p>saved</p>", False), (b"<p>saved</p><p>Telephone</p>", True)])
def test_such_a_page_is_nobodys_though_it_is_named_like_what_is_kept(page, kept):
    exchange = Exchange(Request("GET", b"/ui/device?msg=saved"), Response(200, (HTML,), page))
    situation = Situation(
        baseline=Baseline("bl_1", exchange),
        point=Point(),
        value=b"",
        credentials=(Point.of("header", "X-API-KEY"),),
        policy=DEFAULT,
        random=Random(1),
        everywhere=True,
    )
    assert is_at_stake(situation, exchange.response) is kept


SENT = b'{"name": "Ann Lee", "pet": "Moss", "copies": 1}'


def writes_out(told: bytes, sent: bytes = SENT, target: bytes = b"/letters/fill") -> bool:
    request = Request("POST", target, ((b"Content-Type", b"application/json"),), sent)
    return writes_out_what_was_sent(request, Response(200, ((b"Content-Type", b"application/json"),), told))


@pytest.mark.parametrize(
    "told",
    [
        b'{"subject": "About Moss", "text": "Dear Ann Lee, Moss is due."}',
        b'{"html": "<p>Ann Lee</p><p>Moss</p>", "copies": 1}',
    ],
)
def test_a_letter_made_of_what_was_sent_tells_nothing_else(told):
    assert writes_out(told)


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (b'{"name": "Ann Lee", "pet": "Moss"}', "it may have been set"),
        (b'{"id": 7, "text": "Dear Ann Lee, Moss is due."}', "something was made"),
        (b'{"text": "Dear Ann Lee", "owner": "Bea Ray"}', "somebody else is told of"),
        (b'{"text": "Dear Ann Lee"}', "not all of it is there"),
        (b'{"message": "Ann Lee is told of Moss"}', "something was done"),
        (b"{}", "nothing is told"),
    ],
)
def test_what_does_or_tells_more_is_no_such_letter(told, why):
    assert not writes_out(told), why


def test_an_address_that_is_asked_with_a_key_may_be_for_everybody_where_it_only_writes_out_what_it_is_sent():
    def stake(told: bytes) -> bool:
        headers = ((b"Content-Type", b"application/json"), (b"X-Api-Key", b"k-81f0"))
        exchange = Exchange(
            Request("POST", b"/format", headers, b'{"text": "hello"}'), Response(200, headers[:1], told)
        )
        return is_at_stake(situation(exchange, (KEY,)), exchange.response)

    assert not stake(b'{"html": "<p>hello</p>"}')
    assert stake(b'{"text": "hello"}')
