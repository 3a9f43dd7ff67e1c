"""Which pages are read again after a request that may have left something, and by what they are known."""

from random import Random
from urllib.parse import parse_qsl

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.reading_after import (
    first_kept,
    kept_values,
    may_be_kept,
    may_be_shown_later,
    may_keep,
    pages_showing,
    renew_others,
    was_taken,
)
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.memory import Memory
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation
from gatecrash.core.testing.surroundings.pages import Pages

HTML = ((b"Content-Type", b"text/html"),)
PLAIN = ((b"Content-Type", b"text/plain"),)
DONE, SENT_ON = Response(200, (), b"done"), Response(303, ((b"Location", b"/notes"),))


def inquiry(method: str = "POST", value: bytes = b"tea", *pages: bytes, answer: Response = DONE) -> Inquiry:
    exchange = Exchange(Request(method, b"/save?q=" + value, host="a"), answer)
    return Inquiry(
        Situation(
            baseline=Baseline("bl_1", exchange),
            point=Point.of("get", "q"),
            value=value,
            credentials=(),
            policy=DEFAULT,
            random=Random(1),
            pages=tuple(Page(Request("GET", target, host="a"), target != b"/data") for target in pages),
        ),
        [exchange],
    )


@pytest.mark.parametrize(
    ("method", "value", "expected"),
    [("POST", b"tea", True), ("GET", b"tea", False), ("POST", b"42", False), ("PUT", b"true", False)],
)
def test_texts_of_changing_requests_may_be_kept(method, value, expected):
    assert may_keep(inquiry(method, value)) is expected


def test_without_any_page_nothing_can_be_shown_later():
    assert not may_be_shown_later(inquiry())
    assert not may_be_shown_later(inquiry("POST", b"tea", b"/data"))
    assert may_be_shown_later(inquiry("POST", b"tea", b"/list"))
    assert may_be_shown_later(inquiry(answer=SENT_ON))


class Site:
    """Shows what was sent last at some of its pages; refuses to take more than so many letters' values at once."""

    def __init__(self, showing: dict[bytes, str], most: int = 9, answer: Response = DONE) -> None:
        self.showing, self.most, self.answer = showing, most, answer
        self.kept: dict[str, str] = {}
        self.asked: list[bytes] = []

    def __call__(self, request: Request) -> Response:
        if request.method == "POST":
            values = dict(parse_qsl((request.query or b"").decode()))
            if sum(value not in ("tea", "green tea") for value in values.values()) > self.most:
                return Response(400)
            self.kept = values
            return self.answer
        self.asked.append(request.target)
        shown = self.kept.get(self.showing.get(request.target, ""), "nothing")
        return Response(200, HTML if request.target != b"/notes" else PLAIN, f"<p>{shown}".encode())


def showing_at(asked: Inquiry, site: Site) -> list[bytes]:
    """The addresses at which what is left is shown."""
    dialogue = pages_showing(asked)
    try:
        question = next(dialogue)
        while True:
            question = dialogue.send(Answer(Exchange(question.request, site(question.request))))
    except StopIteration as end:
        return [way.target for way in end.value]


def test_the_page_that_the_answer_leads_to_is_read_first_and_then_the_nearest():
    site = Site({b"/list": "q", b"/notes": "q"}, answer=SENT_ON)
    found = showing_at(inquiry("POST", b"tea", b"/data", b"/list", b"/other"), site)
    assert (found, site.asked) == ([b"/list"], [b"/notes", b"/list", b"/other"])


def test_every_page_that_shows_it_is_told_as_one_may_escape_what_another_does_not():
    site = Site({b"/list": "q", b"/other": "q"})
    assert showing_at(inquiry("POST", b"tea", b"/list", b"/other"), site) == [b"/list", b"/other"]


