"""A scan behind a company's proxy: everything goes through it, to a name that only the proxy knows."""

import json
import re
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from click.testing import CliRunner
from tests.cli.json_server import JsonAnswers, JsonServer, serving

from gatecrash.cli.main import main

HOST = "shop.corp.test"


class Proxy(JsonServer):
    """Lets in who gives its password, and stands for the shop itself: names of its network are known nowhere else."""

    def __init__(self) -> None:
        super().__init__(_Way)
        self.asked: list[str] = []
        self.turned_away = 0
        self.lock = threading.Lock()
        self.stock = sqlite3.connect(":memory:", check_same_thread=False)
        self.stock.execute("CREATE TABLE teas (name TEXT)")
        self.stock.executemany("INSERT INTO teas VALUES (?)", [("green",), ("black",)])

    def server_close(self) -> None:
        """The stock, too."""
        super().server_close()
        self.stock.close()


class _Way(JsonAnswers):
    server: Proxy

    def do_GET(self) -> None:  # noqa: N802 - as http.server calls it
        parts = urlsplit(self.path)
        if not self._let_in():
            return
        self.server.asked.append(parts.hostname or "no host: the request was not in absolute form")
        name = parse_qs(parts.query).get("name", [""])[0]
        try:
            with self.server.lock:
                rows = self.server.stock.execute(f"SELECT name FROM teas WHERE name = '{name}'").fetchall()  # the flaw
            self.say(200, rows)
        except sqlite3.Error as error:
            self.say(500, str(error))

    def _let_in(self) -> bool:
        good = self.headers["Proxy-Authorization"] == "Basic YWRhOmxvdmVsYWNl"  # ada:lovelace
        if not good:
            self.server.turned_away += 1
            self.say(407, None)
        return good


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    made = Proxy()
    with serving(made):
        yield made


def test_a_scan_reaches_through_the_proxy_what_is_known_only_there(proxy: Proxy, tmp_path: Path) -> None:
    document = {
        "openapi": "3.1.0",
        "paths": {"/teas": {"get": {"parameters": [{"name": "name", "in": "query", "example": "green"}]}}},
    }
    file = tmp_path / "openapi.json"
    file.write_text(json.dumps(document))
    options = ["scan", str(file), "--target", f"http://{HOST}", "--allow-host", HOST, "--types", "sqli", "--json"]
    way = f"http://ada:lovelace@127.0.0.1:{proxy.server_port}"
    result = CliRunner().invoke(main, [*options, "--upstream-proxy", way])
    shown = json.loads(result.stdout)
    assert [one["type"] for one in shown["vulnerabilities"]] == ["sqli"], result.stderr
    assert set(proxy.asked) == {HOST}
    assert proxy.turned_away == 0
    assert not re.search("lovelace|YWRhOmxvdmVsYWNl", result.output), "the proxy's password is shown nowhere"
