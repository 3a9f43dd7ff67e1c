"""What is left in the sender's account after a request, and how several requests have moved it.

balance = yield from balance_after(situation, exchange)     by the answer, else by a recorded page
verdict = yield from decided(trial)                         of several trials, as something else may move the balance meanwhile
moved_against(told, turn)                                   whether the last one moved it as much as those before, the other way
"""

from collections.abc import Callable, Generator
from decimal import Decimal
from itertools import islice

from gatecrash.core.message import Exchange, Response
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.authorization.fields.balances import only_balance
from gatecrash.core.testing.known.page import asking
from gatecrash.core.testing.probe import Answer, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict

MOST_TRIALS = 3
"""So often all is done again, where a balance moves otherwise."""
_TELLING = ("balance", "credit", "credits", "funds", "wallet")
_MOST_PAGES = 3

_Told = Generator[TestRequest, Answer, Decimal | None]
Trial = Generator[TestRequest, Answer, Verdict | None]


def balance_after(
    situation: Situation, exchange: Exchange, told_by: Callable[[Response], Decimal | None] = only_balance
) -> _Told:
    """What is left after a request, by its own answer or by a page that seems to tell it; None where nothing does.

    told_by: what reads it out of an answer.
    """
    told = told_by(response_of(exchange))
    if told is not None:
        return told
    request = situation.baseline.request
    pages = (page for page in situation.pages if page.request.method == "GET" and any(map(page.may_say, _TELLING)))
    for page in islice(pages, _MOST_PAGES):
        told = told_by(response_of((yield from ask(asking(request, page), "control"))))
        if told is not None:
            return told
    return None


def decided(trial: Callable[[], Trial]) -> Trial:
    """What the first of several trials says that says anything; None where none does."""
    for _ in range(MOST_TRIALS):
        verdict = yield from trial()
        if verdict is not None:
            return verdict
    return None


def moved_against(told: list[Decimal], turn: int) -> bool:
    """Whether the last of several requests moved the balance by as much as those before: down where its turn is above zero,
    up where it is below.
    """
    step = told[-1] - told[-2]
    return step * turn < 0 and abs(step) == abs(told[1] - told[0])
