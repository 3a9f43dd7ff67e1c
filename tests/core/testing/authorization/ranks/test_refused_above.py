"""What says that a function is for those who manage: its name, or a section above it that is not for a lower rank."""

import json
from collections.abc import Callable

import pytest
from tests.core.testing.probes.as_tenants import check_of, drive_as
from tests.range.place import answer
from tests.range.tenants_store import OPAQUE, written

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.authorization.ranks.refused_above import as_judged, evidence_above, sections_above
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.probes.idor_write import PROBE
from gatecrash.core.testing.verdict import Outcome

LOWER = Identity("ann", 1)


def evidence(path: str, *, theirs: Response, own: Response) -> str:
    return evidence_of(Request("POST", path.encode()), lambda _: theirs, own=own)


def evidence_of(
    request: Request, theirs: Callable[[Request], Response], *, own: Response, lower: Identity = LOWER
) -> str:
    dialogue = evidence_above(request, lower)
    try:
        asked: TestRequest = next(dialogue)
        while True:
            answer = own if asked.identity is None else theirs(asked.request)
            asked = dialogue.send(Answer(Exchange(asked.request, answer)))
    except StopIteration as end:
        return end.value


def led_to(target: bytes) -> Response:
    return Response(302, ((b"Location", target),))


GOOD = Response(200, ((b"Content-Type", b"text/html"),), b"<h1>Desk</h1>")


def test_a_name_says_it_before_anything_is_asked():
    assert "'admin'" in evidence("/admin/news", theirs=GOOD, own=GOOD)


@pytest.mark.parametrize(
    ("path", "says"),
    [(b"/admin/boats/7", False), (b"/admin/boats/7/ban", True), (b"/admin/sailors", True), (b"/admin", True)],
)
def test_no_name_says_it_of_a_section_that_the_lower_identity_was_led_into(path: bytes, says: bool):
    led = Identity("ann", 1, known=("led=/admin/boats",))
    assert bool(evidence_of(Request("POST", path), lambda _: GOOD, own=GOOD, lower=led)) is says


@pytest.mark.parametrize(
    "theirs", [Response(403), Response(401), led_to(b"/login"), led_to(b"/home?denied=1")], ids=str
)
def test_a_section_that_only_the_higher_identity_reads_says_it(theirs: Response):
    assert evidence("/desk/news", theirs=theirs, own=GOOD).startswith("/desk/news")


@pytest.mark.parametrize(
    ("theirs", "own"),
    [
        (GOOD, GOOD),
        (Response(404), GOOD),
        (led_to(b"/home"), led_to(b"/home")),
        (led_to(b"/desk/news/today"), GOOD),
        (led_to(b"/desk/news/"), GOOD),
        (Response(403), Response(403)),
    ],
    ids=["read by both", "not there", "led away both", "led on within it", "led to its slash", "refused to both"],
)
def test_any_other_section_says_nothing(theirs: Response, own: Response):
    assert evidence("/desk/news", theirs=theirs, own=own) == ""


def test_a_section_that_refused_once_says_nothing():
    answers = [Response(401), GOOD, GOOD]
    assert evidence_of(Request("POST", b"/desk/news"), lambda _: answers.pop(0), own=GOOD) == ""


def test_sections_are_the_same_address_and_those_above_it_but_not_the_root():
    assert sections_above(Request("POST", b"/desk/members/7/lock")) == [
        b"/desk/members/7/lock",
        b"/desk/members/7",
        b"/desk/members",
    ]


@pytest.mark.parametrize(
    ("method", "path", "above"),
    [
        ("GET", b"/members/me", []),
        ("PUT", b"/members/me", [b"/members/me"]),
        ("GET", b"/members/me/clients", [b"/members/me"]),
        ("GET", b"/mine/members/7", [b"/mine/members", b"/mine"]),
        ("GET", b"/members/mel", [b"/members"]),
    ],
)
def test_no_section_stands_above_whoever_asks(method: str, path: bytes, above: list[bytes]):
    assert sections_above(Request(method, path)) == above


@pytest.mark.parametrize(
    ("path", "above"),
    [
        (b"/ex/people_save.php", b"/ex/people.php"),
        (b"/orders-export.aspx", b"/orders.aspx"),
        (b"/ex/people_help.php", None),
    ],
)
def test_among_flat_names_a_page_stands_above_what_it_calls(path: bytes, above: bytes | None):
    sections = sections_above(Request("POST", path))
    assert sections[0] == (above or path)


def test_a_page_stands_above_itself_as_a_file():
    assert sections_above(Request("GET", b"/desk/tides.csv")) == [b"/desk/tides", b"/desk"]
    request = Request("GET", b"/desk/tides.csv")
    told = evidence_of(request, lambda asked: Response(403) if asked.path == b"/desk/tides" else GOOD, own=GOOD)
    assert told.startswith("/desk/tides, the page that it belongs to")


@pytest.mark.parametrize(
    ("path", "page", "is_first"),
    [
        (b"/tides", "/tides/new", True),
        (b"/tides/create", "/tides/new", True),
        (b"/tides/7/", "/tides/7/edit/", True),
        (b"/tides/7/cancel", "/tides/7/edit", False),
        (b"/comments", "/tides/new", False),
        (b"/tides", "/tides/today", False),
        (b"/tides", "//elsewhere.example/tides/new", False),
    ],
)
def test_the_page_with_its_form_stands_above_what_is_sent(path: bytes, page: str, is_first: bool):
    origin = "http:" if page.startswith("//") else "http://a.example"
    request = Request("POST", path, ((b"Referer", f"{origin}{page}".encode()),), host="a.example")
    assert (sections_above(request)[0].decode() == page.rstrip("/")) is is_first


def test_a_form_whose_page_only_the_higher_identity_is_shown_is_for_him():
    def answered(request: Request) -> Response:
        return Response(403) if request.path == b"/desk/tides/new" else Response(404)

    headers = ((b"Referer", b"http://a.example/desk/tides/new"),)
    request = Request("POST", b"/desk/tides", headers, host="a.example")
    assert "with its form" in evidence_of(request, answered, own=GOOD)


def test_a_role_is_what_such_functions_are_for():
    call = b'{"jsonrpc": "2.0", "id": 4, "method": "user.setRole", "params": {"user": "ben"}}'
    json = ((b"Content-Type", b"application/json"),)
    for asked in (Request("POST", b"/desk/members/7/role"), Request("POST", b"/rpc", json, call)):
        assert destroys(asked)
        assert not destroys(as_judged(asked))


@pytest.mark.parametrize(("section", "claimed"), [("desk", False), ("cards", True)])
def test_what_stands_in_such_a_section_is_no_object_that_another_writes(section: str, claimed: bool):
    """Only the function is told of, and not the manager's card as well, which customers may not read either."""
    state = {"id": 31, "text": "call back"}

    def cards(sent: Request) -> Response:
        token = (sent.first(b"Authorization") or b"").decode()
        if sent.method == "PUT" and token:
            state["text"] = json.loads(sent.body)["text"]
        elif token != OPAQUE["ida"]:
            kept = sent.path == b"/desk" or not token
            return Response(403 if kept else 404, ((b"Content-Type", b"application/json"),), b"{}")
        return answer(state)

    request = written("PUT", f"/{section}/31", b'{"text": "call back"}', name="ida")("")
    verdict = drive_as(check_of(request, cards, probe=PROBE), cards).verdict
    assert (verdict.outcome is Outcome.VULNERABLE) is claimed
