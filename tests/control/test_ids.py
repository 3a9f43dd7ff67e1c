import time

import pytest

from gatecrash.control import ids
from gatecrash.control.ids import Prefix


def test_an_identifier_says_what_it_names_and_is_never_the_same() -> None:
    made = {ids.new(Prefix.TEST_RUN) for _ in range(1000)}
    assert len(made) == 1000
    assert all(one.startswith("tr_") and ids.is_shaped(one) for one in made)


def test_what_is_made_later_has_the_greater_identifier(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    for moment in (0, 1, 33, 34, 1_800_000_000_000, 1_800_000_000_001, 34**9 - 1):
        monkeypatch.setattr(time, "time_ns", lambda moment=moment: moment * 1_000_000)
        made.append(ids.new(Prefix.TEST_RUN))
    assert made == sorted(made)
    assert {len(one) for one in made} == {34}


def test_every_prefix_of_the_contract_is_there() -> None:
    assert {"cl", "tr", "rec", "bl", "vuln", "pol", "node", "ep", "ap", "prof", "tok", "usr"} <= set(Prefix)


@pytest.mark.parametrize("text", ["", "a" * 65, "tr_\x00", "tr_a b", "tr_é", "tr_a\n", "../x", "٣"])
def test_what_cannot_be_an_identifier_never_reaches_the_database(text: str) -> None:
    assert not ids.is_shaped(text)
