"""Whether a number that an answer shows was computed of one that was sent."""

import re
from typing import Final

_LARGE: Final = re.compile(r"[1-9](?<!\d\d)\d{4,14}(?!\d)")
_MOST = 100_000


def comes_near(text: str, product: int, known: str) -> bool:
    """Whether a number of the text comes near the product, or is a multiple of it: something was done to it. known: what the
    baseline says.
    """
    shown = (int(digits) for digits in _LARGE.findall(text[:_MOST]) if digits not in known)
    return any(abs(each - product) * 100 <= product or each % product == 0 for each in shown)
