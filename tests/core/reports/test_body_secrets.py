"""Passwords that were recorded are shown nowhere, whatever a test put behind them."""

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.reports.body_secrets import exchange_without, secrets_of, words_without

FORM = b"application/x-www-form-urlencoded"


def login(body: bytes, kind: bytes = FORM) -> Request:
    return Request("POST", b"/login", ((b"Content-Type", kind),), body, "http", "shop.test", 80)


def test_the_password_of_a_form_is_found_behind_a_payload_in_any_escape() -> None:
    secrets = secrets_of(login(b"user=ann&password=won%20der%2111"))
    test = Exchange(login(b"user=ann%27&password=won+der%2111%27--"), Response(200, (), b"no won der!11"))
    shown = exchange_without(test, secrets)
    assert shown.request.body == b"user=ann%27&password=$TOKEN%27--"
    assert shown.response is not None
    assert shown.response.body == b"no $TOKEN"


def test_the_token_that_a_login_answers_is_hidden_with_its_password() -> None:
    request = login(b'{"name": "ann", "password": "wonder11"}', b"application/json")
    shown = exchange_without(Exchange(request, Response(200, (), b'{"token": "eyJhbGciOi"}')), secrets_of(request))
    assert shown.request.body == b'{"name": "ann", "password": "$TOKEN"}'
    assert shown.response is not None
    assert shown.response.body == b'{"token": "$TOKEN"}'


def test_what_holds_no_secret_is_shown_as_it_is() -> None:
    request = login(b"note=wonder11&pin=1")
    exchange = Exchange(request, Response(200, (), b'{"password_hash": "abcd"}'))
    assert exchange_without(exchange, secrets_of(request)) is exchange


def test_the_sentence_of_a_proof_quotes_no_password() -> None:
    assert words_without('The input "wonder11\'" broke', login(b"password=wonder11")) == 'The input "$TOKEN\'" broke'


def test_the_session_that_a_call_carries_is_hidden_where_it_looks_like_one() -> None:
    carried = b'{"method": "tool.get", "auth": "%s", "session": "spring term", "author": "0424bd59b807674191e7d7"}'
    request = login(carried % b"0424bd59b807674191e7d77572075f33", b"application/json")
    assert exchange_without(Exchange(request), secrets_of(request)).request.body == carried % b"$TOKEN"
