"""The words that a name is made of, however it is written.

parted("orderId")       "order_Id"
words_in("orderId")     ("order", "id"), and the same of `order_id` and `Order-ID`
plain("orderId")        "orderid", likewise
"""

import re

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BETWEEN = re.compile(r"[\W_]+")


def parted(name: str, sign: str = "_") -> str:
    """A name with a sign before each capital that begins a word, for expressions about its words."""
    return _HUMP.sub(sign, name)


def words_in(name: str) -> tuple[str, ...]:
    """Its words in lower case, in their order."""
    return tuple(word for word in _BETWEEN.split(parted(name).lower()) if word)


def plain(name: str) -> str:
    """A name without capitals and signs, by which it is the same in every manner."""
    return _BETWEEN.sub("", name).lower()
