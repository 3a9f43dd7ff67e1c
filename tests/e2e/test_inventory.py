"""Traffic in, and the whole of the inventory out, over the real service and its node: what a security engineer reads."""

import base64
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.cli.running import Up
from tests.e2e.tenant import wait_until
from tests.plain_http import PLAIN

pytestmark = pytest.mark.database

HOST = "shop.example"
BEARER = {"Authorization": "Bearer tGm2vR8nQx5LzKc7WyJd4HbF"}
PATIENCE = 120


class Installation:
    """A service with its node: `send` traffic, `read` the inventory."""

    def __init__(self, known: dict[str, Any]) -> None:
        self.collector = f"{known['collector']}/gatecrash/v1/exchanges"
        self.parameters = f"/v1/clients/{known['client_id']}/apid/config/auth-parameters"
        self.http = httpx.Client(
            base_url=known["api"],
            headers={"X-Service-API-Token": known["token"]},
            **PLAIN,
        )

    def send(self, *requests: dict[str, Any], times: int = 1) -> None:
        """Tell the node of exchanges, as a gateway does."""
        filled = [
            {"method": "GET", "status": 200, "time": time.time(), "client": "192.0.2.1", **one} for one in requests
        ]
        lines = "".join(
            json.dumps({**one, "url": f"{one.get('scheme', 'https')}://{one.get('host', HOST)}{one['url']}"}) + "\n"
            for one in filled * times
        )
        assert httpx.post(self.collector, content=lines, **PLAIN).is_success

    def send_until(self, request: dict[str, Any], heard: Callable[[dict[str, dict[str, Any]]], object]) -> None:
        """Send it until it is listed as wished: the node has heard then of what was asked for before."""

        def seen() -> dict[str, dict[str, Any]]:
            self.send(request)
            return self.listed()

        wait_until(seen, heard, PATIENCE)

    def ask(self, method: str, path: str, **more: Any) -> dict[str, Any]:
        """The body of an answer that must be good."""
        answer = self.http.request(method, path, **more)
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()["body"]
        return body

    def listed(self, query: str = "") -> dict[str, dict[str, Any]]:
        """The endpoints by method, path and operation."""
        objects = self.ask("GET", f"/v1/endpoints?limit=1000&host={HOST}&{query}")["objects"]
        return {" ".join(filter(None, (one["method"], one["path"], one["operation"]))): one for one in objects}

    def known(self, name: str, requests: int) -> dict[str, Any]:
        """An endpoint with all its details, once so many requests are counted."""
        seen = wait_until(
            lambda: self.listed().get(name, {}), lambda one: one and one["requests"] >= requests, PATIENCE
        )
        assert seen["requests"] == requests
        return self.ask("GET", f"/v1/endpoints/{seen['id']}")


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    folder: Path = tmp_path_factory.mktemp("inventory")
    with Up(folder, GATECRASH_RATE_LIMIT="0") as up:
        one = Installation(up.known())
        yield one
        one.http.close()


def jwt(head: dict[str, str], payload: dict[str, Any]) -> str:
    parts = (base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in (head, payload))
    return ".".join((*parts, "c2lnbmF0dXJlb2Z0aGF0"))


def test_who_is_without_is_told_with_answers_and_kinds_of_clients(here: Installation) -> None:
    curl, browser = {"User-Agent": "curl/8.4.0"}, {"User-Agent": "Mozilla/5.0 (X11) Gecko/20100101 Firefox/120.0"}
    here.send({"url": "/orders", "headers": BEARER}, times=6)
    here.send({"url": "/orders", "headers": curl, "status": 401}, times=3)
    here.send({"url": "/orders", "headers": browser})
    found = here.known("GET /orders", 10)
    assert (found["status"], found["coverage"], found["refused"], found["types"]) == ("partial", 60.0, 3, ["bearer"])
    assert found["without"]["requests"] == 4
    assert {one["family"]: one["requests"] for one in found["without"]["clients"]} == {"curl": 3, "firefox": 1}
    assert (found["without"]["statuses"]["4xx"], found["without"]["statuses"]["2xx"]) == (3, 1)
    assert time.time() - 600 < found["without"]["since"] <= time.time()
    assert (len(found["series"]), sum(hour["requests"] for hour in found["series"])) == (168, 10)
    assert found["badges"] == ["new"]


def test_operations_of_each_protocol_are_endpoints(here: Installation) -> None:
    """Six times each: a path is known after three requests, and an operation on it after three more."""
    typed = {"Content-Type": "application/json", **BEARER}
    soap = {"Content-Type": "text/xml", "SOAPAction": '"urn:tea#Brew"'}
    grpc = {"Content-Type": "application/grpc", "TE": "trailers", **BEARER}
    envelope = '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><Brew/></s:Body></s:Envelope>'
    queries = [json.dumps({"query": query}) for query in ("query Teas { teas }", "mutation Buy { buy(key: 7) }")]
    messages: list[dict[str, Any]] = [{"url": "/graphql", "headers": typed, "body": query} for query in queries]
    messages += [{"url": "/soap", "headers": soap, "body": envelope}, {"url": "/tea.Shop/Brew", "headers": grpc}]
    here.send(*({"method": "POST", **one} for one in messages), times=6)

    def found() -> set[tuple[str, str, str | None, int]]:
        seen = (one for one in here.listed().values() if one["protocol"] != "rest")
        return {(one["protocol"], one["path"], one["operation"], one["requests"]) for one in seen}

    wanted = {
        ("graphql", "/graphql", "query Teas", 6),
        ("graphql", "/graphql", "mutation Buy", 6),
        ("soap", "/soap", "Brew", 6),
        ("grpc", "/tea.Shop/Brew", None, 6),
    }
    wait_until(found, lambda seen: seen == wanted, PATIENCE)


