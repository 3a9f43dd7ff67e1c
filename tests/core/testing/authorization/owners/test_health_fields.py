"""What is told of somebody's health is private, and what a thing is known for is not."""

import json

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.owners.private_fields import is_private


def answer(document: object) -> Response:
    return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(document).encode())


@pytest.mark.parametrize(
    ("document", "strictly"),
    [
        ({"id": 7, "fullName": "Ann Oak", "healthConditions": ["asthma"]}, True),
        ({"patient": {"number": 7, "health_info": "asthma"}}, True),
        ([{"pet": "Rex", "ownerId": 3, "healthIssues": "limps"}], True),
        ({"member_no": 7, "bloodType": "0+"}, False),
        ({"first_name": "Ann", "allergies": ["nuts"]}, False),
    ],
)
def test_somebodys_health_is_his_own_business(document: object, strictly: bool) -> None:
    assert is_private(answer(document))
    assert is_private(answer(document), strictly=True) is strictly


@pytest.mark.parametrize(
    "document",
    [
        {"id": 7, "name": "Pug", "health_issues": ["breathing", "eyes"], "origin": "China"},
        {"id": 7, "name": "Cake", "allergies": "nuts", "price": 4, "user_id": 3},
        {"id": 7, "name": "Rex", "age": 3, "sex": "m", "health_issues": "limps"},
        {"id": 7, "stage_name": "Jin", "blood_type": "O"},
        {"id": 3, "name": "Sage", "health_info": "good for the throat", "author": "ann"},
        {"version": "1.2", "healthData": "ok"},
        {"dish": {"allergies": "nuts"}, "chef": {"first_name": "Ann"}},
    ],
)
def test_what_a_thing_is_known_for_is_everybodys(document: object) -> None:
    assert not is_private(answer(document))
