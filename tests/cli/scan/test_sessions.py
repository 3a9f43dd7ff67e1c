"""`gatecrash scan` of a capture whose session is over signs in as its user did."""

import base64
import hmac
import json
import secrets
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from click.testing import CliRunner
from tests.cli.json_server import JsonAnswers, JsonServer, serving

from gatecrash.cli.main import main
from gatecrash.core.reports import notes


class Shed(JsonServer):
    """Forgets its sessions when it is told to."""

    def __init__(self) -> None:
        super().__init__(_Login)
        self.sessions: set[str] = set()

    def begin(self) -> str:
        session = secrets.token_hex(16)
        self.sessions.add(session)
        return session


class _Login(JsonAnswers):
    server: Shed

    def do_GET(self) -> None:  # noqa: N802 - as http.server calls it
        known = (self.headers["Cookie"] or "").removeprefix("SESSIONID=") in self.server.sessions
        self.say(*((200, {"tools": ["rake"]}) if known else (401, {"error": "sign in"})))

    def do_POST(self) -> None:  # noqa: N802 - as http.server calls it
        given = parse_qs(self.rfile.read(int(self.headers["Content-Length"] or 0)).decode())
        if given.get("password") != ["sesame"]:
            self.say(401, {})
            return
        self.send_response(200)
        self.send_header("Set-Cookie", f"SESSIONID={self.server.begin()}; HttpOnly")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")


@pytest.fixture
def shed() -> Iterator[Shed]:
    made = Shed()
    with serving(made):
        yield made


def scanned(shed: Shed, tmp_path: Path, session: str, *options: str) -> tuple[Any, str]:
    url = f"http://127.0.0.1:{shed.server_port}"
    cookie = {"Cookie": f"SESSIONID={session}"}
    lines: list[dict[str, Any]] = [
        {
            "method": "POST",
            "url": f"{url}/login",
            "headers": {"Content-Type": "application/x-www-form-urlencoded"},
            "body": "user=ann&password=sesame",
            "status": 200,
            "response_headers": {"Set-Cookie": f"SESSIONID={session}; HttpOnly"},
            "response_body": "{}",
        },
        {
            "method": "GET",
            "url": f"{url}/tools?next=/a",
            "headers": cookie,
            "status": 200,
            "response_headers": {"Content-Type": "application/json"},
            "response_body": '{"tools": ["rake"]}',
        },
    ]
    file = tmp_path / "capture.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    result = CliRunner().invoke(main, ["scan", str(file), "--types", "redir", "--json", *options])
    return json.loads(result.stdout), result.stderr


def test_who_was_forgotten_signs_in_again(shed: Shed, tmp_path: Path) -> None:
    shown, told = scanned(shed, tmp_path, secrets.token_hex(16))
    assert "The file's sessions are over: tests sign in again as it shows." in told
    assert shown["test_run"]["notes"] == [notes.SIGNED_IN_AGAIN]
    assert [one["status"] for one in shown["baselines"] if "/tools" in one["url"]] == ["passed"]


def test_whose_session_is_alive_keeps_it(shed: Shed, tmp_path: Path) -> None:
    session = shed.begin()
    shown, told = scanned(shed, tmp_path, session)
    assert "sign in again" not in told
    assert shown["test_run"]["notes"] == []
    assert [one["status"] for one in shown["baselines"] if "/tools" in one["url"]] == ["passed"]
    assert shed.sessions == {session}


def test_who_is_refused_and_has_no_login_in_the_file_is_told_to_record_again(shed: Shed, tmp_path: Path) -> None:
    line = {
        "method": "GET",
        "url": f"http://127.0.0.1:{shed.server_port}/tools",
        "headers": {"Cookie": f"SESSIONID={secrets.token_hex(16)}"},
        "status": 200,
        "response_body": "{}",
    }
    file = tmp_path / "capture.jsonl"
    file.write_text(json.dumps(line))
    reports = {kind: tmp_path / f"report.{kind}" for kind in ("html", "md")}
    wanted = [part for kind, path in reports.items() for part in ("--report", f"{kind}={path}")]
    scanned = CliRunner().invoke(main, ["scan", str(file), "--types", "redir", *wanted])
    assert "the file holds no login" in scanned.stderr
    assert "Record again, from the login on" in scanned.stderr
    for told in (scanned.stdout, *(path.read_text() for path in reports.values())):
        assert "what they may see was not tested" in told


def test_a_plan_asks_nothing(shed: Shed, tmp_path: Path) -> None:
    _, told = scanned(shed, tmp_path, secrets.token_hex(16), "--plan")
    assert "sign in again" not in told
    assert not shed.sessions


