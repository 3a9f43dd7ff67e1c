"""What is one of a few words, or so and not."""

import pytest

from tests.range.place import PLACES, Place
from tests.range.tenants_choices import FIRST, KEPT
from tests.range.test_tenants_graph import claims


@pytest.mark.parametrize("place", [each for each in PLACES if each.path.startswith("/tenants-choices/")], ids=str)
def test_only_what_is_open_to_others_is_claimed(place: Place) -> None:
    assert claims(place) == ({place.type} if place.flaw else set())
    # What another set, its owner has set back.
    assert set(map(str, KEPT.values())) <= set(map(str, FIRST.values()))
