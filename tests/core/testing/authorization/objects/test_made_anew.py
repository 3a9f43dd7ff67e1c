"""Objects made anew by a recorded request, in the name of whoever sent the baseline."""

import json
from random import Random

import pytest
from tests.core.testing.driving import credentials_of, record
from tests.core.testing.probes.as_tenants import drive_as, identities
from tests.range.tenants_store import OPAQUE

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.objects.made_anew import in_name_of, is_gone, made_anew, made_by_form
from gatecrash.core.testing.authorization.objects.named import listing
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.objects import Made, Named
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation
from gatecrash.core.testing.probes import idor_delete
from gatecrash.core.testing.probes.auth import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

JSON = (b"Content-Type", b"application/json")
HTML = (b"Content-Type", b"text/html")
FORM = (b"Content-Type", b"application/x-www-form-urlencoded")
OWN = Request("POST", b"/orders/7/cancel", (JSON, (b"Authorization", b"Bearer 3f9a0c77de114b02")), b"{}", host="a")
MAKER = Made(Request("POST", b"/orders", (JSON,), b'{"name": "tea"}', host="a"), ("id",), "7")


def made(answers: list[object], lists: list[object] | None = None) -> tuple[tuple[str, ...], list[Request]]:
    """What is made where the service answers so, and what was asked by POST. lists: what it shows where such are made; else nothing."""
    (check, *_) = plan(
        record(lambda _: Response(200, (JSON,), b'{"a": 1}'), OWN), DEFAULT, credentials_of(OWN), (PROBE,),
        makers=(MAKER, MAKER._replace(was="12")),
    )  # fmt: skip
    dialogue = made_anew(check.situation(Random(3)), MAKER, "7")
    sent: list[Request] = []
    try:
        asked = next(dialogue)
        while True:
            is_list = asked.request.method == "GET"
            sent += [] if is_list else [asked.request]
            told = json.dumps((lists if is_list else answers).pop(0) if lists or not is_list else None).encode()
            status = 405 if is_list and lists is None else 201
            asked = dialogue.send(Answer(Exchange(asked.request, Response(status, (JSON,), told))))
    except StopIteration as end:
        return end.value, sent


def test_what_made_it_is_asked_with_the_credentials_of_the_baseline():
    asked = in_name_of(OWN, MAKER)
    assert (asked.method, asked.target, asked.body) == ("POST", b"/orders", b'{"name": "tea"}')
    assert asked.first(b"Authorization") == OWN.first(b"Authorization")
    assert list(asked.all(b"Content-Type")) == [b"application/json"]


@pytest.mark.parametrize(
    ("answers", "new", "asked"),
    [
        ([{"id": 8}], ("8",), 1),
        ([{"id": 7}, {"id": 9}], ("9",), 2),
        ([{"id": 7}, {"id": 7}], (), 2),
        ([{"id": 12}, {"id": 12}], (), 2),
    ],
)
def test_what_is_no_new_object_is_made_once_more_with_a_name_of_its_own(
    answers: list, new: tuple[str, ...], asked: int
):
    numbers, sent = made(answers, [[{"id": 5}], [{"id": 5}, *([{"id": int(new[0])}] if new else [])]])
    assert (numbers, len(sent)) == (new, asked)
    assert len({each.body for each in sent}) == asked


@pytest.mark.parametrize("lists", [None, [[{"id": 5}, {"id": 8}]], [[{"id": 5}], [{"id": 5}]]])
@pytest.mark.parametrize(
    ("answers", "new"),
    [
        ([{"id": 8}, {"id": 8}], ()),
        ([{"id": 8}, {"id": 9}], ("8", "9")),
        ([{"id": 8}, {"error": "there is one of that name"}], ("8", "")),
        ([{"id": 12}, {"id": 8}, {"id": 12}], ("8",)),
    ],
    ids=["a cart shown again", "another each time", "refused", "made for the record"],
)
def test_what_no_list_shows_to_be_new_is_made_once_more(answers: list, new: tuple[str, ...], lists: list | None):
    """Whoever is shown the cart that he has filled meanwhile is shown it again: it was there before, and is not deleted."""
    numbers, sent = made(list(answers), lists and list(lists))
    assert numbers == tuple(filter(None, new))
    assert len(sent) == len(answers)


@pytest.mark.parametrize(
    ("held", "told", "new"),
    [
        ([7], [7, 8], ("8",)),
        ([7, 9], [7, 8, 9], ("8",)),
        ([7], [7], ()),
        ([7], [7, 8, 9], ()),
        ([7, 9], [7, 8], ()),
        ([], [12], ()),
    ],
    ids=["one more", "among others", "none", "others made some", "only a part is shown", "made for the record"],
)
def test_what_the_thing_above_shows_once_more_was_made(held: list[int], told: list[int], new: tuple[str, ...]):
    maker = Made(Request("POST", b"/posts/4/remarks", (JSON,), b"[]", host="a"), ("remarks", "id"), "7")
    (check, *_) = plan(
        record(lambda _: Response(200, (JSON,), b'{"a": 1}'), OWN), DEFAULT, credentials_of(OWN), (PROBE,),
        makers=(maker, maker._replace(was="12")),
    )  # fmt: skip

    def posts(request: Request) -> Response:
        if request.method == "GET" and request.path != b"/posts/4":
            return Response(405)
        shown = held if request.method == "GET" else told
        return Response(200, (JSON,), json.dumps({"remarks": [{"id": each} for each in shown]}).encode())

    dialogue = made_anew(check.situation(Random(3)), maker, "7")
    try:
        asked = next(dialogue)
        while True:
            asked = dialogue.send(Answer(Exchange(asked.request, posts(asked.request))))
    except StopIteration as end:
        assert end.value == new  # noqa: PT017 - what a generator returns


