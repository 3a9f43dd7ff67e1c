"""Whose data an answer holds, by what the application itself says."""

import pytest
from tests.range.place import answer, page

from gatecrash.core.message import Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.owners.ownership import (
    all_owners,
    concerns,
    is_changed_by_several,
    is_for_acquaintances,
    is_of_tenant,
    is_owned_as_listed,
    is_published,
    listed_apart,
    names_owner,
    newly_told_of_others,
    owners,
    shows,
)
from gatecrash.core.testing.authorization.owners.private_fields import (
    is_private,
)
from gatecrash.core.testing.oracles.leaves import Leaf, leaves

AUTHORIZATION = Point.of("header", "AUTHORIZATION")


def test_of_a_list_the_owners_of_all_entries_are_named():
    users = answer([{"id": 1, "email": "Eva@a.example"}, {"id": 2, "email": "max@a.example"}, {"id": 3, "email": ""}])
    assert all_owners(users) == {"eva@a.example", "max@a.example"}


def test_a_list_shows_an_object_by_its_identifier_or_a_link():
    assert shows(answer([{"id": 31}]), "31", b"/orders/31")
    assert not shows(answer([{"id": 310}]), "31", b"/orders/31")
    assert shows(page("<a href='/orders/31'>"), "31", b"/orders/31")
    assert not shows(page("<a href='/orders/311'>"), "31", b"/orders/31")


@pytest.mark.parametrize(
    ("mine", "theirs", "apart"),
    [
        (answer([{"id": 31}]), answer([{"id": 32}]), True),
        (answer([{"id": 31}]), answer([]), True),
        (answer([{"id": 31}]), answer([{"id": 32, "count": 31}]), True),
        (answer([{"id": 31}]), answer([{"id": 31}]), False),
        (answer([{"id": 31}]), answer({"error": "forbidden"}, 403), False),
        (answer([{"id": 30}]), answer([{"id": 32}]), False),
        (page("<a href=/o/31>"), page("<a href=/o/32>"), True),
        (page("<a href=/o/31>"), page("<a href=/o/31>"), False),
    ],
)
def test_lists_tell_an_owner_apart(mine, theirs, apart):
    assert listed_apart(mine, theirs, "31", b"/o/31") is apart


@pytest.mark.parametrize(
    ("mine", "theirs", "apart"),
    [
        ({"id": 1, "class_id": 1}, {"id": 2, "class_id": 1}, True),
        ({"id": 1, "paid": 1}, {"id": 2, "paid": 1}, True),
        ({"id": 1, "class_id": 1}, {"id": 1, "class_id": 2}, False),
        # What the other has to do with the object itself.
        ({"id": 1, "machine_id": 1}, {"id": 2, "machine_id": 1}, False),
        ({"id": 1, "machineId": 1}, {"id": 2, "machineId": 1}, False),
        ({"id": 1, "parent_id": 1}, {"id": 2, "parent_id": 1}, False),
        # Without an identifier of its own, the field may be all that names the object.
        ({"seat": 1}, {"seat": 1}, False),
    ],
)
def test_a_small_number_of_something_else_does_not_show_the_object_to_the_other(mine, theirs, apart):
    assert listed_apart(answer([mine]), answer([theirs]), "1", b"/machines/1") is apart
    # A call asks for it at no address of its own.
    assert listed_apart(answer([mine]), answer([theirs]), "1", b"", "machine") is apart
    assert not listed_apart(answer([mine]), answer([theirs]), "1", b"")


@pytest.mark.parametrize(
    ("shown", "several"),
    [
        ({"creator": "ann", "modifier": "ann"}, True),
        ({"page": {"created_by": 7, "last_modified_by": 8}}, True),
        ({"createdBy": "ann", "updatedBy": "ben"}, True),
        ({"creator": "ann"}, False),
        ({"creator": "ann", "modifier": ""}, False),
        ({"owner": "ann", "modifier": "ann"}, False),
        ({"created_by": "ann", "modified": "2026-01-02"}, False),
    ],
)
def test_what_tells_its_last_editor_beside_its_maker_is_changed_by_several(shown, several):
    assert is_changed_by_several(answer(shown)) is several


def test_owners_are_named_by_fields_of_that_meaning():
    told = answer({"id": 31, "customer": {"email": "Ann@example.com"}, "user_id": 7, "price": 7})
    assert owners(told) == {("customer", "email"): "ann@example.com", ("user_id",): "7"}
    assert names_owner(told, frozenset({"ann@example.com"}))
    assert names_owner(told, frozenset({"7"}))
    assert not names_owner(answer({"price": 7, "user_count": 7}), frozenset({"7"}))
    assert not names_owner(answer({"user": "an"}), frozenset({"an"}))


@pytest.mark.parametrize(
    ("document", "named"),
    [
        ({"owner_id": 1, "collaborators": [2, 5]}, True),
        ({"owner_id": 1, "members": [{"id": 1, "name": "ann"}, {"id": 2, "name": "ben"}]}, True),
        ({"owner_id": 1, "shared_with": ["ben@x.example"]}, True),
        ({"owner_id": 1, "to": "Ben"}, True),
        ({"owner_id": 1, "quantity": 2, "lines": [{"id": 2}]}, False),
        ({"owner_id": 1, "note": "ask ben about it"}, False),
    ],
)
def test_an_object_says_whom_else_it_concerns(document, named):
    assert concerns(answer(document), frozenset({"2", "ben", "ben@x.example"})) is named


