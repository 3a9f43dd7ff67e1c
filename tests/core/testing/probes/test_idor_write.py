"""The probe idor_write, driven as two tenants against the range's objects over a real port."""

import json
from functools import partial
from urllib.parse import parse_qsl

import msgspec
import pytest
from tests.core.testing.driving import Run, credentials_of, record
from tests.core.testing.probes import as_tenants
from tests.core.testing.probes.as_tenants import AsTenants, cases, drive_as, signed_in
from tests.range.place import posted, respond
from tests.range.tenants_store import OPAQUE, SIGNED, written
from tests.range.tenants_writes import BODY, MAIL, NOTE, note, write

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.idor_write import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Inconclusive, Outcome

JSON = (b"Content-Type", b"application/json")
HTML = (b"Content-Type", b"text/html")
check_of = partial(as_tenants.check_of, probe=PROBE)


class TestProbe(AsTenants):
    name = "idor_write"
    probe = PROBE


def test_a_finding_shows_the_others_write_and_the_owner_has_his_text_back():
    run = drive_as(check_of(written("PUT", "/orders/31", BODY)("/tenants-writes/anybody-writes")), respond)
    verdict = run.verdict
    assert (verdict.type, verdict.cwe, verdict.threat) == ("idor", (639,), 88)
    assert verdict.proof.test.request.first(b"Authorization").decode() == OPAQUE["ben"]
    assert json.loads(verdict.proof.test.request.body).keys() == json.loads(BODY).keys()
    assert note("anybody_writes", "31", "ann") == NOTE
    assert "by hand" not in verdict.proof.verified_by


def test_what_was_written_over_since_it_was_recorded_is_written_anew_by_its_owner_first():
    check = check_of(written("PUT", "/orders/31", BODY)("/tenants-writes/anybody-writes"))
    write("anybody_writes", "31", "ann", "Ring at the neighbour's")
    assert drive_as(check, respond).verdict.outcome is Outcome.VULNERABLE
    assert note("anybody_writes", "31", "ann") == NOTE


def test_a_mark_stands_in_one_text_and_nothing_else_of_the_body_changes():
    run = drive_as(check_of(written("PUT", "/orders/31", BODY)("/tenants-writes/owners-write")), respond)
    (sent,) = [question.request for question in run.sent if question.request.method == "PUT"]
    changed = json.loads(sent.body)
    assert changed.pop("note") != NOTE
    assert changed == {"urgent": True}


def test_below_ones_own_the_others_write_is_shown_and_the_owner_has_his_text_back():
    place = "/tenants-below-writes/account-is-looked-at-and-any-note-written"
    proof = drive_as(
        check_of(written("PUT", "/accounts/7/notes/31", BODY, tokens=SIGNED)(place)), respond
    ).verdict.proof
    assert proof.test.request.path.endswith(b"/accounts/8/notes/31")
    assert proof.test.request.first(b"Authorization").decode() == SIGNED["ben"]
    assert "list above" in proof.verified_by
    assert note("any_note", "31", "ann") == NOTE


@pytest.mark.parametrize("place", ["notes-counted-within-an-account", "note-is-looked-at-too"])
def test_nothing_is_written_below_anothers_own_where_he_does_not_read_what_the_owner_reads(place):
    request = written("PUT", "/accounts/7/notes/31", BODY, tokens=SIGNED)(f"/tenants-below-writes/{place}")
    run = drive_as(check_of(request), respond)
    sent = [each.request for each in run.sent if each.request.method == "PUT"]
    assert all(b"/accounts/7/" in each.path for each in sent)


@pytest.mark.parametrize("place", ["everybody-has-one-of-that-number", "a-wiki", "never-read-back"])
def test_nothing_is_written_where_nothing_says_whose_it_is_or_it_cannot_be_read(place):
    (case,) = [case for case in cases("idor_write") if f"/{place}/" in case.request.target.decode()]
    run = drive_as(check_of(signed_in(case.request)), respond)
    assert {question.request.method for question in run.sent} == {"GET"}


