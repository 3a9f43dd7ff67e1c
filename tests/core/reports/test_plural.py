import pytest

from gatecrash.core.reports.plural import plural


@pytest.mark.parametrize(("number", "told"), [(0, "0 requests"), (1, "1 request"), (2, "2 requests")])
def test_one_alone_is_one(number: int, told: str) -> None:
    assert plural(number, "request") == told


def test_a_noun_may_have_a_plural_of_its_own() -> None:
    assert [plural(number, "is new", "are new") for number in (1, 2)] == ["1 is new", "2 are new"]
