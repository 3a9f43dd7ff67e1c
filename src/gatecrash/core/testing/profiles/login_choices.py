"""What somebody chooses before he signs in: his tenant, a branch, a region; some applications let nobody sign in who has not.

chosen_before(given, login)     whether an answered request made such a choice, which the login came with in a cookie

Other things that visitors do, and that give them cookies, are theirs alone: a cart is not filled again for each login.
"""

import re
from typing import Final

from gatecrash.core.auth.families.ignored_cookies import is_ignored
from gatecrash.core.auth.set_cookie import issued
from gatecrash.core.message import Exchange, Request
from gatecrash.core.points.percent import unquote
from gatecrash.core.points.walk import walk
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.authorization.callers.credentials import COOKIE
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.profiles.entrance import registers
from gatecrash.core.testing.profiles.recorded_logins import signed_in

_CHOOSES: Final = re.compile(
    r"tenant|realm|organi[sz]ation|(?:^|[/_-])org(?:$|[/_-])|company|workspace|mandant|branch|region|school|campus|clinic|municipality"
    r"|(?:choose|select|switch|pick|enter)[-_]?(?:site|store|team|account|client|domain|location|unit)",
    re.IGNORECASE,
)


def chosen_before(given: Exchange, login: Request) -> bool:
    """By a form or by a page with a query, sent by nobody yet."""
    request, response = given.request, given.response
    if response is None or response.status >= FIRST_ERROR or not (request.body or request.query):
        return False
    if signed_in(request) or registers(request) or destroys(request) or request.first(b"Authorization"):
        return False
    gives = {
        (cookie.name.decode("latin-1"), unquote(cookie.value))
        for cookie in issued(response)
        if not is_ignored(cookie.name)
    }
    brought = (found for found in walk(login).points if tuple(found.point[:3]) == COOKIE) if gives else ()
    return any((found.point[-1], found.value) in gives for found in brought) and _names_a_choice(request)


def _names_a_choice(request: Request) -> bool:
    names = [found.point[-1] for found in walk(request).points if found.point[0] in ("get", "post")]
    return any(_CHOOSES.search(text) for text in (request.path.decode("latin-1"), *names))
