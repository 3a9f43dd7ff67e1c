"""What says to visitors that it is public is for everybody, and so is what stands below it."""

import json
from random import Random

import pytest
from tests.core.testing.driving import answered, credentials_of

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.openness.public_above import public_above
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

JSON = (b"Content-Type", b"application/json")
KEY = (b"X-API-Key", b"3f9a0c77de114b02aa55")
WIKI = {"pages": [{"title": "Start", "version": 3}]}
PUBLIC = {"project": {"id": 7, "identifier": "tea", "is_public": True}}
SECRET = {"project": {"id": 7, "identifier": "tea", "is_public": False}}


def told(document: object) -> Response:
    return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(document).encode())


def said(target: bytes, site: dict[bytes, object], good: object = WIKI, method: str = "GET") -> str:
    """What is told of a request at a site that shows this to visitors."""
    request = Request(method, target, (KEY,))

    def visited(question: Request) -> Response:
        assert question.method == "GET"
        assert question.first(KEY[0]) is None, "what its key opens says nothing of visitors"
        return told(site[question.target]) if question.target in site else Response(401)

    return answered(public_above(situation_of(request, told(good)), told(good)), visited)


def situation_of(request: Request, good: Response, pages: tuple[Page, ...] = ()) -> Situation:
    return Situation(
        baseline=Baseline("bl_1", Exchange(request, good)),
        point=Point(),
        value=b"",
        credentials=credentials_of(request),
        policy=DEFAULT,
        random=Random(1),
        pages=pages,
    )


@pytest.mark.parametrize(
    ("target", "site"),
    [
        (b"/projects/tea/wiki", {b"/projects/tea": PUBLIC}),
        (b"/projects/7/wiki/pages", {b"/projects/7": PUBLIC}),
        (b"/projects/tea/wiki/index.json", {b"/projects/tea.json": PUBLIC}),
        (b"/api/v1/projects/tea/wiki?page=2", {b"/api/v1/projects/tea": {"name": "tea", "visibility": "public"}}),
    ],
)
def test_the_thing_above_is_named(target, site):
    assert said(target, site)


@pytest.mark.parametrize(
    ("target", "site"),
    [
        (b"/projects/tea/wiki", {b"/projects/tea": SECRET}),
        (b"/projects/tea/wiki", {}),
        (b"/projects/tea/wiki", {b"/projects/tea": {"identifier": "tea"}}),
        (b"/projects/tea/wiki", {b"/projects/tea": [PUBLIC, SECRET]}),
        (b"/projects/tea/wiki", {b"/projects": [PUBLIC]}),
        (b"/projects/9/wiki", {b"/projects/9": {"of": 7, "is_public": True}}),
        (b"/shops/tea/orders", {b"/shops/tea": PUBLIC}),
        (b"/shops/tea/revenue", {b"/shops/tea": PUBLIC}),
        (b"/projects/tea/webhooks.json", {b"/projects/tea.json": PUBLIC}),
        (b"/projects/tea/wiki", {b"/projects/tea": {"identifier": "tea", "scope": "all"}}),
        (b"/shops/tea/customers/4/wiki", {b"/shops/tea": PUBLIC}),
    ],
)
def test_what_says_nothing_or_is_called_kept_itself_stays_somebodys(target, site):
    assert said(target, site) == ""


def test_what_says_so_itself_needs_nothing_above_unless_its_address_says_whose_it_is():
    assert said(b"/projects/tea", {}, PUBLIC) == "/projects/tea"
    assert said(b"/projects/tea", {}, SECRET) == said(b"/projects", {}, [PUBLIC, SECRET]) == ""
    assert said(b"/shops/7/sales", {}, PUBLIC) == said(b"/totals", {}, {"scope": "all", "visits": 88}) == ""
    assert said(b"/orders/7", {}, PUBLIC) == said(b"/admin/projects", {}, PUBLIC) == ""


CHOIRS = {"choirs": [{"slug": "river", "name": "River"}, {"slug": "night", "size": 7}]}


def test_what_the_list_above_shows_to_visitors_is_for_them_whoever_has_made_it():
    assert said(b"/api/choirs/river", {b"/api/choirs": CHOIRS}, {"slug": "river", "owner": "ann"}) == "/api/choirs"
    assert said(b"/api/choirs/11", {b"/api/choirs": [{"choirId": 11}]}, {"owner": "ann"}) == "/api/choirs"


@pytest.mark.parametrize(
    ("target", "site", "good"),
    [
        (b"/api/choirs/river", {}, {"owner": "ann"}),
        (b"/api/choirs/other", {b"/api/choirs": CHOIRS}, {"owner": "ann"}),
        (b"/api/choirs/7", {b"/api/choirs": CHOIRS}, {"owner": "ann"}),
        (b"/api/choirs/river", {b"/api/choirs": CHOIRS}, {"owner": "ann", "secret": "key under the mat"}),
        (b"/api/notes/river", {b"/api/notes": CHOIRS}, {"owner": "ann"}),
    ],
)
def test_lists_of_other_things_and_of_what_people_keep_say_nothing(target, site, good):
    assert said(target, site, good) == ""


def test_changes_and_what_people_keep_to_themselves_are_no_matter_of_what_stands_above():
    assert said(b"/projects/tea/wiki", {b"/projects/tea": PUBLIC}, method="POST") == ""
    assert said(b"/projects/tea/wiki", {b"/projects/tea": PUBLIC}, {"email": "ann@example.org", "phone": "1"}) == ""


VENUE = {"id": 7, "name": "River", "contactEmail": "office@river.example"}


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ([VENUE, {"id": 8, "name": "Night", "contactEmail": "office@night.example"}], "/graphql venues"),
        ([{"id": 7, "name": "River"}], ""),
        ([], ""),
    ],
)
def test_what_the_list_of_its_kind_tells_visitors_whole_is_for_them(listed, expected):
    def asked(query: str) -> Request:
        return Request("POST", b"/graphql", (KEY, JSON), json.dumps({"query": query}).encode())

    def visited(question: Request) -> Response:
        assert question.first(KEY[0]) is None
        return told({"data": {"venues": listed}} if b"venues" in question.body else {"errors": [{"message": "no"}]})

    request, good = asked("{ venue(id: 7) { id name contactEmail } }"), told({"data": {"venue": VENUE}})
    page = Page(asked("{ venues { id name contactEmail } }"), rendered=False)
    situation = situation_of(request, good, (page,))
    assert answered(public_above(situation, good), visited) == expected
