"""Asking through two requests: what is kept, and what sets something off with it."""

import json
from random import Random

from tests.core.testing.driving import answered

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.later import asking_later, put_back
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation
from gatecrash.core.testing.surroundings.pages import Pages

JSON = (b"Content-Type", b"application/json")
POINT = Point.of("post", "json_doc", "json_obj", "name")


class Notes:
    """Notes that are printed later. asked: method, path and body of what came."""

    def __init__(self, refusing: str = "") -> None:
        self.kept: dict[str, str] = {"7": "tea"}
        self.refusing, self.asked = refusing, []

    def __call__(self, request: Request) -> Response:
        _, _, *more = request.path.decode().split("/")
        self.asked.append((request.method, request.path.decode(), request.body.decode()))
        if more[1:]:
            return Response(200, (JSON,), json.dumps({"printed": self.kept.get(more[0])}).encode())
        name, number = json.loads(request.body)["name"], more[0] if more else str(100 + len(self.kept))
        if self.refusing and self.refusing in name:
            return Response(422, (JSON,), b"{}")
        self.kept[number] = name
        return Response(201, (JSON,), json.dumps({"id": int(number)}).encode())


def situation(notes: Notes, method: str = "POST") -> Situation:
    target = b"/notes" if method == "POST" else b"/notes/7"
    request = Request(method, target, (JSON,), b'{"name":"tea"}', host="h.example")
    baseline, known = Baseline("b", Exchange(request, notes(request))), Pages()
    number = json.loads(baseline.response.body)["id"]
    later = Request("POST", f"/notes/{number}/run".encode(), (JSON,), b"{}", host="h.example")
    for exchange in (baseline.exchange, Exchange(later, notes(later))):
        known.meet(exchange, visited=False)
    return Situation(
        baseline=baseline, point=POINT, value=b"tea", credentials=(), policy=DEFAULT, random=Random(1),
        pages=known.beside(request), makers=known.makers_of(request),
    )  # fmt: skip


def asked_once(notes: Notes, payload: str, action: str = "run"):
    about = situation(notes)

    def dialogue():
        later = yield from asking_later(about, action)
        return None if later is None else (yield from later.send(payload))

    return answered(dialogue(), notes)


def test_the_later_answer_is_told_of_what_was_kept():
    notes = Notes()
    reply = asked_once(notes, "cup")
    assert json.loads(reply.text) == {"printed": "cup"}
    assert [path for _, path, _ in notes.asked[-2:]] == ["/notes", f"/notes/{max(notes.kept, key=int)}/run"]


def test_what_is_not_kept_has_no_later_answer():
    assert asked_once(Notes(refusing="cup"), "cup") is None


def test_requests_of_other_names_are_not_sent():
    notes = Notes()
    assert asked_once(notes, "cup", "pay") is None
    assert not any("pay" in path for _, path, _ in notes.asked)


def test_what_was_changed_is_put_back_and_what_was_made_is_not_made_again():
    for method, requests in (("PUT", 1), ("POST", 0)):
        notes = Notes()
        about, before = situation(notes, method), len(notes.asked)
        answered(put_back(about), notes)
        assert len(notes.asked) - before == requests
