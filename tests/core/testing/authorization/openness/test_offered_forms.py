"""A form that its page shows to visitors is meant to be sent by them; all else stays what it is."""

from random import Random

import pytest
from tests.core.testing.driving import answered, credentials_of

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.openness.exposure import Stake
from gatecrash.core.testing.authorization.openness.offered_forms import stake_beside_offers
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

HTML = ((b"Content-Type", b"text/html"),)
TAKEN = Response(200, HTML, b"<p>Your order was taken.</p>")
FORM = Response(200, HTML, b"<form method=post action=/bakery/order><input name=bread><input name=pieces></form>")
TO_LOGIN = Response(302, ((b"Location", b"/login"),))


def stake(
    given: Response = FORM,
    path: bytes = b"/bakery/order",
    body: bytes = b"bread=rye&pieces=2",
    kind: bytes = b"application/x-www-form-urlencoded",
    good: Response = TAKEN,
    page: bytes = b"/bakery/order",
) -> Stake:
    headers = (
        (b"Host", b"shop.example"),
        (b"Cookie", b"PHPSESSID=3f9a0c77de114b02aa553f9a0c77"),
        (b"Content-Type", kind),
        (b"Referer", b"http://shop.example" + page),
    )
    request = Request("POST", path, headers, body, host="shop.example", port=80)
    situation = Situation(
        baseline=Baseline("bl_1", Exchange(request, good)),
        point=Point(),
        value=b"",
        credentials=credentials_of(request),
        policy=DEFAULT,
        random=Random(1),
    )

    def visitors(question: Request) -> Response:
        assert question.method == "GET"
        assert question.first(b"Cookie") is None
        return given

    return answered(stake_beside_offers(situation, good), visitors)


def test_what_a_page_offers_to_visitors_is_theirs_to_send():
    assert stake() is Stake.PERHAPS


def test_so_it_is_where_the_form_leads_to_its_own_page():
    own = Response(200, HTML, b"<form method=post><input name=bread><textarea name=pieces></textarea></form>")
    assert stake(own) is Stake.PERHAPS


@pytest.mark.parametrize(
    "otherwise",
    [
        {"given": TO_LOGIN},
        {"given": Response(200, HTML, b"<p>Only for members.</p>")},
        {"given": Response(200, HTML, b"<form action=/search><input name=bread></form>")},
        {"given": Response(200, HTML, b"<form method=post action=/bakery/order><input name=since></form>")},
        {"path": b"/admin/orders", "page": b"/admin/orders"},
        {"path": b"/bakery/order/7", "page": b"/bakery/order/7"},
        {"body": b"bread=rye&pieces=2&order_id=7"},
        {"body": b'{"bread": "rye"}', "kind": b"application/json"},
        {"page": b"/logout"},
    ],
    ids=[
        "sent to the login", "no form", "another form", "other fields", "in a part for some", "of one object",
        "to an object in its fields", "no form sends this", "a page that is not asked for",
    ],
)  # fmt: skip
def test_all_else_is_still_somebodys(otherwise: dict):
    assert stake(**otherwise) is Stake.SURE


def test_what_tells_what_people_keep_is_still_theirs():
    told = b"<table><tr><th>Name</th><th>Iban</th></tr><tr><td>Ann</td><td>DE89370400440532013000</td></tr></table>"
    private = Response(200, HTML, told)
    assert stake(good=private) is Stake.SURE
