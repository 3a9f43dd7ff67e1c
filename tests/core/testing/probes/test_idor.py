"""The probe idor, driven as two tenants against the range's API over a real port."""

import json
from functools import partial
from urllib.parse import parse_qsl

import pytest
from tests.core.testing.driving import Run, credentials_of, record
from tests.core.testing.probes import as_tenants
from tests.core.testing.probes.as_tenants import AsTenants, cases, drive_as, identities, runs_as, signed_in
from tests.range.jwt_tokens import CLAIMS, STRONG, issued
from tests.range.place import answer, respond
from tests.range.tenants_store import BY_TOKEN, OPAQUE, SIGNED, asked

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.named import asks
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.idor import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Inconclusive, Outcome

check_of = partial(as_tenants.check_of, probe=PROBE)


class TestProbe(AsTenants):
    name = "idor"
    probe = PROBE


def test_a_finding_shows_the_others_request_and_who_owns_what():
    run = drive_as(check_of(asked("/orders/31")("/tenants/by-number")), respond)
    verdict = run.verdict
    assert (verdict.type, verdict.cwe, verdict.threat) == ("idor", (639,), 80)
    assert verdict.proof.test.request.first(b"Authorization").decode() == OPAQUE["ben"]
    assert verdict.proof.control.request.first(b"Authorization").decode() == OPAQUE["ann"]
    assert "/tenants/by-number/orders shows the object to its owner" in verdict.proof.verified_by


def test_a_refusal_of_the_other_costs_one_request():
    run = drive_as(check_of(asked("/orders/31")("/tenants/refused")), respond)
    assert len(run.sent) == run.check.forecast == 1


def test_only_what_reads_is_sent():
    for case in cases("idor"):
        run = drive_as(check_of(signed_in(case.request)), respond)
        assert all(asks(question.request) for question in run.sent)


def test_whoever_is_above_may_see_more():
    request = asked("/orders/31")("/tenants/by-number")
    only_ida = identities(request)[:1] + identities(request)[2:]
    checks = plan(record(respond, request), DEFAULT, credentials_of(request), (PROBE,), identities=only_ida)
    assert checks == []


def test_alone_the_numbers_beside_tell_where_the_answer_says_whose_it_is():
    (run,) = runs_as(asked("/users/7", tokens=SIGNED)("/tenants/own-number"), PROBE, alone=True)
    assert (run.verdict.outcome, run.verdict.threat) == (Outcome.VULNERABLE, 70)
    assert run.verdict.proof.test.request.path != b"/tenants/own-number/users/7"
    assert "2 other owners" in run.verdict.proof.verified_by


@pytest.mark.parametrize(
    ("place", "path", "tokens"),
    [
        ("less-for-others", "/users/7", SIGNED),
        ("by-number", "/orders/31", OPAQUE),
        ("articles", "/articles/31", SIGNED),
        ("hidden", "/orders/31", SIGNED),
    ],
)
def test_alone_nothing_is_claimed_of_what_is_guarded_or_names_nobody(place, path, tokens):
    for run in runs_as(asked(path, tokens=tokens)(f"/tenants/{place}"), PROBE, alone=True):
        assert run.verdict.outcome is Outcome.SAFE


def test_alone_a_manager_is_left_alone():
    token = "Bearer " + issued({**CLAIMS, "sub": "7", "email": "ann@example.com", "role": "admin"}, STRONG)

    def person(_: Request) -> Response:
        body = b'{"id": 7, "user": {"email": "ann@example.com", "phone": "1"}}'
        return Response(200, ((b"Content-Type", b"application/json"),), body)

    assert check_of(Request("GET", b"/users/7", ((b"Authorization", token.encode()),)), person, alone=True) is None


def alone(baskets: dict[int, int], *, rank: int = 0, guarded: bool = False) -> Run | None:
    """A shop that tells whose basket it shows, as its only user, who was told his number. guarded: whether to him only."""
    request = asked("/baskets/31")("")

    def shop(asked_: Request) -> Response:
        last = asked_.path.rpartition(b"/")[2]
        number = int(last) if last.isdigit() else 0
        if asked_.first(b"Authorization") is None:
            return Response(401, (), b'{"error": "please sign in"}')
        if number not in baskets or (guarded and baskets[number] != 7):
            return Response(404, (), b'{"error": "not found"}')
        shown = {"id": number, "user_id": baskets[number], "items": [{"product": number % 5, "quantity": 2}]}
        return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(shown).encode())

    known = (Identity("recorded 1", rank, ("7", "ann@example.com")),)
    checks = plan(record(shop, request), DEFAULT, credentials_of(request), (PROBE,), identities=known)
    return drive_as(checks[0], shop) if checks else None


