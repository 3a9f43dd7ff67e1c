"""What a value is to most programs, whatever it means: a number, or a word for yes, no and nothing."""

import re

_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_WORDS = frozenset({"true", "false", "null"})


def is_number(value: str) -> bool:
    """Whether it is a number in digits: `7`, `-2.50`."""
    return _NUMBER.fullmatch(value) is not None


def is_literal(value: str) -> bool:
    """Whether it is a number, or one of the words that JSON has beside texts, in any case."""
    return is_number(value) or value.lower() in _WORDS
