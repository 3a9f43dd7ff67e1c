"""What stands above an object and is its sender's by a list alone."""

import json
from random import Random

import pytest
from tests.core.testing.driving import record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.objects.named import named_objects
from gatecrash.core.testing.authorization.owners.listed_containers import below_listed, may_be_listed, names_container
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation
from gatecrash.core.testing.surroundings.pages import Pages

JSON = ((b"Content-Type", b"application/json"),)
OWN, THEIRS = [{"id": 61, "name": "Lamps"}], [{"id": 62, "name": "Shelves"}]
LISTS = {("", b"/teams"): OWN, ("ben", b"/teams"): THEIRS, ("ben", b"/teams/62/boards"): [{"id": 8}]}
Lists = dict[tuple[str, bytes], object]


def answer(document: object) -> Response:
    return Response(200, JSON, json.dumps(document).encode())


def situation(target: str, *pages: str, shown: object = OWN) -> Situation:
    request = Request("GET", target.encode(), ((b"Host", b"a.test"),))
    recorded = Pages()
    for page in pages:
        recorded.add(Exchange(Request("GET", page.encode(), ((b"Host", b"a.test"),)), answer(shown)))
    return Situation(
        baseline=record(lambda _: answer({}), request),
        point=Point(()),
        value=b"",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
        identities=(Identity("ann", known=("ann",)), Identity("ben", known=("ben",))),
        pages=recorded.beside(request),
    )


def moved(given: Situation, lists: Lists) -> list[bytes]:
    named = named_objects(given.baseline.request)[-1]
    dialogue = below_listed(given, named, given.identities[1])
    try:
        asked = next(dialogue)
        while True:
            found = lists.get((asked.identity or "", asked.request.path))
            response = Response(404) if found is None else answer(found)
            asked = dialogue.send(Answer(Exchange(asked.request, response)))
    except StopIteration as end:
        return [each.target for each in end.value]


@pytest.mark.parametrize(
    ("target", "page", "instead"),
    [
        ("/teams/61/documents/31", "/teams", [b"/teams/62/documents/31"]),
        ("/teams/61/boards/7/cards/31", "/teams", [b"/teams/62/boards/7/cards/31", b"/teams/62/boards/8/cards/31"]),
    ],
)
def test_what_the_senders_list_shows_alone_is_replaced_by_what_the_others_shows(target, page, instead):
    given = situation(target, page)
    assert may_be_listed(given, named_objects(given.baseline.request)[-1])
    assert moved(given, LISTS) == instead


def test_a_list_may_stand_elsewhere_if_it_is_called_so():
    given = situation("/teams/61/documents/31", "/me/teams")
    lists = {("", b"/me/teams"): OWN, ("ben", b"/me/teams"): THEIRS}
    assert moved(given, lists) == [b"/teams/62/documents/31"]


@pytest.mark.parametrize(
    "lists",
    [
        {("", b"/teams"): OWN, ("ben", b"/teams"): OWN + THEIRS},
        {("", b"/teams"): OWN, ("ben", b"/teams"): []},
        {("", b"/teams"): OWN},
        {("", b"/teams"): [{**OWN[0], "public": True}], ("ben", b"/teams"): THEIRS},
        {("", b"/teams"): [{**OWN[0], "member": "ben"}], ("ben", b"/teams"): THEIRS},
    ],
)
def test_what_is_shown_to_both_or_to_everybody_says_nothing(lists: Lists):
    assert moved(situation("/teams/61/documents/31", "/teams"), lists) == []


@pytest.mark.parametrize(
    ("target", "pages"),
    [("/teams/61/documents/31", ()), ("/teams/61/documents/31", ("/clubs",)), ("/documents/31", ("/teams",))],
)
def test_nothing_is_asked_where_no_list_of_them_was_recorded(target: str, pages: tuple[str, ...]):
    given = situation(target, *pages)
    assert not may_be_listed(given, named_objects(given.baseline.request)[-1])
    assert moved(given, LISTS) == []


@pytest.mark.parametrize(
    ("shown", "named"),
    [
        ({"team_id": 61}, "team 61"),
        ({"teamId": "61"}, "team 61"),
        ({"team": {"id": 61}}, "team 61"),
        ({"team": 61}, "team 61"),
        ({"team_id": 62}, ""),
        ({"size": 61, "id": 61}, ""),
    ],
)
def test_an_answer_names_where_it_belongs(shown: object, named: str):
    request = Request("GET", b"/teams/61/documents/31")
    document = named_objects(request)[-1]
    assert names_container(request, Request("GET", b"/teams/62/documents/31"), document, answer(shown)) == named
    assert names_container(request, request, document, answer(shown)) == ""
