"""A policy's fields are checked each by itself, and what is doubled is taken once."""

import pytest
from pydantic import ValidationError

from gatecrash.control.policies.bodies import NewPolicy, PolicyChange


def test_a_doubled_type_is_one() -> None:
    assert NewPolicy(name="x", types=["sqli", "xss", "sqli"]).types == ["sqli", "xss"]


def test_only_what_was_written_changes() -> None:
    assert PolicyChange().given() == {}
    assert PolicyChange(budget=None).given() == {"budget": None}


@pytest.mark.parametrize("method", ["", "G T", "GET\n", "GET/", "x" * 65])
def test_a_method_is_a_token(method: str) -> None:
    with pytest.raises(ValidationError):
        NewPolicy(name="x", types=["sqli"], methods_excluded=[method])
