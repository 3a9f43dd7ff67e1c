"""Regular expressions over answers: useful ones work, dear ones are refused or bounded."""

import time

import pytest

from gatecrash.core.errors import InvalidPattern
from gatecrash.core.testing.profiles.patterns import MOST_SEARCHED, compile_search


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ('name="csrf" value="([^"]+)"', '<input name="csrf" value="a1+/=">', "a1+/="),
        (r'"token":\s*"([^"]*)"', '{"token":  "t"}', "t"),
        (r"id=([0-9a-f]{8})", "?id=0123abcd&", "0123abcd"),
        (r"v([0-9]{2,})\.", "v123.", "123"),
        (r"([*+]{2})", "a*+b", "*+"),
        (r"\{([a-z]+)\}", "{abc}", "abc"),
    ],
)
def test_what_people_write_finds_what_they_mean(pattern: str, text: str, found: str) -> None:
    match = compile_search(pattern).search(text)
    assert match is not None
    assert match[1] == found


@pytest.mark.parametrize("pattern", ["(a+)+b", "a*b*c*", ".*x.*", "(a|b)*c", "[", "a{9000}", "x" * 300])
def test_what_could_take_for_ever_is_refused(pattern: str) -> None:
    with pytest.raises(InvalidPattern):
        compile_search(pattern)


@pytest.mark.parametrize("pattern", ['<input[^>]*value="([^"]*)"', '"([^"]*)"x'])
def test_an_answer_made_to_be_slow_is_searched_in_bounded_time(pattern: str) -> None:
    hostile = ("<input" + 'value="' * 3) * (MOST_SEARCHED // 27)
    started = time.process_time()
    compile_search(pattern).search(hostile[:MOST_SEARCHED])
    assert time.process_time() - started < 10


def test_a_repeat_reaches_so_far_and_no_further() -> None:
    assert compile_search("a([^b]*)b").search("a" + "x" * 8192 + "b")
    assert not compile_search("^a([^b]*)b").search("a" + "x" * 8193 + "b")
