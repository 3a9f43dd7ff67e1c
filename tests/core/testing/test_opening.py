"""What a page is opened with."""

from gatecrash.core.testing.opening import Opening


def test_a_page_is_opened_at_its_own_address_in_a_window_without_a_name_unless_told() -> None:
    opening = Opening(names=("f",))
    assert (opening.behind, opening.window) == ("", "")
