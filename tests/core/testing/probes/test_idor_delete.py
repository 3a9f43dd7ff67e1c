"""The probe idor_delete, driven as two tenants against notes of its own, whose making was recorded before."""

import json
from random import Random

import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import Application, Run, answer_of, credentials_of, record
from tests.core.testing.probes.as_tenants import OPAQUE, changes_of, dressed, drive_as, identities, signed_in, told
from tests.core.testing.probes.notes import OLD, Notes, Office
from tests.range.tenants_store import PEOPLE, SIGNED

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.makers import Makers
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import TestRequest
from gatecrash.core.testing.probes.idor_delete import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Inconclusive, Outcome

JSON = (b"Content-Type", b"application/json")
DESK = ("days", "hours", "shifts")
CASES = [case for case in cases_of("probes") if case.file == "idor_delete"]


def driven(request: Request, application: Application, *, recorded: bool = True, more: int = 2) -> Run:
    """The probe's dialogue about a request that deletes; recorded: the record shows how such notes are made. more: than
    was forecast for what is sound.
    """
    making, _, name = request.path.rpartition(b"/")
    body = b'{"note_title": "%s", "text": "a"}' % name if b"titled" in making else b'{"text": "call back"}'
    made = Request("POST", making, (JSON, *request.headers), body, host=request.host)
    makers = Makers()
    if recorded:
        makers.see(record(application, made).exchange)
    baseline, changes = record(lambda _: Response(204), request), changes_of(application, request, makers)
    known, own, found = identities(request), makers.of(request), credentials_of(request)
    (check,) = plan(baseline, DEFAULT, found, (PROBE,), identities=known, makers=own, renewal=changes)
    dialogue = check.probe.run(check.situation(Random(1)))
    sent: list[TestRequest] = []
    try:
        asked = next(dialogue)
        while True:
            sent.append(asked)
            assert len(sent) <= check.forecast + more
            asked = dialogue.send(answer_of(application, dressed(asked, request)))
    except StopIteration as end:
        return Run(check, end.value, sent)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    assert case.expected == (told(driven(signed_in(case.request), Notes())),)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_nothing_is_deleted_but_what_the_test_has_made_and_nothing_of_that_is_left(case: Case):
    notes = Notes()
    run = driven(signed_in(case.request), notes)
    asked = {each.request.path.rpartition(b"/")[2].decode() for each in run.sent if each.request.method == "DELETE"}
    assert OLD not in asked
    assert OLD in notes.kept
    assert len(notes.kept) == 2, "the old one and the one of the record"


def test_a_finding_shows_the_others_request():
    (case,) = [case for case in CASES if b"/anybodys/" in case.request.path]
    verdict = driven(signed_in(case.request), Notes()).verdict
    assert (verdict.type, verdict.cwe, verdict.threat) == ("idor", (639,), 86)
    assert verdict.proof.test.request.first(b"Authorization").decode() == OPAQUE["ben"]
    assert "may not even read it" in verdict.proof.verified_by


def test_where_no_making_was_recorded_nothing_is_sent_and_the_result_says_so():
    run = driven(signed_in(CASES[0].request), Notes(), recorded=False)
    assert (run.verdict.outcome, run.verdict.reason) == (Outcome.INCONCLUSIVE, Inconclusive.NO_CONTROL)
    assert "no request of the record makes such an object" in run.verdict.detail
    assert run.sent == []


@pytest.mark.parametrize(("method", "target", "body"), [("DELETE", b"/x/notes", b""), ("PUT", b"/x/notes/7", b"{}")])
def test_what_names_no_object_or_deletes_none_is_left_alone(method: str, target: bytes, body: bytes):
    request = signed_in(Request(method, target, CASES[0].request.headers, body))
    baseline = record(lambda _: Response(204), request)
    known = identities(request)
    named_by_nothing = Request("DELETE", b"/", request.headers)
    assert plan(baseline, DEFAULT, credentials_of(request), (PROBE,), identities=known[:1]) == []
    if request.method == "PUT":
        assert plan(baseline, DEFAULT, credentials_of(request), (PROBE,), identities=known) == []
    assert plan(record(lambda _: Response(204), named_by_nothing), DEFAULT, (), (PROBE,), identities=known) == []


