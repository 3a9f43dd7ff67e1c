"""What lets the caller in from within a request's body: an argument of a called function, the password of a login whose address
has no word for it, or a token that is given for a fresh one.

XML-RPC, and JSON-RPC where its parameters are a list, tell arguments apart by their places alone: of a name and the text right
behind it nobody can say that this is a password (`getProfile(1, "ann", "…")`) before another one is refused in such words.
"""

import re
from collections.abc import Generator

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import read
from gatecrash.core.testing.asking import ask_raw, response_of
from gatecrash.core.testing.authorization.callers.credentials import garble
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.openness.access import Access
from gatecrash.core.testing.authorization.tokens.exchanged import refresh_point
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.operations.procedures import procedure_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.wrong_passwords import tells_of_a_wrong_password
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Answer, Situation, TestRequest
from gatecrash.core.testing.profiles.entrance import fields

_LISTS = frozenset({"array", "json_array"})
_LETTERS = 12
_OF_A_LOGIN = (["password", "user"], ["mail", "password"])
# Letters and digits mixed: neither a word nor a number.
_TOKEN = re.compile(r"(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])[\w.~+/=-]{20,4096}", re.ASCII)


def lets_in_by_an_argument(case: Access, bare: Request) -> Generator[TestRequest, Answer, bool]:
    """Whether the argument right behind the caller's own name is his password: another one is refused in such words.

    bare: the request without its credentials, which is answered well.
    """
    point = _behind_his_name(case.situation)
    if point is None:
        return False
    other = fresh_letters(case.situation.random, _LETTERS).encode()
    answer = yield from ask_raw(rewrite(bare, point, other), "control")
    if case.lets_in(answer):
        return False
    return case.refuses(answer) is not None or tells_of_a_wrong_password(text_of(response_of(answer)))


def lets_in_by_a_password(case: Access, bare: Request) -> Generator[TestRequest, Answer, bool]:
    """Whether all that it sends is somebody's name and his password, and another password is refused: so it is a login, whatever
    its address says (`/account/enter`). bare: the request without its credentials, which is answered well.
    """
    kinds = fields(case.request)
    if sorted(kinds.values()) not in _OF_A_LOGIN:
        return False
    point = next(point for point, kind in kinds.items() if kind == "password")
    if not read(case.request, point):
        return False
    other = fresh_letters(case.situation.random, _LETTERS).encode()
    answer = yield from ask_raw(rewrite(bare, point, other), "control")
    return not case.lets_in(answer) and case.refuses(answer) is not None


def lets_in_by_a_refresh_token(case: Access, bare: Request) -> Generator[TestRequest, Answer, bool]:
    """Whether a refresh token in the body lets it in (RFC 6749 section 6): another one is refused.

    It is called so, or in a language that is not known here it is what the answer gives another of, under the same name.
    bare: the request without its credentials, which is answered well.
    """
    point = refresh_point(case.request) or _given_anew(case)
    if point is None or point[0] != "post":
        return False
    other = garble(read(case.request, point) or b"", case.situation.random)
    return not case.lets_in((yield from ask_raw(rewrite(bare, point, other), "control")))


def _given_anew(case: Access) -> Point | None:
    """Where the body holds a long value that nobody guesses, in whose place the answer gives another one; None where it gives none."""
    given = {leaf.path[-1]: leaf.value for leaf in leaves(case.good) if leaf.path and _TOKEN.fullmatch(leaf.value)}
    sent = ((one.point, one.value.decode("latin-1")) for one in walked(case.request) if not one.container)
    tokens = ((point, value) for point, value in sent if point[0] == "post" and _TOKEN.fullmatch(value))
    return next((point for point, value in tokens if given.get(point[-1], value) != value), None)


def _behind_his_name(situation: Situation) -> Point | None:
    """Where the argument stands that follows the caller's own name in a list; None where none does."""
    request = situation.baseline.request
    if not procedure_of(request):
        return None
    own, follows = holder_values(situation), False
    for found in walked(request):
        if found.container or not _is_listed(found.point):
            continue
        value = found.value.decode("utf-8", "replace").lower()
        if follows and value not in own and not value.isdigit():
            return found.point
        follows = value in own and not value.isdigit()
    return None


def _is_listed(point: Point) -> bool:
    return point[0] == "post" and not _LISTS.isdisjoint(point)
