"""Requests that end their sender's session by what they were answered, whatever they are called: `/leave`, `/adieu`."""

from gatecrash.core.auth.logins import is_attempt
from gatecrash.core.auth.parameters import COOKIE_STEPS
from gatecrash.core.auth.randomness import looks_random
from gatecrash.core.auth.set_cookie import issued, taken_back
from gatecrash.core.message import Exchange
from gatecrash.core.points.walk import walk


def lets_out(exchange: Exchange) -> bool:
    """Whether the answer takes a cookie that nobody could guess from its sender, and gives none in its place. Logins do so
    with what they needed on the way (the state of a sign-in elsewhere).
    """
    request, response = exchange.request, exchange.response
    if response is None or not request.first(b"Cookie") or is_attempt(request):
        return False
    back = taken_back(response)
    if not back or any(looks_random(each.value) for each in issued(response)):
        return False
    sent = (
        each
        for each in walk(request).points
        if tuple(each.point[:3]) == COOKIE_STEPS and len(each.point) == len(COOKIE_STEPS) + 1
    )
    return any(each.point[-1].encode() in back and looks_random(each.value) for each in sent)
