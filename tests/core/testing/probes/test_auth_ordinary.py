"""The probe auth_ordinary, driven as single callers of whom their token or the application says who they are."""

from random import Random

import msgspec
import orjson
import pytest
from tests.cases.case import Case
from tests.core.testing.driving import credentials_of, record
from tests.core.testing.probes.as_tenants import cases, drive_as, runs_as, told
from tests.range.ordinary import TOKENS, changes, reads
from tests.range.place import respond

from gatecrash.core.message import Request, Response, with_header
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.declared import Declared, Meant
from gatecrash.core.testing.known.identity import ANYBODY, Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_ordinary import PROBE
from gatecrash.core.testing.verdict import Outcome


def checks_of(request: Request, *identities: Identity):
    return plan(record(respond, request), DEFAULT, credentials_of(request), (PROBE,), identities=identities)


@pytest.mark.parametrize("case", cases("auth_ordinary"), ids=str)
def test_case(case: Case):
    token = TOKENS[case.request.first(b"Authorization").decode()].encode()
    request = msgspec.structs.replace(case.request, headers=with_header(case.request.headers, b"Authorization", token))
    runs = runs_as(request, PROBE, alone=True)
    assert case.expected == (told(runs[0]) if runs else "not asked",)


def test_a_finding_says_who_the_caller_is_and_who_the_function_is_for():
    (check,) = checks_of(reads("/admin/users", "max")("/ordinary/a-list-by-what-he-is-told"))
    run = drive_as(check, respond)
    assert (run.verdict.type, run.verdict.cwe, run.verdict.threat) == ("auth", (285,), 75)
    assert "/me says that he is 'customer'" in run.verdict.proof.verified_by
    assert "'admin'" in run.verdict.proof.verified_by


def test_a_deletion_is_not_sent_again_for_its_caller():
    (check,) = checks_of(changes("DELETE", "/admin/notes/3")("/ordinary/a-deletion"))
    run = drive_as(check, respond)
    assert (run.verdict.outcome, run.verdict.threat) == (Outcome.VULNERABLE, 88)
    assert [asked.identity for asked in run.sent if asked.request.method == "DELETE"] == [""]


def test_an_account_that_anybody_can_make_is_an_ordinary_one():
    request = reads("/admin/users", "max")("/ordinary/for-those-of-an-unknown-rank")
    (made,) = checks_of(request, Identity("account 1", ANYBODY), Identity("account 2", ANYBODY))
    assert drive_as(made, respond).verdict.outcome is Outcome.VULNERABLE
    (given,) = checks_of(request, Identity("max"))
    assert drive_as(given, respond).verdict.outcome is Outcome.SAFE


def test_where_somebody_is_lower_he_is_asked_as_instead():
    request = reads("/admin/users")("/ordinary/a-list-by-token")
    assert checks_of(request, Identity("eva", 1), Identity("ben", 0)) == []


