"""What a link may keep, and how it is marked; what came of it is tested with the probes csrf_link and csrf_method."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.dialogues.foreign_links import kept_texts, with_letters, without_query


def texts(query: bytes) -> list[str]:
    return list(kept_texts(Request("GET", b"/settings?" + query), ("get",)).values())


def test_texts_are_kept() -> None:
    assert texts(b"about=I+like+tea&mail=ann%40tea.example") == ["I like tea", "ann@tea.example"]


@pytest.mark.parametrize(
    "query",
    [
        b"do=show",
        b"action=set_mail",
        b"redirect_to=%2Fhome",
        b"kind=save",
        b"on=true",
        b"n=5",
        b"csrf_token=9d2f77a1c0",
        b"pwd=sesame",
    ],
)
def test_what_says_what_is_done_and_what_is_secret_is_none(query: bytes) -> None:
    assert texts(query) == []


def test_only_one_place_is_looked_at() -> None:
    form = Request("POST", b"/a?b=cde", ((b"Content-Type", b"application/x-www-form-urlencoded"),), b"f=ghi")
    assert list(kept_texts(form, ("get",)).values()) == ["cde"]
    assert list(kept_texts(form, ("post", "form_urlencoded")).values()) == ["ghi"]


def test_the_domain_of_an_address_for_mail_stays() -> None:
    assert with_letters("ann@tea.example", "bcd") == "annbcd@tea.example"
    assert with_letters("I like @tea", "bcd") == "I like @teabcd"


def test_a_page_is_asked_for_without_what_was_sent() -> None:
    plain = without_query(Request("POST", b"/settings?tab=2", ((b"Content-Type", b"text/plain"),), b"a"))
    assert (plain.method, plain.target, plain.body, plain.first(b"Content-Type")) == ("GET", b"/settings", b"", None)
