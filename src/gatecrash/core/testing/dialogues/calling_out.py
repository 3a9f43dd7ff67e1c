"""Payloads that make a target call the listener from within a text: a shell command, and a look-up by a logging library.

Both cost one request where nobody comes, and nothing where there is no listener.
"""

from collections.abc import Callable, Generator

from gatecrash.core.errors import UserError
from gatecrash.core.message import Request
from gatecrash.core.testing.dialogues.callbacks import Bait, called_back
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.out_of_band import OutOfBand
from gatecrash.core.testing.payloads.rce import LOOK_UP_IN_LOGS, Numbers, Way, fill_call
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Verdict

# The second of the two has names of its own.
_FIRST_OF_LOOK_UPS = 3

_Deciding = Generator[TestRequest, Answer, Verdict | None]


def asks_by_command(
    inquiry: Inquiry, way: Way, numbers: Callable[[], Numbers], found: Verdict, *, dns_threat: int
) -> _Deciding:
    """Whether a shell asks for our address, with a product behind it that it computed."""

    def baiting(oob: OutOfBand, number: int) -> Bait | None:
        drawn = numbers()
        payload = fill_call(way, inquiry.value, drawn.left, drawn.right, oob.url(number), oob.host(number))
        request = _written(inquiry, payload)
        return Bait(request, str(drawn.left * drawn.right)) if request is not None else None

    # A product before a name that was looked up was computed as well as one behind a name that was fetched.
    return (yield from called_back(inquiry, baiting, found, dns_threat=dns_threat))


def asks_by_look_up(inquiry: Inquiry, found: Verdict, *, dns_threat: int) -> _Deciding:
    """Whether what a text tells a logging library to look up is looked up: an object of a directory of ours."""

    def baiting(oob: OutOfBand, number: int) -> Bait | None:
        request = _written(inquiry, LOOK_UP_IN_LOGS.replace("{url}", oob.ldap_url(number)))
        return Bait(request) if request is not None else None

    return (yield from called_back(inquiry, baiting, found, dns_threat=dns_threat, beginning=_FIRST_OF_LOOK_UPS))


def _written(inquiry: Inquiry, payload: str) -> Request | None:
    """The baseline with the payload at its point; None where the place cannot hold it."""
    try:
        return inquiry.writer.write(payload.encode("utf-8", "surrogateescape"))
    except UserError:
        return None