@pytest.mark.parametrize(
    ("method", "path", "drafted", "ranks", "found"),
    [
        ("PUT", "/users/7/role", True, (1, 9), True),
        ("POST", "/users/7/ban", True, (1, 9), True),
        ("POST", "/users/7/notes", True, (1, 9), False),
        ("GET", "/users/7/role", True, (1, 9), False),
        ("PUT", "/teams/3/members/7/role", True, (1, 9), False),
        ("PUT", "/users/7/role", True, (1, 1), False),
        ("PUT", "/users/7/role", False, (1, 9), False),
        ("PUT", "/users/7/role", True, (ANYBODY, ANYBODY), True),
        ("PUT", "/users/mira/role", True, (ANYBODY, ANYBODY), False),
        ("PUT", "/users/7/notes", True, (ANYBODY, ANYBODY), False),
        ("PUT", "/teams/3/members/7/role", True, (ANYBODY, ANYBODY), False),
    ],
    ids=[
        "a role",
        "a ban",
        "anybody's",
        "reads",
        "in a team",
        "equals",
        "he was led to it",
        "another's",
        "his own",
        "notes",
        "a team's",
    ],
)
def test_what_is_only_described_governs_others_by_its_name_and_its_caller_by_the_ranks(
    method: str, path: str, drafted: bool, ranks: tuple[int, int], found: bool
):
    def depot(request: Request) -> Response:
        known = request.path.decode() == path and request.first(b"Authorization") is not None
        return Response(200, (), b'{"id": 7, "done": "yes"}') if known else Response(401)

    request = Request(method, path.encode(), ((b"Authorization", b"Bearer 7be05a9f31cc4d68"),), b"{}", host="a")
    baseline = record(depot, request)
    draft = Baseline(baseline.id, msgspec.structs.replace(baseline.exchange, drafted=drafted))
    known = tuple(Identity(name, rank, (name,)) for name, rank in zip(("mira", "ute"), ranks, strict=True))
    checks = plan(draft, DEFAULT, credentials_of(request), (PROBE,), identities=known)
    runs = [drive_as(check, depot) for check in checks]
    assert [run.verdict.outcome is Outcome.VULNERABLE for run in runs] == ([True] if found else [])


@pytest.mark.parametrize(
    ("path", "body", "found"),
    [
        ("/staff/promote", {"nick": "ute"}, True),
        ("/accounts/set-user-role", {"userName": "ute", "role": "chief"}, True),
        ("/steward/appoint", {"badge": "eva", "rank": "chief"}, True),
        ("/steward/appoint", {"badge": "rob", "rank": "chief"}, False),
        ("/steward/appoint", {"badge": "mira", "rank": "chief"}, False),
        ("/staff/promote", {"nick": "mira"}, False),
        ("/staff/promote", {"nick": "ute", "room": "attic"}, False),
        ("/rooms/31/promote", {"nick": "ute"}, False),
        ("/staff/greet", {"nick": "ute"}, False),
        ("/offers/promote", {"offer": "lamp"}, False),
    ],
)
def test_an_account_that_a_body_names_is_anothers_where_it_names_nothing_else(
    path: str, body: dict[str, str], found: bool
):
    def depot(request: Request) -> Response:
        known = request.path.decode() == path and request.first(b"Authorization") is not None
        return Response(200, (), b'{"id": 7, "done": "yes"}') if known else Response(401)

    headers = ((b"Authorization", b"Bearer 7be05a9f31cc4d68"), (b"Content-Type", b"application/json"))
    baseline = record(depot, Request("POST", path.encode(), headers, orjson.dumps(body), host="a"))
    draft = Baseline(baseline.id, msgspec.structs.replace(baseline.exchange, drafted=True))
    known = tuple(Identity(name, ANYBODY, (name,)) for name in ("mira", "eva"))
    checks = plan(draft, DEFAULT, credentials_of(baseline.request), (PROBE,), identities=known)
    runs = [drive_as(check, depot) for check in checks]
    assert [run.verdict.outcome is Outcome.VULNERABLE for run in runs] == ([True] if found else [])


@pytest.mark.parametrize("path", ["/users", "/admin/me", "/admin/logout", "/management/"])
def test_nothing_is_asked_where_nothing_says_that_it_is_for_others(path):
    request = reads(path)("/ordinary/one-frame-for-all-paths")
    assert checks_of(request) == []


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("case", [each for each in cases("auth_ordinary") if each.kind == "Not found"], ids=str)
def test_no_twin_is_claimed_with_other_random_values(case: Case, seed: int):
    token = TOKENS[case.request.first(b"Authorization").decode()].encode()
    request = msgspec.structs.replace(case.request, headers=with_header(case.request.headers, b"Authorization", token))
    for check in checks_of(request):
        assert drive_as(check, respond, Random(seed).randrange(99)).verdict.outcome is Outcome.SAFE