def test_pages_that_were_recorded_with_the_value_are_read_before_nearer_ones():
    asked = inquiry("POST", b"green tea", b"/1", b"/2", b"/3", b"/4")
    met = Pages()
    for page in asked.situation.pages:
        met.add(Exchange(page.request, Response(200, HTML, b"<p>black tea")))
    far = Request("GET", b"/people/ann", host="a")
    met.add(Exchange(far, Response(200, HTML, b"<p>drinks <b>tea</b>, green if possible")))
    asked.situation = msgspec.structs.replace(asked.situation, pages=met.beside(asked.situation.baseline.request))
    site = Site({})
    showing_at(asked, site)
    assert site.asked == [b"/people/ann", b"/1", b"/2", b"/3", b"/4"]


def two_values(*pages: bytes) -> list[Inquiry]:
    """Two dialogues about one request, at its two values."""
    first = inquiry("POST", b"tea&r=tea", *pages)
    places = ((Point.of("get", "q"), b"tea"), (Point.of("get", "r"), b"tea"))
    memory = Memory(places)
    asked = []
    for point, value in places:
        situation = msgspec.structs.replace(first.situation, point=point, value=value, memory=memory)
        asked.append(Inquiry(situation, [first.control]))
    return asked


def test_pages_are_read_once_for_all_values_of_a_request():
    first, second = two_values(b"/list", b"/other")
    site = Site({b"/list": "q", b"/other": "r"})
    assert (showing_at(first, site), showing_at(second, site)) == ([b"/list"], [b"/other"])
    assert site.asked == [b"/list", b"/other"]


def test_where_all_values_at_once_are_refused_each_is_tried_by_itself():
    first, second = two_values(*(b"/%d" % number for number in range(9)))
    site = Site({b"/1": "r"}, most=1)
    assert (showing_at(first, site), showing_at(second, site)) == ([], [b"/1"])
    assert len(site.asked) == 2 * 4


def test_no_more_than_twelve_pages_are_read():
    site = Site({})
    assert showing_at(inquiry("POST", b"tea", *(b"/%d" % number for number in range(20))), site) == []
    assert len(site.asked) == 12


def test_of_headers_only_what_tells_of_the_caller_is_kept():
    situation = inquiry().situation
    assert may_be_kept(situation, Point.of("header", "USER-AGENT"), b"Browser/1")
    assert not may_be_kept(situation, Point.of("header", "ACCEPT"), b"text/html")
    assert not may_be_kept(situation, Point.of("post", "multipart", "file", "content_type"), b"text/html")


def test_a_browser_s_name_is_kept_by_what_only_reads_where_a_page_shows_it():
    browser, situation = b"Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0", inquiry("GET", b"tea").situation
    log = Exchange(Request("GET", b"/log", host="a"), Response(200, HTML, b"<td>" + browser + b"</td>"))
    pages = Pages()
    assert pages.add(log)
    beside = pages.beside(Request("GET", b"/tea", ((b"User-Agent", browser),), host="a"))
    assert [page.request.target for page in beside] == [b"/log"]
    assert not pages.beside(Request("GET", b"/tea", ((b"User-Agent", b"Mozilla"),), host="a"))
    assert not may_be_kept(situation, Point.of("header", "USER-AGENT"), browser)
    situation = msgspec.structs.replace(situation, pages=beside)
    assert may_be_kept(situation, Point.of("header", "USER-AGENT"), browser)
    assert not may_be_kept(situation, Point.of("header", "REFERER"), browser)


def test_a_file_s_name_is_kept_beside_its_content():
    file = Point.of("post", "multipart", "file")
    places = ((file, b"hello"), (Point((*file, "filename")), b"a.txt"), (Point((*file, "name")), b"file"))
    situation = msgspec.structs.replace(inquiry().situation, point=file, value=b"hello", memory=Memory(places))
    assert kept_values(situation) == {places[0][0]: "hello", places[1][0]: "a.txt"}
    assert first_kept(situation) == file


