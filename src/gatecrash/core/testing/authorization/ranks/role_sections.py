"""Functions below the name of a role: `/warden/pitches/3/close`, where the application itself calls one of its users a warden.

Such a name says whom a function is for only where nobody with another role was recorded at it. What stands below the
name of one side of a market is no such function: whoever buys may sell as well.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.callers.oneself import HIGH
from gatecrash.core.testing.authorization.ranks.roles import Told, role_named
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.words.named import Words

ROLE: Final = "role="
"""What stands before a role and a function below its name, in what is known of somebody: `role=warden/pitches`."""
HAS_ROLE: Final = "is="
"""What stands before the role that somebody has, by the application's own word: `is=steward`."""
ORDINARY: Final = "ordinary="
"""What stands before a role that whoever registers is given, in what is known of somebody: `ordinary=operator`."""
LED: Final = "led="
"""What stands before a section of those who manage that somebody else was led into: `led=/admin/boats`."""
SIDES: Final = frozenset(
    {
        "driver", "rider", "passenger", "seller", "buyer", "vendor", "merchant", "supplier", "host", "landlord", "renter", "tenant",
        "courier", "carrier", "shipper", "chef", "cook", "restaurant", "mechanic", "freelancer", "employer", "candidate", "recruiter",
        "provider", "producer", "farmer", "artist", "author", "writer", "creator", "owner", "shop", "lender", "borrower", "donor",
        "partner", "organizer", "organiser", "affiliate",
    }
)  # fmt: skip
"""Roles that stand beside others and not above them."""
_SECTION_OF: Final = Words(r"(?:(?:user|account|member|staff)_?)?(?:role|rank)(?:_?name)?s?", re.IGNORECASE)
_WORD: Final = re.compile(r"[a-z][a-z_-]{2,19}")
# What people do to somebody or take part in, whoever they are.
_EVERYBODYS: Final = re.compile(
    r"join|leave|book|reserve|follow|unfollow|contact|messages?|rate|ratings?|reviews?|apply|applications?|register|sign-?up|enrol+"
    r"|subscribe|like|report|ask|questions?|request|requests|accept|invite|comments?|vote|claim|login|verify|me|profile|feedback"
)

# What is asked of a list of people.
_LOOKED_FOR: Final = re.compile(
    r"search|find|lookup|list|all|available|nearby|top|best|new|latest|popular|recommended|featured|favou?rites?|count|map|public"
    r"|online|active|by[-_].*|slots?|free|availability|schedules?|specialties|names?|options|suggest(?:ions)?|autocomplete"
)


def role_word(told: Told) -> str:
    """The one role that an answer or a token names, in small letters; empty where there is none or are several."""
    words = {role_named(value) for name, value in told if _SECTION_OF.fullmatch(name)}
    return next((word for word in words if _WORD.fullmatch(word)), "") if len(words) == 1 else ""


def ordinary_roles(identity: Identity) -> frozenset[str]:
    """The roles that manage nobody in this application, as far as is known of one of its users."""
    return frozenset(known.removeprefix(ORDINARY) for known in identity.known if known.startswith(ORDINARY))


def was_led_into(section: str, identity: Identity) -> bool:
    """Whether an identity went into a section of those who manage as the application's pages offer it."""
    return LED + section in identity.known


def shared_roles(identities: Sequence[Identity]) -> frozenset[str]:
    """The roles, by the application's own words, that the first of several users shares with another of no higher rank,
    or is given at the registration: whoever has one manages nobody, as far as its name does not say so.
    """
    if not identities:
        return frozenset()
    own, *others = identities
    peers = [each for each in others if each.rank <= own.rank]
    held = (known for known in own.known if known.startswith(HAS_ROLE) and any(known in each.known for each in peers))
    shared = frozenset(known.removeprefix(HAS_ROLE) for known in held)
    return frozenset(role for role in shared | ordinary_roles(own) if not HIGH.search(role))


def functions_of(path: bytes) -> list[tuple[str, str]]:
    """Each word of a path with the word right below it, in small letters: a number below it names one of many. Of
    `/wardens/fines` the one warden; but not where whoever looks for people looks there: `/wardens/search`.
    """
    words = path.decode("latin-1").lower().split("/")
    pairs = [(above, word) for above, word in pairwise(words) if _WORD.fullmatch(above) and _WORD.fullmatch(word)]
    return [
        *pairs,
        *((above[:-1], word) for above, word in pairs if above.endswith("s") and not _LOOKED_FOR.fullmatch(word)),
    ]


def is_everybodys(request: Request) -> bool:
    """Whether a path ends with what people do to somebody or take part in, whoever they are: `/warden/messages`."""
    last = request.path.decode("latin-1").lower().rstrip("/").rpartition("/")[2]
    return _EVERYBODYS.fullmatch(last) is not None


def meant_for(request: Request, own: Identity, lower: Identity) -> str:
    """The role of the request's own identity that its path is meant for, by its name; empty where it says nothing.

    Where the lower identity has functions of its own, the two may be equals.
    """
    if any(known.startswith(ROLE) for known in lower.known):
        return ""
    if is_everybodys(request):
        return ""
    return next((role for role, word in functions_of(request.path) if f"{ROLE}{role}/{word}" in own.known), "")
