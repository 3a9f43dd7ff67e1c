"""What the other has of its own in the owner's place is written back as it was."""

import json

import pytest
from tests.core.testing.authorization.callers.test_holder import situation_of

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.owners.theirs import put_back, theirs
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.probe import Answer, TestRequest

JSON = ((b"Content-Type", b"application/json"),)
BEN = Identity("ben")
THEME = Point.of("post", "json_doc", "json_obj", "theme")


@pytest.mark.parametrize(
    ("named", "path", "asked_for"),
    [
        (Named(Point.of("path", "1"), "settings", b"/api", sure=False), b"/api/settings", True),
        (Named(Point.of("path", "1"), "31", b"/api"), b"/api/31", False),
        (Named(Point.of("path", "1"), "31", b"/api"), b"/api/mine", True),
        (Named(Point.of("get", "of"), "ann", None, sure=False), b"/api/mine?of=ann", False),
    ],
)
def test_only_where_the_place_is_surely_the_owners_alone_nothing_is_asked(named: Named, path: bytes, asked_for: bool):
    reading = theirs(BEN, named, Request("GET", path, host="a"), situation_of(Identity("ann"), BEN))
    if not asked_for:
        with pytest.raises(StopIteration):
            next(reading)
        return
    assert next(reading).identity == "ben"


def called(name: str | int) -> Request:
    sent = {"method": "Member.Get", "params": {"who": name}}
    return Request("POST", b"/rpc", JSON, json.dumps(sent).encode(), host="a")


ANN = Identity("ann", known=("7", "ann"))
NAME = Named(Point.of("post", "json_doc", "json_obj", "name"), "ann", None, sure=False)


@pytest.mark.parametrize(
    ("other", "asked", "own"),
    [
        (Identity("ben", known=("8", "ben", "ben@a.example")), called("ann"), called("ben")),
        (Identity("ben", known=("8", "ben")), called(7), called(8)),
        (Identity("ben", known=("ben@a.example",)), called("ann"), None),
        (BEN, called("ann"), None),
    ],
)
def test_a_profile_that_is_read_by_a_name_is_read_by_the_others_own(
    other: Identity, asked: Request, own: Request | None
):
    reading = theirs(other, NAME, asked, situation_of(ANN, other))
    if own is None:
        with pytest.raises(StopIteration):
            next(reading)
        return
    sent = next(reading)
    assert sent.identity == "ben"
    assert json.loads(sent.request.body)["params"] == json.loads(own.body)["params"]


@pytest.mark.parametrize(("shown", "is_his"), [("ben", True), ("ann", False)])
def test_what_shows_the_owner_is_not_the_others(shown: str, is_his: bool):
    reading = theirs(BEN, NAME, Request("GET", b"/members", host="a"), situation_of(ANN, BEN))
    sent = next(reading)
    response = Response(200, JSON, json.dumps({"name": shown}).encode())
    with pytest.raises(StopIteration) as ended:
        reading.send(Answer(Exchange(sent.request, response)))
    assert ended.value.value == (response if is_his else None)


def written_back(sent: object, before: object) -> TestRequest | None:
    request = Request("PUT", b"/api/settings", JSON, json.dumps(sent).encode(), host="a")
    shown = Response(200, JSON, json.dumps(before).encode())
    dialogue, asked = put_back(request, BEN, shown, (), THEME), None
    try:
        asked = next(dialogue)
        dialogue.send(Answer(Exchange(asked.request, Response(200))))
    except StopIteration:
        pass
    return asked


def test_all_that_is_sent_beside_the_mark_is_what_it_was():
    asked = written_back(
        {"theme": "qwrtz", "newsletter": True, "size": 4, "of": {"size": 5}},
        {"of": {"theme": "old", "size": 9}, "theme": "light", "newsletter": False, "size": 3},
    )
    assert asked is not None
    assert asked.identity == "ben"
    assert json.loads(asked.request.body) == {"theme": "light", "newsletter": False, "size": 3, "of": {"size": 5}}


def test_nothing_is_sent_where_nothing_of_it_was_shown():
    assert written_back({"theme": "qwrtz"}, {"error": "none"}) is None
