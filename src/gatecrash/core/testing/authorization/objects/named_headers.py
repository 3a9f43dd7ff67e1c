"""What headers and cookies of an application's own name: `X-Order-Id: 31`, `X-Account: WD-4471`, `X-Tenant: acme`, a
cookie that holds a number.
"""

import re

from gatecrash.core.inventory.identifiers import is_identifier
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.callers.credentials import counting_cookies
from gatecrash.core.testing.places.walked_points import walked

# Those of tracing and of the client's own kind name the request or the program.
_NUMBERED = re.compile(
    r"X-(?!.*(?:REQUEST|CORRELATION|TRACE|SPAN|DEVICE|CLIENT|AMZN|B3|VERSION)).*?[-_]?(?:ID|NO|NUMBER|REF|UUID)"
)
# By a word for what somebody has or is: then whatever has a digit is a number of such things.
_CALLED = re.compile(r"X-(?:[A-Z]+-)?(?:ACCOUNT|CUSTOMER|MEMBER|USER|PROFILE|PATIENT|WALLET|ORDER|PROJECT)")
_NUMBER = re.compile(r"(?=[^\d]*\d)[\w.:-]{1,64}")
# Headers that say for which tenant something is asked, by a word that is known to be one: `X-Tenant: acme`.
_TENANT = re.compile(
    r"X-(?:.+-)?(?:TENANT|ORG|ORGANI[SZ]ATION|COMPANY|WORKSPACE)(?:[-_]?(?:NAME|SLUG|KEY|CODE))?|TENANT|ORGANI[SZ]ATION|WORKSPACE"
)


def named_beside(request: Request, own: frozenset[str]) -> list[tuple[Point, str]]:
    """The places with their values; a cookie only where it is a small number, as no session is.

    own: words in lower case that are known to be identifiers.
    """
    named: list[tuple[Point, str]] = []
    for each in walked(request):
        steps, value = tuple(each.point), each.value.decode("utf-8", "replace")
        if steps[0] == "header" and len(steps) == 2 and _names(steps[1], value, is_known=value.lower() in own):
            named.append((each.point, value))
    return named + [(point, value.decode("ascii")) for point, value in counting_cookies(request).items()]


def _names(header: str, value: str, *, is_known: bool) -> bool:
    if _CALLED.fullmatch(header) and (is_known or _NUMBER.fullmatch(value)):
        return True
    # By any word, where it holds the number that its sender is known by: `X-Policyholder: PH-3305`.
    if is_known and header.startswith("X-") and _NUMBER.fullmatch(value):
        return True
    is_one = is_known or is_identifier(value)
    return bool(_NUMBERED.fullmatch(header) and is_one) or bool(_TENANT.fullmatch(header) and is_known)
