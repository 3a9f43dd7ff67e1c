"""What an answer is about, by the path that it came from."""

import json

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.drafts.known_values import KnownValues
from gatecrash.node.scan.drafts.path_things import names_of, numbers, singular_at, thing_at, thing_told


@pytest.mark.parametrize(
    ("path", "about"),
    [
        (("users",), "user"),
        (("v1", "me"), "user"),
        (("api", "me"), "user"),
        (("stores", "me"), "store"),
        ((), ""),
        (("users", "v1"), "user"),
    ],
)
def test_a_path_tells_what_it_is_about(path: tuple[str, ...], about: str) -> None:
    assert thing_at(path) == about


def test_the_last_word_is_taken_in_the_singular() -> None:
    assert (singular_at(("api", "boxes")), singular_at(())) == ("box", "")


@pytest.mark.parametrize(("body", "about"), [({"id": 7, "runs": []}, "experiment"), ({"id": 8}, "run"), ([], "run")])
def test_an_answer_with_the_number_above_is_about_what_has_it(body: object, about: str) -> None:
    assert thing_told(("experiments", "7", "runs"), body) == about


@pytest.mark.parametrize(
    ("parameter", "row", "taken"),
    [
        ("no", {"dogname": "Rex", "name": "x", "dogno": 7}, 7),
        ("id", {"ownerid": 1, "dognumber": 7, "name": "x"}, 7),
        ("dog", {"name": "x", "dogref": "R-7", "catno": 1}, "R-7"),
        ("no", {"id": 7, "dogref": 8, "catno": 1}, 7),
        ("no", {"catno": 1}, None),
    ],
)
def test_a_thing_is_named_by_its_own_number_under_its_own_word(parameter, row, taken):
    assert next((row[name] for name in names_of("dog", parameter) if name in row), None) == taken


@pytest.mark.parametrize(
    ("name", "thing", "numbered"),
    [
        ("parcelnumber", "parcel", True),
        ("parcelid", "parcel", True),
        ("parcelweight", "parcel", False),
        ("number", "", False),
    ],
)
def test_a_thing_has_its_own_words_for_its_number(name: str, thing: str, *, numbered: bool) -> None:
    assert numbers(name, thing) == numbered


def test_a_body_names_what_was_made_by_its_own_word_for_the_number() -> None:
    known = KnownValues()
    known.learn(Request("POST", b"/parcels", body=b"{}"), Response(201, (), b'{"number": "PX-4", "weight": 1}'))
    point = Point(("post", "json_doc", "json_obj", "parcel_number"))
    body = b'{"parcel_number": "1"}'
    asked = Request("POST", b"/invoices", ((b"Content-Type", b"application/json"),), body)
    filled = known.filled(Draft(request=asked, drafted=True, holes=(Hole("parcel_number", point),)))
    assert json.loads(filled.request.body) == {"parcel_number": "PX-4"}
