"""What a baseline's verdicts come to: found, decided, or why nothing could be (decisions 7)."""

from collections import Counter
from collections.abc import Sequence

from gatecrash.core.message import Exchange
from gatecrash.core.testing.verdict import Inconclusive, Outcome, Verdict, is_untested, nothing_there
from gatecrash.node.test.beforehand.draft_answer import fault_of
from gatecrash.node.test.rejection import TurnedAway, had_nothing
from gatecrash.node.test.wording import refused_words, undecided_words

Ending = tuple[str, str | None, str]
"""Status, reason and detail."""


def found_any(verdicts: Sequence[Verdict]) -> bool:
    """Whether a vulnerability is among them."""
    return any(verdict.outcome is Outcome.VULNERABLE for verdict in verdicts)


def concluded(
    exchange: Exchange, verdicts: Sequence[Verdict], turned_away: TurnedAway, *, refused: bool, before: bool = False
) -> Ending:
    """exchange: the baseline's. refused: whether a repetition of it was refused at last, though the recorded request
    was not. before: whether others of its checks have shown before that its tests are let in, and have decided
    something.
    """
    found = found_any(verdicts)
    if not found and (fault := fault_of(exchange)):
        return "error", *fault
    undecided = [verdict for verdict in verdicts if verdict.outcome is Outcome.INCONCLUSIVE]
    reasons = Counter(verdict.reason for verdict in undecided if verdict.reason)
    decided = len(undecided) < len(verdicts) or not undecided
    missing = not found and not (decided and verdicts) and had_nothing(exchange, reasons)
    decided = decided or before
    if Inconclusive.SESSION in reasons and (refused or not decided) and not found:
        return "error", "auth_failed", refused_words(undecided, own=refused)
    if found or decided or missing:
        if not found and not before and (fault := turned_away.why(exchange)):
            return "error", *fault
        if missing and exchange.response is not None:
            return "passed", None, nothing_there(exchange.response.status)
        return "failed" if found else "passed", None, undecided_words(verdicts)
    reason, _ = reasons.most_common(1)[0]
    detail = next((verdict.detail for verdict in undecided if verdict.reason is reason and verdict.detail), "")
    return "error", "connection_failed", f"{reason}: {detail}" if detail else str(reason)


def shown_of(verdicts: Sequence[Verdict], status: str, detail: str) -> tuple[Verdict, ...]:
    """What is handed on of a baseline's verdicts: no sound ones, and where nothing was there to test, no check that could not decide."""
    return () if is_untested(status, detail) else tuple(one for one in verdicts if one.outcome is not Outcome.SAFE)


def unreached(host: str, kind: str, why: str) -> Ending:
    """Of a baseline whose target answers no more, or may not be asked. kind, why: of TargetGone."""
    if kind == "not_allowed":
        why = f"not allowed: {host} may not be tested; name it in ALLOWED_HOSTS"
    return "error", "connection_failed", why
