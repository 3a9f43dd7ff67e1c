"""Requests that set the password of whom they name, without the old one: `PUT /password` with an e-mail address and a password, or
with the number of an account, also in the path (`/users/7/password`).

set_by_name(request)             where such a request has the name, and the new password
filled(request, named, ...)      the same for somebody else
"""

import re
from typing import NamedTuple

from gatecrash.core.auth.logins import is_password
from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.points.found import Found
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.authorization.callers.account_endpoints import (
    RESET,
    AccountRequest,
    account_request,
    is_called_name,
)
from gatecrash.core.testing.authorization.callers.password_changes import (
    password_change,
    sets_password,
    speaks_of_recovery,
)
from gatecrash.core.testing.authorization.objects.named import named_objects
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.testing.places.walked_points import walked

_METHODS = frozenset({"POST", "PUT", "PATCH"})
_NUMBERED = re.compile(r"(?:user|account|member|customer)_?(?:uu)?id|uid|id", re.IGNORECASE)
_PEOPLE = re.compile(rb"(?:user|account|member|customer)s?", re.IGNORECASE)


class SetByName(NamedTuple):
    """account: whose password it is. passwords: the new one, and its repetition. numbered: whether the account may go by its number."""

    account: AccountRequest
    passwords: tuple[Point, ...]
    numbered: bool = False

    @property
    def called(self) -> str:
        """What names the account, in words."""
        point = self.account.name
        return "the number in the path" if point[0] == "path" else point[-1]


def set_by_name(request: Request) -> SetByName | None:
    """Where a request names an account and its new password; None where it is none, or asks for the old password as well.

    What else it asks for, as a code or a date, may be a proof or be looked at by nobody.
    """
    if request.method.upper() not in _METHODS or not request.body or operation_of(request) is not None:
        return None
    if account_request(Exchange(request)) is not None or not (sets_password(request) or speaks_of_recovery(request)):
        return None
    fields = [each for each in walked(request) if each.point[0] == "post" and not each.container and each.value]
    passwords = [each for each in fields if is_password(each.point[-1].encode("utf-8", "replace"))]
    rest = [each for each in fields if each not in passwords]
    numbered = [each for each in rest if _NUMBERED.fullmatch(each.point[-1])]
    names = [_account(each) for each in rest if is_called_name(each.point[-1]) and each not in numbered]
    numbers = [*map(_account, numbered), *_in_path(request)]
    own = frozenset(each.name.lower() for each in (*names, *numbers))
    change = password_change(request, own, proven=True)
    if not own or not passwords or len({each.value for each in passwords}) > 1 or (change and change.old):
        return None
    (point, name), points = (*names, *numbers)[0], tuple(each.point for each in passwords)
    return SetByName(AccountRequest(RESET, point, name, points[0]), points, numbered=not names)


class _Account(NamedTuple):
    point: Point
    name: str


def _account(field: Found) -> _Account:
    return _Account(field.point, field.value.decode("utf-8", "replace"))


def _in_path(request: Request) -> list[_Account]:
    """The number of somebody's account in the path."""
    segments = request.path.split(b"/")
    named = (each for each in named_objects(request) if each.sure and each.point[0] == "path")
    return [_Account(each.point, each.value) for each in named if _PEOPLE.fullmatch(segments[int(each.point[1])])]


def filled(request: Request, named: SetByName, name: str, password: str) -> Request | None:
    """The request for the account of this name, with another password; None where its body cannot hold them."""
    try:
        request = rewrite(request, named.account.name, name.encode())
        for point in named.passwords:
            request = rewrite(request, point, password.encode())
    except UserError:
        return None
    return request