def test_a_page_without_an_address_to_link_to_is_linked_nowhere():
    """Answers end with a line feed, which once stood for no address."""
    assert not shows(Response(200, (), b'{"orders": [7]}\n'), "31", b"")


def test_the_cells_of_a_table_stand_under_the_names_of_its_first_row():
    table = Response(200, ((b"Content-Type", b"text/csv"),), b'number,iban\r\n7,"NL10, BANK"\r\n8,\r\n')
    assert leaves(table) == [Leaf(("number",), "7"), Leaf(("iban",), "NL10, BANK"), Leaf(("number",), "8")]
    assert is_private(table)


@pytest.mark.parametrize(
    ("document", "published"),
    [
        ({"id": 7, "public": True}, True),
        ({"note": {"visibility": "Public"}}, True),
        ({"id": 7, "is_published": 1}, True),
        ({"id": 7, "public": False}, False),
        ({"id": 7, "visibility": "team"}, False),
        ({"notes": {"list": [{"public": True}]}}, False),
    ],
)
def test_an_object_may_say_that_it_is_for_everybody(document, published):
    assert is_published(answer(document)) is published


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ([{"name": "ann"}], [{"name": "ann", "phone": "+44 1"}], "the field 'phone'"),
        (
            [{"id": 1, "user_id": 4}],
            [{"id": 0, "user_id": 9}, {"id": 1, "user_id": 4}],
            "objects of others by 'user_id'",
        ),
        ([{"name": "ann"}], [{"name": "ann", "note": "a@a.example, b@a.example"}], "the addresses of 2 people"),
        ([{"name": "ann"}], [{"name": "ann", "note": "a@a.example"}], ""),
        ([{"phone": "+44 1"}], [{"phone": "+44 1"}, {"phone": "+44 2"}], ""),
        ([{"user_id": 4}, {"user_id": 5}], [{"user_id": 4}, {"user_id": 5}, {"user_id": 6}], ""),
    ],
)
def test_what_a_longer_answer_tells_of_others(before, after, told):
    assert newly_told_of_others(answer(before), answer(after)) == told


def test_a_page_that_stands_in_between_is_no_list_without_the_object():
    mine, moment = answer([{"id": 731104}]), page("<h1>One moment</h1>")
    assert listed_apart(mine, answer([{"id": 731105}]), "731104", b"/notes/731104")
    assert not listed_apart(mine, moment, "731104", b"/notes/731104")


def test_what_is_for_the_friends_of_its_owner():
    assert is_for_acquaintances(answer({"title": "sea", "visibleTo": "friends"}))
    assert is_for_acquaintances(answer({"photo": {"visibility": "friends_only"}}))
    for other in ({"visibility": "private"}, {"scope": "contacts"}, {"friends": "friends"}):
        assert not is_for_acquaintances(answer(other))


def test_whoever_made_something_may_have_made_it_for_others():
    made = answer({"title": "plan", "createdBy": "ann", "org": "red"})
    assert names_owner(made, frozenset({"ann"}))
    assert not names_owner(made, frozenset({"ann"}), makers=False)
    assert names_owner(answer({"owner": "ann"}), frozenset({"ann"}), makers=False)
    # His lists hold what he made, and each of it says so by the same field.
    own, by_him = frozenset({"a@x.example", "owned by email=a@x.example"}), {"created_by": {"email": "a@x.example"}}
    assert names_owner(answer(by_him), own)
    assert not names_owner(answer(by_him), own, makers=False)
    assert names_owner(answer({"holder": {"email": "a@x.example"}}), own, makers=False)
    assert is_of_tenant(made, frozenset({"tenant=red"}))
    assert not is_of_tenant(made, frozenset({"tenant=blue", "red"}))
    plan = answer({"title": "plan", "createdBy": "ann", "teamId": 10})
    assert is_of_tenant(plan, frozenset({"together team=10"}))
    assert not is_of_tenant(plan, frozenset({"together group=10", "tenant=10"}))


@pytest.mark.parametrize(
    ("field", "value"), [("recipient", "mira"), ("createdBy", 7), ("passenger", "mira"), ("updated_by", "mira")]
)
def test_who_receives_and_by_whom_it_was_made_are_owners(field: str, value: object):
    told = answer({"id": 31, field: value})
    assert names_owner(told, frozenset({"mira", "7"})) is (field != "updated_by")
    assert not names_owner(told, frozenset({"olga", "8"}))


def test_a_word_of_the_application_for_its_owner_names_him():
    mine = answer({"id": 901, "keeper_id": 101})
    assert names_owner(mine, frozenset({"101", "owned by keeper_id=101"}))
    assert not names_owner(mine, frozenset({"101"}))
    assert not names_owner(mine, frozenset({"102", "owned by keeper_id=102"}))


@pytest.mark.parametrize(
    ("shown", "owned"),
    [
        ({"id": 901, "owner": 101}, True),
        ({"id": 901, "owner": 102}, False),
        ({"id": 901, "amount": 101}, False),
        ([{"id": 901, "owner": 101}, {"id": 902, "owner": 102}], False),
    ],
    ids=["his", "somebody else's", "a number that is no user's", "several owners'"],
)
def test_what_names_him_as_his_lists_do_is_his(shown: object, owned: bool):
    assert is_owned_as_listed(answer(shown), frozenset({"101", "owned by owner=101"})) is owned
    assert not is_owned_as_listed(answer(shown), frozenset({"101", "owned by maker=101"}))
