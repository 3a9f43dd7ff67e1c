"""What turns pages, bounds and measures is told from what names a thing."""

import pytest

from gatecrash.core.testing.authorization.objects.amounts import says_how_much


@pytest.mark.parametrize(
    "name",
    [
        "page",
        "pageNumber",
        "page_id",
        "per_page",
        "skip",
        "take",
        "startId",
        "sortBy",
        "price[gt]",
        "created_after",
        "guests",
        "totalPrice",
    ],
)
def test_what_turns_pages_bounds_or_measures_chooses_no_object(name: str) -> None:
    assert says_how_much(name)


@pytest.mark.parametrize(
    "name", ["skipperId", "resort_id", "homepage_uuid", "stakeholderId", "order_id", "account", "user"]
)
def test_a_thing_whose_name_holds_such_a_word_is_named_by_its_identifier(name: str) -> None:
    assert not says_how_much(name)