@pytest.mark.parametrize(
    "request_",
    [
        written("DELETE", "/orders/31", BODY)("/x"),
        written("PUT", "/orders", BODY)(""),
        written("PUT", "/users/7/password", BODY)("/x"),
        written("POST", "/auth/login", b'{"name": "ann@example.com", "title": "Dr.", "password": "lamp"}')("/x"),
        written("PUT", "/orders/31", b'{"ratio": 5}')("/x"),
    ],
)
def test_what_deletes_names_no_object_or_sends_no_text_is_left_alone(request_):
    assert check_of(request_, lambda _: Response(200, (), b"{}")) is None


def test_what_only_those_who_manage_may_write_is_no_object_of_theirs():
    request = written("PUT", "/admin/settings", b'{"banner": "Welcome"}', name="ida")("")
    assert check_of(request, lambda _: Response(200, (), b'{"banner": "Welcome"}')) is None


def test_a_limiter_makes_it_inconclusive_at_once():
    check = check_of(written("PUT", "/orders/31", BODY)("/tenants-writes/anybody-writes"))
    run = drive_as(check, lambda _: Response(429))
    assert (run.verdict.reason, len(run.sent)) == (Inconclusive.RATE_LIMITED, 1)


def test_what_is_done_or_not_is_written_as_the_contrary_and_put_back():
    state = {"id": 31, "done": False, "owner": "ann"}

    def cards(request: Request) -> Response:
        if not request.first(b"Authorization"):
            return Response(401)
        if request.method == "PUT":
            state["done"] = json.loads(request.body)["done"]
        elif request.first(b"Authorization").decode() != OPAQUE["ann"]:
            return Response(404)
        return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(state).encode())

    run = drive_as(check_of(written("PUT", "/cards/31", b'{"done": false}')("/x"), cards), cards)
    assert (run.verdict.threat, run.verdict.detail) == (88, "'ben' writes 'done'")
    assert [json.loads(each.request.body)["done"] for each in run.sent if each.request.method == "PUT"] == [
        True,
        False,
        True,
        False,
        False,
    ]
    assert "by hand" not in run.verdict.proof.verified_by


@pytest.mark.parametrize("seed", range(12))
def test_what_nobody_sends_is_no_number_that_the_other_wrote(seed):
    """It would stand there anyway, and look as if nobody had written it."""
    wanted = written("PUT", "/baskets/31", b'{"product": 12, "quantity": 2}')("/tenants-counted/anybody-counts")
    assert drive_as(check_of(wanted), respond, seed).verdict.outcome is Outcome.VULNERABLE


def test_what_the_other_has_in_its_place_is_put_back():
    place = "/tenants-writes/own-address-whoever-is-named"
    before = note("own_mail", "mail", "ben")
    run = drive_as(check_of(written("POST", "/me/mail", MAIL, tokens=SIGNED)(place)), respond)
    sent = [
        (question.identity, json.loads(question.request.body)["mail"]) for question in run.sent if question.request.body
    ]
    assert [identity for identity, _ in sent] == ["ben", "ben"]
    assert sent[-1][1] == before == note("own_mail", "mail", "ben")


class Baskets:
    """A shop: who is signed in has a basket, and adds to any or to his own alone. Anybody who is signed in may look."""

    def __init__(self, *, checks: bool, meddled: bool = False) -> None:
        self.checks = checks
        self.meddled = meddled
        self.added = {"22": [2], "23": [1]}

    def __call__(self, request: Request) -> Response:
        name = next((each for each, token in SIGNED.items() if token.encode() == request.first(b"Authorization")), "")
        number = request.path.split(b"/")[2].decode()
        if not name or number not in self.added:
            return Response(401 if not name else 404, (), b'{"error": "no"}')
        if request.method == "POST" and (not self.checks or number == {"ann": "22", "ben": "23"}[name]):
            self.added[number].append(json.loads(request.body)["quantity"])
        elif request.method == "POST" and self.meddled:
            # Its owner adds as many at the same time, once.
            self.meddled = False
            self.added["22"].append(json.loads(request.body)["quantity"])
        items = [{"item": 5, "quantity": each} for each in self.added[number]]
        return Response(200, (), json.dumps({"id": int(number), "basket_id": int(number), "items": items}).encode())


