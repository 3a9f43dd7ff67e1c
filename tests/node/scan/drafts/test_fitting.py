"""Where nothing but a number may stand, the number within an identifier is meant."""

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.drafts.fitting import fitting, names_told_by
from gatecrash.node.scan.drafts.known_values import KnownValues

AT = Point(("post", "json_doc", "json_obj", "variables", "json_obj", "cardId"))
KNOWN = ["Q2FyZDo1MTA=", "note-7", 12, "13"]


def test_a_number_is_taken_out_of_what_holds_a_kind_and_a_number() -> None:
    assert [*fitting(Hole("cardId", AT, counted=True), KNOWN)] == ["510", 12, "13"]


def test_elsewhere_all_stay_as_they_are() -> None:
    assert [*fitting(Hole("cardId", AT), KNOWN)] == KNOWN


def test_an_identifier_says_itself_what_it_names() -> None:
    assert names_told_by("Q2FyZDo1MTA=", "itemid") == ("cardid",)
    assert names_told_by("Q2FyZDo1MTA=", "cardid") == ()
    assert [names_told_by(one, "itemid") for one in ("510", 510)] == [(), ()]


@pytest.mark.parametrize(
    ("name", "method", "target"),
    [("parcel", "GET", b"/track/PX-4"), ("id", "GET", b"/track/1"), ("parcel", "POST", b"/track/1")],
)
def test_what_one_was_filled_with_stands_for_another_of_its_name(name: str, method: str, target: bytes) -> None:
    def draft(method: str, path: bytes) -> Draft:
        return Draft(request=Request(method, path), drafted=True, holes=(Hole(name, Point(("path", "1"))),))

    known = KnownValues()
    known.learn(Request("POST", b"/parcels"), Response(201, body=b'{"ref": "PX-4", "weight": 2}'))
    assert known.filled(draft("GET", b"/track/1")).request.target == b"/track/1", "nothing was filled yet"
    assert known.filled(draft("GET", b"/parcels/1")).request.target == b"/parcels/PX-4"
    assert known.filled(draft(method, b"/track/1")).request.target == target
