"""Whether an application keeps what a page of another site sends: a page shows from then on what only that request brought.

A form that is answered with its own page shows what is kept in either case: what was just sent, or, where it was turned down without
a word, what was sent before, which is the same when a request is repeated as it was recorded. So another value is sent.
"""

from collections.abc import Callable, Generator, Iterable

from gatecrash.core.errors import UserError
from gatecrash.core.message import Request, reading
from gatecrash.core.points.found import Found
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.told_changes import shows_kept
from gatecrash.core.testing.probe import Answer, TestRequest

_MOST = 2


def keeps_from_elsewhere(
    inquiry: Inquiry, dress: Callable[[], Request], fields: Iterable[Found]
) -> Generator[TestRequest, Answer, bool]:
    """Whether one of the fields is kept with another value. dress: the request as another site's page sends it, anew each time.

    fields: those whose value the page shows now; a number alone is left as it is. The application's own request comes last each
    time, and leaves what it left when it was recorded.
    """
    own = inquiry.situation.baseline.request
    texts = [found for found in fields if not found.value.isdigit()]
    for found in texts[:_MOST]:
        letters = inquiry.mark(8)
        try:
            # In front: what stands behind an address of mail or of a page is the name of its host.
            other = rewrite(dress(), found.point, letters.encode() + found.value)
        except UserError:
            continue
        yield from ask(other, "control")
        page = text_of(response_of((yield from ask(reading(own, own.target), "control"))))
        yield from ask(own, "control")
        if shows_kept(page, [letters]):
            return True
    return False
