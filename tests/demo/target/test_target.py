"""The tea shop over real HTTP: its flaws can be exploited, its twins cannot, its guards hold."""

import base64
import json
import socket
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest

from gatecrash.demo.target.expectations import ENDPOINTS, FLAWS, TWINS
from gatecrash.demo.target.routes import ROUTES
from gatecrash.demo.target.store import API_KEY, USERS


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with subprocess.Popen(
        [sys.executable, "-m", "gatecrash.demo.target"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["address"]
        process.communicate(timeout=10)
    assert process.returncode == 0, "the shop ends when its standard input closes"


@pytest.fixture(scope="module")
def visitor(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, trust_env=False) as client:
        yield client


@pytest.fixture(scope="module")
def ada(address: str, visitor: httpx.Client) -> Iterator[httpx.Client]:
    login, password = USERS[0]
    token = visitor.post("/login", json={"login": login, "password": password}).json()["token"]
    with httpx.Client(base_url=address, headers={"Authorization": f"Bearer {token}"}, trust_env=False) as client:
        yield client


def basic(login: str, password: str) -> dict[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(f"{login}:{password}".encode()).decode()}


def test_every_operation_has_an_expectation_and_nothing_else_has() -> None:
    operations = {(route.method, route.path) for route in ROUTES}
    assert {(one.method, one.path) for one in ENDPOINTS} == operations
    assert {(one.method, one.path) for one in FLAWS} <= operations
    assert {(one.method, one.path) for one in TWINS} <= operations - {(one.method, one.path) for one in FLAWS}


def test_a_quoted_string_can_be_broken_out_of(ada: httpx.Client) -> None:
    broken = ada.get("/teas/by-origin", params={"origin": "Japan'"})
    assert (broken.status_code, "sqlite3.OperationalError" in broken.text) == (500, True)
    names = [len(ada.get("/teas/by-origin", params={"origin": f"Japan' AND '1'='{n}"}).json()["teas"]) for n in (1, 2)]
    assert names == [3, 0]
    union = "x' UNION SELECT id, login, hex(digest) FROM customers --"
    assert {"ada", "grace"} == {
        row["name"] for row in ada.get("/teas/by-origin", params={"origin": union}).json()["teas"]
    }


def test_a_number_without_quotes_can_be_extended(ada: httpx.Client) -> None:
    assert ada.get("/reviews", params={"tea_id": "1'"}).status_code == 500
    counts = [len(ada.get("/reviews", params={"tea_id": f"1 AND 1={n}"}).json()["reviews"]) for n in (1, 2)]
    assert counts == [2, 0]


def test_a_blind_injection_shows_only_what_is_true(ada: httpx.Client) -> None:
    answers = [ada.get("/tastings", params={"city": f"Kyoto' AND '1'='{n}"}).json()["tastings"] for n in (1, 2)]
    assert [len(answer) for answer in answers] == [2, 0]
    broken = ada.get("/tastings", params={"city": "Kyoto'"})
    assert (broken.status_code, broken.json()) == (200, {"tastings": []})


def test_the_injection_cannot_write(ada: httpx.Client) -> None:
    before = ada.get("/teas").json()
    assert ada.get("/reviews", params={"tea_id": "1; DELETE FROM teas"}).status_code == 500
    assert ada.get("/teas").json() == before


@pytest.mark.parametrize(
    ("path", "name", "good", "key"),
    [("/suppliers", "country", "Japan", "suppliers"), ("/greetings", "name", "Ada", "greeting")],
)
def test_a_twin_treats_sql_as_text(ada: httpx.Client, path: str, name: str, good: str, key: str) -> None:
    assert ada.get(path, params={name: good}).json()[key]
    answers = [ada.get(path, params={name: good + odd}) for odd in ("'", "' AND '1'='1", "' AND '1'='2")]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert "sqlite3" not in "".join(answer.text for answer in answers)
    assert len({len(answer.json()[key]) for answer in answers[1:]}) == 1


@pytest.mark.parametrize(
    ("path", "name", "good", "status"), [("/shipments", "ref", "SH-1001", 403), ("/invoices", "number", "1", 500)]
)
def test_a_twin_refuses_odd_input_whatever_its_meaning(
    ada: httpx.Client, path: str, name: str, good: str, status: int
) -> None:
    assert ada.get(path, params={name: good}).status_code == 200
    answers = [ada.get(path, params={name: good + odd}) for odd in ("'", "' AND '1'='1", " AND 1=2")]
    assert {(answer.status_code, answer.text) for answer in answers} == {(status, answers[0].text)}
    assert "sqlite3" not in answers[0].text


def test_a_json_body_is_bound(ada: httpx.Client) -> None:
    assert ada.post("/quotes", json={"tea": "Sencha", "grams": 200}).json()["cents"] == 1780
    assert ada.post("/quotes", json={"tea": "Sencha' AND '1'='1", "grams": 200}).status_code == 404
    assert ada.post("/quotes", json={"tea": "Sencha", "grams": True}).status_code in {200, 400}
    assert ada.post("/quotes", content=b"{").status_code == 400


def test_one_operation_never_looks_at_the_token_it_asks_for(ada: httpx.Client, visitor: httpx.Client) -> None:
    documented = visitor.get("/openapi.json").json()["paths"]["/customers/{customer_id}"]["get"]["security"]
    assert documented == [{"bearer": []}]
    assert ada.get("/customers/1").json() == visitor.get("/customers/1").json()


def test_the_wallet_wants_a_real_token(ada: httpx.Client, visitor: httpx.Client) -> None:
    assert ada.get("/wallet").json()["wallet"]["name"] == "Ada"
    garbled = {"Authorization": "Bearer abcdefghijklmnop"}
    assert [visitor.get("/wallet").status_code, visitor.get("/wallet", headers=garbled).status_code] == [401, 401]


def test_settings_refuse_with_status_200(ada: httpx.Client, visitor: httpx.Client) -> None:
    refused = visitor.get("/settings")
    assert (refused.status_code, refused.json()) == (200, {"ok": False, "error": "login_required"})
    assert ada.get("/settings").json()["ok"] is True


def test_an_order_is_shown_to_its_owner_only(ada: httpx.Client) -> None:
    own = ada.get("/orders").json()["orders"][0]["id"]
    assert ada.get(f"/orders/{own}").status_code == 200
    assert ada.get(f"/orders/{own + 1}").status_code == 404


def test_members_see_another_price(ada: httpx.Client, visitor: httpx.Client) -> None:
    assert "member_cents" in ada.get("/teas").json()["teas"][0]
    assert "member_cents" not in visitor.get("/teas").json()["teas"][0]


def test_the_key_and_the_password_are_checked(visitor: httpx.Client) -> None:
    assert visitor.get("/stock").status_code == 401
    assert visitor.get("/stock", headers={"X-API-Key": API_KEY}).status_code == 200
    assert visitor.get("/reports/daily", headers=basic("ada", "wrong")).status_code == 401
    assert visitor.get("/reports/daily", headers={"Authorization": "Basic !"}).status_code == 401
    assert visitor.get("/reports/daily", headers=basic(*USERS[0])).status_code == 200


def test_a_wrong_password_signs_nobody_in(visitor: httpx.Client) -> None:
    assert visitor.post("/login", json={"login": "ada", "password": "x"}).status_code == 401


def test_unknown_paths_and_methods_are_told_apart(visitor: httpx.Client) -> None:
    assert visitor.get("/nowhere").status_code == 404
    assert (visitor.put("/teas").status_code, visitor.put("/teas").headers["Allow"]) == (405, "GET")


def test_one_connection_carries_pipelined_requests(address: str) -> None:
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=5) as connection:
        connection.sendall(
            b"GET /health HTTP/1.1\r\nHost: t\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n"
        )
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    assert answer.index(b"HTTP/1.1 200 OK") < answer.index(b"HTTP/1.1 404 Not Found")


def test_what_is_no_http_is_answered_with_400_and_a_close(address: str) -> None:
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=5) as connection:
        connection.sendall(b"nonsense\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 400 ")


def test_a_large_body_is_refused(visitor: httpx.Client) -> None:
    assert visitor.post("/quotes", content=b"x" * (1 << 20 | 1)).status_code == 413
