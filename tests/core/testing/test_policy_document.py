"""A written policy is read strictly; every mistake is named."""

import pytest

from gatecrash.core.errors import InvalidPolicy
from gatecrash.core.testing.policy_document import read_policy


def test_what_is_left_out_has_its_default() -> None:
    policy = read_policy({"types": ["sqli", "xss"], "exclude": [["get", "page|size"]], "budget": 100}, "mine.yaml")
    assert (policy.id, policy.name, policy.types) == ("mine.yaml", "mine.yaml", ("sqli", "xss"))
    assert policy.exclude == (("get", "page|size"),)
    assert policy.locations == ("uri", "path", "get", "post")
    assert policy.budget == 100


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ([], "a policy is a set of fields"),
        ({"types": ["sqli"], "tpyes": []}, "unknown field 'tpyes'"),
        ({"types": ["sqli"], "id": "x"}, "unknown field 'id'"),
        ({"types": "sqli"}, "not understood"),
        ({}, "missing required field `types`"),
        ({"types": []}, "types: nothing is none of"),
        ({"types": ["sql"]}, "types: sql is none of"),
        ({"types": ["sqli"], "locations": ["body"]}, "locations: body is none of"),
        ({"types": ["sqli"], "budget": 0}, "budget: 0"),
        ({"types": ["sqli"], "budget": True}, "not understood"),
        ({"types": ["sqli"], "include": [["get", "a"], ["get", "("]]}, r"include\[1\]"),
        ({"types": ["sqli"], "exclude": [["get", "(a+)+"]]}, r"exclude\[0\].*could take too long"),
        ({"types": ["sqli"], "include": ["get"]}, "not understood"),
    ],
)
def test_every_mistake_is_named(document: object, said: str) -> None:
    with pytest.raises(InvalidPolicy, match=said):
        read_policy(document, "mine")
