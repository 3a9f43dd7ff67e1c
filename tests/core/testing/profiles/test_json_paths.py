"""JSON paths find what stands first, and what is no path says so."""

import pytest

from gatecrash.core.errors import InvalidPattern
from gatecrash.core.testing.profiles.json_paths import compile_path, first_at

DOCUMENT = {"data": [{"token": "t1"}, {"token": "t2"}], "none": None}


@pytest.mark.parametrize(
    ("expression", "found"),
    [("$.data[1].token", "t2"), ("$..token", "t1"), ("$.data", DOCUMENT["data"]), ("$.none", None), ("$.other", None)],
)
def test_the_first_of_what_stands_there_is_found(expression: str, found: object) -> None:
    assert first_at(expression, DOCUMENT) == found


@pytest.mark.parametrize("expression", ["$.[", "$..", "$[?(@.a == ]"])
def test_what_is_no_path_is_told_when_it_is_compiled_and_finds_nothing(expression: str) -> None:
    with pytest.raises(InvalidPattern, match=r"is no JSON path such as \$\.data\.token: ."):
        compile_path(expression)
    assert first_at(expression, DOCUMENT) is None
