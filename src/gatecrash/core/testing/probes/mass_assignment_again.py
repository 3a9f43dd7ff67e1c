"""Credits that are given once, given again: the same code, or the return of the same order, pays out each time it is sent.

What it finds
    Codes of coupons, vouchers and gift cards that raise a balance or a discount once more for the very account that has
    used them, and orders that are returned, refunded or cancelled twice and paid back each time.

Why it matters
    One code, or one returned lamp, fills an account without end.

How it decides
    Only requests that hold a code which they or their address call a coupon or the like (`/vouchers/SUN5/redeem`),
    or whose address says that something is returned, refunded or cancelled; none that name an amount, of which a
    part may be paid back at a time. The record has used it already. It is sent as recorded three times more: each
    must be answered well, and the balance, or the discount, that the answer or a recorded page tells must rise by
    the same amount from the first to the second and to the third. Where it moves otherwise, as other requests may
    move it at the same time, all is done again, twice at most.

Known misses
    Balances that are told as texts or in pages of HTML. What is taken again at the same moment only (CWE-367).

Standards and references
    CWE-837 (improper enforcement of a single, unique action), CWE-840; OWASP Top 10:2021 A04 Insecure Design; OWASP API
    Security Top 10:2023 API6 Unrestricted Access to Sensitive Business Flows.
"""

import re
from decimal import Decimal
from functools import partial
from itertools import pairwise

from gatecrash.core.inventory.identifiers import look_in_path
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.asking import ask, concluding, response_of
from gatecrash.core.testing.authorization.fields.balances import amount_named, only_balance, only_discount
from gatecrash.core.testing.dialogues.balances_after import Trial, balance_after, decided
from gatecrash.core.testing.effects.spoken import spoken_address
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Dialogue, Probe, Situation
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable
from gatecrash.core.words.named import Words
from gatecrash.core.words.names import parted

TYPE = "mass_assignment"
CWE = (837, 840)
THREAT = 75
_METHODS = ("POST", "PUT", "PATCH")
_TIMES = 3
_COUPON = Words(
    r"coupon|voucher|promo(?:tion)?(?:_?code)?|gift_?(?:card|code)|bonus_?code|discount_?code|referral_?code|redeem_?code",
    re.IGNORECASE,
)
_OF_COUPONS = Words(r"coupon|voucher|promo|gift|bonus|redeem|reward|referral|rebate|cash_?back", re.IGNORECASE)
_CODE = re.compile(r"(?:\w+_)?code|card_?(?:no|number|code)|pin", re.IGNORECASE)
# `/vouchers/SPRING10/redeem`: what is written in capitals or with digits is no word for what is done.
_IN_A_PATH = re.compile(r"(?=[^a-z]*[A-Z0-9])[A-Z0-9][A-Z0-9_-]{3,39}|(?=\w*\d)(?=\w*[a-z])[\w-]{4,40}")
_IDENTIFIES = re.compile(r"(?:\w+_)?(?:id|uuid|no|number|ref)", re.IGNORECASE)
_PAYS_BACK = re.compile(r"(?:\w+[-_])?(?:return|refund|cancel|reimburse|take[-_]?back)(?:[-_]\w+)?", re.IGNORECASE)


def _dialogue(situation: Situation) -> Dialogue:
    verdict = yield from decided(partial(_tried, situation))
    return verdict or safe(TYPE, situation.point, "what is given once is not given again")


def _tried(situation: Situation) -> Trial:
    """What three of them say; None where the balance moved otherwise: something else may have moved it at the same time."""
    request, point = situation.baseline.request, situation.point
    told: list[Decimal] = []
    for turn in range(_TIMES):
        seen = yield from ask(request, "test" if turn else "control")
        if not is_good(response_of(seen)):
            return safe(TYPE, point, "what is given once is refused when it is asked for again")
        held = yield from balance_after(situation, seen, _held)
        if held is None:
            return safe(TYPE, point, "nothing tells what its sender has")
        told.append(held)
        if len(told) > 1 and not _rises(told):
            return safe(TYPE, point, "it gives nothing again") if told[-1] == told[-2] else None
    return _vulnerable(situation, seen, told)


def _held(response: Response) -> Decimal | None:
    """The balance that an answer tells, else what it takes off a price."""
    balance = only_balance(response)
    return only_discount(response) if balance is None else balance


def _rises(told: list[Decimal]) -> bool:
    """Whether the last time gave something, and as much as the time before."""
    step = told[-1] - told[-2]
    return step > 0 and step == told[1] - told[0]


def _vulnerable(situation: Situation, test: Exchange, told: list[Decimal]) -> Verdict:
    return vulnerable(
        ENTRY,
        situation.point,
        detail=f"{told[1] - told[0]} more each time",
        threat=THREAT,
        test=test,
        control=situation.baseline.exchange,
        verified_by=(
            f"Sent {_TIMES} times more as it was recorded, it was answered well each time, and its sender had {', '.join(map(str, told))}: "
            f"{told[1] - told[0]} more each time for what is given once. It stays with him."
        ),
    )


def _is_given_once(request: Request) -> bool:
    """Whether a request brings a code for a credit, or has something paid back that its address or its body names."""
    path = spoken_address(request)
    words = [word for word in path.split("/") if word]
    fields = [each for each in walked(request) if each.point[0] != "header" and not each.container and each.value]
    names = [parted(each.point[-1]) for each in fields if each.point[0] in ("get", "post")]
    if any(map(_COUPON.fullmatch, names)):
        return True
    if any(map(_CODE.fullmatch, names)) and any(map(_OF_COUPONS.search, words)):
        return True
    if any(_OF_COUPONS.search(word) and _IN_A_PATH.fullmatch(code) for word, code in pairwise(words)):
        return True
    return bool(words) and _PAYS_BACK.fullmatch(words[-1]) is not None and _names_one(words, names)


def _names_one(words: list[str], names: list[str]) -> bool:
    return any(map(look_in_path, words)) or any(map(_IDENTIFIES.fullmatch, names))


def applies(situation: Situation) -> bool:
    """What is given once, by what the request says, and was given when it was recorded."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is None or not is_good(response) or request.method.upper() not in _METHODS:
        return False
    return amount_named(request) is None and _is_given_once(request)


def forecast(_situation: Situation) -> int:
    """The first time: where it is refused, nothing more is asked."""
    return 1


ENTRY = Entry(
    type=TYPE,
    title="What is credited once is credited again",
    cwe=CWE,
    owasp=("A04:2021",),
    owasp_api=("API6:2023",),
    why="Whoever sends the same request again is given the same credit again: one code, or one return, fills an account without end.",
    remediation=(
        "Keep what was used or paid back, for each account or for all, and refuse it the next time, in the same transaction as the credit. "
        "Let an order be returned from one state only."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="again",
    entry=ENTRY,
    whole=True,
    undisturbed=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
