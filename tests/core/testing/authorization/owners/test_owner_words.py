"""An application's own words for owners, learned from what two users are shown at one address."""

import pytest

from gatecrash.core.testing.authorization.owners.owner_words import called_apart, references

ANN, BEN = frozenset({"2", "ann"}), frozenset({"3", "ben"})


@pytest.mark.parametrize(
    ("mine", "theirs", "words"),
    [
        ({"keeper_id": 2}, {"keeper_id": 3}, [("keeper_id", "2")]),
        ({"keeperId": "2"}, {"keeperId": "3"}, [("keeperId", "2")]),
        ({"keeper_ref": "Ann"}, {"keeper_ref": "ben"}, [("keeper_ref", "ann")]),
        ({"keeper_id": 2}, {"keeper_id": 2}, []),
        ({"keeper_id": 2}, {"keeper_id": 9}, []),
        ({"keeper_id": 9}, {"keeper_id": 3}, []),
        ({"keeper_id": 2}, {"clinic_id": 3}, []),
        ({"weight": 2}, {"weight": 3}, []),
        ({"id": 2}, {"id": 3}, []),
        ({"created_by_id": 2}, {"created_by_id": 3}, []),
        ({"assignee_id": 2}, {"assignee_id": 3}, []),
        ({"paid_no": True}, {"paid_no": 3}, []),
    ],
    ids=[
        "a word of its own",
        "written otherwise",
        "a name",
        "one owner's",
        "another's is a stranger's",
        "mine is a stranger's",
        "another field",
        "an amount",
        "itself",
        "its maker",
        "who works at it",
        "yes or no",
    ],
)
def test_a_field_that_holds_for_each_what_he_is_called_is_a_word_for_owners(
    mine: dict[str, object], theirs: dict[str, object], words: list[tuple[str, str]]
) -> None:
    assert called_apart(references(mine), references(theirs), ANN, BEN) == words


def test_what_both_are_called_tells_them_apart_nowhere() -> None:
    mine, theirs = references({"keeper_id": 2}), references({"keeper_id": 3})
    assert not called_apart(mine, theirs, ANN | {"3"}, BEN)
    assert not called_apart(mine, theirs, ANN, BEN | {"2"})
