"""What people keep to themselves is known by the names of fields and labels; of several people it is nobody's to list."""

import pytest
from tests.range.place import answer, page

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.owners.private_fields import (
    contacts_of_several,
    is_private,
    secret_of_several,
)
from gatecrash.core.testing.oracles.leaves import leaves


def test_what_people_keep_to_themselves_and_what_no_directory_shows():
    assert is_private(answer({"email": "ann@example.com"}))
    assert not is_private(answer({"email": "ann@example.com"}), strictly=True)
    assert is_private(answer({"payoutIban": "x"}))
    assert is_private(answer({"iban_number": "x"}))
    assert is_private(answer({"healthNotes": "asthma"}), strictly=True)
    assert not is_private(answer({"health": "ok", "allergens": "nuts"}))
    assert not is_private(answer({"caribanne": "x"}))
    assert is_private(answer({"secret": "x"}), strictly=True)
    assert is_private(answer({"private_notes": "x"}), strictly=True)
    assert is_private(answer({"hidden_text": "x"}))
    assert is_private(answer({"hiddenText": "x"}), strictly=True)
    assert is_private(answer({"confidential_memo": "x"}))
    assert not is_private(answer({"hidden_fields": "x", "hidden": "no", "forbidden_text": "x"}))
    assert is_private(answer({"secretKey": "x"}), strictly=True)
    assert is_private(answer({"creditBalance": "12"}), strictly=True)
    assert not is_private(answer({"load_balancer": "on", "secretary": "Ann", "tokenizer": "bpe", "accreditation": "A"}))
    assert not is_private(answer({"private_repositories": 7}), strictly=True)
    assert not is_private(answer({"seller": {"email": "Ann@example.com"}}), frozenset({"ann@example.com"}))
    assert not is_private(answer({"email": "", "title": "Lamp"}))
    assert not is_private(answer({"private": False, "title": "Lamp"}))
    assert is_private(answer({"private": True, "title": "Lamp"}))
    assert not is_private(answer({"fields": [{"fullName": "reason", "needs_email": True, "passwordLogin": False}]}))


def test_pages_show_private_values_with_their_names():
    account = page("<dl><dt>E-mail address</dt><dd>ann@x.example</dd><dt>Card number</dt><dd>4000</dd></dl>")
    assert {leaf.path for leaf in leaves(account)} == {("e_mail_address",), ("card_number",)}
    assert is_private(account, frozenset({"ann@x.example"}))
    assert not is_private(page("<dl><dt>Branch</dt><dd>Elm Street</dd></dl>"))


@pytest.mark.parametrize(
    ("body", "secret"),
    [
        (b'{"people": [{"id": 1, "salary": 10}, {"id": 2, "salary": 20}]}', "salary"),
        (b'[{"email": "a@b.c", "balance": 1}, {"email": "d@e.f", "balance": 2}]', "balance"),
        (b'[{"email": "a@b.c", "hourlyWage": 14}, {"email": "d@e.f", "hourlyWage": 15}]', "hourlyWage"),
        (b'[{"email": "a@b.c", "wager": 14}, {"email": "d@e.f", "wager": 15}]', ""),
        (b'[{"email": "a@b.c", "balance": 1}]', ""),
        (b'{"cards": [{"card": "blue", "credit": 1}, {"card": "gold", "credit": 2}]}', ""),
        (b'{"accounts": [{"iban": "A", "balance": 1}, {"iban": "B", "balance": 2}]}', ""),
        (b'[{"email": "a@b.c", "city": "X"}, {"email": "d@e.f", "city": "Y"}]', ""),
    ],
    ids=["salaries", "balances", "wages", "bets", "one's own", "a price list", "one's own accounts", "a directory"],
)
def test_secrets_of_several_people_are_nobodys_to_list(body, secret):
    assert secret_of_several(Response(200, (), body)) == secret


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ([{"email": "a@a.example", "role": "customer"}, {"email": "b@a.example", "role": "customer"}], "email"),
        ({"patients": [{"phone": "+44 1"}, {"phone": "+44 2"}]}, "phone"),
        ({"patients": [{"phone": "+44 1"}]}, ""),
        ([{"email": "a@a.example", "role": "editor"}, {"email": "b@a.example", "role": "owner"}], ""),
        ({"branches": [{"phone": "+44 1"}, {"phone": "+44 2"}]}, ""),
        ({"customers": [{"name": "ann"}, {"name": "ben"}]}, ""),
    ],
)
def test_how_to_reach_several_customers_is_told_apart_from_a_list_of_colleagues(document, told):
    assert contacts_of_several(answer(document)) == told
