"""The probe auth_function, driven as a manager and a customer against the range's API over a real port."""

import json
from functools import partial

import msgspec
import pytest
from tests.core.testing.driving import credentials_of, record
from tests.core.testing.probes import as_tenants
from tests.core.testing.probes.as_tenants import AsTenants, drive_as, identities
from tests.range.place import page, respond
from tests.range.tenants_store import OPAQUE, asked, caller, written

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.declared import Declared, Meant
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_function import PROBE
from gatecrash.core.testing.verdict import Inconclusive, Outcome

check_of = partial(as_tenants.check_of, probe=PROBE)


class TestProbe(AsTenants):
    name = "auth_function"
    probe = PROBE


def test_a_finding_is_broken_authorization_and_shows_the_lower_identitys_request():
    verdict = drive_as(
        check_of(asked("/audit/entries", name="ida")("/tenants-functions/below-a-refused-section")), respond
    ).verdict
    assert (verdict.type, verdict.cwe, verdict.threat) == ("auth", (285,), 75)
    assert verdict.proof.test.request.first(b"Authorization").decode() in (OPAQUE["ann"], OPAQUE["ben"])
    assert "The section /tenants-functions/below-a-refused-section/audit above it" in verdict.proof.verified_by


def test_a_refusal_costs_one_request():
    run = drive_as(check_of(asked("/admin/users", name="ida")("/tenants-functions/managers-only")), respond)
    assert len(run.sent) == run.check.forecast == 1


def test_a_list_that_grew_since_it_was_recorded_is_compared_as_it_is_now():
    rows = [{"id": number, "email": f"user{number}@example.com"} for number in (3, 7, 8, 9)]

    def application(request: Request) -> Response:
        known = request.first(b"Authorization") is not None
        return Response(200, (), json.dumps({"users": rows}).encode()) if known else Response(401)

    request = asked("/admin/users", name="ida")("")
    baseline = record(application, request)
    rows.insert(0, {"id": 1, "email": "user1@example.com"})
    (check,) = plan(baseline, DEFAULT, credentials_of(request), (PROBE,), identities=identities(request))
    assert (
        drive_as(check, lambda each: application(each) if "users" in each.url else Response(404)).verdict.threat == 75
    )


def test_a_changing_function_is_sent_once_as_recorded_and_never_as_its_own_identity():
    request = written("POST", "/admin/users/8/promote", b'{"rank": "customer"}', name="ida")(
        "/tenants-functions/anybody-promotes"
    )
    run = drive_as(check_of(request), respond)
    assert run.verdict.threat == 88
    changing = [question for question in run.sent if question.request.method == "POST"]
    assert [question.identity for question in changing] == ["", "ann"]
    assert {question.request.body for question in changing} == {request.body}


@pytest.mark.parametrize(
    ("opens", "memos", "asked_as", "claimed"),
    [
        (True, ["x y z"] * 4, ["", "ann", None], True),
        (True, ["a b", "c d", "e f", "g h"], ["", "ann", None], False),
        (True, ["this was approved already"] * 4, ["", "ann", None], False),
        (False, ["x y z"] * 4, ["", "ann"], False),
    ],
    ids=["changed since", "another each time", "done already", "refused"],
)
def test_what_was_changed_since_the_record_is_asked_for_again_as_its_own_identity(opens, memos, asked_as, claimed):
    said = iter(["rent of may", *memos])

    def application(request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        if not token or (token != OPAQUE["ida"] and not opens):
            return Response(403 if token else 401)
        shown = {"id": 31, "account": "north", "state": "approved", "kind": "monthly", "memo": next(said)}
        return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(shown).encode())

    run = drive_as(check_of(written("POST", "/transfers/31/approve", b"{}", name="ida")(""), application), application)
    assert [asked.identity for asked in run.sent] == asked_as
    assert (run.verdict.outcome is Outcome.VULNERABLE) is claimed


NAMED = tuple(Identity(name, rank, (f"{name}.w",)) for name, rank in (("ida", 10), ("ann", 0), ("ben", 0)))