def test_alone_baskets_beside_are_others_where_the_caller_was_told_who_he_is():
    run = alone({30: 5, 31: 7, 32: 9})
    assert (run.verdict.outcome, run.verdict.threat) == (Outcome.VULNERABLE, 70)


def test_alone_baskets_that_are_kept_or_all_ones_own_are_not():
    for run in (alone({30: 5, 31: 7, 32: 9}, guarded=True), alone({30: 7, 31: 7, 32: 7})):
        assert run.verdict.outcome is Outcome.SAFE


def test_alone_who_was_told_that_he_manages_is_left_alone():
    assert alone({30: 5, 31: 7, 32: 9}, rank=10) is None


@pytest.mark.parametrize("path", [b"/orders", b"/me", b"/", b"/orders?page=next"])
def test_without_an_identifier_nothing_is_asked(path):
    request = Request("GET", path, ((b"Authorization", OPAQUE["ann"].encode()),))
    assert check_of(request, lambda _: Response(200, (), b'{"a": 1}')) is None


def test_a_list_that_did_not_show_it_for_a_moment_says_nothing():
    late = [[{"id": 731105}]]

    def notes(request: Request) -> Response:
        who = (request.first(b"Authorization") or b"").decode()
        if who not in OPAQUE.values() or request.path not in (b"/notes", b"/notes/731104"):
            return Response(404 if who in OPAQUE.values() else 401)
        told: object = {"id": 731104, "title": "Boiler", "text": "Call the plumber on Friday"}
        if request.path == b"/notes":
            both = [{"id": 731104}, {"id": 731105}]
            told = both[:1] if who == OPAQUE["ann"] else late.pop() if late else both
        return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(told).encode())

    run = drive_as(check_of(asked("/notes/731104")(""), notes), notes)
    assert (run.verdict.outcome, late) == (Outcome.SAFE, [])


def test_what_a_header_chooses_is_told_of_the_header_and_not_of_a_word_of_the_path():
    def wallet(request: Request) -> Response:
        number = (request.first(b"X-User-Id") or b"").decode()
        mail = {"7": "ann@example.com", "8": "ben@example.com"}.get(number)
        if request.first(b"Authorization") is None or not mail or request.path != b"/api/wallet":
            return Response(404 if request.first(b"Authorization") else 401)
        told = {"user_id": int(number), "balance": 25 + int(number), "email": mail}
        return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(told).encode())

    token = (b"Authorization", SIGNED["ann"].encode())
    verdict = drive_as(check_of(Request("GET", b"/api/wallet", (token, (b"X-User-Id", b"7"))), wallet), wallet).verdict
    assert (verdict.outcome, verdict.point) == (Outcome.VULNERABLE, ("header", "X-USER-ID"))


def test_a_limiter_makes_it_inconclusive_at_once():
    run = drive_as(check_of(asked("/orders/31")("/tenants/by-number")), lambda _: Response(429))
    assert (run.verdict.reason, len(run.sent)) == (Inconclusive.RATE_LIMITED, 1)


PEOPLE = {
    "ann": {"user_id": 7, "email": "ann@x.example", "phone": "+31 7"},
    "ben": {"user_id": 8, "email": "ben@x.example", "phone": "+31 8"},
}


def own_page(request: Request, *, follows: bool) -> Response:
    """The caller's own preferences, or those of whom a parameter names."""
    name = next((each for each in PEOPLE if (request.first(b"Authorization") or b"").decode() == OPAQUE[each]), "")
    if not name:
        return Response(401)
    wanted = dict(parse_qsl((request.query or b"").decode())).get("user_id") if follows else None
    shown = next((each for each in PEOPLE.values() if str(each["user_id"]) == wanted), PEOPLE[name])
    return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(shown).encode())


