"""Functions below the name of a role that an application itself names."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.identity import Identity
from gatecrash.core.testing.authorization.role_sections import functions_of, meant_for, role_word

WARDEN = Identity("gerda", 1, ("7", "role=warden/pitches"))


@pytest.mark.parametrize(
    ("told", "word"),
    [
        ([("name", "gerda"), ("role", "WARDEN")], "warden"),
        ([("authorities", "ROLE_WARDEN"), ("rank", "ROLE_WARDEN")], "warden"),
        ([("role", "warden"), ("role", "guest")], ""),
        ([("role", "3")], ""),
        ([("type", "warden")], ""),
    ],
    ids=["a role", "with a prefix", "of several", "a number", "a type of anything"],
)
def test_a_role_is_named_where_it_is_the_only_one(told: list[tuple[str, str]], word: str) -> None:
    assert role_word(told) == word


def test_functions_are_words_right_below_words() -> None:
    assert functions_of(b"/api/Warden/pitches/3/close") == [("api", "warden"), ("warden", "pitches")]
    assert functions_of(b"/warden/3/contact") == []
    assert functions_of(b"/wardens/fines") == [("wardens", "fines"), ("warden", "fines")]
    assert functions_of(b"/wardens/search") == [("wardens", "search")]


@pytest.mark.parametrize(
    ("path", "lower", "role"),
    [
        (b"/warden/pitches/3/close", (), "warden"),
        (b"/warden/notices", (), ""),
        (b"/warden/pitches/3/join", (), ""),
        (b"/warden/pitches/3/close", ("role=ranger/rota",), ""),
    ],
    ids=["his alone", "read by others", "done by everybody", "beside a role with functions of its own"],
)
def test_what_a_path_says_it_is_meant_for(path: bytes, lower: tuple[str, ...], role: str) -> None:
    request = Request("POST", path, (), b"{}", "https", "camp.example", 443)
    assert meant_for(request, WARDEN, Identity("piet", 0, lower)) == role