@pytest.mark.parametrize(
    ("path", "decide", "told", "sent_as", "claimed"),
    [
        ("/leave/8/approve", ("ida", "ben"), {"by": "{}.w"}, ["", "ben"], True),
        ("/leave/8/approve", ("ida", "ben"), {}, ["", "ben"], True),
        ("/leave/8/approve", ("ida",), {"by": "{}.w"}, ["", "ben"], False),
        ("/leave/8/approve", ("ida", "ben"), {"by": "{}.w", "for": "another {}"}, ["", "ben", None], False),
        ("/members/8/approve", ("ida", "ben"), {"by": "{}.w"}, ["", "ann"], False),
    ],
    ids=["names who did it", "names nobody", "managers alone", "says more of him", "of no application"],
)
def test_who_applied_for_what_is_decided_is_asked_and_may_be_named_as_who_did_it(path, decide, told, sent_as, claimed):
    def office(request: Request) -> Response:
        name = caller(request)
        if name not in decide:
            return Response(403 if name else 401, body=b"{}")
        said = {key: text.format(name) for key, text in told.items()}
        return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(PAID | said).encode())

    request = written("POST", path, b"{}", name="ida")("")
    (check,) = plan(record(office, request), DEFAULT, credentials_of(request), (PROBE,), identities=NAMED)
    run = drive_as(check, office)
    assert (run.verdict.outcome is Outcome.VULNERABLE) == claimed
    assert [question.identity for question in run.sent if question.request.method == "POST"] == sent_as


PAID = {"id": 8, "owner": "ben.w", "days": 3, "state": "approved"}


def test_without_a_word_for_it_a_changing_function_is_not_sent():
    request = written("POST", "/carts/5/items", b'{"item": "lamp"}', name="ida")("/tenants-functions/everybody-orders")
    run = drive_as(check_of(request), respond)
    assert {question.request.method for question in run.sent} == {"GET"}


@pytest.mark.parametrize(
    "request_",
    [
        asked("/admin/users", name="ann")("/tenants-functions/everybodys-list"),
        asked("/admin/logout", name="ida")("/tenants-functions/everybodys-list"),
        written("DELETE", "/admin/users/8", b"{}", name="ida")("/tenants-functions/anybody-promotes"),
    ],
)
def test_the_lowest_rank_and_what_ends_or_deletes_are_left_alone(request_):
    baseline = record(lambda _: Response(200, (), b"fine"), request_)
    known = identities(request_)
    known = known if known[0].rank else known[:2]
    assert plan(baseline, DEFAULT, credentials_of(request_), (PROBE,), identities=known) == []


def test_a_limiter_makes_it_inconclusive_at_once():
    check = check_of(asked("/admin/users", name="ida")("/tenants-functions/everybodys-list"))
    run = drive_as(check, lambda _: Response(429))
    assert (run.verdict.reason, len(run.sent)) == (Inconclusive.RATE_LIMITED, 1)


def graphql(query: str) -> Request:
    return written("POST", "/graphql", json.dumps({"query": query}).encode(), name="ida")("")


@pytest.mark.parametrize(
    "request_",
    [
        written("POST", "/users/8/deactivate", b"{}", name="ida")(""),
        written("PUT", "/feature-flags/beta", b'{"enabled": true}', name="ida")(""),
        graphql('mutation { suspendMember(memberId: "8") { ok } }'),
        graphql("mutation { rebuildIndex(full: false) { ok } }"),
        graphql("mutation { purgeCache { ok } }"),
    ],
    ids=["deactivate", "flags", "suspend", "index", "cache"],
)
def test_what_rules_accounts_or_runs_the_service_is_for_the_higher_rank(request_):
    def anybody_signed_in(request: Request) -> Response:
        return Response(200, (), b'{"ok": true}') if request.first(b"Authorization") else Response(401)

    run = drive_as(check_of(request_, anybody_signed_in), anybody_signed_in)
    assert run.verdict.threat == 88


