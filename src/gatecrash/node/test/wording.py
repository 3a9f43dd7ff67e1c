"""What is told of a baseline in words: why it was not tested, or what its checks could not decide."""

from collections.abc import Sequence

from gatecrash.core.message import Request
from gatecrash.core.testing.asking import CERTIFICATE_REFUSED
from gatecrash.core.testing.derive import Check
from gatecrash.core.testing.health.refused_sessions import OTHER_OUT, REFUSED_NOW
from gatecrash.core.testing.verdict import NOTHING_FITS, Inconclusive, Outcome, Verdict

AWAY = "refused"
"""The failure of a target that takes no connections."""

TIMED_OUT = "timeout"
SILENT = "silent"
"""The failure of what a host got that answers nobody any more, and of what was not sent to it because of that."""

COMES_BACK = frozenset({AWAY, SILENT})
"""What is waited for, once for all who test the target."""

UNPAID = "it would cost more test requests than the policy's budget leaves"

_MOST_NAMED = 3

LETHAL = "the target went away again and again while this was tested"
DEAFENING = "the target answered nobody any more while this was tested"

GONE = {
    AWAY: "the target refuses connections",
    "unsteady": "the target goes away again and again while this is tested",
    TIMED_OUT: "the target does not answer in time",
    SILENT: "the target takes requests and answers nobody any more",
    "closed": "the target closes the connection without an answer",
    "broken": "the target does not answer in HTTP, or not in TLS where the address begins with https",
    **CERTIFICATE_REFUSED,
    "banned": "blocked: the target has banned who tests it, and did not answer again in time",
    "too_large": "the target's answers are too large to read",
}


class TargetGone(Exception):
    """Nothing answers any more, or nothing but redirects. kind: the last failure. detail: more than the kind says.

    cut: whether it went away under a request that it had taken. request: which one, as the check asked it.
    """

    def __init__(self, kind: str, detail: str = "", *, cut: bool = False, request: Request | None = None) -> None:
        super().__init__(kind)
        self.kind = kind
        self.detail = detail
        self.cut = cut
        self.request = request


# The other reasons are words that say enough.
_TOLD_BY_DETAIL = frozenset(
    {Inconclusive.NO_CONTROL, Inconclusive.CONNECTION, Inconclusive.SESSION, Inconclusive.RATE_LIMITED}
)


def gone_words(kind: str, under: Sequence[Check] = ()) -> str:
    """How a target went away for good, and under which checks' requests, as far as these are known."""
    told = GONE.get(kind, kind)
    places = list(dict.fromkeys(f"{each.probe.type} at {_place(each.point)}" for each in under))
    if not places:
        return told
    more = f" and {len(places) - _MOST_NAMED} more" if len(places) > _MOST_NAMED else ""
    return (
        f"{told}; it {'fell silent' if kind == SILENT else 'went away'} under {', '.join(places[:_MOST_NAMED])}{more}"
    )


def undecided_words(verdicts: Sequence[Verdict]) -> str:
    """Which of a baseline's checks could not decide, where and why: `sqli, xss at get/ref: blocked`; that there was none."""
    if not verdicts:
        return NOTHING_FITS
    told: dict[str, list[str]] = {}
    for one in verdicts:
        if one.outcome is Outcome.INCONCLUSIVE:
            told.setdefault(_where_and_why(one), []).append(one.type)
    return "; ".join(f"{', '.join(dict.fromkeys(types))} at {why}" for why, types in told.items())


def refused_words(undecided: Sequence[Verdict], *, own: bool) -> str:
    """Whose session a baseline lacks: its own, or that of another identity, whose login failed. own: its own was refused."""
    told = [one.detail for one in undecided if one.reason is Inconclusive.SESSION]
    return told[0] if not own and told and all(one.startswith(f"{OTHER_OUT}: ") for one in told) else REFUSED_NOW


def _where_and_why(one: Verdict) -> str:
    why = one.detail if one.reason in _TOLD_BY_DETAIL and one.detail else str(one.reason).replace("_", " ")
    return f"{_place(one.point)}: {why}"


def _place(point: Sequence[str]) -> str:
    return "/".join(point) or "the request"
