"""The page of a form is the one that the request says it was sent from, else one whose form sends there."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.forms.pages import form_page_of
from gatecrash.core.testing.surroundings.pages import Pages

SENT = Request("POST", b"/desk/news/add", ((b"Host", b"a.example"),), host="a.example", port=80)


def page_of(request: Request, **answers: str) -> bytes | None:
    """answers: what stands at pages of the desk."""
    pages = Pages()
    for name, text in answers.items():
        asked = Request("GET", b"/desk/news/" + name.encode(), host="a.example", port=80)
        pages.add(Exchange(asked, Response(200, ((b"Content-Type", b"text/html"),), text.encode())))
    return form_page_of(request, pages.beside(request))


@pytest.mark.parametrize(
    ("form", "page"),
    [
        ("<form method=post action=/desk/news/add>", b"/desk/news/new"),
        ("<FORM METHOD='POST' ACTION='add?from=list'>", b"/desk/news/new"),
        ("<form action=/desk/news/add>", None),
        ("<form method=post>", None),
        ("<form method=post action='http://['>", None),
        ("<p>method=post action=/desk/news/add</p>", None),
    ],
)
def test_a_page_whose_form_is_posted_there(form: str, page: bytes | None) -> None:
    assert page_of(SENT, today="<p>Summer is here</p>", new=form) == page


def test_a_form_that_names_no_address_sends_to_its_own_page() -> None:
    assert page_of(SENT, add="<form method=post><input name=headline></form>") == b"/desk/news/add"


def test_the_request_itself_knows_best() -> None:
    headers = (*SENT.headers, (b"Referer", b"http://a.example/desk?tab=news"))
    sent = Request("POST", SENT.target, headers, host="a.example", port=80)
    assert page_of(sent, new="<form method=post action=add>") == b"/desk?tab=news"


@pytest.mark.parametrize("referer", [b"http://b.example/desk", b"http://[", b"http://a.example"])
def test_what_is_no_page_of_the_host_says_nothing(referer: bytes) -> None:
    sent = Request("POST", SENT.target, (*SENT.headers, (b"Referer", referer)), host="a.example", port=80)
    assert page_of(sent, new="<form method=post action=add>") == b"/desk/news/new"
