"""`gatecrash scan` of a site that nothing describes reads its pages first."""

import html
import json
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from click.testing import CliRunner

from gatecrash.cli.main import main
from gatecrash.cli.scan import crawl
from gatecrash.node.test.health.patience import Patience


class _Site(BaseHTTPRequestHandler):
    """Its search shows what was looked for as it came; its other page does not."""

    server: Any

    def do_GET(self) -> None:
        self.server.asked.append(f"GET {self.path}")
        asked = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        path = urlsplit(self.path).path
        if path not in ("/", "/find", "/safe"):
            self._say(404, "none")
            return
        forms = "<form action=/find><input name=q value=tea></form><form action=/safe><input name=q value=tea></form>"
        forms += "<form method=post action=/say><input name=text value=hi></form><a href=/logout>out</a>"
        shown = asked.get("q", "") if path == "/find" else html.escape(asked.get("q", ""))
        self._say(200, f"<html><body>{forms}<p>{shown}</p></body></html>")

    def do_POST(self) -> None:
        self.server.asked.append(f"POST {self.path}")
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        self._say(200 if self.path == "/say" else 404, "<html>thanks</html>")

    def _say(self, status: int, text: str, cookie: str = "", location: str = "", kind: str = "text/html") -> None:
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        if cookie:
            self.send_header("Set-Cookie", cookie)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        pass


class _Fresh(_Site):
    """Nobody has set it up, and it leads everybody to the form for that."""

    def do_GET(self) -> None:
        if self.path == "/setup":
            self._say(
                200,
                "<html><form method=post action=/setup><input type=submit name=all value='Reset database'></form></html>",
            )
        else:
            self._say(302, "", location="/setup")


class _InTheBrowser(_Site):
    """It has one page, and answers the calls of its script."""

    def do_GET(self) -> None:
        if self.path == "/notes":
            self._say(200, '{"notes":[]}', kind="application/json")
        else:
            self._say(200, "<html><script>fetch('/notes');fetch('/reset-all',{method:'POST'})</script></html>")


class _Falling(_Site):
    """It ends behind its second page."""

    def do_GET(self) -> None:
        super().do_GET()
        if self.path.startswith("/find"):
            self.server.socket.close()


class _Club(_Site):
    """What the site has is for members, whom its own forms make and let in."""

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        form = f"<form method=post action={path}><input name=username><input name=password type=password></form>"
        if path in ("/login", "/register"):
            self._say(200, f"<html>{form}</html>")
        elif (self.headers["Cookie"] or "").removeprefix("sid=") in self.server.members:
            super().do_GET()
        else:
            self._say(200, "<html><a href=/login>in</a> <a href=/register>join</a></html>")

    def do_POST(self) -> None:
        given = parse_qs(self.rfile.read(int(self.headers["Content-Length"] or 0)).decode())
        name, word, members = given.get("username", [""])[0], given.get("password", [""])[0], self.server.members
        if self.path == "/register" and name and word:
            members[f"of-{name}"] = word
            self._say(200, "<html>welcome</html>")
        elif self.path == "/login" and members.get(f"of-{name}") == word:
            self._say(200, "<html>hello</html>", cookie=f"sid=of-{name}; Path=/; HttpOnly")
        else:
            self._say(401, "<html>wrong name or password</html>")


class _GuardedClub(_Site):
    """A club whose forms are guarded, as frameworks guard them: by a token that is good in its visitor's session alone. Whoever
    signs in is given another session.
    """

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        sid, session = self._session()
        fields = f"<input type=hidden name=_token value={session['token']}><input name=username>"
        form = f"<form method=post action={path}>{fields}<input name=password type=password></form>"
        cookie = f"sid={sid}; Path=/; HttpOnly"
        if path in ("/login", "/register"):
            self._say(200, f"<html>{form}</html>", cookie)
        elif session["name"]:
            super().do_GET()
        else:
            self._say(200, "<html><a href=/login>in</a> <a href=/register>join</a></html>", cookie)

    def do_POST(self) -> None:
        given = parse_qs(self.rfile.read(int(self.headers["Content-Length"] or 0)).decode())
        name, word = given.get("username", [""])[0], given.get("password", [""])[0]
        sid, session = self._session()
        if given.get("_token") != [session["token"]]:
            self._say(419, "<html>page expired</html>")
        elif self.path == "/register" and name and word:
            self.server.members[name] = word
            self._say(302, "<html>welcome</html>", location="/login")
        elif self.path == "/login" and self.server.members.get(name) == word:
            self.server.sessions.pop(sid)
            sid, session = self._begin(name)
            self._say(302, "<html>hello</html>", f"sid={sid}; Path=/; HttpOnly", location="/")
        else:
            self._say(302, "<html>no</html>", location=self.path)

    def _session(self) -> tuple[str, dict[str, str]]:
        sid = (self.headers["Cookie"] or "").removeprefix("sid=").partition(";")[0]
        known = self.server.sessions.get(sid)
        return (sid, known) if known else self._begin("")

    def _begin(self, name: str) -> tuple[str, dict[str, str]]:
        sid = secrets.token_hex(12)
        return sid, self.server.sessions.setdefault(sid, {"token": secrets.token_hex(16), "name": name})