def adding(application: Baskets) -> Run:
    request = written("POST", "/baskets/22/items", b'{"product": 5, "quantity": 3}', tokens=SIGNED)("")
    known = (Identity("ann", 0, ("7", "basket=22")), Identity("ben", 0, ("8", "basket=23")))
    recorded = record(application, request)
    application.added["22"] = [2]
    (check,) = plan(recorded, DEFAULT, credentials_of(request), (PROBE,), identities=known)
    return drive_as(check, application)


def test_what_is_put_into_anothers_basket_is_found_though_others_may_look_into_it():
    verdict = adding(Baskets(checks=False)).verdict
    assert (verdict.outcome, verdict.detail) == (Outcome.VULNERABLE, "'ben' writes 'quantity'")


@pytest.mark.parametrize("meddled", [False, True])
def test_who_puts_into_his_own_basket_alone_is_not(meddled):
    assert adding(Baskets(checks=True, meddled=meddled)).verdict.outcome is Outcome.SAFE


@pytest.mark.parametrize("seed", range(12))
def test_a_number_that_one_request_has_left_in_a_list_of_all_is_sent_by_no_other(seed):
    entries = [{"id": 1, "basketId": 7, "quantity": 2}]

    def application(request: Request) -> Response:
        if request.first(b"Authorization") is None:
            return Response(401, (JSON,), b'{"error": "no"}')
        if request.method == "POST":
            entries.append({"id": len(entries) + 1, **json.loads(request.body)})
        return Response(200, (JSON,), json.dumps(entries).encode())

    request = written("POST", "/entries", b'{"basketId": 7, "quantity": 2}', tokens=SIGNED)("")
    known = (Identity("ann", 0, ("7",)), Identity("ben", 0, ("8",)))
    recorded = record(application, request)
    (check,) = plan(recorded, DEFAULT, credentials_of(request), (PROBE,), identities=known)
    assert drive_as(check, application, seed).verdict.outcome is Outcome.VULNERABLE


class Accounts:
    """A site whose account form has a hidden number. checks: the session says whose account it is."""

    def __init__(self, *, checks: bool) -> None:
        self.checks = checks
        self.phones = {"7": "0551-707", "8": "0551-808"}

    def __call__(self, request: Request) -> Response:
        own = {OPAQUE["ann"]: "7", OPAQUE["ben"]: "8"}.get((request.first(b"Authorization") or b"").decode(), "")
        if not own:
            return Response(401, (HTML,), b"<p>Please sign in.</p>")
        if request.method == "POST":
            sent = dict(parse_qsl(request.body.decode()))
            self.phones[own if self.checks else sent["user_id"]] = sent["phone"]
            return Response(302, ((b"Location", b"/account"),))
        shown = f"<form method=post><input type=hidden name=user_id value={own}><input name=phone value={self.phones[own]}></form>"
        return Response(200, (HTML,), shown.encode())


@pytest.mark.parametrize("checks", [False, True])
def test_a_form_that_was_sent_once_more_with_other_values_is_sent_again_by_its_owner_first(checks):
    """That it is about its owner is said by the form alone."""
    application = Accounts(checks=checks)
    plain = posted("/account", b"user_id=7&phone=0551-777", b"application/x-www-form-urlencoded")
    request = msgspec.structs.replace(plain, headers=(*plain.headers, (b"Authorization", OPAQUE["ann"].encode())))
    known = (Identity("ann", 0, ("ann",)), Identity("ben", 0, ("ben",)))
    recorded = record(application, request)
    application.phones["7"] = "0551-999"
    (check,) = plan(recorded, DEFAULT, credentials_of(request), (PROBE,), identities=known)
    verdict = drive_as(check, application).verdict
    assert verdict.outcome is (Outcome.SAFE if checks else Outcome.VULNERABLE)
    assert application.phones["7"] == "0551-777"