@pytest.mark.parametrize("guarded", [False, True])
def test_below_ones_own_account_the_notes_of_others_are_deleted_where_nothing_guards_them(guarded: bool):
    kept: dict[str, str] = {"31": "7"}

    def notes(request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((str(PEOPLE[name]["id"]) for name, each in SIGNED.items() if each == token), "")
        _, _, account, _, *more = request.path.decode().split("/")
        if account != caller:
            return Response(403 if caller else 401)
        if request.method == "POST":
            kept[str(len(kept) + 40)] = account
            return shown(str(len(kept) + 39), account)
        if not more:
            own = [{"id": int(number), "account_id": int(owner)} for number, owner in kept.items() if owner == account]
            return Response(200, (JSON,), json.dumps(own).encode())
        owner = kept.get(more[0], "")
        if not owner or (request.method == "DELETE" and guarded and owner != account):
            return Response(404)
        if request.method == "DELETE":
            del kept[more[0]]
        return shown(more[0], owner)

    def shown(number: str, owner: str) -> Response:
        told = {"id": int(number), "account_id": int(owner), "text": "call back"}
        return Response(200, (JSON,), json.dumps(told).encode())

    request = Request("DELETE", b"/desks/7/notes/31", ((b"Authorization", SIGNED["ann"].encode()),), host="a")
    verdict = driven(request, notes, more=8).verdict
    assert verdict.outcome is (Outcome.SAFE if guarded else Outcome.VULNERABLE)
    if not guarded:
        assert verdict.proof.test.request.path.startswith(b"/desks/8/notes/")
        assert "list above" in verdict.proof.verified_by
    assert "31" in kept


ONE = "query C($id: ID!) { card(id: $id) { id } }"


@pytest.mark.parametrize(
    ("read", "guarded", "found"),
    [
        (ONE, False, True),
        (ONE, True, False),
        ("{ myCards { id } }", False, True),
        ("{ myCards { id } }", True, False),
        # Whose they are is nobody's to say where all see them.
        ("{ cards { id } }", False, False),
    ],
)
@pytest.mark.parametrize("deletion", ["deleteCard(cardId: $id) { ok }", "withdrawCard(cardId: $id) { deletedCardId }"])
def test_what_a_mutation_deletes_is_read_by_the_recorded_query_for_its_kind(
    read: str, guarded: bool, found: bool, deletion: str
):
    cards = {"31": "ann"}
    numbers = iter(("9", "1001", "1002"))

    def graphql(request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((name for name, each in OPAQUE.items() if each == token), "")
        asked = json.loads(request.body)
        number = asked.get("variables", {}).get("id", "")
        if not caller:
            return Response(200, (JSON,), b'{"errors": [{"message": "not authenticated"}]}')
        if "createCard" in asked["query"]:
            number = next(numbers)
            cards[number] = caller
            return Response(200, (JSON,), json.dumps({"data": {"createCard": {"card": {"id": number}}}}).encode())
        if "ards {" in asked["query"]:
            own = [{"id": each} for each, whose in cards.items() if whose == caller or "{ cards" in asked["query"]]
            return Response(200, (JSON,), json.dumps({"data": {"list": own}}).encode())
        ends = "deleteCard" in asked["query"] or "deletedCardId" in asked["query"]
        if number not in cards or (cards[number] != caller and (not ends or guarded)):
            return Response(200, (JSON,), b'{"errors": [{"message": "no such card"}]}')
        if ends:
            del cards[number]
        return Response(200, (JSON,), json.dumps({"data": {"card": {"id": number}}}).encode())

    def posted(query: str, **variables: str) -> Request:
        body = json.dumps({"query": query, "variables": variables}).encode()
        token = (b"Authorization", OPAQUE["ann"].encode())
        return Request("POST", b"/graphql", (JSON, token), body, host="a")

    pages, request = Pages(), posted(f"mutation D($id: ID!) {{ {deletion} }}", id="9")
    pages.add(record(graphql, posted(read, **({"id": "31"} if read == ONE else {}))).exchange)
    pages.meet(record(graphql, posted('mutation { createCard(title: "a") { card { id } } }')).exchange, visited=False)
    baseline = record(lambda _: Response(200, (JSON,), b'{"data": {"deleteCard": {"ok": true}}}'), request)
    (check,) = plan(
        baseline, DEFAULT, credentials_of(request), (PROBE,),
        identities=identities(request), pages=pages.beside(request), makers=pages.makers_of(request),
    )  # fmt: skip
    verdict = drive_as(check, graphql).verdict
    assert (verdict.outcome is Outcome.VULNERABLE) is found
    assert "31" in cards


FORM = '<form method="post" action="/tools/remove"><input type="hidden" name="tool_id" value="{}"></form>'


class Shed:
    """A site of pages: each makes, edits and removes things by forms, in sessions. guarded: only who made one removes
    it; shared: pages lead all their readers to the same. quiet: to make one leads to the list of one's own.
    """

    def __init__(self, *, guarded: bool = False, shared: bool = False, quiet: bool = False) -> None:
        self.guarded, self.shared, self.quiet = guarded, shared, quiet
        self.kept = {"31": "ann", "32": "ben"}

    def __call__(self, request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((name for name, each in OPAQUE.items() if each == token), "")
        if not caller:
            return leading_to("/login")
        _, _, *more = request.path.decode().split("/")
        more = [request.body.decode()[-2:], "remove"] if more == ["remove"] else more
        if more == ["new"]:
            number = str(max(map(int, self.kept)) + 1)
            self.kept[number] = caller
            return leading_to("/tools" if self.quiet else f"/tools/{number}")
        if not more:
            shown = [number for number, owner in self.kept.items() if owner == caller or not self.quiet]
            forms = [FORM.format(number) for number in shown if self.shared or self.kept[number] == caller]
            return page_of("".join(f'<a href="/tools/{number}">Tool {number}</a>' for number in shown) + "".join(forms))
        owner = self.kept.get(more[0])
        if owner is None:
            return Response(404)
        if request.method == "POST" and (more[1:] == ["remove"] or request.body == b"_method=delete"):
            if owner == caller or not self.guarded:
                del self.kept[more[0]]
            return leading_to("/tools")
        edit = f'<a href="/tools/{more[0]}/edit">Edit</a>' if self.shared or owner == caller else ""
        return page_of(f"<h1>Tool {more[0]}</h1>{edit}")


def leading_to(target: str) -> Response:
    return Response(302, ((b"Location", target.encode()),))


def page_of(text: str) -> Response:
    return Response(200, ((b"Content-Type", b"text/html"),), f"<html><body>{text}</body></html>".encode())


def removal(shed: Shed, target: bytes, body: bytes) -> Run:
    """The dialogue about the form that removes what a recorded form has made."""
    form = (b"Content-Type", b"application/x-www-form-urlencoded")
    token = (b"Authorization", OPAQUE["ann"].encode())
    pages = Pages()
    for each in (
        Request("GET", b"/tools", (token,), host="a"),
        Request("POST", b"/tools/new", (form, token), b"title=Saw", host="a"),
    ):
        pages.meet(record(shed, each).exchange, visited=False)
    request = Request("POST", target, (form, token), body, host="a")
    baseline = record(shed, request)
    (check,) = plan(
        baseline, DEFAULT, credentials_of(request), (PROBE,),
        identities=identities(request), pages=pages.beside(request), makers=pages.makers_of(request),
    )  # fmt: skip
    return drive_as(check, shed)


REMOVALS = [(b"/tools/33/remove", b""), (b"/tools/33", b"_method=delete"), (b"/tools/remove", b"tool_id=33")]


@pytest.mark.parametrize(("target", "body"), REMOVALS)
@pytest.mark.parametrize(
    ("how", "outcome"),
    [
        ({}, Outcome.VULNERABLE),
        ({"quiet": True}, Outcome.VULNERABLE),
        ({"guarded": True}, Outcome.SAFE),
        ({"guarded": True, "quiet": True}, Outcome.SAFE),
        # Whoever is led there may remove it.
        ({"shared": True}, Outcome.SAFE),
    ],
)
def test_what_a_form_has_made_is_removed_by_another_where_its_page_leads_its_owner_alone_there(
    how: dict[str, bool], outcome: Outcome, target: bytes, body: bytes
) -> None:
    shed = Shed(**how)
    run = removal(shed, target, body)
    assert run.verdict.outcome is outcome
    assert {"31", "32"} <= shed.kept.keys(), "what was there before is left alone"
    assert len(shed.kept) == 2, "and nothing of the test is left"


def test_a_form_that_deletes_is_left_alone_where_nothing_shows_how_such_things_are_made() -> None:
    token = (b"Authorization", OPAQUE["ann"].encode())
    request = Request("POST", b"/tools/33/remove", (token,), host="a")
    baseline = record(lambda _: leading_to("/tools"), request)
    assert plan(baseline, DEFAULT, credentials_of(request), (PROBE,), identities=identities(request)) == []


class Drawn(Shed):
    """Its list shows one tool after the other, and no more than one can be made."""

    def __init__(self) -> None:
        super().__init__()
        self.turns = self.made = 0

    def __call__(self, request: Request) -> Response:
        if request.path == b"/tools":
            self.turns += 1
            return page_of(f'<a href="/tools/{31 + self.turns % 2}">Tool of the day</a>')
        self.made += request.path == b"/tools/new"
        return leading_to("/tools") if self.made > 1 and request.path == b"/tools/new" else super().__call__(request)


def test_what_a_page_draws_by_lot_is_not_taken_for_what_a_form_has_made() -> None:
    shed = Drawn()
    run = removal(shed, b"/tools/33/remove", b"")
    assert (run.verdict.outcome, run.verdict.reason) == (Outcome.INCONCLUSIVE, Inconclusive.NO_CONTROL)
    assert {"31", "32"} <= shed.kept.keys()
    assert not [each for each in run.sent if each.request.path.endswith(b"/remove")]


@pytest.mark.parametrize(
    ("guarded", "listed", "others", "outcome"),
    [
        (False, True, ("ben", "eva"), Outcome.VULNERABLE),
        (True, True, ("ben", "eva"), Outcome.SAFE),
        (False, True, ("ben",), Outcome.SAFE),
        # A rule has chosen Ben.
        (True, False, ("ben", "eva"), Outcome.SAFE),
        (True, False, ("eva", "ben"), Outcome.SAFE),
        (False, False, ("ben", "eva"), Outcome.VULNERABLE),
    ],
)
def test_what_a_colleague_may_delete_is_asked_for_by_somebody_else(
    guarded: bool, listed: bool, others: tuple[str, ...], outcome: Outcome
) -> None:
    office = Office(guarded=guarded, listed=listed)
    request = signed_in(Request("DELETE", b"/office/notes/7", ((b"Authorization", b"ann, signed"),), host="office"))
    making = Request("POST", b"/office/notes", (JSON, *request.headers), b'{"text": "a"}', host="office")
    makers = Makers()
    makers.see(record(office, making).exchange)
    known = tuple(Identity(name) for name in ("ann", *others))
    baseline = record(lambda _: Response(204), request)
    (check,) = plan(baseline, DEFAULT, credentials_of(request), (PROBE,), identities=known, makers=makers.of(request))
    run = drive_as(check, office)
    assert run.verdict.outcome is outcome
    assert len(run.sent) <= check.forecast + len(others)
    assert len(office.kept) == 2, "the old one and the one of the record"


@pytest.mark.parametrize("guarded", [False, True])
def test_what_is_deleted_in_another_section_is_read_where_its_kind_is(guarded: bool):
    posts = {"9": "ann"}

    def board(request: Request) -> Response:
        token, section = (request.first(b"Authorization") or b"").decode(), request.path.split(b"/")[2]
        caller = next((name for name, each in OPAQUE.items() if each == token), "")
        number = request.path.decode().rpartition("/")[2]
        if not caller:
            return Response(401)
        if number in DESK:  # a small number stands on many pages
            return Response(200, (JSON,), b'{"seen": "41"}')
        if request.method == "POST":
            number = str(40 + len(posts))
            posts[number] = caller
        elif (
            section == b"desk" and request.method == "DELETE" and posts.get(number) in ({caller} if guarded else PEOPLE)
        ):
            del posts[number]
            return Response(204)
        mine = section == b"posts" and posts.get(number) == caller
        return Response(200, (JSON,), json.dumps({"id": number, "text": "a"}).encode()) if mine else Response(404)

    token = (b"Authorization", OPAQUE["ann"].encode())
    pages, request = Pages(), Request("DELETE", b"/v2/desk/posts/41", (token,), host="a")
    made = Request("POST", b"/v2/posts", (JSON, token), b'{"text": "a"}', host="a")
    read = [b"/v2/posts/41", *(f"/v2/desk/{each}".encode() for each in DESK)]
    for each in (made, *(Request("GET", path, (token,), host="a") for path in read)):
        pages.meet(record(board, each).exchange, visited=False)
    (check,) = plan(
        record(lambda _: Response(204), request), DEFAULT, credentials_of(request), (PROBE,),
        identities=identities(request), pages=pages.beside(request), makers=pages.makers_of(request),
    )  # fmt: skip
    assert (drive_as(check, board).verdict.outcome is Outcome.VULNERABLE) is not guarded
    assert "41" in posts


@pytest.mark.parametrize("guarded", [False, True])
def test_what_is_listed_at_a_word_below_alone_is_read_there(guarded: bool):
    tapes, pages, token = {"31": "ann", "32": "ben"}, Pages(), (b"Authorization", OPAQUE["ann"].encode())

    def studio(request: Request) -> Response:
        sent, number = request.first(b"Authorization"), request.path.decode().rpartition("/")[2]
        caller = next((name for name, each in OPAQUE.items() if each.encode() == sent), "")
        if caller and request.method == "POST":
            tapes[number := str(40 + len(tapes))] = caller
            return Response(201, (JSON,), b'{"id": "%s"}' % number.encode())
        if caller and request.method == "DELETE" and tapes.get(number) in ({caller} if guarded else PEOPLE):
            del tapes[number]
            return Response(204)
        own = json.dumps([{"id": each} for each, owner in tapes.items() if owner == caller]).encode()
        return Response(200, (JSON,), own) if caller and number == "mine" else Response(404 if caller else 401)

    request = Request("DELETE", b"/tapes/42", (token,), host="a")
    for method, path in (("POST", b"/tapes"), ("GET", b"/tapes/search/mine")):
        pages.meet(record(studio, Request(method, path, (token,), host="a")).exchange, visited=False)
    (check,) = plan(
        record(lambda _: Response(204), request), DEFAULT, credentials_of(request), (PROBE,),
        identities=identities(request), pages=pages.beside(request), makers=pages.makers_of(request),
    )  # fmt: skip
    assert (drive_as(check, studio).verdict.outcome is Outcome.VULNERABLE) is not guarded