class Hutch(JsonServer):
    """Knows its users by a cookie of its own name; two of them, one page about oneself."""

    def __init__(self) -> None:
        super().__init__(_Hatch)
        self.asked: list[tuple[str, str]] = []


class _Hatch(JsonAnswers):
    server: Hutch

    def do_GET(self) -> None:  # noqa: N802 - as http.server calls it
        cookie = self.headers["Cookie"] or ""
        self.server.asked.append((self.path, cookie))
        who = {"hutch_pass=1f6e2d7788aa41b0": "ann", "hutch_pass=77c02b91e4d3416f": "bert"}.get(cookie)
        mail = f"{who}@hutch.example"
        self.say(*((200, {"email": mail, "page": self.path}) if who else (401, {"error": "sign in"})))


def test_users_by_a_cookie_whose_login_is_not_in_the_file_are_known_and_told_apart(tmp_path: Path) -> None:
    made = Hutch()
    with serving(made):
        url = f"http://127.0.0.1:{made.server_port}"
        pages = [("/me", "1f6e2d7788aa41b0", 304), ("/hay", "77c02b91e4d3416f", 200)]
        lines = [
            {"method": "GET", "url": url + path, "headers": {"Cookie": f"hutch_pass={value}"}, "status": status}
            for path, value, status in pages
        ]
        file = tmp_path / "capture.jsonl"
        file.write_text("\n".join(map(json.dumps, lines)))
        result = CliRunner().invoke(main, ["scan", str(file), "--types", "redir", "--json"])
    assert "The target refuses who comes without hutch_pass" in result.stderr
    assert "2 users are told apart in the file" in result.stderr
    assert ("/me", "hutch_pass=77c02b91e4d3416f") in made.asked
    run = json.loads(result.stdout)["test_run"]
    assert run["user_count"] == 2
    assert run["notes"] == [notes.of_credentials("hutch_pass")]


class _Shelf(JsonAnswers):
    """Holds one book."""

    def do_GET(self) -> None:  # noqa: N802 - as http.server calls it
        is_there = self.path.startswith("/books/4")
        self.say(*((200, {"id": 4, "title": "Tides"}) if is_there else (404, {"error": "no such book"})))


def test_a_thing_that_the_target_does_not_have_is_tested_at_one_that_it_has(tmp_path: Path) -> None:
    made = JsonServer(_Shelf)
    with serving(made):
        url = f"http://127.0.0.1:{made.server_port}"
        answers = {
            f"{url}/books": (200, '[{"id": 4}]'),
            f"{url}/books/99999?next=/a": (404, '{"error": "no such book"}'),
        }
        lines = [
            {
                "method": "GET",
                "url": address,
                "status": status,
                "response_headers": {"Content-Type": "application/json"},
                "response_body": body,
            }
            for address, (status, body) in answers.items()
        ]
        file = tmp_path / "capture.jsonl"
        file.write_text("\n".join(map(json.dumps, lines)))
        result = CliRunner().invoke(main, ["scan", str(file), "--types", "redir", "--json"])
    assert "asks for things that the target does not have: 1 that it has are tested as well" in result.stderr
    shown = json.loads(result.stdout)
    assert f"{url}/books/4?next=/a" in {one["url"] for one in shown["baselines"]}
    assert shown["test_run"]["notes"] == [notes.OBJECTS]


ANNS, BENS = "0b7d3c52-6a3e-4f0f-9d55-6c1e1a2b7f10", "9e41a7c8-22d4-4b6a-8f3b-51d0c7e9aa34"


class Yard(JsonServer):
    """Signs tokens with a key of its own, which is another one each time that it is started. made: who has an account, where
    these are made by what hands out their tokens; None where everybody has one.
    """

    def __init__(self, *, by_registration: bool = False) -> None:
        super().__init__(_Wicket)
        self.made: set[str] | None = set() if by_registration else None
        self.key = secrets.token_bytes(32)
        self.orders = {"ann": ANNS, "ben": BENS}

    def token(self, name: str) -> str:
        """A JSON Web Token."""
        parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": name, "exp": 4_000_000_000})
        signed = ".".join(_written(json.dumps(part).encode()) for part in parts)
        return f"{signed}.{_written(hmac.digest(self.key, signed.encode(), 'sha256'))}"

    def start_anew(self) -> None:
        """As an application is that makes its key up."""
        self.key = secrets.token_bytes(32)

    def set_up_anew(self) -> None:
        """With a new database too, which draws what its orders are called."""
        self.start_anew()
        self.orders = {name: str(uuid.uuid4()) for name in self.orders}


