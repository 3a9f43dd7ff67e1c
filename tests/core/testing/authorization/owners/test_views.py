"""Whether another identity is shown an object, or a view of it without what is its owner's alone."""

import orjson
import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.owners.told_facts import only_told
from gatecrash.core.testing.authorization.owners.views import shows_less
from gatecrash.core.testing.oracles.difference import read

ENTRY = {"id": 40, "owner": "ann", "title": "dentist", "start": "9:00", "end": "10:00"}
PROFILE = {"id": 7, "name": "ann", "city": "Delft", "bio": "rows", "email": "ann@club.example", "joined": "May"}


def answered(document: object) -> Response:
    return Response(200, ((b"Content-Type", b"application/json"),), orjson.dumps(document))


def less(mine: object, theirs: object) -> bool:
    before = answered(mine)
    private = only_told([read(before)], Response(401))
    return shows_less(private, before, answered(theirs), frozenset({"ann"}))


def test_a_calendar_that_says_busy_keeps_what_its_owner_reads():
    assert less(ENTRY, ENTRY | {"title": "busy"})
    assert not less(ENTRY, ENTRY)


def test_a_profile_without_its_address_is_a_view():
    assert less(PROFILE, {name: value for name, value in PROFILE.items() if name != "email"})
    assert less(PROFILE, PROFILE | {"email": "a***@club.example"})


def test_what_is_private_besides_is_still_given_away():
    assert not less(PROFILE | {"phone": "+31 15"}, PROFILE | {"phone": "+31 15", "email": "a***@club.example"})


@pytest.mark.parametrize("field", ["canEdit", "permission", "viewerRole", "self_link"])
def test_what_depends_on_who_looks_says_nothing(field):
    assert not less(ENTRY | {field: "owner"}, ENTRY | {field: "reader"})


def test_numbers_truths_and_the_owners_name_may_differ():
    assert not less(ENTRY | {"views": 3, "mine": True}, ENTRY | {"views": 4, "mine": False})
    assert not less(ENTRY | {"hello": "ann"}, ENTRY | {"hello": "ben"})


def test_lists_are_not_compared_field_by_field():
    rows = [{"title": "dentist"}, {"title": "bank"}]
    assert not less(rows, [{"title": "busy"}, {"title": "busy"}])
