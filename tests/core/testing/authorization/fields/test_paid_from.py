"""Which field of a request says what it takes from."""

import json

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.authorization.fields.paid_from import source_of
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.surroundings.pages import Pages

JSON = ((b"Content-Type", b"application/json"),)
SHOWN = b'[{"id": 70311, "iban": "GB33055488433"}]'


def posted(path: bytes, **fields: object) -> Request:
    return Request("POST", path, JSON, json.dumps(fields).encode())


def listed(path: bytes, body: bytes = SHOWN) -> list[Page]:
    pages = Pages()
    pages.add(Exchange(Request("GET", path, ()), Response(200, JSON, body)))
    return pages.beside(posted(b"/transfers"))


@pytest.mark.parametrize(
    ("path", "fields", "list_", "name"),
    [
        (b"/transfers", {"fromAccount": 70311}, b"/accounts", "fromAccount"),
        (b"/transfers", {"source_account_id": "70311"}, b"/my/accounts", "source_account_id"),
        (b"/transfers", {"from": "GB33055488433"}, b"/accounts", "from"),
        (b"/transfers", {"from": "GB33055488433"}, b"/my/wallets", "from"),
        (b"/transfers", {"fromAccount": 70311}, b"/wallets", ""),
        (b"/payments", {"card_id": 70311}, b"/cards", "card_id"),
        (b"/transfers", {"toAccount": 70311}, b"/accounts", ""),
        (b"/transfers", {"fromAccount": 70999}, b"/accounts", ""),
        (b"/transfers", {"fromAccount": 70311}, b"/orders", ""),
        (b"/transfers", {"fromAccount": 70311}, b"/accounts/70311", ""),
        (b"/payment-requests", {"fromAccount": 70311}, b"/accounts", ""),
        (b"/payouts", {"fromCredit": 70311}, b"/credits", "fromCredit"),
        (b"/payouts", {"fromCredit": 70311}, b"/orders", ""),
        (b"/trips", {"from": "Delft"}, b"/accounts", ""),
        (b"/boxes/70311/send", {"to": 4, "amount": 2}, b"/boxes", "1"),
        (b"/accounts/70311/transfers", {"to": 4, "amount": 2}, b"/accounts", "1"),
        (b"/boxes/70311/send", {"to": 4, "amount": 2}, b"/orders", ""),
        (b"/boxes/70999/send", {"to": 4, "amount": 2}, b"/boxes", ""),
        (b"/boxes/70311/send", {"to": 4}, b"/boxes", ""),
        (b"/boxes/70311/entries", {"to": 4, "amount": 2}, b"/boxes", ""),
    ],
)
def test_it_is_told_by_its_name_and_a_list_of_such_things(path, fields, list_, name):
    source = source_of(posted(path, **fields), listed(list_))
    assert (source.found.point[-1] if source else "") == name


@pytest.mark.parametrize(
    ("list_", "own", "name"),
    [
        (b"/points", {"70311"}, "from_user_id"),
        (b"/api/me", {"70311"}, "from_user_id"),
        (b"/points", {"70312"}, ""),
        (b"/friends", {"70311"}, ""),
    ],
)
def test_people_are_taken_from_by_their_own_number_where_a_page_tells_them_what_they_have(list_, own, name):
    source = source_of(posted(b"/gifts", from_user_id=70311, points=5), listed(list_), own)
    assert (source.found.point[-1] if source else "") == name
