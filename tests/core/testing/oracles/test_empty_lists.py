"""Which answers are lists without an entry."""

import json

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.empty_lists import gives_an_empty_list

JSON = (b"Content-Type", b"application/json")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"items": [], "total": 0, "page": 1}, True),
        ({"success": True, "code": 0, "data": []}, True),
        ({"items": [], "balance": 12}, False),
        ({"items": [{"id": 1}]}, False),
        ({"total": 0}, False),
        ([], True),
    ],
)
def test_an_empty_list_gives_nothing_away(answer, expected):
    assert gives_an_empty_list(Response(200, (JSON,), json.dumps(answer).encode())) is expected


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (b'"id","title"\r\n\n', True),
        (b"", True),
        (b'"id","title"\r\n"7","Roof"\r\n', False),
        (b"7,Roof", False),
        (b"ann@oak.example", False),
    ],
)
def test_the_names_of_columns_alone_give_nothing_away(table, expected):
    assert gives_an_empty_list(Response(200, ((b"Content-Type", b"text/csv; charset=utf-8"),), table)) is expected
