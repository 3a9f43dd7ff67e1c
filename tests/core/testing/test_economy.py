"""What every page is sent is asked at a few pages of a host; what a page has of its own is asked everywhere."""

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.economy import (
    MOST_FILES,
    MOST_GUARDED,
    MOST_LEAVES,
    MOST_NUMBERED,
    MOST_OF_SECTION_IN_HEADERS,
    MOST_PAGES,
    asked_beside,
    asks_at,
    is_guarded,
)
from gatecrash.core.testing.policy import THOROUGH


def baseline(name: str, target: str, type_: bytes = b"text/html", method: str = "GET", host: str = "shop.example.com"):
    request = Request(method, target.encode(), ((b"Host", host.encode()),), scheme="http", host=host, port=80)
    return Baseline(name, Exchange(request, Response(200, headers=((b"Content-Type", type_),))))


def asked(point: Point, *baselines: Baseline, policy=THOROUGH, type_="sqli") -> list[str]:
    """The baselines that are asked at the point, in one run."""
    seen: set[tuple[str, ...]] = set()
    return [each.id for each in baselines if asks_at(each, policy, seen)(type_, point)]


PAGES = [baseline(name, f"/{name}") for name in ("about", "terms", "faq", "news", "team")]


@pytest.mark.parametrize(
    "point",
    [
        Point.of("header", "ACCEPT"),
        Point.of("header", "SEC-FETCH-MODE"),
        Point.of("header", "SEC-CH-UA-PLATFORM"),
        Point.of("header", "ACCEPT-ENCODING", "list", "0"),
        Point.of("header", "UPGRADE-INSECURE-REQUESTS"),
        Point.of("header", "COOKIE", "cookie", "_ga"),
        Point.of("header", "COOKIE", "cookie", "theme", "name"),
    ],
)
def test_what_is_sent_to_every_page_is_asked_at_the_first_few(point):
    assert asked(point, *PAGES) == ["about", "terms", "faq"]
    assert MOST_PAGES == 3


@pytest.mark.parametrize(
    "point",
    [
        Point.of("header", "USER-AGENT"),
        Point.of("header", "REFERER"),
        Point.of("header", "ACCEPT-LANGUAGE"),
        Point.of("header", "X-ACCEPT"),
        Point.of("header", "COOKIE", "cookie", "theme"),
        Point.of("header", "COOKIE", "cookie", "cart", "json_doc", "json_obj", "sku", "name"),
        Point.of("get", "accept"),
        Point.of("path", "0"),
        Point(),
    ],
)
def test_what_a_page_may_read_by_itself_is_asked_everywhere(point):
    assert len(asked(point, *PAGES)) == len(PAGES)


def test_what_breaks_over_bytes_in_a_header_is_asked_at_a_few_pages_and_elsewhere_everywhere():
    agent, query = Point.of("header", "USER-AGENT"), Point.of("get", "q")
    assert asked(agent, *PAGES, type_="anomaly") == ["about", "terms", "faq"]
    assert len(asked(query, *PAGES, type_="anomaly")) == len(PAGES)


def test_pages_of_one_template_are_one_page():
    point = Point.of("header", "ACCEPT")
    goods = [baseline(f"p{number}", f"/goods/{number}") for number in range(3, 9)]
    assert asked(point, *goods, *PAGES) == ["p3", "about", "terms"]


def test_each_host_is_asked_and_what_changes_something_beside_what_reads():
    point = Point.of("header", "ACCEPT")
    changing = [baseline(f"c{number}", f"/{name}", method="POST") for number, name in enumerate("abcd")]
    other = baseline("other", "/about", host="forum.example.com")
    assert asked(point, *PAGES, *changing, other) == ["about", "terms", "faq", "c0", "c1", "c2", "other"]


def test_a_baseline_that_is_begun_anew_is_asked_again():
    point = Point.of("header", "ACCEPT")
    assert asked(point, PAGES[0], PAGES[0], PAGES[1], PAGES[0]) == ["about", "about", "terms", "about"]


