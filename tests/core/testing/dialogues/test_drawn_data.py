"""What is known to be asked for by a script: by its path, or what that ends with."""

import pytest

from gatecrash.core.testing.dialogues.drawn_data import _is_kin, _is_named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("/api/notes", True),
        ("/api/notes?page=", True),
        ("api/notes", True),
        ("./notes", True),
        ("/notes", True),
        ("https://notes.example/api/notes", True),
        ("/api/", True),
        ("/api/pages", False),
        ("tes", False),
        ("/", False),
        ("", False),
    ],
)
def test_a_path_among_the_texts(text, named):
    assert _is_named("/api/notes", {text}) is named


def test_a_thing_is_named_by_the_address_of_its_list():
    assert _is_named("/api/notes/3", {"/api/notes/"})
    assert not _is_named("/api/notes/3/words", {"/api/notes/"})


def test_kin():
    assert _is_kin(b"/api/notes", b"/api/notes/3")
    assert not _is_kin(b"/api/notes", b"/api/notebooks")
