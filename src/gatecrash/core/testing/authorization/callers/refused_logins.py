"""Logins that were refused when they were recorded, whatever their address is called.

A login that lets nobody in changes nothing, and says so: a name and one password go out, and the answer tells that one of them is
wrong. What sets a password, or makes an account, asks for the same fields and never answers so.
"""

from typing import NamedTuple

from gatecrash.core.auth.logins import is_password
from gatecrash.core.message import Exchange
from gatecrash.core.point import Point
from gatecrash.core.statuses import FIRST_SERVER_ERROR
from gatecrash.core.testing.authorization.callers.account_endpoints import is_called_name
from gatecrash.core.testing.effects.destruction import names_a_change
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.wrong_passwords import tells_of_a_wrong_password
from gatecrash.core.testing.places.walked_points import walked


class RefusedLogin(NamedTuple):
    """Where the name and the password stand that did not let in."""

    name: Point
    password: Point


def refused_login(exchange: Exchange) -> RefusedLogin | None:
    """The login that a recorded exchange is, where it was refused in words; None for all else."""
    request, response = exchange.request, exchange.response
    if request.method.upper() != "POST" or response is None or response.status >= FIRST_SERVER_ERROR:
        return None
    fields = [found for found in walked(request) if found.point[0] == "post" and not found.container]
    passwords = [found.point for found in fields if is_password(str(found.point[-1]).encode("utf-8", "replace"))]
    names = [found.point for found in fields if is_called_name(found.point[-1]) and found.point not in passwords]
    if len(passwords) != 1 or len(names) != 1 or names_a_change(request):
        return None
    return RefusedLogin(names[0], passwords[0]) if tells_of_a_wrong_password(text_of(response)) else None
