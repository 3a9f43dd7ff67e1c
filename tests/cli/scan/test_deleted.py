"""`gatecrash scan` makes anew what its capture deleted, in the sessions that its tests are sent in."""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from click.testing import CliRunner
from tests.cli.json_server import JsonAnswers, JsonServer, serving

from gatecrash.cli.main import main


class Depot(JsonServer):
    """Has loads, none at first, and sends on whoever comes by one to wherever he says."""

    def __init__(self) -> None:
        super().__init__(_Gate)
        self.loads: set[str] = set()
        self.numbers = itertools.count(41)
        self.token = ""

    def lets_in(self, authorization: str | None) -> bool:
        """Everybody, where it has no token."""
        return self.token in (authorization or "")


class _Gate(JsonAnswers):
    server: Depot

    def do_GET(self) -> None:  # noqa: N802 - as http.server calls it
        if not self.server.lets_in(self.headers["Authorization"]):
            self.say(401, {"error": "sign in"})
            return
        asked = urlsplit(self.path)
        number = asked.path.split("/")[2]
        if number not in self.server.loads:
            self.say(404, {"error": "no such load"})
            return
        self.send_response(302)
        self.send_header("Location", parse_qs(asked.query).get("next", ["/"])[0])
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self) -> None:  # noqa: N802 - as http.server calls it
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        if self.path == "/login":
            known = b"sesame" in body
            self.say(*((200, {"token": self.server.token}) if known else (401, {"error": "wrong password"})))
            return
        if not self.server.lets_in(self.headers["Authorization"]):
            self.say(401, {"error": "sign in"})
            return
        number = str(next(self.server.numbers))
        self.server.loads.add(number)
        self.say(201, {"id": int(number)})

    def do_DELETE(self) -> None:  # noqa: N802 - as http.server calls it
        number = self.path.split("/")[2]
        known = number in self.server.loads
        self.server.loads.discard(number)
        self.say(200 if known else 404, {"deleted": known})


@pytest.fixture
def depot() -> Iterator[Depot]:
    made = Depot()
    with serving(made):
        yield made


def scanned(depot: Depot, tmp_path: Path, *options: str, deleted: int = 200, token: str = "") -> dict[str, Any]:
    """token: which the file shows that its login gave; none where it has no login."""
    url = f"http://127.0.0.1:{depot.server_port}/loads"
    kind = {"Content-Type": "application/json"}
    told, own = {"response_headers": kind}, {"Authorization": f"Bearer {token}"} if token else {}
    login = {
        "method": "POST",
        "url": f"http://127.0.0.1:{depot.server_port}/login",
        "headers": kind,
        "status": 200,
        **told,
    }
    lines: list[dict[str, Any]] = [
        login | {"body": '{"name": "ann", "password": "sesame"}', "response_body": json.dumps({"token": token})},
        {"method": "POST", "url": url, "headers": kind | own, "body": '{"city": "Ulm"}', "status": 201, **told}
        | {"response_body": '{"id": 10}'},
        {"method": "GET", "url": f"{url}/10/go?next=/map", "headers": own, "status": 302}
        | {"response_headers": {"Location": "/map"}},
        {"method": "DELETE", "url": f"{url}/10", "headers": own, "status": deleted, **told}
        | {"response_body": '{"deleted": true}'},
    ]
    file = tmp_path / "capture.jsonl"
    file.write_text("\n".join(map(json.dumps, lines if token else lines[1:])))
    result = CliRunner().invoke(main, ["scan", str(file), "--types", "redir", "--json", *options])
    shown: dict[str, Any] = json.loads(result.stdout)
    return shown


def paths(shown: dict[str, Any]) -> list[str]:
    return [urlsplit(one["url"]).path for one in shown["baselines"]]


def test_what_was_deleted_is_made_anew_and_tested(depot: Depot, tmp_path: Path) -> None:
    shown = scanned(depot, tmp_path)
    assert paths(shown) == ["/loads", "/loads/41/go", "/loads/41"]
    assert [one["type"] for one in shown["vulnerabilities"]] == ["redir"]
    assert "1 (/loads/41) is made anew" in shown["test_run"]["notes"][0]


def test_what_was_not_deleted_is_not_made(depot: Depot, tmp_path: Path) -> None:
    shown = scanned(depot, tmp_path, deleted=403)
    assert paths(shown)[1] == "/loads/10/go"
    assert shown["test_run"]["notes"] == []


def test_with_an_auth_profile_its_identity_makes_it(depot: Depot, tmp_path: Path) -> None:
    depot.token = "3f9a1c7be2d04c1190aa"
    profile = {
        "name": "depot",
        "values": [{"point": ["header", "Authorization"], "value": f"Bearer {depot.token}"}],
        "identities": [{"name": "ann"}],
    }
    file = tmp_path / "profile.json"
    file.write_text(json.dumps(profile))
    shown = scanned(depot, tmp_path, "--auth-profile", str(file))
    assert paths(shown) == ["/loads", "/loads/41/go", "/loads/41"]
    assert [one["type"] for one in shown["vulnerabilities"]] == ["redir"]
    assert "1 (/loads/41) is made anew" in shown["test_run"]["notes"][0]


def test_behind_a_session_that_is_over_its_user_signs_in_first(depot: Depot, tmp_path: Path) -> None:
    depot.token = "3f9a1c7be2d04c1190aa"
    shown = scanned(depot, tmp_path, token="d04c1190aa3f9a1c7be2")
    assert paths(shown) == ["/login", "/loads", "/loads/41/go", "/loads/41"]
    assert [one["type"] for one in shown["vulnerabilities"]] == ["redir"]
    assert len(shown["test_run"]["notes"]) == 2
