"""A row that shows what was made is told from one that only has its number."""

from typing import Any

import pytest

from gatecrash.node.scan.drafts.shown_again import shown_again

MADE = {"id": 3, "user": "u7", "course": 4, "state": "active", "tags": []}


@pytest.mark.parametrize(
    ("row", "same"),
    [
        (MADE, True),
        ({"id": 3, "user": "u7", "course": 4, "state": "cancelled", "title": "tea"}, True),
        ({"id": 3, "user": "u1", "course": 2, "state": "active"}, False),
        ({"id": 4, "user": "u7", "course": 4, "state": "active"}, False),
        ({"id": 3, "user": "u7"}, False),
        ({"user": "u7", "course": 4, "state": "active"}, False),
    ],
)
def test_a_row_that_says_what_the_making_was_answered_is_that_thing(row: dict[str, Any], same: bool) -> None:
    assert shown_again([row], ["text", MADE]) == ([row] if same else [])
    assert shown_again([row], [{"user": "u7", "course": 4, "state": "active"}]) == []
