"""What is done and read by people who have no account, told by the address and by what is sent along.

A description or a client that asks for credentials everywhere says nothing of these: a guest who signs what he sends
with his name and how to reach him, answers to a survey, calls of other services, and what stands at an address that
only those know who were given it.
"""

import re
from typing import Final

from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.message import Request
from gatecrash.core.points.walk import walk
from gatecrash.core.words.english import in_english

_ACT: Final = re.compile(
    r"/(?:check-?out|bookings?|reservations?|appointments?|applications?|apply|sign-?ups?|rsvps?|donations?|pledges?|enrol(?:l)?ments?"
    r"|visits?|requests?)/?$",
    re.IGNORECASE,
)
_ANSWER: Final = re.compile(
    r"/(?:surveys?|polls?|questionnaires?|petitions?)/[^/]+/(?:answers?|responses?|submissions?|signatures?)/?$"
    r"|/(?:campaigns?|fund-?raisers?|projects?|causes?)/[^/]+/(?:donations?|pledges?)/?$|/donat(?:e|ions?)/?$",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"(?:(?:first|last|full|your|contact|guest)[-_]?)?name", re.IGNORECASE)
_REACHED: Final = re.compile(
    r"(?:.*[-_])?e-?mail(?:[-_]?address)?|(?:.*[-_])?(?:phone|mobile|tel)(?:[-_]?number)?", re.IGNORECASE
)
_CALLED: Final = re.compile(
    r"/(?:web-?hook|callback|ipn)/?$|/(?:web-?hooks|hooks|callbacks)/(?!\d+(?:/|$))[\w-]+/?$", re.IGNORECASE
)
_ADDRESS: Final = re.compile(r"(?:.*[-_])?(?:ur[li]|endpoint|target|callback)", re.IGNORECASE)
_LEAST_KEY: Final = 10
_LEAST_PARTS: Final = 5
_HEXADECIMAL: Final = re.compile(r"\{?[0-9a-f-]+\}?", re.IGNORECASE)
_PART: Final = re.compile(r"\d+|[a-z]+|[A-Z]+")


def by_a_guest(request: Request) -> bool:
    """Whether somebody does by this what guests do, and says himself who he is; or it is an answer to what was asked of everybody."""
    if request.method.upper() != "POST":
        return False
    path = in_english(request.path.decode("latin-1"))
    if _ANSWER.search(path):
        return True
    names = _fields(request) if _ACT.search(path) else []
    return any(map(_NAME.fullmatch, names)) and any(map(_REACHED.fullmatch, names))


def by_another_service(request: Request) -> bool:
    """Whether another service calls this to tell something; who says where he wants to be called himself makes such a thing instead."""
    told = _CALLED.search(in_english(request.path.decode("latin-1"))) is not None
    return told and request.method.upper() == "POST" and not any(map(_ADDRESS.fullmatch, _fields(request)))


def ends_in_a_key(path: bytes) -> bool:
    """Whether the last segment is nothing that anybody guesses."""
    return _is_key(path.rstrip(b"/").rpartition(b"/")[2].decode("latin-1"))


def names_a_key(path: bytes) -> bool:
    """Whether any segment is: then what stands there is for whoever was given the address."""
    return any(map(_is_key, path.decode("latin-1").split("/")))


def _is_key(segment: str) -> bool:
    """Whether capitals, small letters and digits go on changing, over some length; no UUID and no hexadecimal number,
    which objects have that are somebody's.
    """
    if len(segment) < _LEAST_KEY or _HEXADECIMAL.fullmatch(segment) or look_of(segment) != "id":
        return False
    return len(_PART.findall(segment)) >= _LEAST_PARTS


def _fields(request: Request) -> list[str]:
    return [str(found.point[-1]) for found in walk(request).points if found.point[0] == "post" and found.value]
