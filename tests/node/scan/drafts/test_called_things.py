"""What a SOAP function made, by what its answer is named after."""

from typing import Any

import pytest
from tests.node.scan.accounts.test_account_words import soap

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.operations.procedures import procedure_of
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.drafts.called_things import made_by_call
from gatecrash.node.scan.drafts.known_values import KnownValues

BOAT = {"id": "7", "label": "north"}
ENVELOPE = ("xml_tag", "e:Envelope", "xml_tag", "e:Body")
XML = ((b"Content-Type", b"text/xml"),)


@pytest.mark.parametrize(
    ("function", "body", "about"),
    [
        ("AddBoat", {"AddBoatResponse": {"AddBoatResult": BOAT}}, "boat"),
        ("addBoat", {"addBoatResponse": {"return": BOAT}}, "boat"),
        ("CreateCategories", {"CreateCategoriesResponse": BOAT}, "category"),
    ],
)
def test_what_a_function_makes_is_called_as_it_says(function: str, body: Any, about: str) -> None:
    assert made_by_call(soap(function), body) == (about, BOAT)


SENT = soap("SendBoat", label="north", weight="1.5")
SHOWN = {"id": "7", "label": "north", "weight": "1.5", "state": "open"}


def test_under_another_word_it_made_what_it_says_again_with_a_number() -> None:
    assert made_by_call(SENT, {"SendBoatResponse": {"return": SHOWN}}) == ("boat", SHOWN)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (SENT, {"id": "7", "label": "south", "weight": "1.5"}),
        (SENT, {"label": "north", "weight": "1.5"}),
        (SENT, [SHOWN]),
        (soap("NextBoat", label="north"), SHOWN),
        (soap("SetBoat", label="north", weight="1.5"), SHOWN),
        (soap("MoorBoat", id="7", label="north"), SHOWN),
    ],
    ids=["another one", "without a number", "a list", "a filter", "writes over it", "named"],
)
def test_what_says_less_may_be_anybodys(asked: Request, told: Any) -> None:
    body = {f"{procedure_of(asked)}Response": {"return": told}}
    assert made_by_call(asked, body) == ("", body)


@pytest.mark.parametrize(
    ("asked", "body"),
    [
        (soap("UpdateBoat", boatId="7"), {"UpdateBoatResponse": {"UpdateBoatResult": BOAT}}),
        (soap("ListBoats"), {"ListBoatsResponse": {"Boat": [BOAT]}}),
        (soap("AddBoat"), BOAT),
        (Request("POST", b"/boats"), {"return": BOAT}),
    ],
    ids=["writes over it", "reads", "of another shape", "no function"],
)
def test_anything_else_makes_nothing_under_a_word(asked: Request, body: Any) -> None:
    assert made_by_call(asked, body) == ("", body)


def answer(function: str, told: str) -> Response:
    named = f"<{function}Response><{function}Result>{told}</{function}Result></{function}Response>"
    body = f'<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>{named}</e:Body></e:Envelope>'
    return Response(200, XML, body.encode())


@pytest.mark.parametrize(("makes", "meant"), [(True, b"<boatId>303</boatId>"), (False, b"<boatId>11</boatId>")])
def test_what_was_made_is_changed_rather_than_what_a_list_shows(makes: bool, meant: bytes) -> None:
    known = KnownValues()
    known.learn(soap("ListBoats"), answer("ListBoats", "<Boat><id>11</id></Boat><Boat><id>12</id></Boat>"))
    if makes:
        known.learn(soap("AddBoat", label="north"), answer("AddBoat", "<id>303</id><label>north</label>"))
    change = soap("ChangeNote", boatId="1", note="a")
    hole = Hole("boatId", Point(("post", "xml", *ENVELOPE, "xml_tag", "ChangeNote", "xml_tag", "boatId")))
    filled = known.filled(Draft(request=change, drafted=True, holes=(hole,))).request
    assert meant in filled.body
