"""What is counted, asked for several at once, and guarded at one method only."""

import pytest

from tests.range.place import PLACES, Place
from tests.range.tenants_counted import COUNTS
from tests.range.test_tenants_graph import claims


@pytest.mark.parametrize("place", [each for each in PLACES if each.path.startswith("/tenants-counted/")], ids=str)
def test_only_what_is_open_to_others_is_claimed(place: Place) -> None:
    assert claims(place) == ({place.type} if place.flaw else set())
    # What another counted, its owner has counted back.
    assert set(COUNTS.values()) <= {2}
