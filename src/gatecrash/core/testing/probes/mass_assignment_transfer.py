"""Transfers below zero: whoever sends less than nothing takes it from whom he names.

What it finds
    Transfers, payments and withdrawals in JSON or a form whose amount is taken below zero, and then raises the balance of
    whoever sends it.

Why it matters
    Nobody has to agree: a transfer of -100 empties the account that it is sent to, and a withdrawal of -100 makes money.

How it decides
    Only requests whose address says that money is moved, and that say once how much. A balance must be told, by the answer
    or by a recorded page. It is sent as recorded, then with the amount below zero, and both once more: nobody ever has less
    than before, because what is taken back was sent the moment before. Each as recorded must lower the sender's balance,
    each below zero raise it, and all by the same amount. Where it moves otherwise, as other requests may move it at the same
    time, all is done again, twice at most.

Known misses
    Balances that are told as texts or in pages of HTML, and amounts with a fee. Answers that tell of several accounts.

Standards and references
    CWE-1284 (quantity that is not checked), CWE-840; OWASP Top 10:2021 A04 Insecure Design; OWASP API Security Top
    10:2023 API6 Unrestricted Access to Sensitive Business Flows.
"""

from decimal import Decimal
from functools import partial

from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange, Request
from gatecrash.core.points.found import Found
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.asking import ask, concluding, response_of
from gatecrash.core.testing.authorization.fields.balances import amount_named, moves_money
from gatecrash.core.testing.dialogues.balances_after import Trial, balance_after, decided, moved_against
from gatecrash.core.testing.effects.destruction import deletes
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Dialogue, Probe, Situation
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable

TYPE = "mass_assignment"
CWE = (1284, 840)
THREAT = 88
_METHODS = ("POST", "PUT", "PATCH")
_BELOW, _AS_RECORDED = -1, 1
# What is sent is taken back at once, twice.
_TURNS = (_AS_RECORDED, _BELOW, _AS_RECORDED, _BELOW)


def _dialogue(situation: Situation) -> Dialogue:
    verdict = yield from decided(partial(_tried, situation))
    return verdict or safe(TYPE, situation.point, "an amount below zero does not raise the balance of its sender")


def _tried(situation: Situation) -> Trial:
    """What four of them say; None where the balance moved otherwise: something else may have moved it at the same time."""
    amount = amount_named(situation.baseline.request)
    assert amount is not None
    told: list[Decimal] = []
    sent: Exchange | None = None
    for turn in _TURNS:
        asked = _moving(situation.baseline.request, amount, turn)
        seen = yield from ask(asked, "test" if turn < 0 else "control")
        if not is_good(response_of(seen)):
            return safe(TYPE, amount.point, "an amount below zero is refused, or nothing can be moved any more")
        balance = yield from balance_after(situation, seen)
        if balance is None:
            return safe(TYPE, amount.point, "nothing tells what its sender has left")
        told.append(balance)
        sent = seen if turn < 0 else sent
        if len(told) > 1 and not moved_against(told, turn):
            return safe(TYPE, amount.point, "it moves nothing") if told[-1] == told[-2] else None
    assert sent is not None
    return _vulnerable(situation, amount, sent, told)


def _moving(request: Request, amount: Found, turn: int) -> Request:
    """Raises UserError where the place cannot hold it."""
    return request if turn > 0 else rewrite(request, amount.point, b"-" + amount.value)


def _vulnerable(situation: Situation, amount: Found, sent: Exchange, told: list[Decimal]) -> Verdict:
    value = amount.value.decode("utf-8", "replace")
    return vulnerable(
        ENTRY,
        amount.point,
        detail=f"{amount.point[-1]} = -{value} (before: {value})",
        threat=THREAT,
        test=sent,
        control=situation.baseline.exchange,
        verified_by=(
            f"Sent with {value}, -{value}, {value} and -{value}, the balance of the sender was {', '.join(map(str, told))}: each amount below "
            "zero raises it by what one as recorded takes. Whoever was named has in the end what he had before."
        ),
    )


def applies(situation: Situation) -> bool:
    """What moves money by its address, says how much, and was done when it was recorded."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is None or not is_good(response) or request.method.upper() not in _METHODS or deletes(request):
        return False
    amount = amount_named(request)
    if amount is None or not moves_money(request):
        return False
    try:
        _moving(request, amount, _BELOW)
    except UserError:
        return False
    return True


def forecast(_situation: Situation) -> int:
    """It as recorded, and below zero."""
    return 2


ENTRY = Entry(
    type=TYPE,
    title="Amounts below zero are taken from others",
    cwe=CWE,
    owasp=("A04:2021",),
    owasp_api=("API6:2023",),
    why="Whoever sends an amount below zero is given it, by whom he names or by nobody: no account is safe from anybody.",
    remediation=(
        "Refuse amounts that are not above zero, on the server and before any sum is made of them. Let no request raise the balance of "
        "whoever sends it unless somebody else has agreed."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="transfer",
    entry=ENTRY,
    whole=True,
    undisturbed=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
