"""The number of an account, where the application tells it."""

import orjson
import pytest
from tests.range.jwt_tokens import STRONG, issued

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.callers.told_number import told_number

UUID = "6f1c2d1e-8b1f-4b7e-9d51-0a4a4f3f6b11"


def told(document: object) -> str:
    return told_number(
        Response(200, ((b"Content-Type", b"application/json"),), orjson.dumps(document)), "ann@a.example"
    )


@pytest.mark.parametrize(
    ("document", "number"),
    [
        ({"id": 7, "email": "Ann@a.example"}, "7"),
        ({"data": {"id": UUID, "email": "ann@a.example"}}, UUID),
        ({"token": "k1", "user": {"id": 7}}, "7"),
        ({"userId": 7}, "7"),
        ({"message": "welcome", "uid": "64b7f0c2a1d2e3f405162738"}, "64b7f0c2a1d2e3f405162738"),
        ({"token": issued({"sub": 7, "exp": 9}, STRONG)}, "7"),
        ({"token": issued({"user": {"id": 7}}, STRONG)}, "7"),
        ({"token": issued({"sub": "ann@a.example"}, STRONG)}, ""),
        ({"id": 7}, ""),
        ({"id": 7, "email": "ben@a.example"}, ""),
        ({"order": {"id": 7}, "email": "ann@a.example"}, ""),
        ({"user": {"id": "ann"}}, ""),
        ([7], ""),
    ],
)
def test_it_is_told_beside_the_name_or_as_an_accounts(document: object, number: str) -> None:
    assert told(document) == number
