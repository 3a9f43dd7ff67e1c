"""Where nothing but a number may stand, the number within an identifier is meant; what was made here, and a UUID, goes by any name."""

import msgspec
import pytest
from tests.node.scan.drafts.test_known_values import answer, draft

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.drafts.fitting import fitting, is_uuid, names_told_by
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
    def asked(method: str, path: bytes) -> Draft:
        return Draft(request=Request(method, path), drafted=True, holes=(Hole(name, Point(("path", "1"))),))

    known = KnownValues()
    known.learn(Request("POST", b"/parcels"), Response(201, body=b'{"ref": "PX-4", "weight": 2}'))
    assert known.filled(asked("GET", b"/track/1")).request.target == b"/track/1", "nothing was filled yet"
    assert known.filled(asked("GET", b"/parcels/1")).request.target == b"/parcels/PX-4"
    assert known.filled(asked(method, b"/track/1")).request.target == target


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("6f1c2d1e-8b1f-4b7e-9d51-0a4a4f3f6b11", True),
        ("6F1C2D1E-8B1F-4B7E-9D51-0A4A4F3F6B11", True),
        ("6f1c2d1e8b1f4b7e9d510a4a4f3f6b11", False),
        ("41", False),
    ],
)
def test_a_uuid_is_told_by_its_groups(text: str, is_one: bool) -> None:
    assert is_uuid(text) is is_one


def test_what_was_created_elsewhere_is_deleted_rather_than_what_the_document_shows() -> None:
    known = KnownValues()
    known.learn(Request("POST", b"/me/clips"), answer({"id": 21}, 201))
    deletion = draft("/admin/clips/12345", ("id", "2"), method="DELETE")
    shown = msgspec.structs.replace(
        deletion, holes=tuple(msgspec.structs.replace(hole, given=True) for hole in deletion.holes)
    )
    assert known.filled(shown, own=True).request.path == b"/admin/clips/21"
    assert known.made(known.filled(shown, own=True))
    reading = msgspec.structs.replace(shown, request=msgspec.structs.replace(shown.request, method="GET"))
    assert known.filled(reading, own=True).request.path == b"/admin/clips/12345"


@pytest.mark.parametrize("other", ["b3c1a9d2-52ab-4c0f-8c34-5d1c4e2f7a22", 41])
def test_a_thing_is_asked_for_by_the_uuid_that_others_call_its_id(other: str | int) -> None:
    known, shown = KnownValues(), "6f1c2d1e-8b1f-4b7e-9d51-0a4a4f3f6b11"
    known.learn(Request("GET", b"/posts"), answer([{"text": "a", "author": {"carId": other}}]))
    filled = known.filled(draft(f"/cars/{shown}/location", ("uuid", "1")))
    assert filled.request.path == f"/cars/{other if other != 41 else shown}/location".encode()
