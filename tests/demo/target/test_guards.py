"""Keys, passwords and tokens are really checked."""

import base64

import httpx

from gatecrash.demo.target.store import API_KEY, USERS


def basic(login: str, password: str) -> dict[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(f"{login}:{password}".encode()).decode()}


def test_the_key_and_the_password_are_checked(visitor: httpx.Client) -> None:
    assert visitor.get("/stock").status_code == 401
    assert visitor.get("/stock", headers={"X-API-Key": API_KEY}).status_code == 200
    assert visitor.get("/reports/daily", headers=basic("ada", "wrong")).status_code == 401
    assert visitor.get("/reports/daily", headers={"Authorization": "Basic !"}).status_code == 401
    assert visitor.get("/reports/daily", headers=basic(*USERS[0])).status_code == 200
