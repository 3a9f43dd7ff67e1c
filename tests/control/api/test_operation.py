import pytest
from pydantic import BaseModel

from gatecrash.control.api.operation import ALWAYS, operation
from gatecrash.control.api.roles import EDIT, READ


class Thing(BaseModel):
    """An answer."""

    name: str


@pytest.mark.parametrize(
    ("options", "more"),
    [
        ({}, set()),
        ({"query": True}, {400}),
        ({"body": True}, {400, 413, 415}),
        ({"body": True, "conflict": True}, {400, 409, 413, 415}),
    ],
)
def test_every_answer_that_an_operation_may_give_is_documented(options: dict[str, bool], more: set[int]) -> None:
    assert set(operation(READ, Thing, **options)["response"]) == {200, *ALWAYS} | more


def test_the_guard_asks_for_what_the_operation_says() -> None:
    made = operation(EDIT, Thing, body=True, deployment=True, summary="Make")
    guard = made["auth"]
    assert (guard.roles, guard.deployment, guard.media_type) == (EDIT, True, "application/json")
    assert made["openapi_extra"]["x-roles"] == ["admin", "analyst"]
    assert made["summary"] == "Make"
    assert operation(READ, Thing)["auth"].media_type is None
