"""Which texts of a JSON answer a page inserts as markup."""

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.oracles.pages.markup_members import inserted

ASKED = Request("GET", b"/find?q=tea", host="h.example")


def told(body: str, kind: bytes = b"application/json; charset=utf-8") -> Response:
    return Response(200, ((b"Content-Type", kind),), body.encode())


def test_texts_that_hold_tags_in_the_recorded_answer_are_shown_as_a_page():
    recorded = told('{"items": [{"shown": "<p>tea</p>", "name": "tea"}], "status": "ok"}')
    page = inserted(
        told('{"items": [{"shown": "<p>x</p>", "name": "<i>"}, {"shown": "y"}], "status": "<b>"}'), recorded, ASKED
    )
    assert page.first(b"Content-Type") == b"text/html; charset=utf-8"
    assert set(page.body.decode().split("\n")) == {"<p>x</p>", "y"}


@pytest.mark.parametrize(
    ("recorded", "request_"),
    [
        (told('{"shown": "tea"}'), ASKED),
        (told('{"shown": "List<String> of a < b"}'), ASKED),
        (told('{"shown": "<p>tea</p>"}', b"text/plain"), ASKED),
        (told('{"shown": "<p>tea</p>"'), ASKED),
        (told('{"shown": "<p>tea</p>"}'), Request("GET", b"/a?text=%3Cp%3Etea%3C%2Fp%3E", host="h.example")),
        (told('{"shown": "<p>tea</p>"}'), Request("POST", b"/a", (), b'{"text": "<p>tea<\\/p>"}', host="h.example")),
        (
            told('{"shown": "<p class=\\"a\\">tea</p>"}'),
            Request("POST", b"/a", (), b'{"text": "<p class=\\"a\\">tea</p>"}', host="h.example"),
        ),
    ],
)
def test_other_answers_and_tags_that_the_request_brought_along_are_left_as_they_are(recorded, request_):
    answer = told('{"shown": "<p>x</p>"}')
    assert inserted(answer, recorded, request_) is answer
