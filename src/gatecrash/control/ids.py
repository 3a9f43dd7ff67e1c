"""Identifiers: a prefix that says what is named, the millisecond, and 112 random bits that nobody guesses (decisions 3).

Times are kept in whole seconds. Lists that are ordered by time and then by identifier are in the order of creation all the
same, because what was made later in a second has the greater identifier.
"""

import re
import secrets
import time
from enum import StrEnum

MAX_LENGTH = 64
_ALPHABET = "0123456789abcdefghijkmnpqrstuvwxyz"  # without l and o, which people misread
_TIME_LENGTH = 9  # milliseconds until the year 3893
_RANDOM_LENGTH = 22  # 22 digits to the base 34 hold 112 bits
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
    WEBHOOK = "wh"
    DELIVERY = "dlv"
    EVENT = "evt"
    SCHEDULE = "sch"


def new(prefix: Prefix) -> str:
    """A fresh identifier, such as `tr_` and 31 characters."""
    moment = _digits(time.time_ns() // 1_000_000, _TIME_LENGTH)
    return f"{prefix}_{moment}{_digits(secrets.randbelow(_COUNT), _RANDOM_LENGTH)}"


def _digits(number: int, length: int) -> str:
    """So many digits of the number, the highest first; the alphabet is in the order in which databases sort it."""
    digits = []
    for _ in range(length):
        number, digit = divmod(number, len(_ALPHABET))
        digits.append(_ALPHABET[digit])
    return "".join(reversed(digits))


def is_shaped(text: str) -> bool:
    """Whether the text could be an identifier at all; what is not never reaches the database."""
    return _SHAPE.fullmatch(text) is not None
