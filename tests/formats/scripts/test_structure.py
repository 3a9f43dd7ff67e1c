"""What is code of a script is told from its texts."""

import pytest

from gatecrash.formats.scripts.structure import Structure


@pytest.mark.parametrize(
    ("code", "held"),
    [
        ("`/a/${b}/c`", ["b"]),
        ("`${a({b:1})}${`}`}`", ["a({b:1})", "`}`"]),
        ("`/a`", []),
        ("`${", [""]),
    ],
)
def test_holes_of_a_template_end_at_their_own_brackets(code: str, held: list[str]) -> None:
    script = Structure(code)
    assert [code[slice(*each)] for each in script.holes(1, len(code))] == held


def test_a_text_has_no_holes() -> None:
    assert list(Structure("'${a}'").holes(1, 5)) == []


def test_brackets_within_texts_are_none() -> None:
    script = Structure("f(')', /[)]/, a)")
    assert script.matching(1) == len(script.source) - 1
    assert [script.source[slice(*each)].strip() for each in script.parts(2, 15)] == ["')'", "/[)]/", "a"]


def test_an_expression_ends_where_its_line_goes_on_no_more() -> None:
    assert Structure("a +\nb\nc").expression(0) == 5
