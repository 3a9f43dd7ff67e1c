"""Which checks of a baseline wait until the rest was made of it, and where a run can put them off, of all baselines.

Headers and cookies are most of what a thorough run asks, and the least of what it finds: whoever has no time for all of it should
have seen the parameters of every request before them.
"""

from typing import TYPE_CHECKING

from gatecrash.core.testing.policy import is_thorough

if TYPE_CHECKING:
    from gatecrash.core.testing.derive import Check


HEADERS_LEFT = "still to be asked: headers and cookies"
"""What is told of a baseline of which only that is left, also where its run ended before."""


def can_wait(check: "Check") -> bool:
    """Whether it asks at a header or cookie that the policy looks at beside all else, and that lets nobody in."""
    told = check.planned
    beside = is_thorough(told.policy) and not told.policy.include
    return beside and check.point[:1] == ("header",) and check.point not in told.credentials


def none_waits(_check: "Check") -> bool:
    """Of what is made as a whole."""
    return False
