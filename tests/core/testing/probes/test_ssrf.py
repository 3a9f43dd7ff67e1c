"""The probe ssrf, driven against the range's places over a real port, and against a target with a listener beside it."""

import html
import re
from random import Random
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

import pytest
from tests.core.testing import driving
from tests.core.testing.driving import record
from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.out_of_band import HTTP, Hit, Listening, addresses
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probe import Answer, Situation
from gatecrash.core.testing.probes.ssrf import PROBE
from gatecrash.core.testing.verdict import Outcome

FINE = Response(200, (), b"Not read.")


class TestProbe(AtRange):
    name = "ssrf"
    probe = PROBE


def asked_of(fetches: str, policy=DEFAULT, target=b"/?url=http%3A%2F%2Fa.example%2F", answered=FINE, whole=False):
    """The verdict on a target that fetches the addresses in which the expression is found, and who was asked for."""
    baseline = record(lambda _: answered, Request("GET", target, host="h.example"))
    name, _, value = target.decode().removeprefix("/?").partition("=")
    point = Point.of("uri") if whole else Point.of("get", name)
    situation = Situation(
        baseline=baseline,
        point=point,
        value=target if whole else unquote(value.partition("&")[0]).encode(),
        credentials=(),
        policy=policy,
        random=Random(1),
        oob=addresses(Listening(host="127.0.0.1", port=9), b"k", "tr", "bl", point, "ssrf"),
    )
    dialogue, numbers = PROBE.run(situation), []
    if not PROBE.applies(situation):
        return None, numbers
    try:
        question = next(dialogue)
        while True:
            numbers += [lure.number for lure in question.lures]
            came = question.lures if re.search(fetches, question.request.target.decode()) else ()
            hits = tuple(Hit(name=lure.name, protocol=HTTP) for lure in came)
            question = dialogue.send(Answer(Exchange(question.request, answered), hits=hits))
    except StopIteration as end:
        return end.value.outcome, numbers


@pytest.mark.parametrize(
    ("fetches", "numbers"),
    [("127[.]0[.]0[.]1%3A9%2F", [1, 2]), ("2130706433", [1, 3, 4]), ("127[.]1%3A", [1, 3, 5, 6])],
)
def test_a_filter_of_the_usual_spelling_of_an_address_is_passed_by_another(fetches, numbers):
    """Each address of the listener is asked for once, whatever its spelling, so that a late hit tells which it was."""
    assert asked_of(fetches, THOROUGH) == (Outcome.VULNERABLE, numbers)


def test_other_spellings_are_left_to_who_asks_for_all():
    assert asked_of("2130706433", DEFAULT) == (Outcome.SAFE, [1, 9, 11])


def test_a_list_of_words_is_passed_by_default_where_no_user_may_be_named():
    """Browsers' `fetch`, and servers that have it, refuse an address with a user in it."""
    assert asked_of("^(?!.*%40).*a[.]example", DEFAULT) == (Outcome.VULNERABLE, [1, 9, 11, 12])


def test_a_list_of_beginnings_and_one_of_forbidden_words_are_passed_by_default():
    """With the value's own host as the name of a user at ours, which is spelled as filters of words do not know it."""
    begins = "(?:^|=)https?%3A%2F%2F[^%]+%40(?:%5B|127)"
    no_words = "^(?!.*(?:127[.]0[.]0[.]1|localhost))"
    for fetches in (begins, no_words):
        assert asked_of(fetches, DEFAULT) == (Outcome.VULNERABLE, [1, 9, 10])


@pytest.mark.parametrize("value", [b"10.0.0.5:8080", b"stock.example:80", b"localhost:3000"])
def test_a_host_with_its_port_is_an_address_whatever_the_parameter_is_called(value):
    target = b"/?mark=" + value
    assert asked_of("mark=127[.]0[.]0[.]1(?::|%3A)9(?:/|%2F)", target=target) == (Outcome.VULNERABLE, [1, 7, 8])
    assert asked_of("(?!)", target=target)[0] is Outcome.SAFE


