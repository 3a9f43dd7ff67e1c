"""What a section is called after, by the roles of those whom a list below it names."""

import orjson
import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.ranks.sections_of_roles import (
    is_called_after,
    lists_the_caller,
    may_list_others,
    role_of_section,
    roles_told,
    says_whom_it_is_for,
    section_word,
)


def listed(*roles: str, **more: str) -> Response:
    people = [
        {"id": at, "login": f"user{at}", "email": f"user{at}@a.example", "role": role, **more}
        for at, role in enumerate(roles)
    ]
    return Response(200, ((b"Content-Type", b"application/json"),), orjson.dumps(people))


def word_of(path: bytes) -> str:
    return section_word(Request("GET", path, host="a"))


def test_the_word_right_above_is_the_sections():
    assert word_of(b"/api/Curation/growers") == "curation"
    assert word_of(b"/board/members.php") == "board"


@pytest.mark.parametrize("path", [b"/growers", b"/7/growers", b"/office/contacts.php", b"/directory/people"])
def test_numbers_and_places_where_people_look_for_each_other_are_no_such_word(path: bytes):
    assert word_of(path) == ""


@pytest.mark.parametrize(
    ("word", "role"),
    [
        ("director", "director"),
        ("wardens", "warden"),
        ("curation", "curator"),
        ("dispatch", "dispatcher"),
        ("dispatching", "ROLE_DISPATCHER"),
        ("keeping", "keeper"),
    ],
)
def test_a_section_is_called_after_the_role_of_a_few(word: str, role: str):
    answer = listed("observer", "observer", role)
    assert may_list_others(answer)
    assert role_of_section(word, answer, frozenset({"user0"})) == role.lower().removeprefix("role_")


@pytest.mark.parametrize(
    ("word", "roles", "own"),
    [
        ("director", ("observer", "observer", "director"), {"user2"}),  # he is it himself
        ("director", ("observer", "observer", "director"), {"role:director"}),
        ("director", ("observer", "observer", "director"), {"nobody"}),  # nobody knows what he is
        ("director", ("observer", "director", "director"), {"user0"}),  # a directory of them
        ("team", ("observer", "observer", "director"), {"user0"}),
        ("organization", ("rider", "rider", "organizer"), {"user0"}),
        ("member", ("moderator", "moderator", "member"), {"user0"}),  # whoever has an account
        ("us", ("reader", "reader", "user"), {"user0"}),
    ],
)
def test_it_is_not_where_that_may_be_otherwise(word: str, roles: tuple[str, ...], own: set[str]):
    assert role_of_section(word, listed(*roles), frozenset(own)) == ""


@pytest.mark.parametrize(
    ("member", "values", "found"),
    [
        ("is_staff", (False, True, False), "staff"),
        ("isStaff", (0, 1, 0), "staff"),
        ("staff", (False, True, False), "staff"),
        ("staff", (0, 1, 0), ""),  # how many he has, or whose
        ("is_staff", (True, True, False), ""),
        ("is_admin", (False, True, False), ""),
        ("is_active", (False, True, False), ""),
    ],
)
def test_a_field_of_yes_or_no_tells_a_role_too(member: str, values: tuple[object, ...], found: str):
    people = [{"id": at, "email": f"u{at}@a.example", member: one} for at, one in enumerate(values)]
    answer = Response(200, ((b"Content-Type", b"application/json"),), orjson.dumps(people))
    assert role_of_section("staff", answer, frozenset({"u0@a.example"})) == found


@pytest.mark.parametrize(("beside", "found"), [({}, "librarian"), ({"role": "x"}, ""), ({"colour": "x"}, "librarian")])
def test_what_is_called_a_kind_tells_a_role_where_nothing_is_called_one(beside: dict[str, str], found: str):
    kinds = enumerate(("reader", "librarian", "reader"))
    people = [{"email": f"u{at}@a.example", "kind": kind, **beside} for at, kind in kinds]
    answer = Response(200, ((b"Content-Type", b"application/json"),), orjson.dumps(people))
    own = roles_told([("kind", "reader"), ("email", "b@a.example")])
    assert role_of_section("librarian", answer, own) == found


def test_the_role_that_he_is_told_to_have_counts_where_the_list_does_not_name_him():
    own = roles_told([("role", "ROLE_Observer"), ("email", "b@a.example")])
    assert role_of_section("director", listed("observer", "observer", "director"), own) == "director"


def test_a_list_that_has_none_of_the_callers_role_is_one_of_others():
    assert not lists_the_caller(listed("surgeon", "oculist", "dentist"), roles_told([("role", "patient")]))
    assert lists_the_caller(listed("surgeon", "oculist", "patient"), roles_told([("role", "patient")]))
    assert lists_the_caller(listed("surgeon", "oculist", "patient"), frozenset({"user2@a.example"}))


@pytest.mark.parametrize(
    "answer",
    [
        listed("observer", "observer", "observer"),
        listed("observer", "director"),
        listed("observer", "observer", "director", email="one@a.example"),
        Response(200, body=b"none"),
    ],
)
def test_a_list_tells_of_several_with_more_than_one_role_how_to_reach_each(answer: Response):
    assert not may_list_others(answer)


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("office", '{"detail": "harbour office only"}'),
        ("board", "<title>Club</title><h1>For the board</h1><p>Sorry.</p>"),
        ("curators", "Only for curators!"),
        ("board", "This page is for the board only."),
        ("board", '{"message": "needs role board or treasurer"}'),
        ("board", "Role required: board"),
        ("board", "Requires the board role"),
        ("board", '{"error": "board role is required"}'),
        ("curators", "role must not differ: requires curator access"),
        ("wardens", '{"error": "Only wardens may see this"}'),
        ("wardens", '{"reason":"Only the warden"}'),
        ("wardens", "<p>Only wardens.</p>"),
    ],
)
def test_a_refusal_says_whom_it_lets_in(word: str, text: str):
    assert says_whom_it_is_for(word, Response(403, body=text.encode()))


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("team", "team owners only"),
        ("team", "for the team's owner"),
        ("team", "Only for the team owner."),
        ("office", "forbidden"),
        ("board", "for members of the board of trade only"),
        ("team", "needs role team owner"),
        ("team", "requires team owner role"),
        ("team", "the owner of the team role is required"),
        ("board", "Your role may not read the board"),
        ("stores", "the role of store-keeper is required"),
        ("team", "Only team owners may do that"),
        ("team", "Only the team's owner"),
        ("rooms", "there is only room for two"),
    ],
)
def test_it_does_not_where_the_word_is_part_of_another_name(word: str, text: str):
    assert not says_whom_it_is_for(word, Response(403, body=text.encode()))


def test_a_number_calls_somebody_only_where_it_is_an_identifiers():
    people = [
        {"id": at, "email": f"u{at}@a.example", "role": role, "limit": 4 - at}
        for at, role in enumerate(("clerk", "clerk", "keeper"))
    ]
    answer = Response(200, ((b"Content-Type", b"application/json"),), orjson.dumps(people))
    assert role_of_section("keeping", answer, frozenset({"1", "u1@a.example"})) == "keeper"
    assert (
        role_of_section("keeping", answer, frozenset({"2"}))
        == role_of_section("keeping", answer, frozenset({"4"}))
        == ""
    )


@pytest.mark.parametrize(
    ("word", "called"), [("curation", True), ("curators", True), ("stock", False), ("users", False)]
)
def test_what_a_section_for_a_role_is_called(word: str, called: bool):
    assert is_called_after(word, "curator") is called
    assert not is_called_after("users", "user")