class Bills:
    """A site whose bills have a form below their own page, which it leads back to. checks: whose bill it is, for the form too."""

    def __init__(self, *, checks: bool) -> None:
        self.checks = checks
        self.labels = {"7": "Water of ann", "8": "Water of ben"}
        self.owners = {"7": "ann", "8": "ben"}

    def __call__(self, request: Request) -> Response:
        signed = (request.first(b"Authorization") or b"").decode()
        who = {token: name for name, token in OPAQUE.items()}.get(signed)
        parts = request.path.decode().split("/")
        own = self.owners.get(parts[2]) == who if len(parts) > 2 else False
        if who is None or parts[1] != "bills":
            return Response(401, (HTML,), b"<p>Please sign in.</p>")
        if request.method == "POST" and (own or not self.checks):
            self.labels[parts[2]] = "Note: " + dict(parse_qsl(request.body.decode()))["note"]
            return Response(302, ((b"Location", f"/bills/{parts[2]}".encode()),))
        if request.method == "POST" or not own or len(parts) > 3:
            return Response(404, (HTML,), b"<p>No such bill.</p>")
        return Response(200, (HTML,), f"<h1>{self.labels[parts[2]]}</h1>".encode())


@pytest.mark.parametrize("checks", [False, True])
def test_a_form_below_a_page_of_a_target_that_never_got_it_is_sent_by_its_owner_first(checks):
    application = Bills(checks=checks)
    plain = posted("/bills/7/note", b"note=paid+by+bank", b"application/x-www-form-urlencoded")
    request = msgspec.structs.replace(plain, headers=(*plain.headers, (b"Authorization", OPAQUE["ann"].encode())))
    known = (Identity("ann", 0, ("ann",)), Identity("ben", 0, ("ben",)))
    recorded = record(application, request)
    application.labels["7"] = "Water of ann"
    (check,) = plan(recorded, DEFAULT, credentials_of(request), (PROBE,), identities=known)
    verdict = drive_as(check, application).verdict
    assert verdict.outcome is (Outcome.SAFE if checks else Outcome.VULNERABLE)
    assert application.labels["7"] == "Note: paid by bank"


def test_what_is_replaced_is_told_from_what_is_added_by_its_own_member():
    """Made-up values are often the same, and stand within others."""
    ticket = {"id": 31, "owner": "ann", "note": "example", "title": "example", "mail": "example@example.com"}

    def application(request: Request) -> Response:
        who = {token: name for name, token in OPAQUE.items()}.get((request.first(b"Authorization") or b"").decode())
        if who is None or (who != "ann" and request.method == "GET"):
            return Response(401, (JSON,), b'{"error": "no"}')
        if request.method == "PUT":
            ticket["note"] = json.loads(request.body)["note"]
        return Response(200, (JSON,), json.dumps(ticket).encode())

    asked = written("PUT", "/tickets/31", b'{"note": "example"}')("")
    known = (Identity("ann", 0, ("ann",)), Identity("ben", 0, ("ben",)))
    (check,) = plan(record(application, asked), DEFAULT, credentials_of(asked), (PROBE,), identities=known)
    assert drive_as(check, application).verdict.outcome is Outcome.VULNERABLE
    assert ticket["note"] == "example"


def test_an_entry_that_is_new_is_not_the_thing_that_has_its_number():
    """Whoever writes in a room has an entry of his own; the fourth may stand in the fourth room, where one alone wrote before."""
    entries: list[dict[str, object]] = []

    def application(request: Request) -> Response:
        who = {token: name for name, token in OPAQUE.items()}.get((request.first(b"Authorization") or b"").decode())
        if request.method == "GET":
            told = entries if request.path.endswith(b"/entries") else {"id": 4, "title": "Garden"}
            return Response(200, (JSON,), json.dumps(told).encode())
        if who is None:
            return Response(401, (JSON,), b'{"error": "no"}')
        number = 40 + len(entries) if who == "ann" else 4
        entries.append({"id": number, "user": f"u-{who}-310", "room": 4, "text": json.loads(request.body)["text"]})
        return Response(201, (JSON,), json.dumps(entries[-1]).encode())

    asked = written("POST", "/rooms/4/entries", b'{"text": "Hello all"}')("")
    known = (Identity("ann", 0, ("u-ann-310",)), Identity("ben", 0, ("u-ben-310",)))
    (check,) = plan(record(application, asked), DEFAULT, credentials_of(asked), (PROBE,), identities=known)
    assert drive_as(check, application).verdict.outcome is Outcome.SAFE
    assert any(each["user"] == "u-ben-310" for each in entries)


