"""Which variables of a saved body stand for a value that names something."""

import re

import pytest

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.formats.draft import Draft, Hole
from gatecrash.formats.saved.variable_holes import form_holes, json_holes, query_holes
from gatecrash.node.scan.drafts.known_values import KnownValues
from tests.node.scan.drafts.test_known_values import answer

VARIABLE = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"order": {{orderId}}, "note": "for {{name}}"}', {"orderId": ("json_obj", "order")}),
        ('{"a": [{"id": "{{ petId }}"}]}', {"petId": ("json_obj", "a", "json_array", "0", "json_obj", "id")}),
        ('{"pet_id": "{{id}}"}', {"pet_id": ("json_obj", "pet_id")}),
        ('["{{id}}"]', {"id": ("json_array", "0")}),
        ('{"a": 1}', {}),
        ("{{whole}}", {}),
        ('{"a": {{b}}', {}),
    ],
)
def test_a_variable_that_is_a_whole_value_of_json(text: str, found: dict[str, tuple[str, ...]]) -> None:
    holes = {hole.name: tuple(hole.point) for hole in json_holes(text, VARIABLE)}
    assert holes == {name: ("post", "json_doc", *steps) for name, steps in found.items()}


def test_a_variable_that_is_a_whole_value_of_a_form() -> None:
    (hole,) = form_holes("order+id=%7B%7Border%7D%7D&note=for+%7B%7Bname%7D%7D&empty", VARIABLE)
    assert (hole.name, tuple(hole.point)) == ("order", ("post", "form_urlencoded", "order id"))


@pytest.mark.parametrize(
    ("name", "value", "reads", "holes"),
    [
        ("report_id", "{{report}}", True, [("report_id", False, False)]),
        ("report_id", "1", True, [("report_id", True, False)]),
        ("report_id", "1", False, []),
        ("report_id", "r-{{report}}", True, []),
        ("page", "1", True, []),
        ("owner", "", True, [("owner", False, True)]),
    ],
)
def test_what_a_query_names(name: str, value: str, holes: list[tuple[str, bool, bool]], *, reads: bool) -> None:
    found = query_holes(iter([{"key": name, "value": value}]), VARIABLE, str, reads=reads)
    assert [(hole.name, hole.given, hole.loose) for hole in found] == holes


def test_what_was_made_here_is_asked_for_in_the_place_of_what_was_saved() -> None:
    known, hole = KnownValues(), Hole("report_id", Point(("get", "report_id")), given=True)
    saved = Draft(request=Request("GET", b"/report?report_id=1"), drafted=True, holes=(hole,))
    known.learn(Request("GET", b"/reports"), answer([{"report_id": 4}]))
    assert known.filled(saved, own=True).request.query == b"report_id=1"
    known.learn(Request("POST", b"/contact"), answer({"report_id": 7}))
    assert known.filled(saved).request.query == b"report_id=1"
    assert known.filled(saved, own=True).request.query == b"report_id=7"