@pytest.mark.parametrize(
    "request_",
    [
        written("POST", "/me/deactivate", b"{}", name="ida")(""),
        written("POST", "/alarms/8/activate", b"{}", name="ida")(""),
        written("POST", "/meetings/appoint", b'{"room": "attic"}', name="ida")(""),
        graphql('mutation { setSetting(key: "theme", value: "dark") { ok } }'),
        graphql('mutation { resendInvite(id: "8") { ok } }'),
    ],
    ids=["own", "alarm", "meeting", "setting", "invite"],
)
def test_what_anybody_may_do_is_not(request_):
    run = drive_as(check_of(request_, lambda _: Response(200, (), b"{}")), lambda _: Response(200, (), b"{}"))
    assert {question.request.method for question in run.sent} <= {"GET"}


OWN = {"id": 7, "name": "Ann Marsh", "phone": "+44 20 7946 0101", "street": "Elm Street 5"}
ORDER = {"id": 31, "customer_id": 7, "street": "Elm Street 5", "item": "desk lamp"}


def keeps_lists_to_managers(request: Request) -> Response:
    """The lists are a manager's; whom something is about reads it as well."""
    token = (request.first(b"Authorization") or b"").decode()
    shown = {b"/users": [OWN], b"/orders": [ORDER], b"/users/7": OWN, b"/orders/31": ORDER, b"/operators/7": OWN}
    shown |= {b"/customers": [OWN], b"/customers/C100": OWN}
    if not token or request.path not in shown:
        return Response(404 if token else 401)
    listed = request.path in (b"/users", b"/orders", b"/customers")
    if listed and token != OPAQUE["ida"]:
        return Response(403)
    return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(shown[request.path]).encode())


@pytest.mark.parametrize(
    ("path", "known", "claimed"),
    [
        ("/users/7", ("7",), False),
        ("/orders/31", ("7",), False),
        ("/users/7", ("8",), True),
        ("/orders/31", ("8",), True),
        ("/operators/7", ("8",), True),
        ("/operators/7", ("8", "ordinary=operator"), False),
        ("/customers/C100", ("c100",), False),
        ("/customers/C100", ("c200",), True),
    ],
    ids=[
        "himself",
        "his order",
        "another",
        "another's order",
        "below a word for managers",
        "an ordinary role",
        "his company",
        "another's",
    ],
)
def test_what_is_about_the_lower_identity_itself_is_its_to_read(path, known, claimed):
    request = asked(path, name="ida")("")
    recorded, users = record(keeps_lists_to_managers, request), (Identity("ida", 10), Identity("ann", 0, known))
    (check,) = plan(recorded, DEFAULT, credentials_of(request), (PROBE,), identities=users)
    verdict = drive_as(check, keeps_lists_to_managers).verdict
    assert (verdict.outcome is Outcome.VULNERABLE) is claimed


def test_a_number_that_comes_along_in_a_cookie_is_not_what_is_asked_for():
    """The list tells of the lower identity among others; the cookie names an account at every request."""
    request = asked("/users.json", name="ida")("")
    request = msgspec.structs.replace(request, headers=(*request.headers, (b"Cookie", b"account=60")))

    def application(sent: Request) -> Response:
        is_file = sent.path == b"/users.json"
        return keeps_lists_to_managers(msgspec.structs.replace(sent, target=b"/users/7") if is_file else sent)

    users = (Identity("ida", 10), Identity("ann", 0, ("ann marsh",)))
    recorded = record(application, request)
    (check,) = plan(recorded, DEFAULT, credentials_of(request)[:1], (PROBE,), identities=users)
    assert drive_as(check, application).verdict.outcome is Outcome.VULNERABLE


def office(request: Request) -> Response:
    """Whoever is signed in does all that is done here, and nothing else exists."""
    if request.first(b"Authorization") is None:
        return Response(401)
    if request.path not in (b"/figures", b"/rates", b"/rates/8"):
        return Response(404)
    return Response(200, ((b"Content-Type", b"application/json"),), b'{"turnover": 48100, "margin": "12 percent"}')


