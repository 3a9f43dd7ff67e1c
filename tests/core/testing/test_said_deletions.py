"""What members say of a deletion, and what they only mention."""

import pytest

from gatecrash.core.testing.said_deletions import says_to_delete


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ("action=delete&id=7", True),
        ("id=7&do=purge", True),
        ("route=shop&task=admin/items.remove", True),
        ("op=items/bulk_delete", True),
        ("delete=7", True),
        ("id=7&delete_ids[]=7", True),
        ('{"id": 7, "action": "deleteUser"}', True),
        ("action=deleted", False),
        ("deleted=0&id=7", False),
        ("text=action is delete", False),
        ("delete_after=30", False),
        ('{"note": "remove it"}', False),
    ],
)
def test_what_says_to_delete(members: str, expected: bool) -> None:
    assert says_to_delete(members) is expected
