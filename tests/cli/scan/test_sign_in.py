"""`gatecrash scan` of a description: who it is signed in as, and what it says of that."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner
from tests.cli.json_server import JsonAnswers, JsonServer, serving

from gatecrash.cli.main import main
from gatecrash.cli.scan.sign_in import enrolment_of
from gatecrash.core.message import Request
from gatecrash.core.testing.profiles.profile import AuthProfile, ProfileIdentity
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.accounts.enrolment import Enrolment

ACCOUNT = {"type": "object", "properties": {"email": {"type": "string"}, "password": {"type": "string"}}}
BODY = {"content": {"application/json": {"schema": {**ACCOUNT, "required": ["email", "password"]}}}}
DOCUMENT = {
    "openapi": "3.1.0",
    "security": [{"key": []}],
    "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
    "paths": {
        "/register": {"post": {"security": [], "requestBody": BODY}},
        "/login": {"post": {"security": [], "requestBody": BODY}},
        "/me": {"get": {}},
    },
}


TEXT = {"kind": "SCALAR", "name": "String"}
QUERIES = [{"name": each, "args": [], "type": TEXT} for each in ("me", "club")]
SCHEMA = {"queryType": {"name": "Query"}, "types": [{"kind": "OBJECT", "name": "Query", "fields": QUERIES}]}


class Club(JsonServer):
    """Lets in who registered, while it is open."""

    def __init__(self) -> None:
        super().__init__(_Login)
        self.members: dict[str, str] = {}
        self.open = True
        self.visits: list[str] = []


class _Login(JsonAnswers):
    server: Club

    def do_GET(self) -> None:  # noqa: N802 - as http.server calls it
        if self.path != "/me":
            return self._say(404, {})
        name = (self.headers["Authorization"] or "").removeprefix("Bearer token-of-")
        return self._say(*((200, {"email": name}) if name in self.server.members else (401, {"error": "sign in"})))

    def do_POST(self) -> None:  # noqa: N802 - as http.server calls it
        try:
            given = json.loads(self.rfile.read(int(self.headers["Content-Length"] or 0)))
            if self.path == "/graphql":
                return self._ask(str(given["query"]))
            name, password = str(given["email"]), str(given["password"])
        except (ValueError, KeyError, TypeError):
            return self._say(400, {})
        members = self.server.members
        if self.path == "/register":
            if not self.server.open or name in members:
                return self._say(409, {})
            members[name] = password
            return self._say(201, {})
        return self._say(*((200, {"token": f"token-of-{name}"}) if members.get(name) == password else (401, {})))

    def _ask(self, query: str) -> None:
        if (self.headers["Authorization"] or "").removeprefix("Bearer token-of-") not in self.server.members:
            return self._say(401, {"error": "sign in"})
        told = {"__schema": SCHEMA} if "__schema" in query else {"club": "tea"} if "club" in query else {"me": "you"}
        return self._say(200, {"data": told})

    def _say(self, status: int, body: Any) -> None:
        self.server.visits.append(self.path)
        self.say(status, body)


@pytest.fixture
def club() -> Iterator[Club]:
    made = Club()
    with serving(made):
        yield made


def scanned(club: Club, tmp_path: Path, *options: str) -> tuple[Any, str]:
    file = tmp_path / "openapi.json"
    file.write_text(json.dumps({**DOCUMENT, "servers": [{"url": f"http://127.0.0.1:{club.server_port}"}]}))
    result = CliRunner().invoke(main, ["scan", str(file), "--types", "redir", "--json", *options])
    return json.loads(result.stdout), result.stderr


def test_two_accounts_are_made_and_what_is_behind_the_login_is_tested(club: Club, tmp_path: Path) -> None:
    shown, told = scanned(club, tmp_path)
    first, second = list(club.members)[:2]
    assert f"Signed in as 2 accounts that POST /register made for this scan: {first}, {second}." in told
    assert shown["test_run"]["user_count"] == 2
    assert [one["status"] for one in shown["baselines"] if one["url"].endswith("/me")] == ["passed"]
    assert not any(password in json.dumps(shown) for password in club.members.values())


def test_what_a_graphql_endpoint_does_besides_is_told_to_whom_the_scan_has_signed_in(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = {"type": "object", "properties": {"query": {"type": "string", "example": "{ me }"}}}
    asking = {"post": {"requestBody": {"content": {"application/json": {"schema": query}}}}}
    monkeypatch.setitem(DOCUMENT["paths"], "/graphql", asking)
    shown, told = scanned(club, tmp_path)
    assert "/graphql tells 1 operation more than the description." in told
    tested = [one["status"] for one in shown["baselines"] if one["url"].endswith("/graphql")]
    assert len(tested) == 2


class Described:
    """What was read of a site: a description's requests, and behind them those that its pages' forms send."""

    kind = "graphql"

    def __init__(self, described: list[Draft], forms: list[Draft]) -> None:
        self.drafts = len(described)
        self._described, self._forms = described, forms

    def described(self) -> list[Draft]:
        """Those of the description."""
        return self._described

    def exchanges(self) -> list[Draft]:
        """All of them."""
        return [*self._described, *self._forms]


def posted(path: bytes, kind: bytes, body: bytes) -> Draft:
    request = Request("POST", path, ((b"Content-Type", kind),), body, "http", "127.0.0.1", 9)
    return Draft(request=request, response=None, drafted=True)


@pytest.mark.parametrize(
    "operation",
    [(b"/graphql", b'{"query": "query Me { me { id } }"}'), (b"/session/start", b"{}")],
    ids=["graphql", "no fields told"],
)
def test_where_a_description_shows_no_way_in_the_forms_of_the_pages_are_it(operation: tuple[bytes, bytes]) -> None:
    described = [posted(operation[0], b"application/json", operation[1])]
    form = b"application/x-www-form-urlencoded"
    login = posted(b"/login", form, b"name=example&password=Example-Password-1")
    joining = posted(b"/join", form, b"name=example&email=user%40example.com&password=Example-Password-1")
    found = enrolment_of(cast("Any", Described(described, [login, joining])))
    assert found is not None
    assert (found.entrance.login, found.entrance.registration) == (login.request, joining.request)
    own = [*described, posted(b"/auth/login", b"application/json", b'{"email": "a@example.com", "password": "b"}')]
    told = enrolment_of(cast("Any", Described(own, [login, joining])))
    assert told is not None
    assert told.entrance.login == own[-1].request


def test_nobody_is_signed_in_where_accounts_are_refused_or_not_wanted(club: Club, tmp_path: Path) -> None:
    club.open = False
    shown, told = scanned(club, tmp_path)
    assert "nobody is signed in: POST /register makes no account: it is answered 409. Give an auth profile" in told
    assert shown["test_run"]["notes"] == [
        "Nobody is signed in: POST /register makes no account: it is answered 409. Give an auth profile."
    ]
    assert [one["reason"] for one in shown["baselines"] if one["url"].endswith("/me")] == ["auth_failed"]
    club.open = True
    shown, told = scanned(club, tmp_path, "--no-sign-up")
    assert "igned in" not in told
    assert [note.partition(" is wanted")[0] for note in shown["test_run"]["notes"]] == ["key"]
    assert "key is wanted by 1 request: without an auth profile it is not sent." in told


def test_beside_the_user_of_an_auth_profile_one_account_is_made(club: Club, tmp_path: Path) -> None:
    club.members["ann@x.example"] = "pw"
    profile = tmp_path / "profile.yaml"
    profile.write_text("name: ours\nvalues: [{point: [header, Authorization], value: Bearer token-of-ann@x.example}]\n")
    shown, told = scanned(club, tmp_path, "--auth-profile", str(profile))
    assert "Signed in as 1 account that POST /register made for this scan: gc" in told
    assert shown["test_run"]["user_count"] == 2
    club.open = False
    shown, told = scanned(club, tmp_path, "--auth-profile", str(profile))
    assert "No second user could be made: POST /register makes no account" in told
    assert shown["test_run"]["user_count"] == 1


def test_a_plan_says_what_would_be_done_and_sends_nothing(club: Club, tmp_path: Path) -> None:
    _, told = scanned(club, tmp_path, "--plan")
    assert (
        "2 accounts would be made by POST /register and signed in by POST /login; --no-sign-up leaves that out" in told
    )
    assert club.visits == []


def test_saved_credentials_are_kept_and_nobody_is_made(club: Club, tmp_path: Path) -> None:
    origin = f"http://127.0.0.1:{club.server_port}"
    club.members["ada"] = "lovelace"
    body = """-H 'Content-Type: application/json' -d '{"email": "x", "password": "y"}'"""
    commands = (
        f"curl {origin}/register {body}\ncurl {origin}/login {body}\n"
        f"curl {origin}/me -H 'Authorization: Bearer token-of-ada'\n"
    )
    file = tmp_path / "saved.sh"
    file.write_text(commands)
    result = CliRunner().invoke(main, ["scan", str(file), "--plan"])
    assert "accounts would be made" not in result.stderr
    file.write_text(commands.replace("-H 'Authorization: Bearer token-of-ada'", ""))
    assert "2 accounts would be made" in CliRunner().invoke(main, ["scan", str(file), "--plan"]).stderr
    profile = tmp_path / "profile.yaml"
    profile.write_text("name: ours\nvalues: [{point: [header, Authorization], value: Bearer token-of-ada}]\n")
    beside = ["scan", str(file), "--plan", "--auth-profile", str(profile)]
    assert "1 account would be made" in CliRunner().invoke(main, beside).stderr
    file.write_text(commands)
    assert "would be made" not in CliRunner().invoke(main, beside).stderr


def test_operations_are_found_without_the_base_path_that_the_document_names(club: Club, tmp_path: Path) -> None:
    file = tmp_path / "openapi.json"
    file.write_text(json.dumps({**DOCUMENT, "servers": [{"url": "https://api.example.com/v1"}]}))
    origin = f"http://127.0.0.1:{club.server_port}"
    result = CliRunner().invoke(main, ["scan", str(file), "--target", origin, "--types", "redir", "--json"])
    note = "Nothing is at the base path of the description, /v1: its requests go to / instead."
    assert note in result.stderr
    assert "Signed in as 2 accounts" in result.stderr
    shown = json.loads(result.stdout)
    assert shown["test_run"]["notes"] == [note]
    assert [one["status"] for one in shown["baselines"] if one["url"] == f"{origin}/me"] == ["passed"]


@pytest.mark.parametrize(
    ("given", "peers", "ranks"),
    [((3,), False, [0, 0]), ((1, 9), False, [1, 9, 1]), ((1, 1, 9), True, None), ((0, 0), True, None)],
)
def test_where_no_two_users_of_a_profile_are_of_one_rank_the_lowest_is_given_a_peer(
    given: tuple[int, ...], peers: bool, ranks: list[int] | None
) -> None:
    users = tuple(ProfileIdentity(name=str(place), rank=rank) for place, rank in enumerate(given))
    profile = AuthProfile(id="p", name="ours", identities=users)
    assert profile.has_peers is peers
    if ranks is not None:
        assert [each.rank for each in Enrolment((), beside=profile).foreseen().identities] == ranks
