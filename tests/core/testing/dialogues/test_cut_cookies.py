"""A cookie that a parser drops or ends at its blank is sent as the application reads it whole."""

import re
from random import Random
from urllib.parse import unquote

import pytest
from werkzeug.sansio.http import parse_cookie

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation


def told(request: Request, body: bytes) -> Exchange:
    return Exchange(request, Response(200, ((b"Content-Type", b"text/plain"),), body))


def at_cookie(recorded: Exchange):
    """The situation of a cookie's value."""
    return Situation(
        baseline=Baseline("bl_1", recorded),
        point=Point.of("header", "COOKIE", "cookie", "pref"),
        value=b"tea",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
    )


def answered(dialogue, seen, cookies):
    """What comes of a dialogue with a target whose exchanges are these; the cookies that were sent to it are kept."""
    try:
        question = next(dialogue)
        while True:
            cookies.append(question.request.first(b"Cookie"))
            question = dialogue.send(Answer(seen(question.request)))
    except StopIteration as end:
        return end.value


def as_werkzeug(header: str) -> str:
    return parse_cookie(header).get("pref", "")


def as_strictly_decoded(header: str) -> str:
    """Takes the first that RFC 6265 allows, quotes around it left off, and decodes percent escapes."""
    held = (each[5:].strip('"') for each in header.split("; ") if each.startswith("pref="))
    return next((unquote(each) for each in held if not re.search(r'[ "\\,]', each)), "")


@pytest.mark.parametrize(
    ("reader", "controls", "payloads"),
    [
        (as_werkzeug, [b"a=1", b'a=1; pref="\\164ea"'], ("tea' AND 1=1", "tea OR 2")),
        (as_strictly_decoded, [b"a=1", b'a=1; pref="\\164ea"', b"a=1; pref=%74ea"], (r"\74ea", "tea' AND 1=1")),
    ],
)
def test_a_cookie_that_is_dropped_for_its_signs_is_sent_in_a_coding_that_is_read(reader, controls, payloads):
    def seen(request: Request) -> Exchange:
        held = reader(request.first(b"Cookie").decode())
        return told(request, f"you like {held or 'nothing'}".encode())

    baseline = Request("GET", b"/", ((b"Cookie", b"a=1; pref=tea"),))
    asked, cookies = Inquiry(at_cookie(seen(baseline)), [seen(baseline)] * 2), []
    assert answered(asked.send(payloads[0]), seen, cookies).text == f"you like {payloads[0]}"
    assert cookies[1:-1] == controls
    assert answered(asked.send(payloads[1]), seen, cookies).text == f"you like {payloads[1]}"
    assert len(cookies) == len(controls) + 3


@pytest.mark.parametrize("samples", [1, 2])
def test_a_cookie_is_seen_to_be_dropped_on_a_page_that_moves(samples):
    moving = Random(1)

    def seen(request: Request) -> Exchange:
        held = as_strictly_decoded(request.first(b"Cookie").decode())
        drawn = "".join(moving.choices("bcdfghjklm", k=12))
        return told(request, f"you like {held or 'nothing'}\nasked as {drawn} today".encode())

    baseline = Request("GET", b"/", ((b"Cookie", b"a=1; pref=tea"),))
    asked, cookies = Inquiry(at_cookie(seen(baseline)), [seen(baseline) for _ in range(samples)]), []
    assert answered(asked.send("tea' AND 1=1"), seen, cookies).text.startswith("you like tea' AND 1=1")
    assert len(cookies) <= 7


def as_it_stands(header: str) -> str:
    return next((each[5:] for each in header.split("; ") if each.startswith("pref=")), "")


@pytest.mark.parametrize(
    ("reader", "read"),
    [(as_werkzeug, True), (as_strictly_decoded, True), (as_it_stands, True), (lambda header: "tea", False)],
)
def test_a_cookie_without_which_all_goes_well_is_sent_in_the_coding_in_which_open_quotes_do_not(reader, read):
    """A request that changes something, and tells nothing but whether that went well."""

    def seen(request: Request) -> Exchange:
        odd = reader(request.first(b"Cookie").decode()).count("'") % 2
        return told(request, b"there was an error" if odd else b"saved")

    baseline = Request("POST", b"/", ((b"Cookie", b"a=1; pref=tea"),))
    asked, sent = Inquiry(at_cookie(seen(baseline)), [seen(baseline)]), []
    broken = answered(asked.send("tea' AND 1=1"), seen, sent).text
    assert (broken == "there was an error") is read
    assert answered(asked.send("tea' AND 'a'='a' AND 'b'"), seen, sent).text == broken
    assert len(sent) <= 7