def test_weak_credentials_are_noted_without_their_value(here: Installation) -> None:
    unsigned = jwt({"alg": "none"}, {"sub": "ann-of-the-teas"})
    key = "k7Qm2VxR9pLt4ZsW"
    here.send({"url": "/weak/jwt", "headers": {"Authorization": f"Bearer {unsigned}"}}, times=4)
    here.send({"url": f"/weak/query?api_key={key}"}, times=4)
    pair = base64.b64encode(b"ann:a-password-of-hers").decode()
    plain = {"url": "/weak/basic", "scheme": "http", "headers": {"Authorization": f"Basic {pair}"}}
    here.send(plain, times=4)
    for address in range(6):
        here.send({"url": "/weak/shared", "headers": BEARER, "client": f"198.51.100.{address}"}, times=2)
    wanted = {
        "jwt": {"jwt_alg_none", "jwt_without_exp"},
        "query": {"credential_in_query"},
        "basic": {"basic_without_tls"},
        "shared": {"shared_secret"},
    }
    for name, kinds in wanted.items():
        found = here.known(f"GET /weak/{name}", 12 if name == "shared" else 4)
        assert {note["kind"] for note in found["notes"]} == kinds, name
        for secret in (unsigned, unsigned.split(".")[1], key, pair, BEARER["Authorization"]):
            assert secret not in json.dumps(found)


def test_a_custom_parameter_counts_once_it_is_heard_of_and_earlier_counts_stay(here: Installation) -> None:
    mine = {"url": "/custom", "headers": {"X-Tea-Pass": "9f8a7b6c5d"}}
    here.send(mine, times=4)
    assert here.known("GET /custom", 4)["status"] == "missing"
    here.ask("POST", here.parameters, json={"point": [["header", "X-TEA-PASS"]]})
    here.send_until(
        {**mine, "url": "/custom/heard"}, lambda seen: seen.get("GET /custom/heard", {}).get("authenticated")
    )
    here.send(mine, times=4)
    found = here.known("GET /custom", 8)
    assert (found["status"], found["authenticated"], found["types"]) == ("partial", 4, ["api_key"])
    assert found["parameters"][0]["key"] == "X-TEA-PASS"
    assert [(one["from"], one["to"]) for one in found["history"]] == [("missing", "partial")]


def test_identifiers_become_templates_and_a_pin_makes_one_of_many(here: Installation) -> None:
    here.send(*({"url": f"/teas/{number}/leaves"} for number in range(1, 9)))
    here.known("GET /teas/{tea_id}/leaves", 8)
    for name in ("assam", "sencha"):
        here.send({"url": f"/sorts/{name}"}, times=3)
    old = here.known("GET /sorts/assam", 3)["id"]
    here.known("GET /sorts/sencha", 3)
    here.ask("POST", "/v1/template_rules", json={"kind": "pin", "template": "/sorts/{sort}", "host": HOST})
    found = here.known("GET /sorts/{sort}", 6)
    assert not {"GET /sorts/assam", "GET /sorts/sencha"} & set(here.listed())
    redirected = here.ask("GET", f"/v1/endpoints/{old}")
    assert (redirected["id"], redirected["redirected_from"]) == (found["id"], old)
    here.ask("POST", "/v1/template_rules", json={"kind": "pin", "template": "/heard/{pin}", "host": HOST})
    here.send_until({"url": "/heard/sorts"}, lambda seen: "GET /heard/{pin}" in seen)
    here.send({"url": "/sorts/oolong"})
    here.known("GET /sorts/{sort}", 7)


def test_a_document_shows_what_it_leaves_out_and_what_nobody_calls(here: Installation) -> None:
    host = "documented.example"
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Teas", "version": "1"},
        "servers": [{"url": f"https://{host}"}],
        "paths": {"/members/{name}": {"get": {}}, "/heard/{name}": {"get": {}}, "/forgotten": {"post": {}}},
    }
    here.ask("POST", "/v1/api_documents?name=teas", json=document)

    def states() -> dict[str, str]:
        return {one["path"]: one["document"] for one in here.ask("GET", f"/v1/endpoints?host={host}")["objects"]}

    def heard() -> dict[str, str]:
        here.send({"host": host, "url": "/heard/ann"})
        return states()

    wait_until(heard, lambda seen: seen.get("/heard/{name}") == "documented", PATIENCE)
    here.send(*({"host": host, "url": url} for url in ("/members/ann", "/members/bob", *["/debug"] * 4)))
    wanted = {"/members/{name}": "documented", "/debug": "shadow", "/forgotten": "unused"}
    wait_until(states, lambda seen: wanted.items() <= seen.items(), PATIENCE)
    assert {path for path, state in states().items() if not path.startswith("/heard")} == set(wanted)
    shadow = here.ask("GET", f"/v1/endpoints?host={host}&document=shadow")["objects"]
    assert "/debug" in [one["path"] for one in shadow]


def test_a_public_mark_leaves_the_alarms_until_it_expires(here: Installation) -> None:
    here.send({"url": "/prices"}, times=4)
    one = here.known("GET /prices", 4)["id"]
    until = int(time.time()) + 4
    wish = {"endpoint_id": one, "reason": "a price list", "owner": "shop", "expires_at": until}
    here.ask("POST", "/v1/public_marks", json=wish)
    alarms, shown = here.listed("type=none"), here.listed()["GET /prices"]
    if time.time() < until:  # else the machine is too slow to see it
        assert "GET /prices" not in alarms
        assert shown["public"] is True
    wait_until(lambda: here.listed("type=none"), lambda seen: "GET /prices" in seen, PATIENCE)
    assert time.time() >= until
