"""Lists that are shown in parts, read until they show what is looked for.

exchange = yield from ask_until(asked, shows)      the part that shows it, else the last that was read
"""

from collections.abc import Callable, Generator

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.addresses.further_pages import next_page
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.probe import Answer, TestRequest

_MOST_PARTS = 8


def ask_until(asked: Request, shows: Callable[[Response], bool]) -> Generator[TestRequest, Answer, Exchange]:
    """Ask for a list, and for its further pages until one shows it; a few at most. Raises Stopped as `ask` does."""
    exchange = yield from ask(asked, "control")
    for _ in range(_MOST_PARTS):
        further = None if shows(response_of(exchange)) else next_page(exchange.request, response_of(exchange))
        if further is None:
            break
        exchange = yield from ask(further, "control")
    return exchange
