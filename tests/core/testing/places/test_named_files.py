"""What a value may name among files, and how files outside of its folder are asked for."""

import pytest
from tests.core.testing.places.test_segments import at

from gatecrash.core.message import Request
from gatecrash.core.testing.payloads.ptrav import (
    ADDRESS,
    FOR_FILES,
    FOR_NUMBERS,
    FOR_TEXTS,
    FOR_WINDOWS,
    IN_FOLDER,
    RELATIVE,
    Step,
)
from gatecrash.core.testing.places.named_files import may_list, may_write, ways_for


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("q=7", FOR_NUMBERS),
        ("q=tea", FOR_TEXTS),
        ("page=tea", FOR_FILES),
        ("q=tea.txt", FOR_FILES),
        ("q=de/tea.txt", (IN_FOLDER, *FOR_FILES)),
        ("q=http://a.example/tea.txt", tuple(step for step in FOR_FILES if step is not ADDRESS)),
    ],
)
def test_the_ways_follow_what_the_value_is_and_what_its_parameter_is_called(
    query: str, expected: tuple[Step, ...]
) -> None:
    point = ("get", query.partition("=")[0])
    assert ways_for(at(b"/show?" + query.encode(), point), windows=False) == expected


def test_on_windows_its_own_ways_are_tried_and_steps_up() -> None:
    assert ways_for(at(b"/show?q=tea.txt", ("get", "q")), windows=True) == (*FOR_WINDOWS, RELATIVE)


@pytest.mark.parametrize(
    ("method", "target", "expected"),
    [("GET", b"/show?q=tea.txt", False), ("POST", b"/show?q=tea.txt", True), ("GET", b"/delete?q=tea.txt", True)],
)
def test_what_changes_something_may_write_what_it_names(method: str, target: bytes, expected: bool) -> None:
    assert may_write(at(target, ("get", "q"), Request(method, target))) is expected


@pytest.mark.parametrize(
    ("target", "expected"),
    [(b"/show?dir=tea", True), (b"/show?dir=tea.txt", False), (b"/show?q=.", True), (b"/show?q=tea", False)],
)
def test_a_folder_is_named_by_its_parameter_or_by_a_dot(target: bytes, expected: bool) -> None:
    point = ("get", target.partition(b"?")[2].partition(b"=")[0].decode())
    assert may_list(at(target, point)) is expected
