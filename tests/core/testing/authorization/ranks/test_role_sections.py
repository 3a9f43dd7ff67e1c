"""Functions below the name of a role that an application itself names."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.ranks.role_sections import functions_of, meant_for, role_word, shared_roles
from gatecrash.core.testing.known.identity import Identity

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


@pytest.mark.parametrize(
    ("own", "others", "shared"),
    [
        (("7", "is=singer"), [(0, ("8", "is=singer"))], {"singer"}),
        (("7", "is=singer"), [(1, ("8", "is=singer"))], set()),
        (("7", "is=singer"), [(0, ("8", "is=board"))], set()),
        (("7", "is=manager"), [(0, ("8", "is=manager"))], set()),
        (("7", "is=operator", "ordinary=usher"), [], {"usher"}),
        (("7", "is=singer"), [], set()),
    ],
    ids=["of peers", "of who stands above", "another", "of managers by name", "of whoever registers", "alone"],
)
def test_a_role_that_peers_share_manages_nobody(own: tuple[str, ...], others: list, shared: set[str]) -> None:
    identities = [Identity("ann", 0, own), *(Identity(f"other {n}", *each) for n, each in enumerate(others))]
    assert shared_roles(identities) == shared
    assert shared_roles([]) == frozenset()