def test_of_files_of_a_folder_and_kind_two_are_asked_at_their_addresses_and_none_about_headers():
    files = [baseline(f"f{number}", f"/static/{number}.png", b"image/png") for number in range(4)]
    elsewhere = baseline("elsewhere", "/other/1.png", b"image/png")
    style = baseline("style", "/static/site.css?v=1", b"text/css; charset=utf-8")
    assert asked(Point.of("path", "1"), *files, elsewhere, style) == ["f0", "f1", "elsewhere", "style"]
    assert asked(Point.of("header", "USER-AGENT"), *files, elsewhere, style) == []
    assert len(asked(Point(), *files)) == len(files)
    assert MOST_FILES == 2


@pytest.mark.parametrize(
    ("target", "type_", "method"),
    [
        ("/static/1.png", b"text/html", "GET"),
        ("/image?file=1.png", b"image/png", "GET"),
        ("/static/1.png", b"image/png", "POST"),
        ("/png", b"image/png", "GET"),
        ("/reports/1.json", b"application/json", "GET"),
        ("/static/1.png.php", b"image/png", "GET"),
    ],
)
def test_what_a_program_may_make_is_no_file_that_lies_there(target, type_, method):
    made = [baseline(f"f{number}", target, type_, method) for number in range(4)]
    assert len(asked(Point.of("header", "USER-AGENT"), *made)) == len(made)


def test_a_file_with_other_parameters_is_another():
    plain = [baseline(f"f{number}", f"/img/{number}.png", b"image/png") for number in range(3)]
    sized = baseline("sized", "/img/9.png?width=7", b"image/png")
    assert asked(Point.of("get", "width"), *plain, sized) == ["f0", "f1", "sized"]


def test_where_a_policy_names_its_points_nothing_is_spared():
    named = msgspec.structs.replace(THOROUGH, include=(("header", "ACCEPT"),))
    assert len(asked(Point.of("header", "ACCEPT"), *PAGES, policy=named)) == len(PAGES)


def test_of_leaves_that_differ_in_their_number_alone_two_are_asked():
    """Whatever looks at whole requests looks at each."""
    leaves = [baseline(f"l{number}", f"/shop?sort=name&page={number}") for number in range(1, 8)]
    for point in (Point.of("get", "page"), Point.of("get", "sort"), Point.of("header", "USER-AGENT")):
        assert asked(point, *leaves) == ["l1", "l2"]
    assert asked(Point(), *leaves) == [each.id for each in leaves]
    assert MOST_LEAVES == 2


@pytest.mark.parametrize(
    "target",
    [
        "/shop?page={}&sort=price",  # another order of the goods
        "/shop?page=admin{}&sort=name",
        "/shop?id={}&sort=name",
        "/shop/{}?sort=name",
        "/shop{}?sort=name&page=1",
        "/shop?sort=name&homepage={}",
    ],
)
def test_what_differs_in_more_than_its_leaf_is_asked_everywhere(target):
    leaves = [baseline("l1", "/shop?page=1&sort=name"), baseline("l2", "/shop?page=2&sort=name")]
    others = [baseline(f"o{number}", target.format(number)) for number in range(1, 5)]
    most = MOST_LEAVES if "sort=price" in target else len(others)
    assert asked(Point.of("get", "sort"), *leaves, *others) == ["l1", "l2", *(each.id for each in others[:most])]


def test_callers_and_answers_of_another_kind_are_leaves_of_their_own():
    leaves = [baseline(f"l{number}", f"/shop?page={number}") for number in range(1, 4)]
    request = leaves[2].request
    signed_in = msgspec.structs.replace(request, headers=(*request.headers, (b"Cookie", b"sid=1")))
    other = Baseline("signed in", Exchange(signed_in, leaves[2].exchange.response))
    refused = Baseline("refused", Exchange(request, Response(403)))
    assert asked(Point.of("get", "page"), *leaves, other, refused) == ["l1", "l2", "signed in", "refused"]


def refused(name: str, body: bytes = b'{"error": "no"}', status: int = 401, method: str = "GET", sent: bytes = b""):
    request = Request(
        method, f"/api/{name}".encode(), ((b"Host", b"shop.example.com"),), sent, "http", "shop.example.com", 80
    )
    return Baseline(name, Exchange(request, Response(status, ((b"Content-Type", b"application/json"),), body)))