@pytest.mark.parametrize("host", ["host", "remoteHost", "ip_address"])
def test_a_host_is_named_with_the_port_and_the_path_beside_it(host):
    """A client that connects to a host and a port of their own takes no port within the host."""
    target = f"/?{host}=a.example&port=80&path=feed&scheme=https".encode()
    fetches = f"{host}=127[.]0[.]0[.]1&port=9&path=(?:%2F|/)[a-z2-7]{{24}}&scheme=http$"
    assert asked_of(fetches, target=target) == (Outcome.VULNERABLE, [15, 16])
    assert asked_of("(?!)", target=target)[0] is Outcome.SAFE


@pytest.mark.parametrize("value", [b"10:30", b"1.5:10", b"room:4200", b"a.b:c", b"stock.example", b"a.example:80:x"])
def test_other_texts_with_a_colon_are_no_address(value):
    assert asked_of("(?!)", target=b"/?mark=" + value) == (None, [])


def of_kind(kind: bytes) -> Response:
    return Response(200, ((b"Content-Type", kind),), b"%PDF-1.4")


@pytest.mark.parametrize("target", [b"/?name=Ann", b"/?name=%3Ch1%3EAnn%3C/h1%3E"])
def test_a_text_that_is_drawn_gets_tags_that_renderers_fetch(target):
    for tag in ("img%20src", "stylesheet%22%20href", "iframe%20src"):
        fetches = tag.replace("%20", "(?:%20|[+])") + "=?(?:%3D)?%22http%3A%2F%2F127"
        assert asked_of(fetches, target=target, answered=of_kind(b"application/pdf")) == (Outcome.VULNERABLE, [1, 2])
    sound = asked_of("(?!)", target=target, answered=of_kind(b"image/png"))
    assert sound == (Outcome.SAFE, [1]), "what shows or escapes it fetches nothing"


@pytest.mark.parametrize(
    ("target", "kind", "expected"),
    [
        (b"/?name=Ann", b"text/html", None),
        (b"/?name=7", b"image/png", None),
        (b"/?name=%3Cp%3EAnn", b"application/json", Outcome.SAFE),
    ],
)
def test_other_texts_are_asked_for_where_they_are_pages_by_their_look(target, kind, expected):
    assert asked_of("(?!)", target=target, answered=of_kind(kind))[0] is expected


@pytest.mark.parametrize("policy", [DEFAULT, THOROUGH], ids=lambda policy: policy.id)
def test_a_path_is_asked_once_whether_it_stands_behind_a_host(policy):
    """Nothing but our own host behind it, and nothing where the parameter says nothing of paths."""
    outcome, numbers = asked_of("path=%40127", policy, b"/?path=/stock/5")
    assert (outcome, numbers[-2:]) == (Outcome.VULNERABLE, [13, 14])
    assert numbers == [13, 14] or policy is THOROUGH
    outcome, numbers = asked_of("nothing", DEFAULT, b"/?path=/stock/5")
    assert (outcome, numbers) == (Outcome.SAFE, [13])


def test_what_opens_a_file_is_given_an_address():
    """In the place of its name, which needs no slash; who opens files alone is asked once."""
    for target, expected in ((b"/?file=tea.csv", [1]), (b"/?path=/sheets/tea.csv", [13, 1])):
        outcome, numbers = asked_of("=http%3A%2F%2F127", DEFAULT, target)
        assert (outcome, numbers) == (Outcome.VULNERABLE, [*expected, 2])
        assert asked_of("nothing", DEFAULT, target) == (Outcome.SAFE, expected)
    assert asked_of("nothing", DEFAULT, b"/?file=tea") == (None, [])


@pytest.mark.parametrize(
    "target", [b"/?text=See%20https://a.example/x%20for%20more", b"/?text=A%20(http://a.example/)"]
)
def test_an_address_within_a_text_is_replaced_by_ours_and_the_text_is_kept(target):
    begins = "text=(?:See|A)(?:%20|[+])(?:%28|[(])?http%3A%2F%2F127"
    assert asked_of(begins, target=target) == (Outcome.VULNERABLE, [1, 2])
    assert asked_of("(?!)", target=target) == (Outcome.SAFE, [1])