def depot(request: Request) -> Response:
    """Whoever is signed in does all that is done here; `me` says that he is a customer."""
    told = {b"/v1/me": b'{"id": 31, "role": "customer"}', b"/v1/stock": b'{"turnover": 48100, "margin": "12 percent"}'}
    if request.first(b"Authorization") is None:
        return Response(401)
    found = told.get(request.path)
    return Response(404) if found is None else Response(200, ((b"Content-Type", b"application/json"),), found)


@pytest.mark.parametrize(
    ("method", "meant", "identities", "found"),
    [
        ("GET", Meant(("admin",), "'Admin only'"), (), "/v1/me says that he is 'customer'"),
        ("PUT", Meant(("admin",), "'Admin only'"), (), "/v1/me says that he is 'customer'"),
        ("GET", Meant(("admin",), "'Admin only'"), (Identity("a", ANYBODY),), "anybody can make"),
        ("PUT", Meant(("admin",), "the scope 'admin'", "scope"), (), "/v1/me says that he is 'customer'"),
        ("PUT", Meant(("admin",), "the scope 'admin'", "scope"), (Identity("a", ANYBODY),), ""),
        ("GET", Meant(("admin",), "the tag 'Admin'", "group"), (), ""),
        ("GET", Meant(("admin",), "'Admin only'"), (Identity("a", ANYBODY, ("is=admin",)),), ""),
        ("GET", Meant(("warden",), "'Requires role: warden'"), (), ""),
        ("GET", None, (), ""),
    ],
)
def test_a_description_says_whom_a_function_is_for(method, meant, identities, found):
    request = Request(method, b"/v1/stock", ((b"Authorization", b"Bearer 7be05a9f31cc4d68"),), b"", host="a")
    declared = Declared(True, meant=meant)
    checks = plan(
        record(depot, request), DEFAULT, credentials_of(request), (PROBE,), identities=identities, declared=declared
    )
    runs = [drive_as(check, depot) for check in checks]
    heard = [run.verdict.proof.verified_by for run in runs if run.verdict.outcome is Outcome.VULNERABLE]
    assert len(heard) == bool(found)
    assert all(found in each and meant.said in each for each in heard)


def test_a_caller_who_manages_or_of_whom_nothing_is_known_may_be_meant():
    request = Request("GET", b"/v1/stock", ((b"Authorization", b"Bearer 7be05a9f31cc4d68"),), b"", host="a")
    declared = Declared(True, meant=Meant(("admin",), "'Admin only'"))
    for oneself in (b'{"id": 31, "role": "admin"}', b'{"id": 31}'):

        def other(request: Request, oneself: bytes = oneself) -> Response:
            found = depot(request)
            return msgspec.structs.replace(found, body=oneself) if request.path == b"/v1/me" else found

        (check,) = plan(record(other, request), DEFAULT, credentials_of(request), (PROBE,), declared=declared)
        assert drive_as(check, other).verdict.outcome is Outcome.SAFE


@pytest.mark.parametrize(
    ("oneself", "found"),
    [
        (b'{"id": 31, "role": "owner"}', False),
        (b'{"id": 31, "is_admin": true}', False),
        (b'{"id": 31, "role": "rower"}', True),
        (b"", True),
    ],
    ids=["head of a company", "admin", "anybody", "untold"],
)
def test_whoever_registers_a_company_may_be_its_administrator(oneself: bytes, found: bool):
    def harbour(request: Request) -> Response:
        answer = depot(request)
        return msgspec.structs.replace(answer, body=oneself) if request.path == b"/v1/me" else answer

    request = Request("GET", b"/v1/stock", ((b"Authorization", b"Bearer 7be05a9f31cc4d68"),), b"", host="a")
    declared = Declared(True, meant=Meant(("admin",), "'Admin only'"))
    own = (Identity("account 1", ANYBODY),)
    checks = plan(
        record(harbour, request), DEFAULT, credentials_of(request), (PROBE,), identities=own, declared=declared
    )
    assert [drive_as(check, harbour).verdict.outcome is Outcome.VULNERABLE for check in checks] == [found]


