"""The requests of one run that set a forgotten password with a code.

recoveries.see(exchange)     for each exchange of the run, however it was answered
recoveries.of(request)       of what asks for such a code in somebody's name, those of its host

What holds one code beside the new password is told by the name of that field. Where there are two, an attempt is named beside
what only its owner was told, and neither sets a password by itself.
"""

import re
from collections import OrderedDict
from typing import Final

import msgspec

from gatecrash.core.auth.logins import is_password
from gatecrash.core.message import Exchange, Request, is_of_body
from gatecrash.core.testing.authorization.callers.account_endpoints import RESET, account_request
from gatecrash.core.testing.authorization.callers.password_changes import speaks_of_recovery
from gatecrash.core.testing.known.objects import Made
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.words.names import plain

_MOST_KEPT: Final = 20
_SETS: Final = frozenset({"POST", "PUT", "PATCH"})
_CODE: Final = re.compile(r"(?:code|token|otp|pin|key|hash|secret)$")
_GUARDS: Final = re.compile(r"csrf|xsrf|captcha|authenticity|nonce|apikey")


class Recoveries:
    """A bounded number of them, each address once, the latest last."""

    def __init__(self) -> None:
        """Begin with none."""
        self._known: OrderedDict[tuple[str, int, bytes], Made] = OrderedDict()

    def see(self, exchange: Exchange) -> bool:
        """Keep a request that sets a password with one code; whether its address was not known before."""
        request = exchange.request
        code = _code_of(request)
        if not code:
            return False
        place = (request.host, request.port, request.path)
        is_new = self._known.pop(place, None) is None
        self._known[place] = Made(_bare(request), (code,))
        if len(self._known) > _MOST_KEPT:
            self._known.popitem(last=False)
        return is_new

    def of(self, request: Request) -> tuple[Made, ...]:
        """What sets a password with what the request asks for; the path of each is the plain name of its code."""
        if not self._known:
            return ()
        account = account_request(Exchange(request))
        if account is None or account.kind != RESET:
            return ()
        return tuple(made for place, made in self._known.items() if place[:2] == (request.host, request.port))


def _code_of(request: Request) -> str:
    """What the only code beside a new password is called; empty where there is none, or more than one."""
    if request.method.upper() not in _SETS or not request.body or not speaks_of_recovery(request):
        return ""
    names = [each.point[-1] for each in walked(request) if each.point[0] == "post" and not each.container]
    if not any(is_password(name.encode("utf-8", "replace")) for name in names):
        return ""
    codes = [name for each in names if _CODE.search(name := plain(each)) and not _GUARDS.search(name)]
    return codes[0] if len(codes) == 1 else ""


def _bare(request: Request) -> Request:
    """Without what says who sent it."""
    bare: Request = msgspec.structs.replace(
        request, headers=tuple(each for each in request.headers if is_of_body(each[0]))
    )
    return bare
