"""The ways from the answer to a changing request to pages that may show what it left."""

from random import Random

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.following import (
    LANDING,
    Way,
    addresses_in,
    follow,
    gives_session,
    known_again,
    own_target,
    renewed,
    told_of,
    ways_from,
)
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation
from gatecrash.core.testing.surroundings.pages import Pages

JSON, HTML = ((b"Content-Type", b"application/json"),), ((b"Content-Type", b"text/html"),)
SAVED = Response(201, JSON, b'{"id": 3, "title": "tea"}')


def situation(*targets: bytes, answer: Response = SAVED, started: float = 0.0) -> Situation:
    """Of a POST that was answered so, with pages that were asked for one second after the other."""
    request = Request("POST", b"/notes", ((b"Cookie", b"a=1"),), b"{}", host="a")
    pages = Pages()
    for number, target in enumerate(targets):
        pages.add(Exchange(Request("GET", target, host="a"), Response(200, HTML, b"<p>x"), float(number + 1)))
    return Situation(
        baseline=Baseline("bl_1", Exchange(request, answer, started)),
        point=Point.of("post"),
        value=b"",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
        pages=pages.beside(request),
    )


def of_post(told: Situation, target: bytes, body: bytes) -> Situation:
    """The same, of a form."""
    form = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    request = msgspec.structs.replace(told.baseline.request, target=target, headers=form, body=body)
    exchange = msgspec.structs.replace(told.baseline.exchange, request=request)
    return msgspec.structs.replace(told, baseline=Baseline("bl_1", exchange))


def targets(ways: list[Way]) -> list[bytes]:
    return [way.target for way in ways]


def test_pages_of_what_was_created_come_before_nearer_ones_and_are_asked_for_by_the_new_number():
    told = situation(b"/notes", b"/other/3/related")
    now = Response(201, JSON, b'{"id": 41, "title": "tea"}')
    first, second = ways_from(told, now)
    assert (first.target, second.target) == (b"/other/3/related", b"/notes")
    assert follow(told, first, Exchange(told.baseline.request, now)).target == b"/other/41/related"


@pytest.mark.parametrize(
    ("body", "now", "page", "expected"),
    [
        (b'{"id": 3}', b'{"id": 41}', b"/notes/1", b"/notes/41"),
        (
            b'{"data": {"createPin": {"pin": {"id": "3"}}}}',
            b'{"data": {"createPin": {"pin": {"id": "41"}}}}',
            b"/pin/1",
            b"/pin/41",
        ),
        (b'{"data": {"addPin": {"id": 3}}}', b'{"data": {"addPin": {"id": 41}}}', b"/board/pins/1", b"/board/pins/41"),
        # "Pin:3" and "Pin:41".
        (b'{"pin": {"id": "UGluOjM="}}', b'{"pin": {"id": "UGluOjQx"}}', b"/pins/1", b"/pins/41"),
        (b'{"user": {"id": "UGluOjM="}}', b'{"user": {"id": "UGluOjQx"}}', b"/users/1", None),
        (b'{"data": {"addPin": {"id": 3}}}', b'{"data": {"addPin": {"id": 41}}}', b"/users/1", None),
        (b'{"data": {"addPin": {"id": 3}}}', b'{"data": {"addPin": {"id": 41}}}', b"/pins/new", None),
    ],
    ids=["where it was sent", "object", "mutation", "global", "of another kind", "other pages", "no page of one"],
)
def test_where_pages_of_its_kind_are_known_what_was_created_has_one(
    body: bytes, now: bytes, page: bytes, expected: bytes | None
):
    told = situation(page, answer=Response(201, JSON, body))
    answer = Response(201, JSON, now)
    asked = [follow(told, way, Exchange(told.baseline.request, answer)).target for way in ways_from(told, answer)]
    assert asked == ([expected, page] if expected else [page])


