"""What those who run a place keep of all who belong to it, told to one of many."""

import orjson
import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.ranks.secrets_of_colleagues import secret_of_colleagues

ROLES = ("fighter", "fighter", "fighter", "chief")
FIGHTER, CHIEF = frozenset({"n0", "role:fighter"}), frozenset({"n3", "role:chief"})


def listed(field: str, *values: object, roles: tuple[str, ...] = ROLES) -> Response:
    people = [
        {"name": f"N{at}", "rank": role, field: value}
        for at, (role, value) in enumerate(zip(roles, values, strict=False))
    ]
    return Response(200, ((b"Content-Type", b"application/json"),), orjson.dumps({"data": {"files": people}}))


@pytest.mark.parametrize("field", ["medical", "medicalNotes", "diagnosis", "salary", "hourlyWage", "sick_notes"])
def test_what_is_kept_of_each_is_for_whom_few_have_the_role(field: str):
    answer = listed(field, "knee", "asthma", "hay fever", "none")
    assert secret_of_colleagues(answer, FIGHTER) == field
    assert secret_of_colleagues(answer, frozenset({"n1"})) == field
    assert secret_of_colleagues(answer, CHIEF) == ""


@pytest.mark.parametrize(
    ("answer", "own"),
    [
        (listed("balance", 3, 4, 5, 6), FIGHTER),
        (listed("birthday", "1.1.", "2.2.", "3.3.", "4.4."), FIGHTER),
        (listed("medical", "fit", "fit", "fit", "fit"), FIGHTER),
        (listed("medical", "knee", "asthma", "cough", "none"), frozenset({"dr grey", "role:doctor"})),
        (listed("salary", 1, 2, 3, roles=("fighter",) * 3), FIGHTER),
        (listed("salary", 1, 2, roles=("fighter", "chief")), FIGHTER),
        (listed("salary", 1, 2, 3, 4, roles=("fighter", "fighter", "chief", "chief")), FIGHTER),
        (listed("salary", 1, 2, 3, 4), frozenset()),
    ],
    ids=[
        "what they owe each other", "birthdays", "one and the same", "a doctor's patients", "all of one role", "two", "half of them",
        "nobody knows who asks",
    ],
)  # fmt: skip
def test_what_people_share_or_are_there_to_read_is_none(answer: Response, own: frozenset[str]):
    assert secret_of_colleagues(answer, own) == ""