@pytest.mark.parametrize("guarded", [True, False])
def test_of_many_queries_about_the_owner_the_one_that_asks_for_what_is_sent_is_read(guarded):
    """All of them show his number; three at most are asked."""
    bios = {"7": "I like tea", "8": "I like it"}
    numbers = {OPAQUE["ann"]: "7", OPAQUE["ben"]: "8"}

    def graphql(request: Request) -> Response:
        own = numbers.get((request.first(b"Authorization") or b"").decode(), "")
        asked = json.loads(request.body)
        number = asked["variables"]["id"]
        if not own or (guarded and number != own):
            return Response(200, (JSON,), b'{"errors": [{"message": "not authenticated"}]}')
        if "mutation" in asked["query"]:
            bios[number] = asked["variables"]["bio"]
        user = {"id": number, "mail": f"{number}@example.com"} | (
            {"bio": bios[number]} if "bio" in asked["query"] else {}
        )
        return Response(200, (JSON,), json.dumps({"data": {"user": user}}).encode())

    def posted(query: str, **variables: str) -> Request:
        body = json.dumps({"query": query, "variables": variables}).encode()
        return Request("POST", b"/graphql", (JSON, (b"Authorization", OPAQUE["ann"].encode())), body, host="a")

    pages = Pages()
    for name in ("A", "B", "C", "D"):
        pages.add(
            record(graphql, posted("query " + name + "($id: ID!) { user(id: $id) { id mail } }", id="7")).exchange
        )
    pages.add(record(graphql, posted("query E($id: ID!) { user(id: $id) { id mail bio } }", id="7")).exchange)
    asked = posted(
        "mutation S($id: ID!, $bio: String) { setBio(userId: $id, bio: $bio) { id } }", id="7", bio="I like tea"
    )
    known = (Identity("ann", 0, ("7", "7@example.com")), Identity("ben", 0, ("8", "8@example.com")))
    baseline, beside = record(graphql, asked), pages.beside(asked)
    (check,) = plan(baseline, DEFAULT, credentials_of(asked), (PROBE,), identities=known, pages=beside)
    assert (drive_as(check, graphql).verdict.outcome is Outcome.VULNERABLE) is not guarded
    assert bios["7"] == "I like tea"


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
def test_what_a_colleague_may_write_is_written_as_somebody_else(guarded, listed, others, outcome):
    """Ann and Ben share letters, which Eva has no part in. listed: whether the list shows them to Ben, too."""
    letter = {"id": 41, "text": "We cannot pay"}

    def letters(request: Request) -> Response:
        name = {token: each for each, token in SIGNED.items()}.get((request.first(b"Authorization") or b"").decode())
        shares = name in ("ann", "ben")
        if not name or (not shares and (guarded or request.method == "GET") and request.path != b"/letters"):
            return Response(404 if name else 401, (JSON,), b'{"error": "no"}')
        if request.method == "PUT":
            letter["text"] = json.loads(request.body)["text"]
        lists = name == "ann" or (shares and listed)
        told = ([letter] if lists else []) if request.path == b"/letters" else letter
        return Response(200, (JSON,), json.dumps(told).encode())

    asked = written("PUT", "/letters/41", b'{"text": "We cannot pay"}', tokens=SIGNED)("")
    known = tuple(Identity(name) for name in ("ann", *others))
    (check,) = plan(record(letters, asked), DEFAULT, credentials_of(asked), (PROBE,), identities=known)
    assert drive_as(check, letters).verdict.outcome is outcome
    assert letter["text"] == "We cannot pay"