def test_a_page_of_what_the_request_names_is_asked_for_as_recorded_too_where_the_new_number_was_the_same():
    told = situation(b"/articles/3", b"/notes")
    body = b'{"article": "3", "text": "tea"}'
    request = msgspec.structs.replace(told.baseline.request, headers=JSON, body=body)
    exchange = msgspec.structs.replace(told.baseline.exchange, request=request)
    told = msgspec.structs.replace(told, baseline=Baseline("bl_1", exchange))
    now = Response(201, JSON, b'{"id": 41, "title": "tea"}')
    ways = ways_from(told, now)
    asked = [follow(told, way, Exchange(request, now)).target for way in ways]
    assert asked == [b"/articles/41", b"/articles/3", b"/notes"]


def test_where_the_answer_leads_comes_first():
    told = situation(b"/list", answer=Response(303, ((b"Location", b"/list"),)))
    elsewhere = Response(303, ((b"Location", b"/done?n=7"),))
    assert ways_from(told, elsewhere)[0] is LANDING
    assert follow(told, LANDING, Exchange(told.baseline.request, elsewhere)).target == b"/done?n=7"
    assert follow(told, LANDING, Exchange(told.baseline.request, Response(200))) is None


def test_an_address_in_a_json_answer_is_a_way_and_one_that_deletes_is_none():
    request = Request("POST", b"/notes", host="a")
    answer = Response(
        201, JSON, b'{"self": "/x/9", "undo": "/x/9/delete", "away": "http://b/y", "full": "http://a/z?q=1"}'
    )
    baseline = Baseline("b", Exchange(request, Response(201, JSON, b'{"self": "/x/8"}')))
    assert sorted(addresses_in(baseline, answer)) == [b"/x/9", b"/z?q=1"]


def test_an_address_that_only_repeats_what_was_asked_is_no_way():
    recorded = Exchange(Request("POST", b"/notes?q=a", host="a"), Response(200, JSON, b'{"asked": "/notes?q=a"}'))
    assert addresses_in(Baseline("b", recorded), Response(200, JSON, b'{"asked": "/notes?q=b"}')) == []


def test_links_lead_only_to_pages_that_are_known():
    told = situation(b"/1", b"/far/away")
    answer = Response(200, HTML, b'<a href="/sign-out">bye</a> <a href="/far/away">there</a>')
    assert targets(ways_from(told, answer)) == [b"/far/away", b"/1"]


@pytest.mark.parametrize(
    "link", ["b.php", "?page=b", "index.php?page=b", "/index.php?page=b", "http://a/index.php?page=b"]
)
def test_links_are_followed_however_they_are_written(link: str):
    target = b"/b.php" if link == "b.php" else b"/index.php?page=b"
    told = of_post(situation(b"/1", b"/2", b"/3", target), b"/index.php?page=a", b"n=1")
    assert targets(ways_from(told, Response(200, HTML, f'<a href="{link}">there</a>'.encode())))[0] == target


def test_a_link_of_the_text_comes_before_those_of_the_menu_alone():
    told = of_post(situation(b"/1", b"/2", b"/3", b"/4"), b"/a", b"n=1")
    menu = b"".join(b"<a href='/%d'>to</a>" % number for number in range(1, 5))
    assert targets(ways_from(told, Response(200, HTML, menu + b"Saved: <a href='/4'>see it</a>")))[0] == b"/4"


def test_behind_a_sites_one_script_what_the_request_is_about_comes_first():
    pages = (b"/index.php?page=about", b"/index.php?page=news", b"/index.php?page=seed_list", b"/index.php?page=nick")
    told = of_post(situation(*pages), b"/index.php?page=seed_edit", b"kind=1")
    assert targets(ways_from(told, Response(204)))[0] == pages[2]
    assert targets(ways_from(of_post(situation(*pages), b"/seed_edit.php", b"kind=1"), Response(204)))[0] == pages[0]
    assert (
        targets(ways_from(of_post(situation(*pages), b"/index.php?page=b", b"nicks=1"), Response(204)))[0] == pages[3]
    )


