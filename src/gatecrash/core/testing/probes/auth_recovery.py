"""Codes that set a forgotten password, handed to whoever asks for one.

What it finds
    Requests for a forgotten password that are answered with the very code, or token, that another request of the run takes
    beside the new password: `{"token": "…"}` of `/forgot`, where `/reset` asks for `token` and `password`.

Why it matters
    Whoever knows an account's name or address sets its password, and is that user.

How it decides
    The code is known by what the other request calls it, not by what it looks like alone: that one has no second code, so
    that nothing else is to be told to the owner. Without credentials the code is asked for three times for the recorded
    account, and must be another one each time, as drawn codes are. For an account that nobody has no such code may be
    answered: where everybody is given one, it says nothing. No password is set.

Known misses
    Codes that stay the same until they are used, or that are handed out for invented accounts, too. Codes for which no
    request was recorded or described, unless their own names tell (`reset_token`), which `info` looks at.

Standards and references
    CWE-640; OWASP Top 10:2021 A07 Identification and Authentication Failures; OWASP API Security Top 10:2023 API2 Broken
    Authentication.
"""

from collections.abc import Generator

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.asking import ask_raw, concluding, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import (
    RESET,
    account_request,
    filled_in,
    invented,
)
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.leaks.accounts import reads_as_a_code, recovery_codes_in
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import safe, vulnerable
from gatecrash.core.words.names import plain

TYPE = "auth"
CWE = (640,)
THREAT = 90
_TIMES = 3
_LEAST_ALIKE = 3
_Codes = dict[tuple[str, ...], str]


def _dialogue(situation: Situation) -> Dialogue:
    exchange, point = situation.baseline.exchange, situation.point
    account = account_request(exchange)
    assert account is not None
    request = without_credentials(exchange.request, situation.credentials)
    told: list[tuple[Exchange, _Codes]] = []
    for _ in range(_TIMES):
        told.append((yield from _asked(situation, request, "confirm" if told else "test")))
        if not told[-1][1]:
            return safe(TYPE, point, "no code is answered that sets a password elsewhere")
    drawn = [at for at in told[0][1] if len({codes.get(at, "") for _, codes in told} - {""}) == _TIMES]
    if not drawn:
        return safe(TYPE, point, "what is called as the code is not another one each time")
    stranger = filled_in(request, account, invented(account.value, situation.random), None)
    if stranger is None:
        return safe(TYPE, point, "nobody else can be named there")
    control, of_nobody = yield from _asked(situation, stranger, "control")
    if any(at in of_nobody for at in drawn):
        return safe(TYPE, point, "an account that nobody has is given a code, too")
    where = ".".join(drawn[0])
    return vulnerable(
        ENTRY,
        point,
        detail=f"the code stands in {where}",
        threat=THREAT,
        test=told[-1][0],
        control=control,
        verified_by=(
            f"Without credentials the code was asked for three times: each time another stands in the answer's {where}, which is what "
            "the request that sets the new password calls it. For an account that nobody has there is none. No password was set."
        ),
    )


def _asked(
    situation: Situation, request: Request, purpose: str
) -> Generator[TestRequest, Answer, tuple[Exchange, _Codes]]:
    """The exchange, and the codes in its answer by where they stand."""
    exchange = yield from ask_raw(request, purpose)
    return exchange, _codes(situation, exchange)


def _codes(situation: Situation, exchange: Exchange) -> _Codes:
    """What an answer has under the name of the code that another request takes, but for what was sent."""
    answered = response_of(exchange)
    if not is_good(answered):
        return {}
    names = [made.path[-1] for made in situation.makers if made.path]
    sent = exchange.request.body.decode("utf-8", "replace")
    return {
        leaf.path: leaf.value
        for leaf in leaves(answered)
        if leaf.path and _is_called(leaf.path[-1], names) and reads_as_a_code(leaf.value) and leaf.value not in sent
    }


def _is_called(name: str, codes: list[str]) -> bool:
    """Whether a member is called as a code is: `token` beside `reset_token`."""
    own = plain(name)
    return len(own) >= _LEAST_ALIKE and any(own.endswith(code) or code.endswith(own) for code in codes)


def applies(situation: Situation) -> bool:
    """Requests for a forgotten password whose answer holds what another request takes for the code; those that are told by their own
    names are left to the check of secrets, where it is made.
    """
    exchange = situation.baseline.exchange
    account = account_request(exchange)
    if account is None or account.kind != RESET or not situation.makers or exchange.response is None:
        return False
    if "info" in situation.policy.types and recovery_codes_in(exchange.response):
        return False
    return bool(_codes(situation, exchange))


def forecast(_situation: Situation) -> int:
    """The code twice, at least."""
    return _TIMES


ENTRY = Entry(
    type=TYPE,
    title="The code that sets a forgotten password is answered to whoever asks",
    cwe=CWE,
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why="Whoever knows an account's name or address reads the code, sets its password, and is that user.",
    remediation=(
        "Send the code to the address or the telephone number that is known of the account, and by no other way; answer the same "
        "for every account, whether there is one or not."
    ),
)
PROBE = Probe(
    type=TYPE,
    entry=ENTRY,
    name="recovery",
    whole=True,
    of_answers=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
