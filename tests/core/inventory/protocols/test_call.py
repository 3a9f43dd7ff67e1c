"""Names that may be shown."""

import pytest

from gatecrash.core.inventory.protocols.call import MOST_NAME, is_name


@pytest.mark.parametrize("name", ["GetTea", "get_tea", "tea.Brew-v2", "a"])
def test_words_are_names(name):
    assert is_name(name)


@pytest.mark.parametrize("name", ["", "a b", "a" * (MOST_NAME + 1), "ann@example.com", "é", "...", "a\n", "<x>"])
def test_anything_else_is_none(name):
    assert not is_name(name)
