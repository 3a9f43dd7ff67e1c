"""Approvals of one's own in an API: who asked for something sets it to approved himself, which managers were recorded to do.

What it finds
    Requests of a higher identity that approve what others ask for (`POST /visits/7/approve`, `PATCH /payouts/7` with
    `{"state": "approved"}`), are answered as programs are, and are done for the very identity of a lower rank that asked.

Why it matters
    What needs somebody else's word is granted by whoever wants it: an expense, a payout, a key to the building.

How it decides
    Ranks come with the identities. Nothing that was there before is approved. The record must show the request that made
    such an object, and the approval as sent by the higher identity; no word is needed for what is asked for. The lower
    identity makes one and reads it, at its own address below the one where it was made, or in the list there: it must not
    be approved yet. Then the approval is sent without credentials, which must change nothing, several times the second
    time, as a job of the application may approve it by itself. Then the lower identity sends it, and reads in a field for
    a state that it is approved now. Twice, each time with a new one. They stay, approved.

Known misses
    What the lower identity cannot read back. Refusals and other decisions; states in words of the application's own.
    What is asked for by one and granted by another of the same rank.

Standards and references
    CWE-285 (improper authorization), CWE-840 (business logic errors); OWASP Top 10:2021 A01 Broken Access Control;
    OWASP API Security Top 10:2023 API5 Broken Function Level Authorization.
"""

from collections.abc import Generator

from gatecrash.core.message import Exchange, Response
from gatecrash.core.statuses import FIRST_REDIRECT
from gatecrash.core.testing.asking import ask_as, concluding, response_of
from gatecrash.core.testing.authorization.callers.holder import named_by
from gatecrash.core.testing.authorization.objects.listed_entry import entry_of
from gatecrash.core.testing.authorization.objects.made_anew import in_name_of, is_shown, may_make
from gatecrash.core.testing.authorization.objects.named import asking_for, kind_of, listing
from gatecrash.core.testing.authorization.ranks.approvals import approves, says_approved
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.identity import Identity, lower_of
from gatecrash.core.testing.known.objects import Made
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good, is_taken
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable

TYPE = "auth"
CWE = 285
THREAT = 84
_NOBODY = ""
# The second time longer than all that was asked about the first.
_ASKED_FIRST, _ASKED_AGAIN = 1, 4

_State = frozenset[tuple[str, str]]


def _dialogue(situation: Situation) -> Dialogue:
    lower = lower_of(situation.identities)
    assert lower is not None
    trial = _Trial(situation, lower, _made(situation)[0])
    for waits in (_ASKED_FIRST, _ASKED_AGAIN):
        sent = yield from trial.approved(waits)
        if sent is None:
            return safe(TYPE, situation.point, "what the lower identity asks for is not approved by it")
    assert sent is not None
    return _vulnerable(situation, lower, trial, sent)


class _Trial:
    """Something that the lower identity asks for, and approves itself. told: by what it reads that it is approved."""

    def __init__(self, situation: Situation, lower: Identity, maker: Made) -> None:
        self.situation = situation
        self.lower = lower
        self.maker = maker
        self.told: _State = frozenset()

    def approved(self, waits: int) -> Generator[TestRequest, Answer, Exchange | None]:
        """The lower identity's approval, where it was done; None where it was not, or nothing can be said. waits: how
        often nobody asks before.
        """
        request, named = self.situation.baseline.request, named_by(self.situation)[-1]
        made = response_of((yield from ask_as(in_name_of(request, self.maker), self.lower.name, "control")))
        new = self.maker.identifier(made) if is_taken(made) else ""
        approval = asking_for(request, named, new) if new else None
        if approval is None:
            return None
        before = yield from self._state(new)
        if not before or _approved_in(before):
            return None
        for _ in range(waits):
            yield from ask_as(approval, _NOBODY, "control")
            if _approved_in((yield from self._state(new))):
                return None
        sent = yield from ask_as(approval, self.lower.name)
        if not is_taken(response_of(sent)):
            return None
        self.told = _approved_in((yield from self._state(new)))
        return sent if self.told else None

    def _state(self, new: str) -> Generator[TestRequest, Answer, _State]:
        """What the lower identity reads of the new object, by field; empty where it is shown nowhere."""
        request, place = self.situation.baseline.request, self.maker.request.path.rstrip(b"/")
        kind = kind_of(request, named_by(self.situation)[-1])
        one = response_of(
            (yield from ask_as(listing(request, place + b"/" + new.encode()), self.lower.name, "control"))
        )
        if is_shown(one, new):
            return _fields(one)
        listed = response_of((yield from ask_as(listing(request, place), self.lower.name, "control")))
        entry = entry_of(listed, new, kind) if is_good(listed) else None
        return _fields(entry) if entry is not None else frozenset()


def _fields(shown: Response) -> _State:
    return frozenset((leaf.path[-1], leaf.value) for leaf in leaves(shown) if leaf.path)


def _approved_in(state: _State) -> _State:
    """The fields that say that it is approved."""
    return frozenset(each for each in state if says_approved(*each))


def _made(situation: Situation) -> list[Made]:
    """The recorded requests that make such objects and whose answers name the new one."""
    return [each for each in situation.makers or situation.renewal.makers if each.path]


def _vulnerable(situation: Situation, lower: Identity, trial: _Trial, sent: Exchange) -> Verdict:
    name, value = min(trial.told)
    where = f"{trial.maker.request.method} {trial.maker.request.path.decode('latin-1')}"
    return vulnerable(
        ENTRY,
        situation.point,
        threat=THREAT,
        test=sent,
        control=situation.baseline.exchange,
        verified_by=(
            f"{lower.name!r} asked for something by the recorded {where}, and it was not approved yet. Sent without credentials, the approval "
            f"changed nothing; sent as {lower.name!r}, the very identity that had asked, it was done: {name!r} is {value!r} there now. Twice. "
            "In the record a higher identity approves."
        ),
    )


def applies(situation: Situation) -> bool:
    """Approvals that were answered well, where the record shows how such things are asked for and who is of a lower rank."""
    request, response = situation.baseline.request, situation.baseline.response
    if is_safe(request) or response is None or response.status >= FIRST_REDIRECT or not is_taken(response):
        return False
    if operation_of(request) is not None or not approves(request) or not may_make(situation):
        return False
    if not situation.credentials or lower_of(situation.identities) is None:
        return False
    return bool(_made(situation) and named_by(situation))


def forecast(_situation: Situation) -> int:
    """What is asked for, the approval as nobody and as the lower identity, and what is read before and after each."""
    return 9


ENTRY = Entry(
    type=TYPE,
    title="Who asks for something may approve it himself",
    cwe=(CWE, 840),
    owasp=("A01:2021",),
    owasp_api=("API5:2023",),
    why=(
        "What needs somebody else's approval is granted by whoever asked for it: expenses, payouts, access. That managers alone send the request is "
        "a habit of their program, and no rule."
    ),
    remediation="Check where the approval is received that the caller may decide, and that it is not his own request.",
)
PROBE = Probe(
    type=TYPE,
    name="approval_own",
    entry=ENTRY,
    whole=True,
    as_others=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
