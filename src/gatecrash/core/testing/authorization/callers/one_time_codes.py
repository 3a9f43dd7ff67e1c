"""Requests that prove by a one-time code who is asking: which field holds it, and the same request without a code."""

import re
from contextlib import suppress
from random import Random
from typing import NamedTuple

from gatecrash.core.errors import UserError
from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import remove, rewrite
from gatecrash.core.testing.authorization.fields.sent_objects import body_of, sending
from gatecrash.core.testing.authorization.objects.makers import confirms
from gatecrash.core.testing.authorization.tokens.handed_sessions import session_of
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.words.names import parted

_CALLED = re.compile(
    r"(?:.*_)?(?:t?otp|tan)(?:_?(?:code|value|token|pin))?|one_?time_?(?:code|pass(?:word|code)?|pin|token)"
    r"|(?:sms|mfa|2fa|tfa|verification|verify|confirmation|confirm|auth(?:entication|orization)?|security|e?mail|phone|activation|login)"
    r"_?(?:code|pin)",
    re.IGNORECASE,
)
# Other things are called so, too: only digits will do.
_MAY_BE_CALLED = re.compile(r"code|token|pin|passcode", re.IGNORECASE)
_DIGITS, _CODE = re.compile(r"\d{4,8}"), re.compile(r"\d{4,8}|(?=[A-Z]*\d)[A-Z0-9]{5,10}")
# Where codes are asked for as well as looked at.
_OF_CODES = re.compile(r"t?otp|2-?fa|mfa|code|pin|challenge|step-?2|second", re.IGNORECASE)
# Codes of goods, offers and invitations, which are no proof of anything.
_NO_PROOF = re.compile(
    r"coupon|promo|voucher|discount|gift|invit|referr|redeem|country|zip|postal|postcode|product|sku|barcode|\bqr|class|course|room"
    r"|join|share|airport|language",
    re.IGNORECASE,
)
_LAST = 3


class Without(NamedTuple):
    """A request without its code. told: in words."""

    request: Request
    told: str


def code_of(request: Request, response: Response) -> Point | None:
    """The field of the body that holds the code which a request is sent to prove; None where none surely is one."""
    steps = [each for each in request.path.decode("latin-1").split("/") if each][-_LAST:]
    if any(map(_NO_PROOF.search, steps)):
        return None
    # Elsewhere a code may be wanted for some changes alone.
    lets_in = any(map(_OF_CODES.search, steps)) and session_of(response) is not None
    if not confirms(request) and not lets_in:
        return None
    fields = [each for each in walked(request) if each.point[0] == "post" and not each.container]
    named = [(parted(each.point[-1]), each.point, each.value.decode("latin-1")) for each in fields]
    held = [
        point
        for name, point, value in named
        if (_CALLED.fullmatch(name) and _CODE.fullmatch(value))
        or (_MAY_BE_CALLED.fullmatch(name) and _DIGITS.fullmatch(value))
    ]
    return held[0] if len(held) == 1 else None


def without_code(request: Request, code: Point) -> list[Without]:
    """The request with its code left out, empty, and in JSON null."""
    found = [Without(remove(request, code), "left out")]
    with suppress(UserError):  # a number holds nothing empty
        found.append(Without(rewrite(request, code, b""), "empty"))
    body = body_of(request)
    if body is not None and code[-1] in body and code[1] == "json_doc":
        found.append(Without(sending(request, {**body, code[-1]: None}), "null"))
    return found


def wrong_code(request: Request, code: Point, held: str, random: Random) -> Request:
    """The request with another code of the same look."""
    drawn = held
    while drawn == held:
        drawn = "".join(
            random.choice("123456789") if each.isdigit() else random.choice("BCDFGHJKLMNPQRSTVWXZ") for each in held
        )
    return rewrite(request, code, drawn.encode())
