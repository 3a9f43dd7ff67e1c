"""Objects made for `idor_write` where the recorded one is gone: its owner makes another, which is written to and deleted again."""

import json
from random import Random

import msgspec
import pytest
from tests.core.testing.driving import Run, credentials_of, record
from tests.core.testing.probes.as_tenants import drive_as
from tests.range.tenants_store import BY_TOKEN, SIGNED, written

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.objects.renewed import renewed
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Made, Named, Renewal
from gatecrash.core.testing.policy import DEFAULT, Policy
from gatecrash.core.testing.probe import Answer, Situation
from gatecrash.core.testing.probes.idor_write import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Inconclusive, Outcome

JSON = (b"Content-Type", b"application/json")
TEXT = "Ring at the back door"
OFFICE = ("ann", "ben")


class Notes:
    """Notes with a list for each. kind: who may write what, and who reads it."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.random = Random(4)
        self.kept = {"70": ("ann", "old"), "80": ("ben", "old")}
        self.asked: list[tuple[str, str]] = []
        self.is_tired = False

    def __call__(self, request: Request) -> Response:
        caller = BY_TOKEN.get((request.first(b"Authorization") or b"").decode(), "")
        _, _, number = request.path.decode().lstrip("/").partition("/")
        self.asked.append((request.method, number))
        if not caller:
            return Response(401)
        if request.method == "POST":
            number = "70" if self.kind == "has-one" else str(self.random.randint(10**5, 10**6))
            self.kept.setdefault(number, (caller, json.loads(request.body)["note"]))
            return self._told({"id": int(number)}, 201)
        if not number:
            return self._told([self._one(each) for each in self.kept if self._sees(caller, each)])
        if number not in self.kept:
            return Response(404)
        return self._at(request, caller, number)

    def _at(self, request: Request, caller: str, number: str) -> Response:
        owner, _ = self.kept[number]
        if request.method == "GET":
            return self._told(self._one(number)) if self._sees(caller, number) else Response(404)
        if caller == owner or self.kind in ("anybodys", "colleagues", "a-teams"):
            if request.method == "DELETE" and self.is_tired:
                return Response(429)
            if request.method == "DELETE":
                del self.kept[number]
                return Response(204)
            self.kept[number] = (owner, json.loads(request.body)["note"])
        elif self.kind == "refused":
            return Response(403)
        return self._told({"id": int(number)})

    def _sees(self, caller: str, number: str) -> bool:
        owner = self.kept[number][0]
        shares = self.kind == "a-teams" or (self.kind == "colleagues" and {caller, owner} <= set(OFFICE))
        return caller == owner or shares

    def _one(self, number: str) -> dict[str, object]:
        return {"id": int(number), "note": self.kept[number][1]}

    def _told(self, document: object, status: int = 200) -> Response:
        return Response(status, (JSON,), json.dumps(document).encode())


def recorded(notes: Notes, *, makes: bool = True, deletes: bool = True) -> tuple[Request, Pages]:
    """A note is made, read, changed and deleted; what changes it, and the record."""
    pages, plain = Pages(), written("POST", "/notes", b'{"note": "first"}', tokens=SIGNED)("")
    made = record(notes, plain)
    number = json.loads(made.exchange.response.body)["id"]
    change = written("PUT", f"/notes/{number}", json.dumps({"note": TEXT}).encode(), tokens=SIGNED)("")
    seen = [made.exchange] if makes else []
    for method, target in (("GET", "/notes"), ("GET", f"/notes/{number}"), ("DELETE", f"/notes/{number}")):
        asked = msgspec.structs.replace(change, method=method, target=target.encode(), body=b"")
        exchange = record(notes, asked).exchange
        seen += [exchange] if method == "GET" or deletes else []
    for each in seen:
        pages.meet(each, visited=False)
    notes.asked.clear()
    return change, pages


def run_at(
    notes: Notes,
    others: tuple[str, ...] = ("ben",),
    *,
    policy: Policy = DEFAULT,
    makes: bool = True,
    deletes: bool = True,
) -> Run:
    change, pages = recorded(notes, makes=makes, deletes=deletes)
    baseline = record(lambda _: Response(200, (JSON,), b'{"ok": true}'), change)
    known = tuple(Identity(name) for name in ("ann", *others))
    (check,) = plan(
        baseline, policy, credentials_of(change), (PROBE,),
        identities=known, pages=pages.beside(change), renewal=pages.renewal_of(change),
    )  # fmt: skip
    return drive_as(check, notes)


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [
        ("anybodys", Outcome.VULNERABLE),
        ("refused", Outcome.SAFE),
        ("keeps-quiet", Outcome.SAFE),
        ("a-teams", Outcome.SAFE),
    ],
)
def test_another_one_is_made_written_to_and_deleted_and_what_was_there_stays(kind: str, outcome: Outcome):
    notes = Notes(kind)
    run = run_at(notes)
    assert run.verdict.outcome is outcome
    assert notes.kept == {"70": ("ann", "old"), "80": ("ben", "old")}
    assert {number for method, number in notes.asked if method != "GET"}.isdisjoint({"70", "80"})
    assert [method for method, _ in notes.asked].count("POST") == 1


def test_a_finding_says_that_its_owner_made_it():
    proof = run_at(Notes("anybodys")).verdict.proof
    assert "had just made it" in proof.verified_by
    assert proof.test.request.first(b"Authorization").decode() == SIGNED["ben"]
    assert "by hand" not in proof.verified_by


@pytest.mark.parametrize(("others", "outcome"), [(("ben",), Outcome.SAFE), (("ben", "eva"), Outcome.VULNERABLE)])
def test_what_a_colleague_may_write_is_written_by_somebody_else(others: tuple[str, ...], outcome: Outcome):
    notes = Notes("colleagues")
    assert run_at(notes, others).verdict.outcome is outcome
    assert set(notes.kept) == {"70", "80"}


@pytest.mark.parametrize("without", ["maker", "POST"])
def test_where_none_can_be_made_nothing_is_sent_but_what_was_recorded(without: str):
    notes = Notes("anybodys")
    policy = msgspec.structs.replace(DEFAULT, methods_excluded=("POST",) if without == "POST" else ())
    run = run_at(notes, policy=policy, makes=without != "maker")
    assert run.verdict.reason is Inconclusive.NO_CONTROL
    assert {method for method, _ in notes.asked} == {"GET"} or "POST" not in {method for method, _ in notes.asked}
    assert set(notes.kept) == {"70", "80"}


@pytest.mark.parametrize("without", ["record", "DELETE"])
def test_it_stays_where_the_record_deletes_none_or_the_policy_leaves_that_out(without: str):
    notes = Notes("anybodys")
    policy = msgspec.structs.replace(DEFAULT, methods_excluded=("DELETE",) if without == "DELETE" else ())
    assert run_at(notes, policy=policy, deletes=without != "record").verdict.outcome is Outcome.VULNERABLE
    left = set(notes.kept) - {"70", "80"}
    assert [notes.kept[each] for each in left] == [("ann", TEXT)]


def test_an_object_that_is_there_is_written_to_itself():
    notes = Notes("anybodys")
    change, pages = recorded(notes)
    number = change.path.decode().rpartition("/")[2]
    notes.kept[number] = ("ann", TEXT)
    (check,) = plan(
        record(notes, change), DEFAULT, credentials_of(change), (PROBE,), identities=(Identity("ann"), Identity("ben")),
        pages=pages.beside(change), renewal=pages.renewal_of(change),
    )  # fmt: skip
    assert drive_as(check, notes).verdict.outcome is Outcome.VULNERABLE
    assert set(notes.kept) == {"70", "80", number}
    assert "POST" not in {method for method, _ in notes.asked}


class Cards:
    """A GraphQL API of cards. guarded: only their owners change them."""

    def __init__(self, *, guarded: bool) -> None:
        self.guarded = guarded
        self.kept: dict[str, tuple[str, str]] = {}
        self.count = 400_000

    def __call__(self, request: Request) -> Response:
        caller = BY_TOKEN.get((request.first(b"Authorization") or b"").decode(), "")
        sent = json.loads(request.body)
        number, asked = sent["variables"].get("id", ""), sent["query"]
        owner, title = self.kept.get(number, ("", ""))
        told: object = None
        if "createCard" in asked and caller:
            self.count += 7
            self.kept[str(self.count)] = (caller, sent["variables"]["title"])
            told = {"createCard": {"id": str(self.count)}}
        elif "card(" in asked and owner and owner == caller:
            told = {"card": {"id": number, "title": title}}
        elif "updateCard" in asked and owner and caller and (owner == caller or not self.guarded):
            self.kept[number] = (owner, sent["variables"]["title"])
            told = {"updateCard": {"id": number}}
        elif "deleteCard" in asked and owner and owner == caller:
            del self.kept[number]
            told = {"deleteCard": {"id": number}}
        document = {"data": told} if told else {"data": None, "errors": [{"message": "not found"}]}
        return Response(200, (JSON,), json.dumps(document).encode())


def operation(document: str, **variables: str) -> Request:
    body = json.dumps({"query": document, "variables": variables}).encode()
    return written("POST", "/graphql", body, tokens=SIGNED)("")


@pytest.mark.parametrize("guarded", [False, True])
def test_a_card_that_a_mutation_changes_is_made_by_the_mutation_that_makes_such(guarded: bool):
    cards, pages = Cards(guarded=guarded), Pages()
    made = record(cards, operation("mutation($title: String!) { createCard(title: $title) { id } }", title="First"))
    (number,) = cards.kept
    change = operation(
        "mutation($id: ID!, $title: String!) { updateCard(id: $id, title: $title) { id } }", id=number, title=TEXT
    )
    changed = record(cards, change)
    seen = [
        made.exchange,
        record(cards, operation("query($id: ID!) { card(id: $id) { id title } }", id=number)).exchange,
    ]
    seen.append(record(cards, operation("mutation($id: ID!) { deleteCard(id: $id) { id } }", id=number)).exchange)
    for each in seen:
        pages.meet(each, visited=False)
    (check,) = plan(
        changed, DEFAULT, credentials_of(change), (PROBE,), identities=(Identity("ann"), Identity("ben")),
        pages=pages.beside(change), renewal=pages.renewal_of(change),
    )  # fmt: skip
    run = drive_as(check, cards)
    assert run.verdict.outcome is (Outcome.SAFE if guarded else Outcome.VULNERABLE)
    assert cards.kept == {}


def test_what_was_there_and_is_shown_again_instead_of_made_is_left_alone():
    """When it was recorded Ann had none; now hers is there."""
    notes = Notes("anybodys")
    change, pages = recorded(notes)
    notes.kind = "has-one"
    (check,) = plan(
        record(lambda _: Response(200), change), DEFAULT, credentials_of(change), (PROBE,),
        identities=(Identity("ann"), Identity("ben")), pages=pages.beside(change), renewal=pages.renewal_of(change),
    )  # fmt: skip
    assert drive_as(check, notes).verdict.reason is Inconclusive.NO_CONTROL
    assert notes.kept == {"70": ("ann", "old"), "80": ("ben", "old")}
    assert {method for method, number in notes.asked if number == "70"} <= {"GET"}


def test_what_was_found_stays_found_where_nothing_more_is_answered():
    notes = Notes("anybodys")
    change, pages = recorded(notes)
    notes.is_tired = True
    (check,) = plan(
        record(lambda _: Response(200), change), DEFAULT, credentials_of(change), (PROBE,),
        identities=(Identity("ann"), Identity("ben")), pages=pages.beside(change), renewal=pages.renewal_of(change),
    )  # fmt: skip
    assert drive_as(check, notes).verdict.outcome is Outcome.VULNERABLE


def test_what_the_record_made_and_is_shown_again_is_not_deleted():
    change = written("PUT", "/tags/7", b'{"name": "red"}', tokens=SIGNED)("")
    maker = Made(Request("POST", b"/tags", (JSON,), b'{"name": "red"}', host="a"), ("id",), "7")
    situation = Situation(
        baseline=record(lambda _: Response(200), change), point=Point(), value=b"", credentials=(), policy=DEFAULT, random=Random(1),
        renewal=Renewal((maker, maker._replace(was="12")), None),
    )  # fmt: skip
    dialogue, numbers = renewed(situation, Named(Point.of("path", "1"), "7", b"/tags")), [12, 13, 12]
    try:
        asked = next(dialogue)
        while True:
            told = {"id": numbers.pop(0)} if asked.request.method == "POST" else {}
            answer = Response(200, (JSON,), json.dumps(told).encode())
            asked = dialogue.send(Answer(Exchange(asked.request, answer)))
    except StopIteration as end:
        made = end.value.made
    assert (made, numbers) == (("13",), [])