def test_a_page_about_another_thing_of_the_kind_is_asked_for_about_the_one_that_the_request_names():
    told = situation(b"/seeds/1/page?wide=1", b"/seeds/new/page", b"/plots/1/page", b"/seeds/1")
    request = msgspec.structs.replace(told.baseline.request, target=b"/seeds/4/reviews")
    answer = Response(201, JSON, b'{"id": 4, "words": "tea"}')
    told = msgspec.structs.replace(told, baseline=Baseline("bl_1", Exchange(request, answer)))
    now = Response(201, JSON, b'{"id": 5, "words": "tea"}')
    ways = ways_from(told, now)
    assert set(targets(ways[:2])) == {b"/seeds/4/page?wide=1", b"/seeds/4"}
    asked = [follow(told, way, Exchange(request, now)).target for way in ways]
    assert b"/seeds/4" in asked, "whatever number the review has"
    assert sorted(asked[2:]) == [b"/plots/1/page", b"/seeds/1", b"/seeds/1/page?wide=1", b"/seeds/new/page"]


def test_a_page_that_is_named_like_a_value_comes_before_nearer_ones():
    """Nothing that it shows need be the value: it may look others up by it."""
    told = situation(b"/notes/a", b"/notes/b", b"/notes/c", b"/my/by-nick/7", b"/nickel", b"/nick/settings")
    found = targets(ways_from(of_post(told, b"/notes", b"nick=emil"), Response(204)))
    assert found[0] == b"/my/by-nick/7"
    assert set(found[1:4]) == {b"/notes/a", b"/notes/b", b"/notes/c"}


def test_pages_asked_for_shortly_before_or_after_the_change_come_by_turns_with_the_nearest():
    told = situation(b"/1", b"/2", b"/3", b"/4", started=3.4)
    assert targets(ways_from(told, SAVED)) == [b"/1", b"/3", b"/2", b"/4"]
    assert targets(ways_from(situation(b"/1", b"/2", b"/3", b"/4"), SAVED)) == [b"/1", b"/2", b"/3", b"/4"]


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (b'{"id": 3}', b'{"id": 4}', {"3": "4"}),
        (b'{"note": {"uuid": "a1-b2"}}', b'{"note": {"uuid": "c3-d4"}}', {"a1-b2": "c3-d4"}),
        (b'{"id": 3}', b'{"id": 3}', {}),
        (b'{"name": "tea"}', b'{"name": "milk"}', {}),
        (b"no json", b'{"id": 4}', {}),
    ],
)
def test_identifiers_that_an_answer_gives_out_are_those_that_are_new_each_time(before, now, expected):
    assert renewed(Response(200, JSON, before), Response(200, JSON, now)) == expected
    assert renewed(Response(200, JSON, before), Response(400, JSON, now)) == {}


def test_the_pieces_of_a_location_are_identifiers_as_well():
    before, now = (Response(201, ((b"Location", b"/notes/%d" % number),)) for number in (3, 4))
    assert renewed(before, now) == {"3": "4"}


def test_cookies_of_the_answer_are_sent_on_as_a_browser_does():
    request = Request("GET", b"/", ((b"Cookie", b"a=1; b=2"),))
    answer = Response(200, ((b"Set-Cookie", b"b=3; Path=/"), (b"Set-Cookie", b"c=4")))
    assert known_again(request, answer).first(b"Cookie") == b"a=1; b=3; c=4"
    assert gives_session(answer)
    assert known_again(request, Response(200)) is request


def test_only_addresses_of_the_own_host_are_asked():
    request = Request("GET", b"/", host="a")
    assert own_target(request, "http://a/x?y=1#z") == b"/x?y=1"
    assert own_target(request, "//b/x") is None
    assert own_target(request, "x/y") is None


def test_a_way_is_told_by_its_address():
    assert (told_of(Way(b"/x")), told_of(LANDING)) == ("'/x'", "the page that the answer leads to")
