"""What a registration's refusals ask for is sent, and nothing that none of them names."""

import asyncio
import json
from typing import Any

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.probe import Answer
from gatecrash.node.scan.accounts.registering import Registering, made_up, told

JSON = ((b"Host", b"x"), (b"Content-Type", b"application/json"))
SHOWN = {"login": "string", "pw": "string", "mail": "string"}


def registration(body: Any) -> Request:
    return Request("POST", b"/accounts", JSON, json.dumps(body).encode(), "http", "127.0.0.1", 9)


class Clinic:
    """Makes accounts of whoever says his name and what he is. tells: whether its refusals name what is wrong."""

    def __init__(self, *, tells: bool = True) -> None:
        self.made: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        self._tells = tells

    async def send(self, request: Request) -> Answer:
        """The answer, at once."""
        await asyncio.sleep(0)
        given = json.loads(request.body)
        self.asked.append(given)
        wrong = self._wrong(given)
        if not wrong:
            self.made.append(given)
        said = {"message": wrong if self._tells else "no"} if wrong else {"id": len(self.made)}
        return Answer(Exchange(request, Response(422 if wrong else 201, JSON[1:], json.dumps(said).encode())))

    def _wrong(self, given: dict[str, Any]) -> str:
        if not given.get("full_name"):
            return "full_name is required"
        return "" if given.get("kind") in ("keeper", "vet") else "kind must be one of: keeper, vet"


def test_fields_that_refusals_name_are_sent_with_a_value_that_they_tell() -> None:
    clinic, registering = Clinic(), Registering({})
    request = registration({**SHOWN, "kind": "example"})
    found = asyncio.run(registering.account(request, clinic.send))
    assert found is not None
    account, _ = found
    assert (clinic.made[0]["login"], clinic.made[0]["pw"], clinic.made[0]["mail"]) == (
        account.user,
        account.password,
        account.mail,
    )
    assert (bool(clinic.made[0]["full_name"]), clinic.made[0]["kind"]) == (True, "keeper")
    assert len(clinic.asked) == 3


def test_an_account_is_called_as_the_login_calls_it() -> None:
    clinic, registering = Clinic(), Registering({})
    request = registration({"callsign": "x", "pw": "x", "full_name": "Ann", "kind": "vet"})
    found = asyncio.run(registering.account(request, clinic.send, {"callsign"}))
    assert found is not None
    assert clinic.made[0]["callsign"] == found[0].user
    assert registering.enrolling(request, found[0]).body == json.dumps(clinic.made[0]).encode()


def test_one_field_after_the_other_is_followed_to_the_last() -> None:
    class Careful(Clinic):
        """Tells one thing at a time: three fields that are missing, each of which has a form of its own."""

        def _wrong(self, given: dict[str, Any]) -> str:
            lacking = next((f"{name} is required" for name in ("terms", "city", "days") if name not in given), "")
            if given.get("terms", True) is not True:
                return "terms must be accepted"
            if given.get("city", "Bern") != "Bern":
                return "city must be one of Bern, Chur"
            return lacking

    clinic = Careful()
    assert asyncio.run(Registering({}).account(registration(SHOWN), clinic.send)) is not None
    assert {name: clinic.made[0][name] for name in ("terms", "city")} == {"terms": True, "city": "Bern"}
    assert len(clinic.asked) == 6


def test_the_next_account_is_made_at_once_and_is_another() -> None:
    clinic, registering = Clinic(), Registering({})
    request = registration({**SHOWN, "kind": "example"})
    for _ in range(2):
        assert asyncio.run(registering.account(request, clinic.send)) is not None
    assert len(clinic.asked) == 4
    assert clinic.made[0]["login"] != clinic.made[1]["login"]
    assert json.loads(registering.allowed(request).body)["kind"] == "keeper"


@pytest.mark.parametrize("shown", [SHOWN, {**SHOWN, "full_name": "Ann"}])
def test_nothing_is_made_up_where_a_refusal_names_nothing(shown: dict[str, str]) -> None:
    clinic, registering = Clinic(tells=False), Registering({})
    assert asyncio.run(registering.account(registration(shown), clinic.send)) is None
    assert [set(one) for one in clinic.asked] == [set(shown)] * 2
    assert registering.trouble == "POST /accounts makes no account: it is answered 422"


def test_an_account_is_nobodys_else_and_a_request_is_told_by_its_path() -> None:
    assert made_up().user != made_up().user
    assert made_up(like=registration(SHOWN)).password == "string"
    assert told(registration(SHOWN)) == "POST /accounts"
