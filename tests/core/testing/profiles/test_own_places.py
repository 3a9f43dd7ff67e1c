"""Words of addresses below which one user alone was recorded."""

import json

import pytest
from tests.core.testing.profiles.recording import ALICE, BOB

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.profiles.own_places import OwnPlaces, each_in_his_own, own_places
from gatecrash.core.testing.profiles.recorded import RecordedIdentities


def seen(*paths: str) -> OwnPlaces:
    places = OwnPlaces()
    for path in paths:
        places.see(Request("GET", path.encode()))
    return places


@pytest.mark.parametrize(
    ("anns", "bens"),
    [
        (("/acme/bills/7", "/acme/members", "/static/a.css"), ("/globex/bills/8", "/globex/members", "/static/a.css")),
        (
            ("/api/projects/acme/bills", "/api/projects/acme/sums"),
            ("/api/projects/globex/bills", "/api/projects/globex/sums"),
        ),
    ],
)
def test_of_the_same_pages_each_has_his_own(anns: tuple[str, ...], bens: tuple[str, ...]):
    assert own_places([seen(*anns), seen(*bens)]) == ["acme", "globex"]


@pytest.mark.parametrize(
    ("anns", "bens"),
    [
        (("/acme/bills/7", "/acme/members"), ("/acme/bills/8", "/acme/members")),
        (("/acme/bills/7", "/acme/members", "/tea/bills"), ("/globex/bills/8", "/globex/members")),
        (("/bills/7", "/bills/9"), ("/orders/7", "/orders/9")),
        (("/501/bills", "/501/members"), ("/502/bills", "/502/members")),
        (("/en/bills", "/en/members"), ("/de/bills", "/de/members")),
        (("/", "/bills"), ("/globex/bills/8", "/globex/members")),
    ],
)
def test_where_anything_else_may_be_meant_nobody_has_one(anns: tuple[str, ...], bens: tuple[str, ...]):
    assert own_places([seen(*anns), seen(*bens)]) == ["", ""]


def test_one_user_has_none_and_a_long_record_is_no_burden():
    many = seen(*(f"/{number}x/{each}/c/d" for number in range(100) for each in range(100)))
    assert own_places([many]) == [""]
    assert len(many.words) <= 20
    assert all(len(words) <= 20 for words in many.words.values())


def test_of_the_same_pages_each_is_known_to_have_his_own() -> None:
    identities = RecordedIdentities(compile_recogniser())
    for token, tenant in ((ALICE, "acme"), (BOB, "globex"), (ALICE, "acme")):
        for page in ("bills", "members"):
            headers = ((b"Host", b"shop.example"), (b"Authorization", token.encode()))
            request = Request("GET", f"/{tenant}/{page}/list".encode(), headers, b"", "https", "shop.example", 443)
            identities.see(Exchange(request, Response(200, (), b"{}")))
    profile = identities.profile()
    assert profile is not None
    assert [set(each.known) & {"below=acme", "below=globex"} for each in profile.identities] == [
        {"below=acme"},
        {"below=globex"},
    ]


def organizers(slug: str, *listed: str) -> OwnPlaces:
    """One who asks which organizers there are, and for the pages of one."""
    places = seen(*(f"/api/v1/organizers/{slug}/{page}/" for page in ("events", "teams")))
    shown = [{"name": f"The {each}", "slug": each} for each in listed]
    answer = Response(200, ((b"Content-Type", b"application/json"),), json.dumps({"results": shown}).encode())
    places.see(Request("GET", b"/api/v1/organizers/"), answer)
    return places


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        (organizers("acme", "acme"), organizers("globex", "globex"), True),
        (organizers("acme", "acme", "globex"), organizers("globex", "acme", "globex"), False),
        (organizers("acme", "acme"), organizers("globex", "acme", "globex"), False),
        (organizers("acme", "acme"), organizers("acme", "acme"), False),
        (organizers("acme"), organizers("globex"), False),
        (seen("/news/spring/likes", "/news/spring/text"), seen("/news/fall/likes", "/news/fall/text"), False),
    ],
    ids=["each his own", "both have both", "one has both", "one and the same", "empty lists", "no list"],
)
def test_a_list_that_shows_each_only_his_own_tells_two_apart(one: OwnPlaces, other: OwnPlaces, differ: bool):
    assert each_in_his_own(one, other) is each_in_his_own(other, one) is differ
