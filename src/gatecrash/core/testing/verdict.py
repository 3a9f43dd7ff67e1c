"""What a probe concludes, and the proof it must show for it."""

from collections.abc import Iterable
from enum import StrEnum

import msgspec

from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.statuses import NOT_THERE
from gatecrash.core.testing.entry import Entry


class Outcome(StrEnum):
    """The three verdicts; there is no fourth and no "maybe vulnerable"."""

    VULNERABLE = "vulnerable"
    SAFE = "safe"
    INCONCLUSIVE = "inconclusive"


NOTHING_FITS = "nothing was tested: no check of the policy fits this request"
"""What is told of a baseline that passed with no test that could show anything, so that nobody takes it for a clean one."""


def nothing_there(status: int) -> str:
    """The same of one that was recorded with an answer that says that nothing is there."""
    return f"nothing was tested: this request was answered {status}, so there is nothing to test"


UNTESTED = frozenset({NOTHING_FITS, *map(nothing_there, NOT_THERE)})


def is_untested(status: str, detail: str) -> bool:
    """Whether a baseline passed because there was nothing to test it by (contract 2.10 knows no status for that)."""
    return status == "passed" and detail in UNTESTED


class Inconclusive(StrEnum):
    """Why a probe could not decide."""

    BLOCKED = "blocked"  # something in front of the application refuses the test itself
    RATE_LIMITED = "rate_limited"
    UNSTABLE = "unstable"  # the same request is answered differently, so a difference means nothing
    CONNECTION = "connection"  # no answer came
    SESSION = "session"  # the credentials of the baseline no longer work
    BUDGET = "budget"
    NO_CONTROL = "no_control"  # the baseline may not be repeated and no check address is known


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """What shows that a vulnerability is there.

    test: the exchange that proves it. control: the exchange it was compared with.
    verified_by: one sentence for a person: what was sent, what came back, why nothing else explains it.
    """

    test: Exchange
    control: Exchange | None = None
    verified_by: str


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """A probe's conclusion at one point of one baseline request.

    type: the vulnerability type of the contract's list (`sqli`, `auth`, …). threat: 1 to 100, from what was proven.
    cwe: the weakness numbers. point: where; empty for the request as a whole. reason: set on an inconclusive one.
    elsewhere: what its proof's test asks is broken, and the baseline only led there.
    """

    outcome: Outcome
    type: str
    point: tuple[str, ...] = ()
    reason: Inconclusive | None = None
    detail: str = ""
    threat: int = 0
    cwe: tuple[int, ...] = ()
    title: str = ""
    proof: Proof | None = None
    elsewhere: bool = False

    def broken(self, baseline: Request) -> Request:
        """The request whose endpoint the finding belongs to: the baseline's, if it is not elsewhere."""
        return self.proof.test.request if self.elsewhere and self.proof is not None else baseline

    @property
    def place(self) -> tuple[str, ...]:
        """What tells the findings of one type and baseline apart: the point, and the address of what is elsewhere."""
        if not self.elsewhere or self.proof is None:
            return self.point
        return (*self.point, self.proof.test.request.target.decode("latin-1"))


def vulnerable(
    entry: Entry,
    point: Iterable[str],
    *,
    threat: int,
    test: Exchange,
    verified_by: str,
    control: Exchange | None = None,
    detail: str = "",
    cwe: tuple[int, ...] = (),
    title: str = "",
) -> Verdict:
    """What was proven, in the words of its class. cwe, title: narrower ones, where the entry's own tell of more."""
    return Verdict(
        outcome=Outcome.VULNERABLE,
        type=entry.type,
        point=tuple(point),
        detail=detail,
        threat=threat,
        cwe=cwe or entry.cwe,
        title=title or entry.title,
        proof=Proof(test=test, control=control, verified_by=verified_by),
    )


def safe(type_: str, point: Point, detail: str = "") -> Verdict:
    """Nothing found, and the probe was able to look."""
    return Verdict(outcome=Outcome.SAFE, type=type_, point=tuple(point), detail=detail)


def explained(type_: str, point: Point, verdicts: Iterable[Verdict]) -> bool:
    """Whether a sign of trouble would say nothing new: a flaw with a name is proven at the point that breaks, or inside its value."""
    if type_ != "anomaly" or not point:
        return False
    return any(one.outcome is Outcome.VULNERABLE and one.point[: len(point)] == tuple(point) for one in verdicts)


def inconclusive(type_: str, point: Point, reason: Inconclusive, detail: str = "") -> Verdict:
    """The probe was not able to look; never counted as safe."""
    return Verdict(outcome=Outcome.INCONCLUSIVE, type=type_, point=tuple(point), reason=reason, detail=detail)
