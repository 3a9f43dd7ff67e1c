"""The catalogue over real HTTP: its injections can be exploited, their twins cannot."""

import httpx
import pytest


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


def test_members_see_another_price(ada: httpx.Client, visitor: httpx.Client) -> None:
    assert "member_cents" in ada.get("/teas").json()["teas"][0]
    assert "member_cents" not in visitor.get("/teas").json()["teas"][0]


COUNTING = "(WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM a WHERE n<800001) SELECT MAX(n) FROM a)>0"


def test_a_wish_shows_nothing_but_the_time_it_takes(ada: httpx.Client) -> None:
    answers = [
        ada.get("/wishes", params={"tea": tea})
        for tea in ("Sencha", "Sencha'", "Sencha' AND '1'='2", f"x'||CASE WHEN {COUNTING} THEN '' END||'")
    ]
    assert {(answer.status_code, answer.text) for answer in answers} == {(200, '{"wish":"noted"}')}
    assert answers[-1].elapsed.total_seconds() > 0.3, "152 stops of two milliseconds, however fast the machine"


def test_a_parcel_takes_no_time_that_it_is_asked_for(ada: httpx.Client) -> None:
    payload = f"x'||CASE WHEN {COUNTING.replace('800001', '99000001')} THEN '' END||'"
    assert ada.get("/parcels", params={"tea": payload}, timeout=4).json() == {"parcel": "on its way"}
