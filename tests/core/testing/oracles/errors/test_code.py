"""Complaints of interpreters."""

import pytest

from gatecrash.core.testing.oracles.errors.code import tells_of_code


@pytest.mark.parametrize("source", ["tea + 'cup", "(1", "1 +* 2"])
def test_pythons_own_words(source: str) -> None:
    with pytest.raises(SyntaxError) as raised:
        compile(source, "value", "eval")
    assert tells_of_code(repr(raised.value))


@pytest.mark.parametrize(
    "text",
    [
        "<b>Parse error</b>: syntax error, unexpected end of file in /app/page.php(3) : eval()'d code on line 1",
        "ReferenceError: tea is not defined",
        "Uncaught: Unexpected token ';'",
        "undefined local variable or method 'tea' for main:Object",
        "Can't find string terminator '\"' anywhere before EOF at (eval 1) line 1.",
        "PARSEERROR",
    ],
)
def test_words_of_other_languages(text: str) -> None:
    assert tells_of_code(text)


@pytest.mark.parametrize("text", ["", "No token was expected.", "an undefined colour", "syntax errors are told below"])
def test_what_speaks_of_something_else(text: str) -> None:
    assert not tells_of_code(text)