def guarded(*baselines: Baseline, policy=THOROUGH) -> list[str]:
    """The baselines that are taken for guarded, in one run."""
    seen: set[tuple[str, ...]] = set()
    return [each.id for each in baselines if is_guarded(each, policy, seen)]


NAMES = ("cups", "mugs", "bowls", "jugs")


def test_what_is_refused_in_words_that_others_heard_is_guarded_but_for_the_first():
    assert guarded(*map(refused, NAMES)) == ["bowls", "jugs"]
    assert MOST_GUARDED == 2
    beside = [refused(f"{name}/7", method="PUT") for name in NAMES]
    assert guarded(*map(refused, NAMES[:2]), *beside) == ["bowls/7", "jugs/7"]
    again = [*map(refused, NAMES), *map(refused, NAMES)]
    assert guarded(*again) == ["bowls", "jugs", "bowls", "jugs"]


def test_a_refusal_that_repeats_the_address_or_counts_has_the_same_words():
    spoken = [
        refused(name, f'{{"path": "/api/{name}", "id": "{n}", "error": "no"}}'.encode()) for n, name in enumerate(NAMES)
    ]
    assert guarded(*spoken) == ["bowls", "jugs"]


@pytest.mark.parametrize(
    "others",
    [
        [refused(name, b'{"error": "no access to %s"}' % name.encode()) for name in NAMES],
        [refused(name, status=404) for name in NAMES],
        [refused(name, status=200) for name in NAMES],
        [refused(f"auth/{name}", method="POST") for name in NAMES],
        [refused(f"webhooks/{name}", method="POST") for name in NAMES],
        [refused(f"{name}/signin", method="POST", sent=b"user=a&password=b") for name in NAMES],
        [refused(name, b'{"error": "Wrong password"}', method="POST", sent=b"q=b") for name in NAMES],
    ],
)
def test_what_judges_by_itself_what_it_is_given_is_not_guarded(others: list[Baseline]):
    assert guarded(*others) == []


def test_where_a_policy_names_its_points_nothing_is_guarded():
    named = msgspec.structs.replace(THOROUGH, include=(("get", "q"),))
    assert guarded(*map(refused, NAMES), policy=named) == []


THEME = Point.of("header", "COOKIE", "cookie", "theme")


def in_full(*baselines: Baseline, policy=THOROUGH, point: Point = THEME) -> list[str]:
    """The baselines that are asked in full at a cookie, whatever they answer, in one run."""
    seen: set[tuple[str, ...]] = set()
    return [each.id for each in baselines if not asked_beside(each, policy, seen, (point,))]


def test_a_cookie_is_asked_in_full_once_in_each_section_and_by_what_changes_something_once_more() -> None:
    pages = [
        baseline("list", "/shop/list"),
        baseline("item", "/shop/items/7"),
        baseline("other item", "/shop/items/8"),
        baseline("basket", "/shop/basket"),
        baseline("add", "/shop/basket", method="POST"),
        baseline("help", "/help/terms"),
        baseline("other host", "/shop/list", host="other.example"),
    ]
    assert in_full(*pages) == ["list", "item", "add", "help", "other host"]


def test_a_page_that_is_begun_anew_stays_the_one_that_is_asked_in_full() -> None:
    first, second = baseline("list", "/shop/list"), baseline("basket", "/shop/basket")
    assert in_full(first, second, first) == ["list", "list"]


@pytest.mark.parametrize(
    "point",
    [
        Point.of("header", "USER-AGENT"),
        Point.of("get", "theme"),
        Point.of("header", "COOKIE", "cookie", "theme", "name"),
    ],
)
def test_nothing_but_a_cookie_is_asked_in_full_at_a_page_of_each_section_alone(point: Point) -> None:
    assert in_full(baseline("list", "/shop/list"), baseline("basket", "/shop/basket"), point=point) == [
        "list",
        "basket",
    ]