def own_page_run(*, follows: bool):
    request = asked("/preferences", name="ann")("")
    known = (Identity("ann", 0, known=("ann@x.example", "7")), *identities(request)[1:])
    application = partial(own_page, follows=follows)
    (check,) = plan(record(application, request), DEFAULT, credentials_of(request), (PROBE,), identities=known)
    return drive_as(check, application)


def test_a_page_of_ones_own_is_anothers_where_a_parameter_that_nobody_sends_names_him():
    verdict = own_page_run(follows=True).verdict
    assert (verdict.outcome, verdict.point) == (Outcome.VULNERABLE, ("get", "user_id"))
    assert verdict.proof.test.request.target == b"/preferences?user_id=7"
    assert verdict.proof.test.request.first(b"Authorization").decode() == OPAQUE["ben"]


def test_a_page_of_ones_own_that_follows_no_parameter_is_safe_and_costs_what_was_forecast():
    run = own_page_run(follows=False)
    assert run.verdict.outcome is Outcome.SAFE
    assert len(run.sent) <= run.check.forecast


OWNED = {30: 5, 31: 7, 32: 9, 33: 7}


def delivered(*, guarded=False, listed=frozenset({7}), kind="deliveries", field="user_id", public=False):
    """What was delivered, as its only user sees it; nothing of it is private. listed: whose the list shows."""
    request = Request("GET", f"/{kind}/31".encode(), ((b"Authorization", SIGNED["ann"].encode()),))

    def barn(asked_: Request) -> Response:
        last = asked_.path.decode().rpartition("/")[2]
        if asked_.first(b"Authorization") is None and not public:
            return Response(401, (), b'{"error": "please sign in"}')
        shown = [{"id": number, field: owner, "crop": "oats"} for number, owner in OWNED.items()]
        if last == kind:
            told = {"items": [each for each in shown if each[field] in listed]}
        else:
            told = next((each for each in shown if str(each["id"]) == last), None)
        if told is None or (guarded and told.get(field, 7) != 7):
            return Response(404, (), b'{"error": "not found"}')
        return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(told).encode())

    known = (Identity("recorded 1", 0, ("7", "ann@example.com")),)
    checks = plan(record(barn, request), DEFAULT, credentials_of(request), (PROBE,), identities=known)
    return drive_as(checks[0], barn) if checks else None


@pytest.mark.parametrize("field", ["user_id", "customerId"])
def test_alone_what_ones_own_list_leaves_out_is_others(field):
    run = delivered(field=field)
    assert (run.verdict.outcome, run.verdict.threat) == (Outcome.VULNERABLE, 70)
    assert "leaves them out" in run.verdict.proof.verified_by
    assert run.verdict.proof.test.request.path in (b"/deliveries/30", b"/deliveries/32")


@pytest.mark.parametrize(
    "but",
    [
        {"guarded": True},
        {"listed": frozenset({5, 7, 9})},
        {"listed": frozenset({5, 7})},
        {"listed": frozenset()},
        {"public": True},
        {"field": "created_by_id"},
    ],
)
def test_alone_nothing_is_claimed_where_the_list_says_no_such_thing(but):
    assert delivered(**but).verdict.outcome is Outcome.SAFE


def test_alone_what_is_written_for_readers_is_asked_for_by_nobody():
    assert delivered(kind="articles") is None


BILLS = {
    "ann": {"rider": "ann", "iban": "DE89370400440532013002"},
    "ben": {"rider": "ben", "iban": "DE89370400440532013003"},
}


def bills(request: Request, *, kept: bool) -> Response:
    """The bills of whom the address names. kept: each is given his own alone."""
    token = (request.first(b"Authorization") or b"").decode()
    name = next((name for name in BILLS if OPAQUE[name] == token), "")
    wanted = dict(parse_qsl((request.query or b"").decode())).get("customer", "")
    if not name:
        return Response(401)
    if kept and wanted != name:
        return Response(403, (), b'{"error": "not yours"}')
    return Response(200, ((b"Content-Type", b"application/json"),), json.dumps([BILLS.get(wanted)]).encode())


