"""What interpreters say of code that does not parse, or that names what is not there: words of our own, for any language."""

from typing import Final

_WORDS: Final = (
    "syntaxerror",
    "nameerror",
    "referenceerror",
    "parseerror",
    "parse error",
    "unexpected token",
    "unexpected identifier",
    "unexpected eof",
    "unexpected end",
    "eol while scanning",
    "unterminated string",
    "eval()'d code",
    "undefined local variable",
    "undefined method",
    "invalid syntax",
    "can't find string terminator",
    "syntax error at ",
)


def tells_of_code(text: str) -> bool:
    """Whether a text holds an interpreter's complaint of code."""
    lowered = text.lower()
    return any(words in lowered for words in _WORDS)
