"""What one caller asked for while he recorded, and is another's."""

import json
from random import Random

import msgspec
import pytest
from tests.core.testing.driving import answered, credentials_of, record
from tests.core.testing.probes.as_tenants import drive_as, identities
from tests.range.place import answer
from tests.range.tenants_store import BY_TOKEN, OPAQUE, asked

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.owners.recorded_of_another import (
    as_sent_by,
    exchanged,
    is_led_to,
    is_recorded_of,
)
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation, TestRequest
from gatecrash.core.testing.probes.idor import PROBE
from gatecrash.core.testing.verdict import Outcome

ANN, BEN = Identity("ann", known=("7", "ann@x.example")), Identity("ben", known=("8", "ben@x.example"))
USERS = Request("GET", b"/users/8")
USER = Named(Point.of("path", "1"), "8", b"/users")
PEOPLE = {7: ("ann", "Mill Lane 2"), 8: ("ben", "Harbour Road 9"), 9: ("eva", "Elm Street 5")}


def situation_of(told: object, path: bytes = b"/users/8", *identities: Identity) -> Situation:
    response = Response(200, ((b"Content-Type", b"application/json"),), json.dumps(told).encode())
    return Situation(
        baseline=Baseline("bl_1", Exchange(Request("GET", path, host="a.example"), response)),
        point=Point(),
        value=b"",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
        identities=identities or (ANN, BEN),
    )


@pytest.mark.parametrize(
    ("path", "told", "found"),
    [
        (b"/users/8", {"phone": "+31 8"}, True),
        (b"/orders/31", {"user_id": 8, "item": "lamp"}, True),
        (b"/orders/31", {"owner": {"email": "ben@x.example"}, "item": "lamp"}, True),
        (b"/orders/31", {"item": "lamp", "items": 8}, False),
        (b"/orders/31", {"customer_id": 8, "item": "lamp"}, False),
        (b"/orders/31", {"user_id": 8, "seller_id": 7, "item": "lamp"}, False),
        (b"/users/9", {"phone": "+31 9"}, False),
    ],
)
def test_it_is_anothers_by_its_name_or_what_it_says(path: bytes, told: object, found: bool) -> None:
    named = Named(Point.of("path", "1"), path.rpartition(b"/")[2].decode(), path.rpartition(b"/")[0])
    assert is_recorded_of(situation_of(told, path), BEN, [named]) is found


def test_who_stands_above_the_owner_may_have_asked_for_it() -> None:
    ann = Identity("ann", 10, ANN.known)
    assert not is_recorded_of(situation_of({"phone": "+31 8"}, b"/users/8", ann, BEN), BEN, [USER])
    assert not is_recorded_of(situation_of({"phone": "+31 8"}), BEN, [])


def test_the_owner_stands_first_and_nothing_is_said_of_the_recorded_credentials() -> None:
    own = exchanged(situation_of({"phone": "+31 8"}), BEN)
    assert ([each.name for each in own.identities], own.credentials) == (["ben", "ann"], ())


def test_its_questions_go_out_as_the_owner_and_those_of_the_sender_as_recorded() -> None:
    def dialogue():
        told = []
        for name in ("ann", ""):
            told.append((yield TestRequest(USERS, identity=name)))
        return [(yield TestRequest(USERS)), *told]

    playing = as_sent_by(situation_of({}), BEN, dialogue())
    sent = [next(playing), *(playing.send(Answer(Exchange(USERS))) for _ in range(2))]
    assert [each.identity for each in sent] == [None, "", "ben"]


@pytest.mark.parametrize(
    ("address", "told", "led"),
    [
        (b"/board", {"latest": [{"user_id": 8, "text": "Rope to give away"}]}, True),
        (b"/board", {"latest": [{"post": 8}]}, False),
        (b"/users/8/walks", [{"user_id": 8, "length": 4}], False),
    ],
)
def test_a_page_leads_there_that_shows_it_and_was_not_asked_for_by_it(address: bytes, told: object, led: bool) -> None:
    page = Page(Request("GET", address, host="a.example"), rendered=False, shown=frozenset({"8"}))
    own = msgspec.structs.replace(exchanged(situation_of({"phone": "+31 8"}), BEN), pages=(page,))
    application = {address: answer(told)}
    led_to = is_led_to(own, ANN, Named(USER.point, "8", None))
    assert answered(led_to, lambda asked: application.get(asked.path, Response(404))) is led


@pytest.mark.parametrize(("listed", "led"), [([7, 8], True), ([7], False)])
def test_a_list_leads_there(listed: list[int], led: bool) -> None:
    def application(request: Request) -> Response:
        return answer([{"id": number} for number in listed] if request.path == b"/users" else {"id": 8})

    own = exchanged(situation_of({"phone": "+31 8"}), BEN)
    assert answered(is_led_to(own, ANN, USER), application) is led


@pytest.mark.parametrize(
    ("kept", "listed", "outcome"),
    [(False, False, Outcome.VULNERABLE), (True, False, Outcome.SAFE), (False, True, Outcome.SAFE)],
    ids=["given to anybody", "kept since", "a list leads there"],
)
@pytest.mark.parametrize("kind", ["users", "orders"])
def test_what_was_recorded_of_another_is_asked_for_as_his(
    kind: str, kept: bool, listed: bool, outcome: Outcome
) -> None:
    """Ann recorded what is Ben's. kept: by now each is given his own. listed: a list shows her all of them."""

    def application(request: Request) -> Response:
        name = BY_TOKEN.get((request.first(b"Authorization") or b"").decode(), "")
        last = request.path.decode().rpartition("/")[2]
        if not name:
            return answer({"error": "please sign in"}, 401)
        if last == kind:
            return answer([{"id": each} for each, (own, _) in PEOPLE.items() if listed or own == name])
        own, street = PEOPLE.get(int(last), ("", ""))
        if not own or (keeps and own != name):
            return answer({"error": "not found"}, 404)
        return answer({"id": int(last), "user_id": int(last), "email": f"{own}@x.example", "street": street})

    keeps, request = False, asked(f"/{kind}/8")("")
    known = (ANN, BEN, *identities(request)[2:])
    recorded = record(application, request)
    keeps = kept
    (check,) = plan(recorded, DEFAULT, credentials_of(request), (PROBE,), identities=known)
    run = drive_as(check, application)
    assert run.verdict.outcome is outcome
    if outcome is Outcome.VULNERABLE:
        proof = run.verdict.proof
        assert proof.test.request.first(b"Authorization").decode() == OPAQUE["ann"]
        assert proof.control.request.first(b"Authorization").decode() == OPAQUE["ben"]
