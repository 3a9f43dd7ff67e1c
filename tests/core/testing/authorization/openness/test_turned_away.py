"""A redirect that visitors are given at the page of the form as well shows nothing of a change."""

from random import Random

import pytest
from tests.core.testing.driving import answered, credentials_of

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.openness.turned_away import visitors_land_there
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

HEADERS = ((b"Host", b"shop.example"), (b"Cookie", b"PHPSESSID=3f9a0c77de114b02aa553f9a0c77"))
FRONT = Response(302, ((b"Location", b"/"),))
FORM = Response(200, ((b"Content-Type", b"text/html"),), b"<form method=post>Wide</form>")


def lands(visitor: Response, caller: Response = FORM, good: Response = FRONT, page: bytes = b"/account/edit") -> bool:
    sent_from = (b"Referer", b"http://shop.example" + page)
    request = Request("POST", b"/account/update", (*HEADERS, sent_from), b"wide=on", host="shop.example", port=80)
    situation = Situation(
        baseline=Baseline("bl_1", Exchange(request, good)),
        point=Point(),
        value=b"",
        credentials=credentials_of(request),
        policy=DEFAULT,
        random=Random(1),
    )
    asked = visitors_land_there(situation, good)
    return answered(asked, lambda question: visitor if question.first(b"Cookie") is None else caller)


def test_visitors_who_are_sent_to_the_front_page_are_so_behind_a_change_too():
    assert lands(FRONT)


@pytest.mark.parametrize(
    "otherwise",
    [
        {"visitor": Response(302, ((b"Location", b"/login"),))},
        {"visitor": FORM},
        {"visitor": FRONT, "caller": FRONT},
        {"visitor": FRONT, "good": FORM},
        {"visitor": FRONT, "page": b"/logout"},
    ],
    ids=["the login", "the form", "everybody is sent there", "no redirect", "a page that is not asked for"],
)
def test_all_else_says_nothing(otherwise: dict):
    assert not lands(**otherwise)
