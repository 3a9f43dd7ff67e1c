"""Which checks of a baseline wait until the rest was made of it, and where a run can put them off, of all baselines.

Headers and cookies are most of what a thorough run asks, and the least of what it finds: whoever has no time for all of it should
have seen the parameters of every request before them.
"""

from gatecrash.core.testing.derive import Check

HEADERS_LEFT = "still to be asked: headers and cookies"
"""What is told of a baseline of which only that is left, also where its run ended before."""


def none_waits(_check: Check) -> bool:
    """Of what is made as a whole."""
    return False
