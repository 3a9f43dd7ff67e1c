"""How a payload is written at a point: in the place of the value, and of a name in what only reads.

Where a request may change something, what it names is kept, and what the payload calls stands before it: many take a
name that is not there for all (`UPDATE … WHERE` whatever was named), which is more than the baseline does.
"""

from gatecrash.core.points.writing import Writer, writer_at
from gatecrash.core.testing.effects.takes_all import may_change
from gatecrash.core.testing.operations.graphql import only_queries
from gatecrash.core.testing.operations.questions import is_question
from gatecrash.core.testing.places.segments import is_name
from gatecrash.core.testing.probe import Situation


def writer_of(situation: Situation) -> Writer:
    """What writes payloads at the situation's point."""
    request, point = situation.baseline.request, situation.point
    return writer_at(request, point, beside=is_name(point) and _changes(situation))


def _changes(situation: Situation) -> bool:
    request = situation.baseline.request
    return may_change(situation.baseline) and not is_question(request) and not only_queries(request)
