"""What says that a function is for those who manage: its name, or a section above it that is not for a lower rank."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.authorization.callers.identity import Identity
from gatecrash.core.testing.authorization.ranks.refused_above import as_judged, evidence_above, sections_above
from gatecrash.core.testing.ordering import destroys
from gatecrash.core.testing.probe import Answer, TestRequest

LOWER = Identity("ann", 1)


def evidence(path: str, *, theirs: Response, own: Response) -> str:
    dialogue = evidence_above(Request("POST", path.encode()), LOWER)
    try:
        asked: TestRequest = next(dialogue)
        while True:
            answer = own if asked.identity is None else theirs
            asked = dialogue.send(Answer(Exchange(asked.request, answer)))
    except StopIteration as end:
        return end.value


def led_to(target: bytes) -> Response:
    return Response(302, ((b"Location", target),))


GOOD = Response(200, ((b"Content-Type", b"text/html"),), b"<h1>Desk</h1>")


def test_a_name_says_it_before_anything_is_asked():
    assert "'admin'" in evidence("/admin/news", theirs=GOOD, own=GOOD)


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


def test_sections_are_the_same_address_and_those_above_it_but_not_the_root():
    assert sections_above(Request("POST", b"/desk/members/7/lock")) == [
        b"/desk/members/7/lock",
        b"/desk/members/7",
        b"/desk/members",
    ]


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


def test_a_role_is_what_such_functions_are_for():
    call = b'{"jsonrpc": "2.0", "id": 4, "method": "user.setRole", "params": {"user": "ben"}}'
    json = ((b"Content-Type", b"application/json"),)
    for asked in (Request("POST", b"/desk/members/7/role"), Request("POST", b"/rpc", json, call)):
        assert destroys(asked)
        assert not destroys(as_judged(asked))