@contextmanager
def served(handler: type[BaseHTTPRequestHandler]) -> Iterator[Any]:
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.asked, server.members, server.sessions = [], {}, {}
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def site() -> Iterator[Any]:
    with served(_Site) as server:
        yield server


@pytest.fixture
def club() -> Iterator[Any]:
    with served(_Club) as server:
        yield server


@pytest.fixture
def guarded_club() -> Iterator[Any]:
    with served(_GuardedClub) as server:
        yield server


def scan(site: Any, *options: str) -> Any:
    return CliRunner().invoke(main, ["scan", f"http://127.0.0.1:{site.server_port}/", *options])


def test_the_start_address_alone_is_enough(site: Any) -> None:
    result = scan(site, "--types", "xss", "--json")
    found = json.loads(result.stdout)
    assert [(one["type"], one["endpoint"]) for one in found["vulnerabilities"]] == [("xss", "GET /find")]
    assert {"/", "/find", "/safe", "/say"} <= {urlsplit(one["url"]).path for one in found["baselines"]}
    assert "its pages were read: 3 pages, and 1 form" in result.stderr
    assert not any("/logout" in one for one in site.asked)


def test_a_plan_reads_pages_and_sends_no_form(site: Any) -> None:
    result = scan(site, "--plan", "--json")
    assert "POST" in {one["method"] for one in json.loads(result.stdout)["endpoints"]}
    assert not any(one.startswith("POST /say") for one in site.asked)


def test_how_far_it_is_is_told_while_a_site_is_read(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "asked for" not in scan(site, "--plan").stderr
    monkeypatch.setattr(crawl, "TOLD_EVERY", 0.0)
    assert re.search(r"reading · \d+ pages asked for, \d+ more known\n", scan(site, "--plan").stderr)


def test_whoever_wants_no_page_read_is_told_what_is_missing(site: Any) -> None:
    result = scan(site, "--crawl-pages", "0")
    assert result.exit_code == 2
    assert "is no OpenAPI document" in result.stderr


def test_pages_behind_a_login_are_read_once_the_sites_own_forms_let_somebody_in(club: Any) -> None:
    result = scan(club, "--types", "xss", "--json")
    found = json.loads(result.stdout)
    assert [(one["type"], one["endpoint"]) for one in found["vulnerabilities"]] == [("xss", "GET /find")]
    names = ", ".join(each.removeprefix("of-") for each in list(club.members)[:2])
    assert f"Signed in as 2 accounts that POST /register made for this scan: {names}." in result.stderr
    assert "Signed in, its pages were read again" in result.stderr
    assert len(club.members) >= 2


def test_forms_that_are_guarded_by_a_token_of_their_visitors_session_let_somebody_in(guarded_club: Any) -> None:
    result = scan(guarded_club, "--types", "xss", "--json")
    found = json.loads(result.stdout)
    assert [(one["type"], one["endpoint"]) for one in found["vulnerabilities"]] == [("xss", "GET /find")]
    assert "Signed in as 2 accounts" in result.stderr


def test_a_login_that_lets_nobody_in_is_told_before_pages_are_read_as_a_visitors(club: Any, tmp_path: Path) -> None:
    profile = tmp_path / "users.json"
    form = {"username": "ann", "password": "${password}"}
    identity = {"name": "ann", "variables": {"password": "nobodys-word"}}
    profile.write_text(
        json.dumps({"name": "club", "login": [{"path": "/login", "form": form}], "identities": [identity]})
    )
    result = scan(club, "--types", "xss", "--auth-profile", str(profile))
    assert "nobody is signed in, so the site's pages are read as a visitor's: identity 'ann', login[0]" in result.stderr
    assert "nobodys-word" not in result.stderr


def test_an_application_that_was_never_set_up_is_told_and_not_set_up(site: Any) -> None:
    with served(_Fresh) as fresh:
        result = scan(fresh, "--types", "xss")
        assert "nothing but /setup was shown, and POST /setup was left alone" in result.stderr
        assert "POST /setup" not in fresh.asked, fresh.asked
    assert "was shown" not in scan(site, "--types", "xss").stderr
    with served(_InTheBrowser) as one_page:
        told = scan(one_page, "--types", "xss").stderr
        assert "POST /reset-all" in told, told
        assert "was shown" not in told, told


def test_who_is_not_to_sign_up_is_a_visitor(club: Any) -> None:
    result = scan(club, "--types", "xss", "--json", "--no-sign-up")
    assert json.loads(result.stdout)["vulnerabilities"] == []
    assert "/find" not in {urlsplit(each.split()[1]).path for each in club.asked}


def test_a_site_that_goes_away_while_it_is_read_is_told_with_what_got_no_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Patience, "_seconds_for", lambda *_: 0.2)
    with served(_Falling) as falling:
        result = scan(falling, "--types", "xss")
    assert "went away while it was read, and was waited for in vain: the target refuses connections" in result.stderr
    assert "got no answer" in result.stderr
    assert "only the first" not in result.stderr
