"""Which variables of a saved body stand for a value that names something."""

import re

import pytest

from gatecrash.formats.saved.variable_holes import form_holes, json_holes

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
