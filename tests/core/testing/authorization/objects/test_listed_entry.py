"""Which entry of a list is the new object."""

import json
from typing import Any

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.objects.listed_entry import entry_of

GIFT = {"id": 41, "sender": 7, "state": "offered"}
NAMED = {"gift_id": "41", "product_id": 3}


@pytest.mark.parametrize(
    ("document", "entry"),
    [
        ({"sent": [GIFT, {"id": 3, "product_id": 41}]}, GIFT),
        ([NAMED], NAMED),
        ([{"id": 3, "product_id": 41}], None),
        ([GIFT, {**GIFT, "state": "accepted"}], None),
        ([{"id": 410}], None),
        ("41", None),
    ],
)
def test_it_is_the_only_one_that_calls_itself_so(document: Any, entry: Any) -> None:
    found = entry_of(Response(200, (), json.dumps(document).encode()), "41", "gift")
    assert (None if found is None else json.loads(found.body)) == entry
