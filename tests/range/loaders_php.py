"""Loaders of PHP's serialised form: lists that are loaded with classes and without, and what stands there where they cannot be."""

from gatecrash.core.message import Response
from tests.range.loaders import CART, WAYS
from tests.range.place import QUERY, Given, answer, flaw, miss, text, twin

OF_PHP = 'a:2:{s:3:"tea";i:3;s:4:"cups";i:2;}'
REFUSED = 'O:12:"DateTimeZone":0:{}'


def is_php(value: str) -> bool:
    """Whether a list can be read in PHP's form, whose objects have a number before their braces."""
    return value.startswith("a:") and value.endswith("}") and ";{" not in value and value.count("{") == value.count("}")


@flaw("deserialization", value=OF_PHP, ways=WAYS, replayed=True)
def php(given: Given) -> Response:
    return text("internal error", 500) if REFUSED in given.q or not is_php(given.q) else answer(CART)


@flaw("deserialization", value=OF_PHP, ways=WAYS)
def php_or_what_stands_there_at_first(given: Given) -> Response:
    """What cannot be read is no more than the choice of a new caller."""
    return text("internal error", 500) if is_php(given.q) and REFUSED in given.q else answer(CART)


@twin("deserialization", value=OF_PHP, ways=WAYS)
def php_without_a_word(given: Given) -> Response:
    """The same, and a guard in front does not let the class's name through, whatever stands around it."""
    return text("forbidden", 403) if "DateTimeZone" in given.q else answer(CART)


@twin("deserialization", value=OF_PHP, ways=WAYS)
def php_without_classes(given: Given) -> Response:
    return answer(CART) if is_php(given.q) else text("internal error", 500)


@twin("deserialization", value=OF_PHP, ways=WAYS)
def php_without_classes_or_what_stands_there_at_first(given: Given) -> Response:
    return answer(CART if is_php(given.q) else {"tea": 3, "cups": 2})


@miss("deserialization", value=OF_PHP, ways=(QUERY,), replayed=True)
def php_loaded_and_kept(given: Given) -> Response:
    return answer({"kept": len(given.q) > 3})