def _written(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class _Wicket(JsonAnswers):
    server: Yard

    def do_GET(self) -> None:  # noqa: N802 - as http.server calls it
        given = (self.headers["Authorization"] or "").removeprefix("Bearer ")
        name = next((each for each in ("ann", "ben") if given == self.server.token(each)), "")
        if not name:
            self.say(401, {"error": "sign in"})
            return
        if self.path == "/me":
            self.say(200, {"name": name})
            return
        # Everybody reads everybody's.
        orders = self.server.orders
        owner = next((each for each in orders if self.path == f"/orders/{orders[each]}"), "")
        said: Any = {"owner": owner, "street": f"{owner} lane 7"} if owner else [{"id": orders[name]}]
        self.say(*((200, said) if owner or self.path == "/orders" else (404, {})))

    def do_POST(self) -> None:  # noqa: N802 - as http.server calls it
        try:
            given = json.loads(self.rfile.read(int(self.headers["Content-Length"] or 0)))
        except ValueError:
            self.say(400, {})
            return
        known = isinstance(given, dict) and given.get("name") in ("ann", "ben") and given.get("password") == "sesame"
        if known and self.server.made is not None:
            if given["name"] in self.server.made:
                self.say(409, {"error": "this name is taken"})
                return
            self.server.made.add(given["name"])
        self.say(*((200, {"token": self.server.token(given["name"])}) if known else (401, {})))


def recorded_at(yard: Yard, login: str = "/login") -> str:
    """Two users sign in and read what is theirs, as lines of JSON."""
    lines = []
    for name, order in (("ann", ANNS), ("ben", BENS)):
        token = yard.token(name)
        asked: list[tuple[str, Any, Any]] = [
            (login, {"name": name, "password": "sesame"}, {"token": token}),
            ("/me", None, {"name": name}),
            ("/orders", None, [{"id": order}]),
            (f"/orders/{order}", None, {"owner": name, "street": f"{name} lane 7"}),
        ]
        for path, sent, said in asked:
            line = {
                "method": "POST" if sent else "GET",
                "url": f"http://127.0.0.1:{yard.server_port}{path}",
                "headers": {"Content-Type": "application/json"} if sent else {"Authorization": f"Bearer {token}"},
                "body": json.dumps(sent) if sent else "",
                "status": 200,
                "response_headers": {"Content-Type": "application/json"},
                "response_body": json.dumps(said),
            }
            lines.append(json.dumps(line))
    return "\n".join(lines)


@pytest.mark.parametrize("anew", [None, Yard.start_anew, Yard.set_up_anew], ids=["fresh", "over", "gone"])
def test_a_record_finds_the_same_when_the_application_signs_with_another_key_and_calls_its_orders_otherwise(
    anew: Callable[[Yard], None] | None, tmp_path: Path
) -> None:
    made = Yard()
    file = tmp_path / "capture.jsonl"
    file.write_text(recorded_at(made))
    if anew is not None:
        anew(made)
    with serving(made):
        result = CliRunner().invoke(main, ["scan", str(file), "--types", "idor", "--json"])
    shown = json.loads(result.stdout)
    assert ("sign in again" in result.stderr) is (anew is not None)
    gone = made.orders["ann"] != ANNS
    assert (notes.RENAMED in shown["test_run"]["notes"]) is gone
    assert ("have other identifiers at the target now: 2 are tested by those" in result.stderr) is gone
    assert {one["status"] for one in shown["baselines"] if "/login" not in one["url"]} == {"passed", "failed"}
    assert {one["endpoint"] for one in shown["vulnerabilities"]} == {"GET /orders/{order_id}"}


def test_who_is_let_in_by_making_his_account_makes_it_once(tmp_path: Path) -> None:
    """What is asked before the run, signed in, is asked in the sessions of the run: a second registration would be refused."""
    made = Yard(by_registration=True)
    file = tmp_path / "capture.jsonl"
    file.write_text(recorded_at(made, "/register"))
    made.set_up_anew()
    with serving(made):
        result = CliRunner().invoke(main, ["scan", str(file), "--types", "idor", "--json"])
    shown = json.loads(result.stdout)
    read = {one["status"] for one in shown["baselines"] if "/register" not in one["url"]}
    assert read == {"passed", "failed"}, shown["baselines"]
    assert {one["endpoint"] for one in shown["vulnerabilities"]} == {"GET /orders/{order_id}"}
