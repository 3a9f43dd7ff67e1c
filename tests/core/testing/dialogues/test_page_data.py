"""Data that a page may hand its engine, and what stands beside it."""

from random import Random

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.page_data import beside, data_of, hands_data, once_a_method
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

PAGE = Response(200, ((b"Content-Type", b"text/html; charset=utf-8"),), b"<p>")
FORM = ((b"Content-Type", b"application/x-www-form-urlencoded"), (b"Content-Length", b"8"))
JSON = ((b"Content-Type", b"application/json; charset=utf-8"), (b"Content-Length", b"14"))
MORE = {"cache": "", "settings": {"view options": {"a": "1*2"}}}
BRACKETS = b"&cache=&settings%5Bview%20options%5D%5Ba%5D=1%2A2"


@pytest.mark.parametrize(
    ("request_", "data"),
    [
        (Request("GET", b"/card?name=Ann"), b"name=Ann" + BRACKETS),
        (Request("POST", b"/card?x=1", FORM, b"name=Ann"), b"name=Ann" + BRACKETS),
        (
            Request("POST", b"/card", JSON, b' {"name":"Ann"}'),
            b' {"cache":"","settings":{"view options":{"a":"1*2"}},"name":"Ann"}',
        ),
    ],
)
def test_more_stands_beside_what_is_sent(request_: Request, data: bytes):
    sent = beside(request_, MORE)
    assert data_of(sent) == data
    assert sent.path == request_.path
    if request_.body:
        assert sent.target == request_.target
        assert sent.first(b"Content-Length") == str(len(data)).encode()


@pytest.mark.parametrize(
    ("request_", "answer", "hands"),
    [
        (Request("GET", b"/card?name=Ann"), PAGE, True),
        (Request("POST", b"/card", FORM, b"name=Ann"), PAGE, True),
        (Request("POST", b"/card", JSON, b'{"name":"Ann"}'), PAGE, True),
        (Request("GET", b"/card"), PAGE, False),
        (Request("POST", b"/card?name=Ann", FORM), PAGE, False),
        (Request("POST", b"/card", JSON, b"{}"), PAGE, False),
        (Request("POST", b"/card", JSON, b"[1]"), PAGE, False),
        (Request("GET", b"/card?name=Ann"), Response(404, PAGE.headers, b"<p>"), False),
        (Request("GET", b"/card?name=Ann"), Response(200, ((b"Content-Type", b"text/plain"),), b"x"), False),
    ],
)
def test_pages_that_are_sent_something_may_hand_it_on(request_: Request, answer: Response, hands: bool):
    baseline = Baseline("bl_1", Exchange(request_, answer))
    situation = Situation(baseline=baseline, point=(), value=b"", credentials=(), policy=DEFAULT, random=Random(1))
    assert hands_data(situation) is hands


def test_each_method_and_kind_of_body_of_an_address_is_asked_once():
    read, sent = (Request(method, b"/card?x=1") for method in ("GET", "POST"))
    assert once_a_method(read) != once_a_method(sent)
    assert once_a_method(read) == once_a_method(Request("GET", b"/card?x=2"))
    form, document = Request("POST", b"/card", FORM, b"a=1"), Request("POST", b"/card", JSON, b'{"a":1}')
    assert once_a_method(form) != once_a_method(document)