@pytest.mark.parametrize(
    ("request_", "described", "known", "claimed"),
    [
        (asked("/figures", name="ida")(""), Meant(("admin",), "'Admin only'"), (), True),
        (written("PUT", "/rates", b'{"rate": 4}', name="ida")(""), Meant(("admin",), "'Admin only'"), (), True),
        (written("PUT", "/rates", b'{"rate": 4}', name="ida")(""), Meant(("admin",), "'Admin'", "group"), (), True),
        (asked("/figures", name="ida")(""), None, (), False),
        (asked("/figures", name="ida")(""), Meant(("admin",), "the tag 'Admin'", "group"), (), False),
        (asked("/figures", name="ida")(""), Meant(("manager",), "'Managers only'"), (), False),
        (asked("/figures", name="ida")(""), Meant(("manager",), "'Managers only'"), ("is=customer",), True),
        (asked("/figures", name="ida")(""), Meant(("manager",), "'Managers only'"), ("is=manager",), False),
        (written("PUT", "/rates/8", b'{"rate": 4}', name="ida")(""), Meant(("admin",), "'Admin only'"), ("8",), False),
        (written("PUT", "/rates", b'{"team_id": 4}', name="ida")(""), Meant(("admin",), "'Admin only'"), (), False),
    ],
    ids=["reads", "changes", "tagged", "unsaid", "tag of what reads", "unknown", "known", "meant", "oneself", "a team"],
)
def test_a_description_says_whom_a_function_is_for(request_, described, known, claimed):
    lower = (Identity("ida", 10), Identity("ann", 0, known))
    declared = None if described is None else Declared(True, meant=described)
    (check,) = plan(
        record(office, request_), DEFAULT, credentials_of(request_), (PROBE,), identities=lower, declared=declared
    )
    run = drive_as(check, office)
    assert (run.verdict.outcome is Outcome.VULNERABLE) is claimed
    if claimed:
        assert "the API's description says that it is for" in run.verdict.proof.verified_by
    else:
        assert {question.request.method for question in run.sent} == {"GET"}


def test_what_is_described_and_answered_at_any_path_is_not_done():
    request = written("PUT", "/rates", b'{"rate": 4}', name="ida")("")
    declared = Declared(True, meant=Meant(("admin",), "'Admin only'"))

    def one_frame(request: Request) -> Response:
        return Response(200, (), b'{"ok": true}') if request.first(b"Authorization") else Response(401)

    known = (Identity("ida", 10), Identity("ann"))
    (check,) = plan(
        record(one_frame, request), DEFAULT, credentials_of(request), (PROBE,), identities=known, declared=declared
    )
    assert drive_as(check, one_frame).verdict.outcome is Outcome.SAFE


def grades(request: Request, *, guarded: bool = False) -> Response:
    """Pages in a navigation that leads the manager to more; the list of all, which is kept from others where it is guarded."""
    name = caller(request)
    if not name:
        return Response(302, ((b"Location", b"/login"),))
    more = ("Roster", "Homework", "Exams") if name == "ida" else ()
    links = "".join(f"<a href=/{each}>{each}</a> " for each in ("Essays", "Letters", *more))
    rows = "".join(f"<p>{each.title()}, {each}@lectern.example: {len(each)}</p>" for each in ("bea", "carl", "dora"))
    if request.path != b"/admin/grades" or (guarded and name != "ida"):
        rows = f"<p>Nothing is kept below {request.path.decode()}</p>"
    return page(f"<nav>{links}</nav><p>Signed in as {name}</p><main>{rows}</main>")


@pytest.mark.parametrize(("guarded", "outcome"), [(False, Outcome.VULNERABLE), (True, Outcome.SAFE)])
def test_the_higher_identitys_longer_navigation_is_nothing_that_a_page_tells(guarded: bool, outcome: Outcome):
    request, application = asked("/admin/grades", name="ida")(""), partial(grades, guarded=guarded)
    baseline, beside = record(application, request), (b"/admin/rooms", b"/admin/terms")
    known = identities(request)
    checks = plan(baseline, DEFAULT, credentials_of(request), (PROBE,), identities=known, alongside=beside)
    assert [drive_as(check, application).verdict.outcome for check in checks] == [outcome]
