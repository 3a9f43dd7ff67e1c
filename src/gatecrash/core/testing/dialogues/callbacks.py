"""Proof by callback: a payload makes the target call our listener, and is sent again under a fresh name where it did.

    verdict = yield from called_back(inquiry, bait, found, dns_threat=30)

Nothing is waited for behind the first answer, so a sound target costs one request and no time. What comes later becomes a
finding by itself: the lure says what it means.
"""

from collections.abc import Callable, Generator
from typing import NamedTuple

from gatecrash.core.message import Request
from gatecrash.core.testing.asking import may_be_own_word, settled
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import block
from gatecrash.core.testing.out_of_band import Lure, OutOfBand, content_at, proven, strongest
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Verdict

# The first of the two came at once, or within the time of its answer; the second has this long.
CONFIRM_SECONDS = 3.0


class Bait(NamedTuple):
    """A request that holds an address of ours. computed: what the target must have computed to ask for it."""

    request: Request
    computed: str = ""


Baiting = Callable[[OutOfBand, int], Bait | None]


def called_back(
    inquiry: Inquiry,
    baiting: Baiting,
    found: Verdict,
    *,
    dns_threat: int,
    shown_threat: int | None = None,
    beginning: int = 1,
) -> Generator[TestRequest, Answer, Verdict | None]:
    """Whether the target comes to the listener for what stands at the point; None where it does not, or there is none.

    baiting: the request with the address of this number, None where the place cannot hold it. found: the verdict of a
    fetch, its proof left out. dns_threat: where only the name was looked up. shown_threat: where the listener's content is
    in the answer.
    """
    oob = inquiry.situation.oob
    verdict = None
    for number, purpose in ((beginning, "test"), (beginning + 1, "confirm")) if oob else ():
        assert oob is not None
        bait = baiting(oob, number)
        if bait is None:
            return verdict
        lure = oob.lure(number, found, dns_threat=dns_threat, computed=bait.computed)
        patience = CONFIRM_SECONDS if verdict else 0.0
        answer = yield TestRequest(bait.request, purpose, lures=(lure,), patience=patience)
        judged = _judged(lure, answer, shown_threat, again=verdict is not None)
        if judged is None:
            if verdict is None:
                _note_block(inquiry, answer)
            return verdict
        verdict = judged
    return verdict


def _judged(lure: Lure, answer: Answer, shown_threat: int | None, *, again: bool) -> Verdict | None:
    hit = strongest(lure, answer.hits)
    if hit is None:
        return None
    response = answer.exchange.response
    shown = response is not None and content_at(lure.name) in text_of(response)
    more = "It came for a first, other address of ours before." if again else ""
    if shown:
        more = f"The answer shows what the listener said ({content_at(lure.name)}). {more}".strip()
    return proven(lure, hit, answer.exchange, more=more, threat=shown_threat if shown else None)


def _note_block(inquiry: Inquiry, answer: Answer) -> None:
    """What refuses the payload in front of the application. Raises Stopped where no answer came. That the application says
    itself that it called in vain says nothing of what is asked next.
    """
    if may_be_own_word(answer):
        return
    response = settled(answer).response
    why = block(response) if response is not None else None
    if why and not block(inquiry.good):
        inquiry.blocked = why
