"""What an answer is about, by the path that it came from."""

import pytest

from gatecrash.node.scan.drafts.path_things import singular_at, thing_at, thing_told


@pytest.mark.parametrize(
    ("path", "about"),
    [
        (("users",), "user"),
        (("v1", "me"), "user"),
        (("api", "me"), "user"),
        (("stores", "me"), "store"),
        ((), ""),
        (("users", "v1"), "user"),
    ],
)
def test_a_path_tells_what_it_is_about(path: tuple[str, ...], about: str) -> None:
    assert thing_at(path) == about


def test_the_last_word_is_taken_in_the_singular() -> None:
    assert (singular_at(("api", "boxes")), singular_at(())) == ("box", "")


@pytest.mark.parametrize(("body", "about"), [({"id": 7, "runs": []}, "experiment"), ({"id": 8}, "run"), ([], "run")])
def test_an_answer_with_the_number_above_is_about_what_has_it(body: object, about: str) -> None:
    assert thing_told(("experiments", "7", "runs"), body) == about
