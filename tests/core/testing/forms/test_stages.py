"""Forms that are answered by the next one."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.forms.stages import Stages, holds_next, place_of

FORM = (b"Content-Type", b"application/x-www-form-urlencoded")


def post(target: str, body: str) -> Request:
    return Request("POST", target.encode(), (FORM, (b"Cookie", b"sid=1")), body.encode(), host="a")


def page(markup: str, status: int = 200) -> Response:
    return Response(status, ((b"Content-Type", b"text/html"),), markup.encode())


def step(number: str, action: str = "", name: str = "step") -> str:
    return (
        f"<form method=post action='{action}'><input type=hidden name={name} value='{number}'><input name=town></form>"
    )


LAYOUT = "<form method=post action='/look'><input type=hidden name=look value=9></form>"
ONE, TWO, THREE = (post("/survey?x=1", body) for body in ("step=1&name=a", "step=2&town=b", "step=3&note=c"))


def behind(request: Request, *sent: tuple[Request, Response]) -> list[bytes]:
    stages = Stages()
    for each in sent:
        stages.see(Exchange(*each))
    return [each.body for each in stages.of(request)]


def test_the_steps_behind_a_form_are_told_in_order():
    sent = ((ONE, page(LAYOUT + step("2"))), (TWO, page(LAYOUT + step("3"))), (THREE, page("Thank you")))
    assert behind(ONE, *sent) == [TWO.body, THREE.body]
    assert behind(TWO, *sent) == [THREE.body]
    assert behind(THREE, *sent) == []


def test_steps_may_have_names_and_stand_behind_a_sites_one_script():
    first = post("/index.php?page=survey", "stage=person&name=a")
    last = post("/index.php?page=survey", "stage=remarks&town=b")
    sent = ((first, page(step("remarks", "index.php?page=survey", "stage"))), (last, page("Thank you")))
    assert behind(first, *sent) == [last.body]
    elsewhere = page(step("remarks", "index.php?page=news", "stage"))
    assert behind(first, (first, elsewhere), (last, page("Thank you"))) == []


def test_the_addresses_themselves_may_count():
    first, last = post("/leave2.php", "name=a"), post("/leave3.php", "town=b")
    assert behind(first, (first, page("<form method=post action=leave3.php>")), (last, page("Kept"))) == [last.body]


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        (ONE, page(step("1"))),
        (ONE, page(step("5"))),
        (ONE, page(step("2"), 302)),
        (ONE, page(step("2", name="id"))),
        (post("/entry", "id=1&name=a"), page(step("2", name="id"))),
        (post("/leave2.php", "name=a"), page("<form method=post action=leave2.php>")),
        (post("/leave2.php", "name=a"), page("<form method=post action=news3.php>")),
    ],
    ids=["the same again", "not the next", "led away", "another field", "a thing", "its own address", "elsewhere"],
)
def test_other_forms_do_not_go_on(request_: Request, answer: Response):
    assert holds_next(request_, answer) == frozenset()


@pytest.mark.parametrize("target", ["/checkout", "/orders/pay", "/session/sign-out"])
def test_what_costs_or_ends_something_is_no_step(target: str):
    first, last = post(target, "step=1&name=a"), post(target, "step=2&town=b")
    assert behind(first, (first, page(step("2"))), (last, page("Done"))) == []


def test_it_is_kept_without_what_says_who_sent_it():
    stages = Stages()
    assert stages.see(Exchange(ONE, page(step("2"))))
    assert stages.see(Exchange(TWO, page("Done")))
    assert not stages.see(Exchange(TWO, page("Done")))
    assert [each.first(b"Cookie") for each in stages.of(ONE)] == [None]
    assert place_of(ONE) == ("/survey", "step", "1")
