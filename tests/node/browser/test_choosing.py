"""Each control is used as often as it may do something else."""

from gatecrash.node.browser.choosing import Choosing, Control


def control(
    at: int, text: str, kind: str = "click", shape: str = "button.<li.", *, top: bool = False, frame: bool = False
) -> Control:
    return Control(at=at, kind=kind, text=text, shape=shape, top=top, frame=frame)


def used(controls: list[Control], route: str = "/") -> list[int]:
    choosing, found = Choosing(), []
    while (chosen := choosing.next(controls, route)) is not None:
        found.append(chosen.at)
    return found


def test_what_is_alike_is_used_twice_and_a_list_has_an_end() -> None:
    assert used([control(0, "Add"), control(1, "Add")]) == [0, 0]
    assert len(used([control(at, f"Row {at}") for at in range(1000)])) == 2
    assert len(used([control(at, "x" * at) for at in range(1, 1000)])) == 6


def test_the_same_stands_at_another_route_anew_but_for_what_is_around_every_page() -> None:
    choosing = Choosing()
    for text, frame, again in (("Save", False, True), ("Menu", True, False)):
        one = [control(0, text, frame=frame, shape=text)]
        while choosing.next(one, "/a") is not None:
            pass
        assert (choosing.next(one, "/b") is not None) is again


def test_a_dialog_comes_first_then_what_sends_a_form_and_what_closes_or_deletes_last() -> None:
    controls = [
        control(0, "Delete", shape="a"),
        control(1, "Close", shape="b", top=True),
        control(2, "Open", shape="c"),
        control(3, "Send", "submit", shape="d"),
        control(4, "Pay", shape="e", top=True),
    ]
    assert list(dict.fromkeys(used(controls))) == [4, 1, 3, 2, 0]


def test_nothing_that_signs_out_is_used() -> None:
    for text in ("Log out", "Sign out ann", "Logout", "Abmelden"):
        assert not used([control(0, text)])
