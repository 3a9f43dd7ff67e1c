"""Which requests add something at most: a message, an order, a search by POST.

What reads the same afterwards shows it beside what was there. Nothing that was there is another, or gone.
"""

from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.cancelling import cancels
from gatecrash.core.testing.effects.destruction import names_a_change
from gatecrash.core.testing.effects.takes_all import may_take_all
from gatecrash.core.testing.effects.writes import overwrites


def adds(baseline: Baseline) -> bool:
    """Whether a POST only adds: neither its address nor its members nor its answer say that it changes what is there."""
    request = baseline.request
    if request.method.upper() != "POST" or overwrites(request) or cancels(request):
        return False
    return not names_a_change(request) and not may_take_all(baseline)