@pytest.mark.parametrize(
    ("refused", "rows", "found"),
    [
        ("Curators only", "street", True),
        ("Not allowed", "street", False),
        ("Curators only", "title", False),
    ],
    ids=["found", "refused in no such words", "nothing that people keep to themselves"],
)
def test_what_stands_beside_a_page_that_is_refused_in_the_sections_word_is_for_the_same(refused, rows, found):
    listed = [{"id": 3, rows: "Elm Street 5"}, {"id": 4, rows: "Mill Lane 2"}, {"id": 5, rows: "Hill Way 8"}]

    def club(asked: Request) -> Response:
        if asked.first(b"Authorization") is None:
            return Response(401)
        if asked.path == b"/api/curator/export":
            return Response(200, (), orjson.dumps(listed))
        return Response(403 if b"/curator/" in asked.path else 404, (), orjson.dumps({"detail": refused}))

    request = Request("GET", b"/api/curator/export", ((b"Authorization", b"Bearer 3f9a0c77de114b02"),), host="a")
    callers = (Identity("account 1", ANYBODY), Identity("account 2", ANYBODY))
    baseline, barred = record(club, request), (b"/api/curator/members",)
    checks = plan(baseline, DEFAULT, credentials_of(request), (PROBE,), identities=callers, barred=barred)
    runs = [drive_as(check, club) for check in checks]
    assert [run.verdict.outcome is Outcome.VULNERABLE for run in runs] == ([found] if rows == "street" else [])
    assert all("/api/curator/members, right beside it" in run.verdict.proof.verified_by for run in runs if found)


def test_to_an_account_just_made_the_accounts_of_several_below_management_are_not_his_to_manage():
    def told(asked: Request) -> Response:
        if asked.first(b"Authorization") is None:
            return Response(401)
        rows = [{"id": number, "email": f"{name}@example.com"} for number, name in ((3, "eva"), (4, "max"))]
        is_there = asked.path in (b"/api/management/users", b"/api/management/devices")
        return Response(200, (), orjson.dumps(rows)) if is_there else Response(404)

    headers = ((b"Authorization", b"Bearer 3f9a0c77de114b02"),)
    for path, callers, found in (
        (b"/api/management/users", (Identity("account 1", ANYBODY),), True),
        (b"/api/management/users", (Identity("max"),), False),
        (b"/api/management/devices", (Identity("account 1", ANYBODY),), False),
    ):
        request = Request("GET", path, headers, host="a")
        checks = plan(record(told, request), DEFAULT, credentials_of(request), (PROBE,), identities=callers)
        runs = [drive_as(check, told) for check in checks]
        assert [run.verdict.outcome is Outcome.VULNERABLE for run in runs] == [True] * found


@pytest.mark.parametrize(
    ("callers", "field", "found"),
    [
        ((Identity("account 1", ANYBODY),), "password", True),
        ((Identity("max"),), "password", False),
        ((Identity("account 1", ANYBODY),), "team", False),
        ((Identity("account 1", ANYBODY),), "sender", False),
    ],
)
def test_passwords_of_several_accounts_are_not_for_one_that_anybody_can_make(
    callers: tuple[Identity, ...], field: str, *, found: bool
):
    def club(request: Request) -> Response:
        if request.path != b"/people" or request.first(b"Authorization") is None:
            return Response(404 if request.path != b"/people" else 401)
        told = [{"username": name, field: f"{name}-4711"} for name in ("ann", "bert", "cleo")]
        if field == "sender":
            told = [{"text": "Hi", "sender": {"username": each["username"], "password": each[field]}} for each in told]
        return Response(200, ((b"Content-Type", b"application/json"),), orjson.dumps(told))

    request = Request("GET", b"/people", ((b"Authorization", b"Bearer 7be05a9f31cc4d68"),), host="a")
    checks = plan(record(club, request), DEFAULT, credentials_of(request), (PROBE,), identities=callers)
    outcomes = [drive_as(check, club).verdict.outcome for check in checks]
    assert (Outcome.VULNERABLE in outcomes) is found
