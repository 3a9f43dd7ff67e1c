"""Identifiers: a prefix that says what is named, and 128 random bits that nobody guesses (decisions 3)."""

import re
import secrets
from enum import StrEnum

MAX_LENGTH = 64
_ALPHABET = "0123456789abcdefghijkmnpqrstuvwxyz"  # without l and o, which people misread
_RANDOM_LENGTH = 26  # 26 digits to the base 34 hold 132 bits
_COUNT = len(_ALPHABET) ** _RANDOM_LENGTH
_SHAPE = re.compile(rf"[A-Za-z0-9_-]{{1,{MAX_LENGTH}}}", re.ASCII)


class Prefix(StrEnum):
    """What an identifier names."""

    CLIENT = "cl"
    TEST_RUN = "tr"
    TEST_RECORD = "rec"
    BASELINE = "bl"
    VULNERABILITY = "vuln"
    POLICY = "pol"
    NODE = "node"
    ENDPOINT = "ep"
    AUTH_PARAMETER = "ap"
    AUTH_PROFILE = "prof"
    TOKEN = "tok"  # noqa: S105 - the prefix of an identifier, no secret
    USER = "usr"
    AUDIT = "aud"
    SUPPRESSION = "sup"
    PUBLIC_MARK = "pub"
    API_DOCUMENT = "doc"
    TEMPLATE_RULE = "tpl"


def new(prefix: Prefix) -> str:
    """A fresh identifier, such as `tr_` and 26 characters."""
    number = secrets.randbelow(_COUNT)
    digits = []
    for _ in range(_RANDOM_LENGTH):
        number, digit = divmod(number, len(_ALPHABET))
        digits.append(_ALPHABET[digit])
    return f"{prefix}_{''.join(digits)}"


def is_shaped(text: str) -> bool:
    """Whether the text could be an identifier at all; what is not never reaches the database."""
    return _SHAPE.fullmatch(text) is not None
