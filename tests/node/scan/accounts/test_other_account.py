"""Whom a refused request is sent for instead, where its refusal asks for somebody else."""

import json

import msgspec
import pytest
from tests.node.loop import run
from tests.node.scan.drafts.shops import in_json
from tests.node.scan.drafts.test_obtaining import draft, obtained

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.profiles.profile import AuthProfile, ProfileIdentity
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.scan.accounts.other_account import called_in, sent_for

JSON = ((b"Content-Type", b"application/json"),)
NAMES = ("gcbdf", "gcbdf@example.com", "7", "role=reader")


def sent(told: str, **members: object) -> object:
    request = Request("POST", b"/transfers", JSON, json.dumps(members).encode())
    better = sent_for(request, Response(400, JSON, json.dumps({"message": told}).encode()), NAMES)
    return None if better is None else json.loads(better.body)


@pytest.mark.parametrize(
    ("told", "members", "better"),
    [
        ("to: no such user", {"to": "example", "note": "x"}, {"to": "gcbdf", "note": "x"}),
        ("Recipient not found", {"recipient_email": "a@b.example"}, {"recipient_email": "gcbdf@example.com"}),
        ("User does not exist", {"user_id": "1", "amount": 5}, {"user_id": "7", "amount": 5}),
        ("You cannot pay to yourself", {"username": "me", "amount": 5}, {"username": "gcbdf", "amount": 5}),
        ("nobody has that handle", {"handle": "example", "role": "x"}, {"handle": "gcbdf", "role": "x"}),
        ("to: unknown nick", {"to": "example", "body": "x"}, {"to": "gcbdf", "body": "x"}),
        ("with: unknown member", {"to": "x", "with": "example"}, {"to": "x", "with": "gcbdf"}),
    ],
)
def test_a_refusal_that_asks_for_somebody_is_answered_with_the_other_account(
    told: str, members: dict[str, object], better: object
) -> None:
    assert sent(told, **members) == better


@pytest.mark.parametrize(
    ("told", "members"),
    [
        ("amount is too high", {"to": "example"}),
        ("amount may be up to 5", {"to": "example"}),
        ("role is unknown", {"handle": "example", "role": "x"}),
        ("no such user", {"title": "example"}),
        ("no such file", {"to": "example"}),
        ("no such user", {"username": "example", "password": "x"}),  # a login
    ],
)
def test_anything_else_stays(told: str, members: dict[str, object]) -> None:
    assert sent(told, **members) is None


def test_what_is_not_found_by_a_field_alone_is_somebody_whatever_they_are_called() -> None:
    request = Request("POST", b"/gifts", JSON, json.dumps({"to": "example", "amount": 1}).encode())
    refused = Response(404, JSON, b'{"error": "no rider"}')
    better = sent_for(request, refused, NAMES, missing=True)
    assert better is not None
    assert json.loads(better.body)["to"] == "gcbdf"
    assert sent_for(request, refused, NAMES) is None


def test_who_signs_in_is_called_as_he_signs_in_and_as_he_was_told() -> None:
    identity = ProfileIdentity(name="ben", variables=(("email", "ben@x.example"), ("password", "secret")))
    assert called_in(identity, ("8",)) == ("ben@x.example", "8")


@pytest.mark.parametrize(("status", "told"), [(400, "to: no such user"), (404, "no rider")])
@run
async def test_what_wants_somebody_else_is_sent_for_the_other_account(status: int, told: str) -> None:
    two = (ProfileIdentity(name=each, variables=(("user", f"gc{each}"),)) for each in ("one", "two"))

    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            good = b'"gctwo"' in raw
            writer.write(in_json(201 if good else status, json.dumps({"id": 7} if good else {"error": told})))

    async with RawServer(talk) as server:
        one = draft(server.port, "POST", "/transfers")
        headers = (*one.request.headers, (b"Content-Type", b"application/json"))
        one = msgspec.structs.replace(
            one, request=msgspec.structs.replace(one.request, headers=headers, body=b'{"to": "example"}')
        )
        ledger = await obtained(server.port, one, profile=AuthProfile(id="p", name="p", identities=tuple(two)))
        (tested,) = ledger.tested.values()
    assert json.loads(tested.baseline.request.body) == {"to": "gctwo"}
