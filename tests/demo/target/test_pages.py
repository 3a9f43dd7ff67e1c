"""The shop's pages over real HTTP: markup gets into two of them, and into no twin; a session is needed for an account."""

from collections.abc import Iterator

import httpx
import pytest
from tests.plain_http import PLAIN

from gatecrash.demo.target.guards import COOKIE
from gatecrash.demo.target.store import USERS

MARKUP = "tea<i onclick=alert()>"
QUOTE = 'Mary" onclick=alert() x="'


@pytest.fixture
def browser(address: str) -> Iterator[httpx.Client]:
    login, password = USERS[0]
    with httpx.Client(base_url=address, **PLAIN) as client:
        assert client.post("/session", data={"login": login, "password": password}).status_code == 200
        yield client


def test_a_sought_word_stands_in_the_page_as_it_came(visitor: httpx.Client) -> None:
    answer = visitor.get("/pages/search", params={"q": MARKUP})
    assert answer.headers["Content-Type"].startswith("text/html")
    assert f"<p>You looked for {MARKUP}</p>" in answer.text


def test_a_quote_leaves_its_attribute_and_an_element_cannot_begin(visitor: httpx.Client) -> None:
    assert f'value="{QUOTE}"' in visitor.get("/pages/gift", params={"name": QUOTE}).text
    assert "<i" not in visitor.get("/pages/gift", params={"name": MARKUP}).text.replace("<input", "")


def test_the_twins_escape_for_the_place_the_value_stands_in(visitor: httpx.Client) -> None:
    assert "tea&lt;i onclick=alert()&gt;" in visitor.get("/pages/find", params={"q": MARKUP}).text
    assert 'value="Mary&quot; onclick=alert() x=&quot;"' in visitor.get("/pages/voucher", params={"name": QUOTE}).text


def test_a_card_gives_markup_back_as_json(ada: httpx.Client) -> None:
    answer = ada.post("/paper/cards", json={"text": "<b>Happy birthday</b>"})
    assert answer.json()["card"] == "<b>Happy birthday</b>"
    assert "<b>" in answer.text
    assert answer.headers["Content-Type"] == "application/json"


def test_a_search_finds_what_it_is_asked_for(visitor: httpx.Client) -> None:
    assert visitor.get("/pages/search", params={"q": "sen"}).text.count("<li>") == 1


def test_a_sign_in_issues_a_session_that_scripts_cannot_read(browser: httpx.Client, visitor: httpx.Client) -> None:
    login, password = USERS[0]
    issued = visitor.post("/session", data={"login": login, "password": password}).headers["Set-Cookie"]
    assert issued.startswith(f"{COOKIE}=")
    assert "HttpOnly" in issued
    visitor.cookies.clear()
    assert "Ada" in browser.get("/account").text
    assert browser.get("/account/orders").text.count("<li>") == 20


@pytest.mark.parametrize("path", ["/account", "/account/orders"])
@pytest.mark.parametrize("cookie", [{}, {"Cookie": f"{COOKIE}=abcdefghijklmnop"}, {"Cookie": f"{COOKIE}="}])
def test_without_a_session_an_account_leads_to_the_sign_in(address: str, path: str, cookie: dict[str, str]) -> None:
    answer = httpx.get(address + path, headers=cookie, **PLAIN)
    assert (answer.status_code, answer.headers["Location"], answer.text) == (303, "/pages/sign-in", "")
    assert "password" in httpx.get(address + answer.headers["Location"], **PLAIN).text


def test_a_wrong_password_starts_no_session(visitor: httpx.Client) -> None:
    answer = visitor.post("/session", data={"login": "ada", "password": "x"})
    assert (answer.status_code, "Set-Cookie" in answer.headers) == (401, False)
