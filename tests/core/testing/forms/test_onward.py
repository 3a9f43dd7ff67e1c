"""The forms behind a form that is one of several steps."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.forms.onward import Onward

WIZARD = [
    ("/leave/1", "/leave/1", "/leave/2"),
    ("/leave/2", "/leave/2", "/leave/3"),
    ("/leave/confirm", "/leave/3", "/leave/7/view"),
]


def sent(path: str, page: str, landing: str, host: str = "a") -> Exchange:
    headers = ((b"Referer", f"http://a{page}".encode()), (b"Cookie", b"sid=1"), (b"Content-Type", b"x"))
    request = Request("POST", path.encode(), headers=headers, body=b"a=b", host=host)
    return Exchange(request, Response(302, ((b"Location", landing.encode()),)))


def behind(steps: list[tuple[str, str, str]], path: str, host: str = "a") -> list[str]:
    onward = Onward()
    for step in steps:
        onward.see(sent(*step))
    return [each.path.decode() for each in onward.of(Request("POST", path.encode(), host=host))]


def test_the_forms_behind_a_step_are_told_in_order():
    assert behind(WIZARD, "/leave/1") == ["/leave/2", "/leave/confirm"]
    assert behind(WIZARD, "/leave/2") == ["/leave/confirm"]
    assert behind(WIZARD, "/leave/confirm") == []


def test_each_page_may_be_its_own_forms_address():
    steps = [("/leave/1", "", "/leave/2"), ("/leave/2", "", "/leave/confirm"), ("/leave/confirm", "", "/leave")]
    assert behind(steps, "/leave/1") == ["/leave/2", "/leave/confirm"]


def test_all_steps_have_one_end_and_what_is_none_is_its_own():
    onward = Onward()
    for step in WIZARD:
        onward.see(sent(*step))
    ends = [
        onward.end_of(Request("POST", path, host="a")).path
        for path in (b"/leave/1", b"/leave/2", b"/leave/confirm", b"/x")
    ]
    assert ends == [b"/leave/confirm", b"/leave/confirm", b"/leave/confirm", b"/x"]


def test_it_is_told_without_what_says_who_sent_it():
    onward = Onward()
    for step in WIZARD:
        onward.see(sent(*step))
    (_, last) = onward.of(Request("POST", b"/leave/1", host="a"))
    assert last.headers == ((b"Content-Type", b"x"),)
    assert last.body == b"a=b"


@pytest.mark.parametrize(
    ("steps", "path"),
    [
        ([("/news/add", "/news", "/news"), ("/news/7/hide", "/news", "/news")], "/news/add"),
        ([("/news/add", "/news", "/news"), ("/news/archive", "/news", "/news")], "/news/add"),
        ([("/news/add", "/news/new", "/news"), ("/news/delete", "/news", "/news")], "/news/add"),
        ([("/order/1", "/order/1", "/order/2"), ("/order/pay", "/order/2", "/order/done")], "/order/1"),
        ([("/order/1", "/order/1", "/order/2"), ("/desk/confirm", "/order/2", "/desk")], "/order/1"),
        (WIZARD[:2], "/leave/1"),
    ],
    ids=["below", "no end", "deletes", "pays", "elsewhere", "never ended"],
)
def test_what_is_done_next_is_no_step_for_that(steps: list[tuple[str, str, str]], path: str):
    assert behind(steps, path) == []


def test_another_hosts_forms_are_not_its_own():
    assert behind(WIZARD, "/leave/1", host="b") == []


def test_forms_that_lead_to_each_other_have_an_end():
    steps = [("/a/save", "/a/1", "/a/2"), ("/a/done", "/a/2", "/a/1")]
    assert behind(steps, "/a/save") == ["/a/done"]


def test_a_form_is_new_once():
    onward = Onward()
    assert [onward.see(sent(*WIZARD[0])) for _ in range(2)] == [True, False]
    assert not onward.see(Exchange(Request("GET", b"/leave/1"), Response(302, ((b"Location", b"/x"),))))
    assert not onward.see(Exchange(Request("POST", b"/leave/1"), Response(200)))


def test_steps_that_are_answered_by_the_next_form_are_steps_as_well():
    onward = Onward()
    form = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    first, last = (Request("POST", b"/ask", form, body, host="a") for body in (b"step=1&a=b", b"step=2&c=d"))
    html = ((b"Content-Type", b"text/html"),)
    assert onward.see(Exchange(first, Response(200, html, b"<form><input type=hidden name=step value=2></form>")))
    assert onward.see(Exchange(last, Response(200, html, b"Thank you")))
    assert onward.of(first) == (last,)
    assert onward.end_of(first) == last