@pytest.mark.parametrize("target", [b"/?text=See%20you%20at%20noon", b"/?text=ratio%2016://9"])
def test_a_text_without_an_address_is_not_asked_for(target):
    assert asked_of("(?!)", target=target) == (None, [])


@pytest.mark.parametrize(
    ("target", "before"),
    [
        (b"/proxy/http://a.example/x", "/proxy/"),
        (b"/proxy=https://a.example:8080/x/y?z=1", "/proxy="),
        (b"/w/300/plain:HTTP://a.example", "/w/300/plain:"),
    ],
)
def test_an_address_in_which_a_path_ends_is_replaced_by_ours(target: bytes, before: str):
    assert asked_of(f"^{before}http://127[.]0[.]0[.]1:9/", target=target, whole=True) == (Outcome.VULNERABLE, [1, 2])


def test_who_shows_links_to_or_keeps_an_address_of_its_path_fetches_nothing():
    shown = Response(200, (), b"http://127.0.0.1:9/ is not in the archive")
    moved = Response(302, ((b"Location", b"http://127.0.0.1:9/"),))
    for answered in (shown, moved, FINE):
        assert asked_of("(?!)", target=b"/web/http://a.example/x", answered=answered, whole=True) == (Outcome.SAFE, [1])


@pytest.mark.parametrize("target", [b"/a//b", b"/http/a", b"/xhttp://a", b"/login?next=/http://a/", b"/http:///", b"/"])
def test_a_path_that_ends_in_no_address_is_not_asked(target: bytes):
    assert asked_of("(?!)", target=target, whole=True) == (None, [])


def goes_back(request: Request) -> Response:
    """A form with the way back, which is the site's own or its front page: its query is written as the framework writes queries."""
    if request.path not in (b"/", b"/run"):
        return Response(404, (), b"nothing is here")
    back = urlsplit(dict(parse_qsl((request.query or b"").decode())).get("url", ""))
    shown = back._replace(query=urlencode(parse_qsl(back.query, keep_blank_values=True))).geturl()
    if (back.scheme, back.netloc) != ("http", "h.example"):
        shown = "/"
    page = f'<h1>Run it</h1><form><input name="back" value="{html.escape(shown)}"></form>'
    return Response(200, ((b"Content-Type", b"text/html"),), page.encode())


def without_listener(application, address: str):
    """The verdict on a target that was recorded with this address, and reaches no listener of ours."""
    target = b"/run?url=" + quote(address, safe="").encode()
    baseline = record(application, Request("GET", target, host="h.example"))
    situation = Situation(
        baseline=baseline,
        point=Point.of("get", "url"),
        value=address.encode(),
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
    )
    assert PROBE.applies(situation)
    return driving.answered(PROBE.run(situation), application).outcome


@pytest.mark.parametrize("address", ["http://h.example/home", "http://a.example/home"])
def test_who_writes_the_query_of_an_address_anew_fetches_nothing(address: str):
    assert without_listener(goes_back, address) is Outcome.SAFE


def fetches_of(hosts: tuple[str, ...]):
    """A target that shows what it fetches from these hosts alone, itself among them."""
    front, other = b"<p>Everything of the harbour stands here.</p>", b"<p>News of the day.</p>"

    def respond(request: Request) -> Response:
        if request.path != b"/run":
            return Response(200, (), front) if request.path == b"/" else Response(404, (), b"gone")
        asked = urlsplit(dict(parse_qsl((request.query or b"").decode())).get("url", ""))
        if asked.scheme != "http" or asked.hostname not in hosts:
            return Response(400, (), b"<p>That is none of ours.</p>")
        return Response(200, (), front if (asked.hostname, asked.path or "/") == ("h.example", "/") else other)

    return respond


def test_own_pages_tell_of_a_fetch_where_the_value_named_another_host():
    assert without_listener(fetches_of(("a.example", "h.example")), "http://a.example/news") is Outcome.VULNERABLE


@pytest.mark.parametrize("address", ["http://h.example/news", "http://h.example?of=today"])
def test_own_pages_tell_nothing_where_the_value_named_the_target_as_a_list_of_hosts_may_hold_it(address: str):
    assert without_listener(fetches_of(("h.example",)), address) is Outcome.SAFE
