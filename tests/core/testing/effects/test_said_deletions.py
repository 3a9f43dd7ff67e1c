"""What members say of a deletion, and what they only mention."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.effects.destruction import DELETES, deletes, destroys
from gatecrash.core.testing.effects.said_deletions import is_told_what_it_deleted, says_to_delete


def asked(kind: bytes, selected: bytes) -> Request:
    document = b'{"query": "%s { withdrawOffer(id: 7) { %s } }"}' % (kind, selected)
    return Request("POST", b"/graphql", ((b"Content-Type", b"application/json"),), document)


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


@pytest.mark.parametrize(
    ("selected", "expected"),
    [
        (b"deletedOfferId clientMutationId", True),
        (b"deletedIds", True),
        (b"offer { deletedAt id }", False),
        (b"deletedIdentity", False),
        (b"undeletedId", False),
    ],
)
def test_a_mutation_is_told_what_it_deleted_by_its_identifier(selected: bytes, expected: bool) -> None:
    assert is_told_what_it_deleted(asked(b"mutation", selected)) is expected


def test_such_a_mutation_deletes_and_a_query_does_not() -> None:
    mutation, query = (asked(kind, b"deletedOfferId") for kind in (b"mutation", b"query"))
    assert (destroys(mutation), deletes(mutation)) == (DELETES, True)
    assert (destroys(query), deletes(query)) == (None, False)