def test_a_cookie_that_is_called_like_a_page_is_asked_in_full_there() -> None:
    pages = [baseline(name, f"/course/{name}") for name in ("intro", "lesson-7", "lesson-7.html", "lesson-8", "end")]
    cookie = Point.of("header", "COOKIE", "cookie", "Lesson_7_mode")
    assert in_full(*pages, point=cookie) == ["intro", "lesson-7", "lesson-7.html"]
    assert in_full(
        baseline("a", "/to/a"), baseline("at", "/to/at"), point=Point.of("header", "COOKIE", "cookie", "at")
    ) == ["a"]


@pytest.mark.parametrize("name", ["USER-AGENT", "REFERER", "ACCEPT-LANGUAGE", "ORIGIN"])
def test_what_browsers_say_of_themselves_is_asked_in_full_at_the_first_pages_of_each_section(name: str) -> None:
    pages = [
        baseline(f"{section}{number}", f"/{section}/page{number}") for section in ("a", "b") for number in range(5)
    ]
    asked_first = [f"{section}{number}" for section in ("a", "b") for number in range(MOST_OF_SECTION_IN_HEADERS)]
    assert in_full(*pages, point=Point.of("header", name)) == asked_first
    assert len(in_full(*pages, point=Point.of("header", "X-ORIGIN"))) == len(pages)


def test_files_of_an_extension_take_no_turn_from_what_stands_beside_them() -> None:
    files = [baseline(f"file{number}", f"/a/page{number}.html") for number in range(5)]
    pages = [baseline(f"page{number}", f"/a/page{number}") for number in range(5)]
    asked_first = ["file0", "file1", "file2", "page0", "page1", "page2"]
    assert in_full(*files, *pages, point=Point.of("header", "REFERER")) == asked_first


def test_where_a_policy_names_its_points_cookies_are_asked_in_full_everywhere() -> None:
    policy = msgspec.structs.replace(THOROUGH, include=(("header", ".*"),))
    pages = baseline("list", "/shop/list"), baseline("basket", "/shop/basket")
    assert in_full(*pages, policy=policy) == ["list", "basket"]


CASES = [baseline(str(number), f"/case/K{number}.html") for number in range(10, 16)]
RUNS = [baseline(str(number), f"/case/{number}/run/word") for number in range(10, 16)]


@pytest.mark.parametrize(
    "point", [Point.of("path", "1"), Point.of("path", "0"), Point.of("action_name"), Point.of("uri")]
)
def test_a_segment_that_a_number_tells_apart_is_asked_at_three(point: Point) -> None:
    assert asked(point, *CASES) == ["10", "11", "12"]
    assert MOST_NUMBERED == 3


@pytest.mark.parametrize("point", [Point.of("path", "2"), Point.of("path", "3"), Point.of("get", "q"), Point.of("uri")])
def test_what_stands_behind_the_number_is_asked_everywhere(point: Point) -> None:
    assert asked(point, *RUNS) == [each.id for each in RUNS]
    assert asked(Point.of("path", "1"), *RUNS) == ["10", "11", "12"]


def test_other_words_before_the_number_another_length_and_other_answers_are_addresses_of_their_own() -> None:
    others = [baseline(word, f"/{word}/items/7") for word in ("v1", "v2", "v3", "v4", "shop")]
    assert len(asked(Point.of("path", "2"), *others)) == len(others)
    refused = baseline("refused", "/case/K20.html")
    answer = Response(404, headers=((b"Content-Type", b"text/html"),))
    refused = msgspec.structs.replace(refused, exchange=Exchange(refused.request, answer))
    assert asked(Point.of("path", "1"), *CASES, RUNS[0], refused) == ["10", "11", "12", "10", "refused"]


def test_whose_it_is_is_asked_at_every_number() -> None:
    assert len(asked(Point.of("path", "1"), *CASES, type_="idor")) == len(CASES)


def test_where_a_policy_names_its_points_every_number_is_asked() -> None:
    policy = msgspec.structs.replace(THOROUGH, include=(Point.of("path", ".*"),))
    assert len(asked(Point.of("path", "1"), *CASES, policy=policy)) == len(CASES)
