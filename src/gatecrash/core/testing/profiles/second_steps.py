"""Logins in two steps: the password, then a code.

gives_code(request)             whether it is the second step
goes_beyond(request)            whether it does what somebody does who is in already
leads_to_second_step(answer)    whether the first step's answer leads there

In a session that has done other things, a code confirms a payment or a new number, and nobody signs in by it.
"""

import re
from typing import Final

from gatecrash.core.message import Request, Response
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT
from gatecrash.core.testing.authorization.fields.sent_objects import body_of
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.profiles.recorded_logins import brings_password, signed_in

_CODE: Final = re.compile(
    r"(?:login|auth|sms|mail|verification|security|one_?time|otp|totp|mfa|two_?factor|2fa)?[-_]?(?:code|otp|totp|token|pin)",
    re.IGNORECASE,
)
_DIGITS: Final = re.compile(r"\d{4,8}")
_SECOND: Final = re.compile(rb"otp|2fa|mfa|two-?(?:factor|step)|second|challenge|verif|/code|sms", re.IGNORECASE)


def gives_code(request: Request) -> bool:
    """Whether a request brings a short code of digits, called so, and no password, as one does that chooses a new PIN."""
    body = body_of(request) if request.method.upper() == "POST" else None
    codes = [
        str(value) for name, value in (body or {}).items() if _CODE.fullmatch(name) and not isinstance(value, bool)
    ]
    return any(_DIGITS.fullmatch(code) for code in codes) and not brings_password(body or {}) and not signed_in(request)


def goes_beyond(request: Request) -> bool:
    """Whether a request of a session may change something, and is no part of signing in: it asks for no code and brings none."""
    return not (is_safe(request) or gives_code(request) or signed_in(request)) and _SECOND.search(request.path) is None


def leads_to_second_step(answer: Response) -> bool:
    """Whether an answer redirects to where the code is asked for, which may stand below the login's own address."""
    return (
        FIRST_REDIRECT <= answer.status < FIRST_ERROR and _SECOND.search(answer.first(b"Location") or b"") is not None
    )
