"""A customer's own things over real HTTP: one is given to anybody, its twins are not."""

import httpx


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


def test_a_wrong_password_signs_nobody_in(visitor: httpx.Client) -> None:
    assert visitor.post("/login", json={"login": "ada", "password": "x"}).status_code == 401


def test_the_club_takes_any_token_and_its_twin_takes_none_but_real_ones(
    ada: httpx.Client, visitor: httpx.Client
) -> None:
    garbled = {"Authorization": "Bearer abcdefghijklmnop"}
    for path, with_garbled in (("/club/loyalty", 200), ("/club/membership", 401)):
        assert ada.get(path).status_code == 200
        assert (
            visitor.get(path).status_code == visitor.get(path, headers={"Authorization": "Bearer"}).status_code == 401
        )
        assert visitor.get(path, headers=garbled).status_code == with_garbled