def test_what_holds_other_values_is_not_kept_as_a_whole():
    whole, inner = (
        Point.of("post", "form_urlencoded", "q"),
        Point.of("post", "form_urlencoded", "q", "json_doc", "json_obj", "a"),
    )
    situation = inquiry().situation
    places = ((whole, b'{"a":"b"}'), (inner, b"b"))
    asked = msgspec.structs.replace(situation, point=inner, value=b"b", memory=Memory(places))
    assert kept_values(asked) == {inner: "b"}


@pytest.mark.parametrize(
    "named",
    [
        b"UHJvZHVjdDox",
        b"2f1c7a30-54c5-4f0e-9a5b-0d6f1f6c2b11",
        b"65f0c2d4a1b2c3d4e5f60718",
        b"01HV5Z6J8Q4X2N7M3K9R5T1W0B",
    ],
)
def test_what_names_an_object_is_not_changed_together_with_texts(named):
    """What is written about a thing that there is not is shown on no page; alone it is asked as any other value."""
    about, text = Point.of("post", "json_doc", "json_obj", "about"), Point.of("post", "json_doc", "json_obj", "body")
    both = msgspec.structs.replace(
        inquiry().situation, point=about, value=named, memory=Memory(((about, named), (text, b"fine")))
    )
    assert kept_values(both) == {text: "fine"}
    assert first_kept(both) == text
    alone = msgspec.structs.replace(both, memory=Memory(((about, named),)))
    assert kept_values(alone) == {about: named.decode()}
    inside = Point((*about, "base64"))
    decoded = msgspec.structs.replace(both, memory=Memory(((about, named), (inside, b"Product:1"), (text, b"fine"))))
    assert kept_values(msgspec.structs.replace(decoded, point=text, value=b"fine")) == {text: "fine"}
    assert kept_values(msgspec.structs.replace(decoded, point=inside, value=b"Product:1")) == {text: "fine"}


@pytest.mark.parametrize(
    ("recorded", "answer", "expected"),
    [
        (b'{"data": {"a": 1}}', b'{"data": {"a": 2}}', True),
        (b'{"data": {"a": 1}}', b'{"data": null, "errors": [{"message": "Unknown operation"}]}', False),
        (b'{"errors": [{"message": "Partly"}]}', b'{"errors": [{"message": "Partly"}]}', True),
    ],
)
def test_what_is_answered_by_errors_under_a_good_status_was_not_taken(recorded, answer, expected):
    asked = inquiry(answer=Response(200, (), recorded))
    seen = Exchange(asked.situation.baseline.request, Response(200, (), answer))
    assert was_taken(asked.situation, seen) is expected


@pytest.mark.parametrize(
    ("answer", "expected"), [(SENT_ON, True), (Response(200, HTML, b"<form>"), False), (DONE, True)]
)
def test_who_is_shown_the_form_again_in_the_place_of_being_led_on_was_refused(answer, expected):
    asked = inquiry(answer=SENT_ON)
    assert was_taken(asked.situation, Exchange(asked.situation.baseline.request, answer)) is expected


def test_a_number_may_be_kept_where_a_short_form_sends_it():
    """What a session is to remember; in a long form, in JSON and in an address it is a number."""
    number, button = Point.of("post", "form_urlencoded", "id"), Point.of("post", "form_urlencoded", "send")

    def beside(*places: tuple[Point, bytes]) -> Situation:
        return msgspec.structs.replace(inquiry().situation, point=number, value=b"2", memory=Memory(places))

    short = beside((number, b"2"), (button, b"Send"))
    assert kept_values(short) == {number: "2", button: "Send"}
    assert not may_be_kept(short, Point.of("get", "page"), b"2")
    assert not may_be_kept(short, Point.of("post", "json_doc", "json_obj", "id"), b"2")
    others = tuple((Point.of("post", "form_urlencoded", f"field{each}"), b"1") for each in range(5))
    assert not may_be_kept(beside((number, b"2"), *others), number, b"2")


