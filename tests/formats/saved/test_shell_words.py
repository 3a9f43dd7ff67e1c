"""Words as a shell makes them; `bash` made each of these the same way."""

import pytest

from gatecrash.formats.saved.shell_words import Unclosed, commands


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("a  b\tc", ["a", "b", "c"]),
        ("a'b c'\"d e\"f", ["ab cd ef"]),
        (r"a\ b \'c", ["a b", "'c"]),
        (r'"\$x \`y\` \"z\" \\ \n"', [r'$x `y` "z" \ \n']),
        (r"$'\x41\101\u00e9\xc3\xa9\n\'\e'", ["AA\u00e9\u00e9\n'\x1b"]),
        (r"$'\ud83d\ude00'", ["\U0001f600"]),
        ("''", [""]),
        ("a#b #c", ["a#b"]),
        ("x > y 2>&1 z", ["x", "z"]),
        ("http://h/?a=1&b=2", ["http://h/?a=1&b=2"]),
        ("$HOME ${x} $(y)", ["$HOME", "${x}", "$(y)"]),
        ("a \\\n b", ["a", "b"]),
        ("'a\nb'", ["a\nb"]),
    ],
)
def test_words(line: str, words: list[str]) -> None:
    assert commands(line) == ([words], len(line))


def test_operators_part_commands_and_quoted_ones_do_not() -> None:
    assert commands("a ';' b; c && d || e | f & g") == (
        [["a", ";", "b"], ["c"], ["d"], ["e"], ["f"], ["g"]],
        len("a ';' b; c && d || e | f & g"),
    )


def test_a_line_ends_where_the_next_begins() -> None:
    text = "a 'b\nc' \\\nd\ne"
    found, at = commands(text)
    assert (found, text[at:]) == ([["a", "b\nc", "d"]], "e")
    assert commands(text, at) == ([["e"]], len(text))


def test_a_byte_that_is_no_text_stays_that_byte() -> None:
    ((word,),), _ = commands(r"$'\xff'")
    assert word.encode("utf-8", "surrogateescape") == b"\xff"


@pytest.mark.parametrize("line", ["'a", '"a', "$'a", "a \\"])
def test_what_is_never_closed_is_told(line: str) -> None:
    with pytest.raises(Unclosed):
        commands(line)


def test_a_long_quotation_is_read_in_one_go() -> None:
    text = "a '" + "x\n" * 200_000 + "'"
    assert len(commands(text)[0][0][1]) == 400_000
