"""The passwords of the accounts that a scan makes: of a form of their own, so that an answer which shows one is known.

What a member holds that shows one of them is a password whatever it is called, of others as well.
"""

import re
from typing import Final

_DRAWN: Final = re.compile(r"Gc-[0-9a-f]{10}-Xq7!")
SHOWN: Final = b"-Xq7!"
"""Stands in whatever shows one."""


def own_password(drawn: str) -> str:
    """A password that most rules take. drawn: ten hexadecimal digits."""
    return f"Gc-{drawn}-Xq7!"


def is_own_password(value: object) -> bool:
    """Whether a value is such a password, as it was sent."""
    return isinstance(value, str) and _DRAWN.fullmatch(value) is not None