def made_by(landings: list[bytes], listed: list[bytes]) -> tuple[str, int]:
    """What a form makes that leads to these pages, one time after the other, and how often it was sent. listed: what a list links to."""
    cancel = Request("POST", b"/carts/7/cancel", (FORM, (b"Cookie", b"sid=3f9a0c77de114b02")), b"a=b", host="a")
    situation = Situation(
        baseline=record(lambda _: Response(303, ((b"Location", b"/carts"),)), cancel), point=Point(), value=b"",
        credentials=(), policy=DEFAULT, random=Random(3),
    )  # fmt: skip
    maker = Made(Request("POST", b"/carts", (FORM,), b"a=b", host="a"), ())
    lists, sent = [listing(cancel, b"/carts")] if listed else [], 0
    dialogue = made_by_form(situation, maker, Named(Point.of("path", "1"), "7", b"/carts"), lists)
    try:
        asked = next(dialogue)
        while True:
            if asked.request.method == "POST":
                sent += 1
                answer = Response(303, ((b"Location", landings.pop(0)),))
            else:
                answer = Response(200, (HTML,), b'<a href="%s">one</a>' % listed.pop(0))
            asked = dialogue.send(Answer(Exchange(asked.request, answer)))
    except StopIteration as end:
        return end.value, sent


@pytest.mark.parametrize(
    ("landings", "listed", "new", "sent"),
    [
        ([b"/carts/12"], [b"", b"", b"/carts/12"], "12", 1),
        ([b"/carts/12", b"/carts/13"], [], "12", 2),
        ([b"/carts/12", b"/carts/12"], [], "", 2),
        ([b"/carts/12", b"/carts/12"], [b"", b"", b""], "", 2),
        ([b"/carts/12"], [b"/carts/12"] * 3, "", 1),
        ([b"/carts"], [b"", b"", b"/carts/12"], "12", 1),
        ([b"/trolleys/13"], [b"", b"", b'/carts/12">one</a><a href="/carts/13'], "13", 1),
        ([b"/carts"], [b"", b"", b'/carts/12">one</a><a href="/carts/13'], "", 1),
    ],
    ids=[
        "in a list now",
        "another each time",
        "the same once more",
        "in no list",
        "there before",
        "by a list alone",
        "called otherwise",
        "several",
    ],
)
def test_what_a_form_leads_to_is_new_where_a_list_says_so_or_it_leads_to_another_each_time(
    landings: list[bytes], listed: list[bytes], new: str, sent: int
):
    assert made_by(landings, listed) == (new, sent)


@pytest.mark.parametrize("guarded", [False, True])
def test_what_was_just_made_is_looked_for_in_the_list_as_it_was_asked_for(guarded: bool) -> None:
    hooks = {"5301": "ann"}

    def application(request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((name for name, each in OPAQUE.items() if each == token), "")
        number = request.path.decode().rpartition("/")[2]
        if not caller:
            return Response(401)
        if request.method == "POST":
            hooks[number := str(max(map(int, hooks)) + 1)] = caller
            return Response(201, (JSON,), b'{"id": %s}' % number.encode())
        if request.method == "DELETE" and number in hooks and (hooks[number] == caller or not guarded):
            del hooks[number]
            return Response(204)
        if request.target != b"/hooks?project=lab" or request.method == "DELETE":
            return Response(404)
        told = [{"id": int(each)} for each in hooks]
        return Response(200, (JSON,), json.dumps(told).encode()) if caller == "ann" else Response(403)

    token, pages = (b"Authorization", OPAQUE["ann"].encode()), Pages()
    made = Request("POST", b"/hooks", (JSON, token), b'{"project": "lab", "url": "https://a.test/"}', host="a")
    for each in (Request("GET", b"/hooks?project=lab", (token,), host="a"), made):
        pages.meet(record(application, each).exchange, visited=False)
    request = Request("DELETE", b"/hooks/5302", (token,), host="a")
    (check,) = plan(
        record(application, request), DEFAULT, credentials_of(request), (idor_delete.PROBE,),
        identities=identities(request), pages=pages.beside(request), makers=pages.makers_of(request),
    )  # fmt: skip
    verdict = drive_as(check, application).verdict
    assert verdict.outcome is (Outcome.SAFE if guarded else Outcome.VULNERABLE), verdict.detail
    assert "5301" in hooks


def test_what_is_shown_again_is_not_gone():
    place, shown = Request("GET", b"/orders/9", host="a"), Response(200, (JSON,), b'{"id": 9}')
    for answers, gone in (([shown], False), ([Response(401), shown], False), ([Response(404)] * 2, True)):
        dialogue = is_gone(place, "9")
        next(dialogue)
        for answer in answers[:-1]:
            dialogue.send(Answer(Exchange(place, answer)))
        with pytest.raises(StopIteration) as end:
            dialogue.send(Answer(Exchange(place, answers[-1])))
        assert end.value.value is gone