@pytest.mark.parametrize("kept", [False, True])
def test_bills_of_whom_a_word_for_somebody_names_are_given_to_another(kept):
    request = asked("/bills?customer=ann")("")
    known = (Identity("ann", 0, ("ann",)), Identity("ben", 0, ("ben",)))
    application = partial(bills, kept=kept)
    (check,) = plan(record(application, request), DEFAULT, credentials_of(request), (PROBE,), identities=known)
    verdict = drive_as(check, application).verdict
    assert verdict.outcome is (Outcome.SAFE if kept else Outcome.VULNERABLE)
    assert verdict.point == (() if kept else ("get", "customer"))


OFFICE = ("ann", "ben")


def letters(*, guarded: bool, apart: str = ""):
    """Ann and Ben have one list of letters, Eva has her own. guarded: each is shown his own only. apart: who is shown none."""

    def respond(request: Request) -> Response:
        name = BY_TOKEN.get((request.first(b"Authorization") or b"").decode(), "")
        if not name:
            return answer({"error": "please sign in"}, 401)
        own = 41 if name in OFFICE else 43
        if request.path == b"/letters":
            return answer([{"id": own, "subject": f"Rent of {own}"}])
        number = int(request.path.rpartition(b"/")[2])
        if number not in (41, 43) or (guarded and number != own) or name == apart:
            return answer({"error": "no such letter"}, 404)
        return answer({"id": number, "subject": f"Rent of {number}", "text": f"We cannot pay before day {number}"})

    return respond


@pytest.mark.parametrize(
    ("guarded", "apart", "others", "outcome"),
    [
        (False, "", ("ben", "eva"), Outcome.VULNERABLE),
        (False, "ben", ("ben", "eva"), Outcome.SAFE),
        (True, "", ("ben", "eva"), Outcome.SAFE),
        (False, "", ("ben",), Outcome.SAFE),
    ],
)
def test_what_a_colleague_may_read_is_asked_for_as_somebody_else(guarded, apart, others, outcome) -> None:
    """Where one of them is not given it, the other is by a rule, as the seller whom an order's buyer pays."""
    application, request = letters(guarded=guarded, apart=apart), asked("/letters/41", tokens=SIGNED)("")
    known = tuple(Identity(name) for name in ("ann", *others))
    (check,) = plan(record(application, request), DEFAULT, credentials_of(request), (PROBE,), identities=known)
    assert drive_as(check, application).verdict.outcome is outcome


def board(request: Request, *, checks: bool = False, heading: str = "") -> Response:
    """A site that one script serves, whose navigation says more than its messages, and which tells of a missing one under 200."""
    name, asked = BY_TOKEN.get((request.first(b"Authorization") or b"").decode(), ""), dict(parse_qsl(request.query))
    if not name:
        return Response(302, ((b"Location", b"index.php?page=login"),))
    owners = {b"1": "ann", b"2": "ben"}
    if asked[b"page"] == b"messages":
        said = "".join(
            f"<p><a href='index.php?page=message&amp;id={number.decode()}'>Your fee</a></p>"
            for number, owner in owners.items()
            if owner == name
        )
    elif owners.get(number := asked.get(b"id", b"")) == name or (number in owners and not checks):
        said = f"{heading}<p>Pay 120 for berth {number.decode()}</p>"
    else:
        said = "<p>No such message</p>"
    menu = "".join(f"<a href='index.php?page={word}'>{word}</a>" for word in "abcdefghijklmnopqrst")
    body = f"<html><nav>{menu}</nav><p>Signed in as {name}</p>{said}</html>"
    return Response(200, ((b"Content-Type", b"text/html"),), body.encode())


@pytest.mark.parametrize(("checks", "heading"), [(False, "<h2>Your fee</h2>"), (False, ""), (True, "")])
def test_a_message_of_a_site_of_one_script_is_known_by_the_list_of_messages(checks: bool, heading: str):
    site = partial(board, checks=checks, heading=heading)
    pages, request = Pages(), asked("?page=message&id=1")("/index.php")
    pages.add(record(site, asked("?page=messages")("/index.php")).exchange)
    run = drive_as(check_of(request, site, beside=pages), site)
    assert run.verdict.outcome is (Outcome.SAFE if checks else Outcome.VULNERABLE)


def test_who_brings_the_password_of_whom_he_names_is_not_asked_for_him():
    assert check_of(asked("?page=message&id=1")("/index.php"), board) is not None
    assert check_of(asked("?page=message&id=1&password=Sesame-77")("/index.php"), board) is None
