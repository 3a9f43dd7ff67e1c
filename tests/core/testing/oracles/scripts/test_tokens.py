"""Words and signs of scripts."""

import pytest

from gatecrash.core.testing.oracles.scripts.tokens import PATTERN, TEXT, tokens_of


def texts(code):
    return " ".join(tokens_of(code).texts)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("a.b?.c ?? 'd e'", "a . b ?. c ?? d e"),
        ("x ? .5 : 0x1f", "x ? .5 : 0x1f"),
        ("`a${x}b`", "( a + ( x ) + b )"),
        ("html`a${x}b`", "html ( a , ( x ) , b )"),
        ("return `a`", "return ( a )"),
        ("`a${`b${y}`}`", "( a + ( ( b + ( y ) +  ) ) +  )"),
        ("a /* b */ = 1 // c", "a = 1"),
        ("x => x >>> 2", "x => x >>> 2"),
        (r"'\x3cb>'", "<b>"),
    ],
)
def test_words_and_signs(code, told):
    assert texts(code) == told


def test_kinds():
    read = tokens_of("a = 'b' + /c/g")
    assert read.kinds[2] == TEXT
    assert read.kinds[4] == PATTERN


@pytest.mark.parametrize(
    ("code", "rest"),
    [
        ("a = b, c", ", c"),
        ("a(b, c); d", "; d"),
        ("a\nb", "b"),
        ("a\n.b", ""),
        ("a +\nb", ""),
        ("a\n(b)", ""),
        ("f(x)\ng(y)", "g ( y )"),
        ("a ? b : c) d", ") d"),
    ],
)
def test_the_end_of_an_expression(code, rest):
    read = tokens_of(code)
    assert " ".join(read.texts[read.end_of(0) :]) == rest


def test_brackets_know_each_other():
    read = tokens_of("f([a], {b})")
    assert read.past(1) == len(read)
    assert read.within[3] == 2
    assert read.within[2] == 1
    assert read.within[0] == -1


def test_parts_are_divided_outside_brackets():
    read = tokens_of("a, (b, c), [d, e]")
    assert len(read.parts(0, len(read), ",")) == 3


def test_what_nothing_closes_is_read():
    read = tokens_of("f((a")
    assert read.past(1) == len(read)
