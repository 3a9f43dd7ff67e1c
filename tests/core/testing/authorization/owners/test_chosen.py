"""Who is let in by a rule, told by another of his rank who is not."""

from collections.abc import Callable, Generator
from random import Random

import pytest
from tests.core.testing.driving import credentials_of, record
from tests.range.place import answer
from tests.range.tenants_store import SIGNED, asked

from gatecrash.core.message import Exchange, Response
from gatecrash.core.testing.authorization.owners.chosen import is_kept_from_others
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.oracles.difference import read
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.probes.idor import PROBE

ANN, BEN, EVA, IDA = Identity("ann"), Identity("ben"), Identity("eva"), Identity("ida", 10)
ORDER = answer({"id": 41, "item": "Lamp", "total": "24.00", "street": "Main Road 7"})
TO_LOGIN = Response(302, ((b"Location", b"/login"),))
REFUSED = answer({"ok": False, "message": "this order is between others"})


@pytest.mark.parametrize(
    ("third", "theirs", "expected"),
    [
        (EVA, REFUSED, True),
        (EVA, ORDER, False),
        (EVA, None, False),
        (EVA, Response(401), False),
        (EVA, TO_LOGIN, False),
        (IDA, REFUSED, False),
    ],
    ids=["refused", "told", "not signed in", "not any more", "led to the login", "of a higher rank"],
)
def test_another_who_is_not_given_it_tells_of_a_rule(third: Identity, theirs: Response | None, expected: bool) -> None:
    """theirs: what the third one is answered; None where he cannot be signed in."""
    request = asked("/orders/41", tokens=SIGNED)("")
    (check,) = plan(
        record(lambda _: ORDER, request), DEFAULT, credentials_of(request), (PROBE,), identities=(ANN, BEN, third)
    )
    failure = "signed_out" if theirs is None else ""
    dialogue = is_kept_from_others(check.situation(Random(1)), request, BEN, read(ORDER).facts)
    assert ended(dialogue, lambda question: Answer(Exchange(question.request, theirs), failure)) is expected


def ended(dialogue: Generator[TestRequest, Answer, bool], answered: Callable[[TestRequest], Answer]) -> bool:
    try:
        question = next(dialogue)
        while True:
            question = dialogue.send(answered(question))
    except StopIteration as end:
        return end.value
