"""How a recorded page is asked again, and where an answer sends the browser."""

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.known.page import Page, asking, digest_of, landing_of
from gatecrash.core.testing.known.page_words import bits_of_text, sketch_of

POST = Request("POST", b"/posts/7/comments", ((b"Cookie", b"sid=1"), (b"Content-Type", b"text/plain")), b"x", host="a")
JSON = (b"Content-Type", b"application/json")


def test_a_page_is_asked_in_the_name_of_whoever_sent_the_request() -> None:
    asked = asking(POST, Page(Request("GET", b"/posts/7", host="a"), rendered=True))
    assert (asked.method, asked.target, asked.body, asked.headers) == (
        "GET",
        b"/posts/7",
        b"",
        ((b"Cookie", b"sid=1"),),
    )


def test_a_call_that_only_reads_is_asked_with_its_own_body() -> None:
    call = Request("POST", b"/rpc", (JSON,), b'{"method": "list"}', host="a")
    asked = asking(POST, Page(call, rendered=False))
    assert (asked.method, asked.target, asked.body) == ("POST", b"/rpc", call.body)
    assert set(asked.headers) == {(b"Cookie", b"sid=1"), JSON}


def test_a_page_may_say_what_its_answers_held_all_words_of() -> None:
    page = Page(POST, rendered=True, sketch=sketch_of(bits_of_text("a letter to Ada")))
    assert page.may_say("Ada letter")
    assert not page.may_say("Ada Lovelace")
    assert not page.may_say("!")


def test_answers_that_say_the_same_have_the_same_digest() -> None:
    one, same, other = (digest_of(Response(200, (JSON,), body)) for body in (b'{"a": 1}', b'{"a":  1}', b'{"a": 2}'))
    assert one == same != other


@pytest.mark.parametrize(
    ("location", "target"),
    [
        (b"/posts/7#last", b"/posts/7"),
        (b"http://a/posts/7?x=1", b"/posts/7?x=1"),
        (b"http://a", b"/"),
        (b"thanks", b"/posts/7/thanks"),
        (b"./", b"/posts/7/"),
        (b"../8/./", b"/posts/8/"),
        (b"?page=2", b"/posts/7/comments?page=2"),
        (b"mailto:ada", None),
        (b"data:http://own.example/x", None),
        (b"/done?n=a b\xe9", b"/done?n=a%20b%E9"),
        (b"http://b/posts", None),
        (b"//b/posts", None),
        (b"", None),
    ],
)
def test_where_an_answer_sends_the_browser(location, target):
    assert landing_of(POST, Response(303, ((b"Location", location),))) == target
    assert landing_of(POST, Response(200, ((b"Location", location),))) is None
