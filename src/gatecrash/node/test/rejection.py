"""Whether a baseline that changes something was really tested, or every test of it was turned away.

Such a baseline is never repeated as a control, so an account that loses its role half way, by this very request perhaps,
shows only in this: the request itself was let in, and not one of its tests was. Silence then means nothing.
"""

import re
from collections import Counter
from collections.abc import Collection

from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import walk
from gatecrash.core.statuses import FIRST_ERROR, NOT_THERE
from gatecrash.core.testing.effects.destruction import ENDS_SESSION, destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.forms.tokens import is_form_token
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.verdict import Inconclusive

_ONCE = re.compile(r"csrf|xsrf|authenticity|nonce|captcha|__requestverification|one_?time|^_?token$", re.IGNORECASE)
# What lets in at the address that takes it, as a password does at a login: another one is refused for itself.
_RENEWS = re.compile(r"refresh[-_]?(?:token|jwt)", re.IGNORECASE)
FEWEST = 3
"""Tests that must have been turned away alike; one or two may be what their payloads deserved."""


class TurnedAway:
    """Counts the answers to the tests of one baseline."""

    def __init__(self) -> None:
        """Nothing was answered yet."""
        self.answered = 0
        self._refused: Counter[int] = Counter()
        self._gone = 0

    def note(self, answered: Exchange, baseline: Exchange) -> None:
        """One test with the baseline's own credentials was answered so. Safe methods have their controls; a login
        refuses whoever is not let in by it, and says so. Nothing is at an address that a test made up, which tells of
        nothing that is gone.
        """
        response = answered.response
        if response is None or is_safe(baseline.request) or signs_in(baseline.request):
            return
        if response.status in NOT_THERE and answered.request.path != baseline.request.path:
            return
        self.answered += 1
        if refusal(response, baseline.response) is not None:
            self._refused[response.status] += 1
        elif response.status in NOT_THERE:
            self._gone += 1

    def why(self, baseline: Exchange) -> tuple[str, str] | None:
        """Why the tests show nothing: (reason of contract 2.10, detail); None where they do."""
        own = baseline.response
        if own is None or own.status >= FIRST_ERROR or self.answered < FEWEST:
            return None
        if self._refused.total() == self.answered:
            status = self._refused.most_common(1)[0][0]
            return (
                "auth_failed",
                f"all {self.answered} tests were refused ({status}) though the request itself was let in"
                + likely_cause(baseline.request),
            )
        # What was recorded elsewhere was answered by another state of the target; a draft was answered a moment ago.
        is_gone = baseline.drafted and self._gone + self._refused.total() == self.answered
        if is_gone and not _asks_by_one_value(baseline.request):
            return (
                "connection_failed",
                f"unstable: all {self.answered} tests were answered as if what they are about were gone",
            )
        return None


def shows_a_lost_right(request: Request, point: Point) -> bool:
    """Whether tests at this point of a request with credentials show by being refused that its own were taken away.

    Probes of the whole request (no point) change the credentials, a changed form's token and a changed token that
    renews a session are refused for themselves, and safe methods have their controls.
    """
    return bool(point) and not is_form_token(point) and not _renews(point) and not is_safe(request)


def _asks_by_one_value(request: Request) -> bool:
    """Whether each test puts another value in the place of the one that a request is about: the address of who forgot his password."""
    sent = [one for one in walk(request).points if one.point[0] in ("get", "post") and not one.container]
    return len(sent) == 1


def _renews(point: Point) -> bool:
    """Whether a field of the body is a token that renews a session."""
    return point[0] == "post" and _RENEWS.fullmatch(point[-1]) is not None


def had_nothing(exchange: Exchange, undecided: Collection[Inconclusive]) -> bool:
    """Whether a recorded request was told that nothing is there, so that its checks had nothing to look at.

    undecided: why they could not decide. A browser's request for an icon that is missing is no failure of the tests.
    """
    response = exchange.response
    missing = not exchange.drafted and response is not None and response.status in NOT_THERE
    return missing and set(undecided) <= {Inconclusive.NO_CONTROL}


def likely_cause(request: Request) -> str:
    """Why a request is likely to be refused though its session was good, and what to do; empty where nothing shows it: it
    ends the session, or holds a value that is commonly good for one request.
    """
    if destroys(request) == ENDS_SESSION:
        return "; it ends the session itself"
    names = (one.point[-1] for one in walk(request).points if one.point[0] in ("get", "post", "header"))
    name = next((name for name in names if _ONCE.search(name)), None)
    if name is None:
        return ""
    way = (
        "leave the captcha out in the tested environment"
        if "captcha" in name.lower()
        else ("an auth profile can fetch it anew for each (`once`)")
    )
    return f"; its {name} may be good for one request only: {way}"
