"""What a refusal says of each field."""

import json
from typing import Any

import pytest

from gatecrash.formats.refusals.told_apart import told_apart

NAMES = ("kind", "day", "status")


@pytest.mark.parametrize(
    "told",
    [
        {"errors": {"order.kind": "is odd", "day": "is past"}},
        {"errors": {"kind": ["is odd"], "day": ["is past"]}},
        {"kind": ["is odd"], "day": "is past"},
        {"detail": [{"loc": ["body", "kind"], "msg": "is odd"}, {"loc": ["body", "rows", 0, "day"], "msg": "is past"}]},
        {"errors": [{"field": "kind", "message": "is odd"}, {"path": "day", "msg": "is past", "type": "field"}]},
        {"errors": [{"pointer": "#/kind", "detail": "is odd"}, {"pointer": "/day", "detail": "is past"}]},
        [{"instancePath": "/kind", "message": "is odd"}, {"instancePath": "/day", "message": "is past"}],
    ],
)
def test_each_field_is_told_apart(told: Any) -> None:
    assert told_apart(json.dumps(told), NAMES) == (("kind", "is odd"), ("day", "is past"))


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("status: open or closed", "open or closed"),
        ("status (open or closed) and day required", "open or closed"),
        ("status must be open. Or else", "must be open"),
    ],
)
def test_a_sentence_about_one_field(sentence: str, said: str) -> None:
    assert told_apart(json.dumps({"detail": sentence}), ("status",)) == (("status", said),)


@pytest.mark.parametrize(
    "told",
    [
        "",
        "no JSON",
        '"the status of the kind"',
        '{"error": "bad"}',
        '{"errors": {"other": "is odd"}}',
        '{"status": 400}',
    ],
)
def test_what_is_about_no_field(told: str) -> None:
    assert told_apart(told, NAMES) == ()