@pytest.mark.parametrize("again", ["password2", "againpass", "confirm", "repeat_pass"])
def test_a_password_is_not_changed_nor_its_repetition(again):
    """Two that differ are refused, and with them all that was to be kept."""
    name, word, more = (Point.of("post", "form_urlencoded", each) for each in ("name", "password", again))
    places = ((name, b"ann"), (word, b"ann"), (more, b"ann"))
    situation = msgspec.structs.replace(inquiry().situation, point=name, value=b"ann", memory=Memory(places))
    assert kept_values(situation) == {name: "ann"}
    assert not may_be_kept(situation, word, b"ann")


@pytest.mark.parametrize("form", ["form_urlencoded", "multipart"])
@pytest.mark.parametrize("called", ["token", "user_token", "_csrf"])
def test_what_lets_a_form_in_is_left_as_it_is(form, called):
    """Changed, it would have all that was to be kept refused; another text of that name is kept as any other."""
    name, guard = Point.of("post", form, "name"), Point.of("post", form, called)
    drawn = b"0f6b81f9473ced5a05a2a157914f9f300dd18570"

    def beside(point: Point, value: bytes) -> Situation:
        places = ((name, b"ann"), (point, value))
        return msgspec.structs.replace(inquiry().situation, point=name, value=b"ann", memory=Memory(places))

    assert kept_values(beside(guard, drawn)) == {name: "ann"}
    assert kept_values(beside(Point.of("post", form, "token"), b"tram ticket")) == {
        name: "ann",
        ("post", form, "token"): "tram ticket",
    }
    pushed = Point.of("post", "json_doc", "json_obj", "token")
    assert kept_values(beside(pushed, drawn)) == {name: "ann", pushed: drawn.decode()}


@pytest.mark.parametrize("target", [b"/index.php?page=ask&topic=tea", b"/ask.php?page=ask&topic=tea"])
def test_which_page_of_a_sites_one_script_is_asked_for_is_left_as_it_is(target):
    """With another one nothing is taken, and nothing is learned of the other values."""
    page, topic = Point.of("get", "page"), Point.of("get", "topic")
    told = inquiry().situation
    exchange = Exchange(Request("POST", target, host="a"), DONE)
    told = msgspec.structs.replace(
        told, baseline=Baseline("bl_1", exchange), point=topic, memory=Memory(((page, b"ask"), (topic, b"tea")))
    )
    script = target.startswith(b"/index.php")
    assert kept_values(told) == ({topic: "tea"} if script else {topic: "tea", page: "ask"})


def test_a_word_that_only_looks_like_a_password_s_repetition_is_kept():
    name, check = Point.of("post", "form_urlencoded", "name"), Point.of("post", "form_urlencoded", "check")
    places = ((name, b"ann"), (check, b"ann"))
    situation = msgspec.structs.replace(inquiry().situation, point=name, value=b"ann", memory=Memory(places))
    assert kept_values(situation) == {name: "ann", check: "ann"}


def test_the_others_are_renewed_in_each_request():
    first, _ = two_values(b"/list")
    assert renew_others(first)
    assert not renew_others(first), "once is enough"
    seen = []
    for payload in ("one", "two"):
        asking = first.send(payload)
        seen.append(dict(parse_qsl(next(asking).request.query.decode())))
    assert [each["q"] for each in seen] == ["one", "two"]
    others = [each["r"] for each in seen]
    assert others[0] != others[1]
    assert all(other.startswith("tea") and len(other) > len("tea") for other in others)
    assert not renew_others(inquiry()), "there are no others"


def test_a_forms_token_is_not_written_over_together_with_texts():
    """It would have all of them refused."""
    token, text = Point.of("post", "form_urlencoded", "_csrf"), Point.of("post", "form_urlencoded", "text")
    both = msgspec.structs.replace(
        inquiry().situation, point=token, value=b"9fQ2kLx8", memory=Memory(((token, b"9fQ2kLx8"), (text, b"fine")))
    )
    assert kept_values(both) == {text: "fine"}
    assert first_kept(both) == text
    alone = msgspec.structs.replace(both, memory=Memory(((token, b"9fQ2kLx8"),)))
    assert kept_values(alone) == {token: "9fQ2kLx8"}
