"""Accounts that a test makes for itself, at a desk that registers them."""

from collections.abc import Generator
from random import Random
from typing import Any

import pytest
from tests.core.testing.desk_of_accounts import Desk, checks_of, posted

from gatecrash.core.message import Exchange, Response
from gatecrash.core.testing.authorization.callers.account_endpoints import LOGIN, AccountRequest
from gatecrash.core.testing.dialogues.fresh_accounts import entered, name_for, pairs_of, registered
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.probes.auth_unproven import PROBE


def _driven(dialogue: Generator[Any, Answer, Any], desk: Desk) -> Any:
    try:
        asked = next(dialogue)
        while True:
            asked = dialogue.send(Answer(Exchange(asked.request, desk(asked.request))))
    except StopIteration as ended:
        return ended.value


def _situation(desk: Desk, *beside: str):
    request = posted("/nothing/forgot", email="ann@example.org", new_password="quiet-river-8")
    (check,) = checks_of(request, desk, PROBE, beside=beside or ("register", "login"))
    return check.situation(Random(7))


def test_a_fresh_account_is_let_in_by_its_own_password_alone():
    desk = Desk()
    situation = _situation(desk)
    ((registration, entrance),) = pairs_of(situation)
    assert (registration.path, entrance.path) == (b"/nothing/register", b"/nothing/login")
    made = _driven(registered(situation, registration), desk)
    assert made.account.value in desk.passwords
    assert made.password == desk.passwords[made.account.value] == "first-snow-3"
    assert _driven(entered(entrance, made), desk) is not None
    assert _driven(entered(entrance, made, "another-one-9"), desk) is None


def test_an_account_enters_where_others_were_let_in_whatever_the_address_says():
    desk = Desk()
    situation = _situation(desk, "register", "enter")
    ((registration, entrance),) = pairs_of(situation)
    assert entrance.path == b"/nothing/enter"
    made = _driven(registered(situation, registration), desk)
    assert _driven(entered(entrance, made), desk) is not None
    assert _driven(entered(entrance, made, "another-one-9"), desk) is None


def test_nobody_is_registered_where_the_desk_refuses():
    desk = Desk()
    situation = _situation(desk)
    registration = posted("/closed/register", email="bea@example.org", password="first-snow-3")
    assert _driven(registered(situation, registration), desk) is None


@pytest.mark.parametrize(("status", "made"), [(303, True), (302, True), (409, False), (500, False)])
def test_whoever_is_sent_on_to_the_login_may_have_an_account_now(status: int, made: bool):
    desk = Desk()
    situation = _situation(desk)
    ((registration, _),) = pairs_of(situation)
    sent_on = Response(status, ((b"Location", b"/login"),))
    assert (_driven(registered(situation, registration), lambda _request: sent_on) is not None) is made


def test_the_login_is_given_the_field_that_is_called_as_its_own():
    desk = Desk()
    situation = _situation(desk)
    ((registration, _),) = pairs_of(situation)
    made = _driven(registered(situation, registration), desk)
    asked = AccountRequest(LOGIN, ("post", "json_doc", "json_obj", "login"), "ann@example.org", None)
    assert name_for(asked, made) == made.account.value
    assert "@" in name_for(asked, made)