def as_the_last_that_stands(header: str) -> str:
    return dict(each.split("=", 1) for each in header.split("; "))["pref"]


@pytest.mark.parametrize("reader", [as_werkzeug, as_strictly_decoded, as_it_stands, as_the_last_that_stands])
def test_a_cookie_that_nothing_is_told_of_arrives_whole_at_whoever_reads_it(reader):
    """What is asked to wait or to call back must arrive, whatever is answered."""

    def seen(request: Request) -> Exchange:
        return told(request, b"done")

    baseline = Request("GET", b"/", ((b"Cookie", b"a=1; pref=tea"),))
    asked, cookies = Inquiry(at_cookie(seen(baseline)), [seen(baseline)] * 2), []
    answered(asked.send("tea' AND 1=1"), seen, cookies)
    assert len(cookies) <= 5
    answered(asked.send("tea' AND sleep(2)"), seen, cookies)
    assert reader(cookies[-1].decode()) == "tea' AND sleep(2)"


def test_a_cookie_that_is_written_with_percent_codes_is_sent_in_no_other_coding():
    """The application says to odd values what it says where the cookie is missing: no parser has dropped it."""

    def seen(request: Request) -> Exchange:
        held = unquote(parse_cookie(request.first(b"Cookie").decode()).get("pref", ""))
        return Exchange(request, Response(200, (), b"you like it" if held == "green tea" else b"nothing"))

    baseline = Request("GET", b"/", ((b"Cookie", b"pref=green%20tea"),))
    asked, cookies = Inquiry(at_cookie(seen(baseline)), [seen(baseline)] * 2), []
    assert answered(asked.send("green tea' OR 1"), seen, cookies).text == "nothing"
    assert len(cookies) == 1


def as_ended_at_a_blank(header: str) -> str:
    """Takes what stands before a blank; of a quoted string all of it, a backslash standing for the sign behind it."""
    found = re.search(r'(?:^|; )pref=(?:"((?:\\.|[^"\\])*)"|([^ ;]*))', header)
    if found is None:
        return ""
    return found[2] if found[1] is None else re.sub(r"\\(.)", r"\1", found[1])


def shelf(reader):
    """A target that tells what lies there for the name a cookie gives, and what name that is where nothing does."""

    def seen(request: Request) -> Exchange:
        held = reader(request.first(b"Cookie").decode())
        return told(request, b"three tins of Assam" if held == "tea" else f"nothing for {held!r}".encode())

    return seen


BASELINE = Request("GET", b"/", ((b"Cookie", b"a=1; pref=tea"),))


@pytest.mark.parametrize("payload", ["tea' AND 1=1", "tea'\" AND 1=1", r"tea\' AND 1=1"])
def test_a_cookie_that_ends_at_a_blank_is_sent_as_a_quoted_string_without_escapes(payload):
    seen = shelf(as_ended_at_a_blank)
    asked, cookies = Inquiry(at_cookie(seen(BASELINE)), [seen(BASELINE)] * 2), []
    assert answered(asked.send(payload), seen, cookies).text == f"nothing for {payload!r}"
    count = len(cookies)
    assert answered(asked.send("tea OR 2"), seen, cookies).text == "nothing for 'tea OR 2'"
    assert len(cookies) == count + 1


def test_a_cookie_that_ends_at_a_blank_is_known_where_nothing_before_it_changes_the_answer():
    seen = shelf(as_ended_at_a_blank)
    asked, cookies = Inquiry(at_cookie(seen(BASELINE)), [seen(BASELINE)] * 2), []
    assert answered(asked.send("tea AND 1=2"), seen, cookies).text == "nothing for 'tea AND 1=2'"


@pytest.mark.parametrize("payload", ["tea' AND 1=1", 'tea"'])
def test_a_cookie_that_is_read_whole_is_sent_as_it_is(payload):
    """Two questions tell so: without the cookie, and with letters behind a blank."""
    seen, cookies = shelf(as_it_stands), []
    asked = Inquiry(at_cookie(seen(BASELINE)), [seen(BASELINE)] * 2)
    assert answered(asked.send(payload), seen, cookies).text == f"nothing for {payload!r}"
    assert cookies[1:] == [b"a=1", b"a=1; pref=tea bcdfg"]
