"""The extensions pattern: what each form means, what cannot be read, and that nobody can make it slow."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.errors import InvalidPattern
from gatecrash.core.testing.selection.extensions_filter import LONGEST_PATTERN, ExtensionsFilter, extension_of


@pytest.mark.parametrize(
    ("pattern", "excluded", "kept"),
    [
        ("", [], ["jpg", "a"]),
        ("jpg", ["jpg", "JPG"], ["jpeg", "xjpg", "jp"]),
        ("jpg|png", ["jpg", "png"], ["gif"]),
        (" jpg , png ", ["jpg", "png"], ["gif"]),
        ("jpe?g", ["jpg", "jpeg"], ["jpeeg"]),
        ("js.*", ["js", "json", "jsp"], ["xjs"]),
        ("p.p", ["php", "pnp"], ["pp", "phhp"]),
        ("a*b", ["b", "aaab"], ["a", "aaabb"]),
        ("||jpg,,", ["jpg"], ["png"]),
        ("x-gzip_1", ["x-gzip_1"], ["x-gzip"]),
    ],
)
def test_pattern_forms(pattern, excluded, kept):
    chosen = ExtensionsFilter(pattern)
    assert all(chosen.excludes(b"/a/file." + extension.encode()) for extension in excluded)
    assert not any(chosen.excludes(b"/a/file." + extension.encode()) for extension in kept)


@pytest.mark.parametrize(
    ("path", "extension"),
    [
        (b"/a.b/c", ""),
        (b"/a/b.tar.gz", "gz"),
        (b"/a.css;v=1", "css"),
        (b"/a%2Ejs", "js"),
        (b"/a.", ""),
        (b"/.env", "env"),
        (b"/", ""),
        (b"", ""),
        (b"/A.PNG", "png"),
    ],
)
def test_the_extension_is_what_follows_the_last_dot_of_the_last_segment(path, extension):
    assert extension_of(path) == extension


def test_a_path_without_an_extension_is_never_excluded():
    assert not ExtensionsFilter(".*").excludes(b"/orders")


@pytest.mark.parametrize(
    ("pattern", "position"),
    [("*a", 1), ("jpg|?", 5), ("a**", 3), ("(a)", 1), ("a[b]", 2), ("a+", 2), ("a b", 2), (" jp g", 4), ("a\\.b", 2)],
)
def test_what_cannot_be_read_is_named_with_its_position(pattern, position):
    with pytest.raises(InvalidPattern, match=f"position {position}\\b"):
        ExtensionsFilter(pattern)


def test_an_overlong_pattern_is_refused():
    ExtensionsFilter("a" * LONGEST_PATTERN)
    with pytest.raises(InvalidPattern, match="4097 characters"):
        ExtensionsFilter("a" * (LONGEST_PATTERN + 1))


atoms = st.sampled_from(["a", "b", "c", "."])
elements = st.tuples(atoms, st.sampled_from(["", "*", "?"])).map("".join)
alternatives = st.lists(elements, min_size=1, max_size=6).map("".join)
patterns = st.lists(alternatives, min_size=1, max_size=3).map("|".join)


@given(patterns, st.text("abcd", min_size=1, max_size=8))
def test_it_agrees_with_regular_expressions_on_what_both_can_say(pattern, extension):
    expected = re.fullmatch(pattern, extension) is not None
    assert ExtensionsFilter(pattern).excludes(b"/file." + extension.encode()) == expected


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused_as_a_pattern(pattern):
    try:
        chosen = ExtensionsFilter(pattern)
    except InvalidPattern:
        assert re.search(r"[*?()\[\]{}+^$\\/\s]", pattern)
    else:
        assert chosen.excludes(b"/a.jpg") in (True, False)


def test_hostile_patterns_stay_linear():
    """`a*` repeated takes a backtracking matcher exponential time; here doubling the input about doubles the work."""

    def seconds(times: int) -> float:
        chosen = ExtensionsFilter("a*" * times + "b")
        begun = time.process_time()
        chosen.excludes(b"/file." + b"a" * 500)
        return time.process_time() - begun

    assert seconds(1000) < 5
