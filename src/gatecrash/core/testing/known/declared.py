"""What an API's own description says of the credentials that an operation needs, and of those whom it is for."""

import re
from typing import Final

import msgspec

from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.message import Request
from gatecrash.core.testing.addresses.sections import section_of

# What is asked before anybody is signed in, and what other services send.
_BEFORE_SIGN_IN: Final = re.compile(
    r"/(?:auth\w*|oauth2?|log-?in|log-?out|sign-?(?:in|up|out)|register|registrations?|refresh\w*|tokens?|sessions?|forgot\w*"
    r"|reset\w*|recover\w*|verify\w*|verification|activat\w+|confirm\w*|invitations?|otp|captcha|web-?hooks?|hooks?|callbacks?"
    r"|(?:un)?subscribe|public|guests?)(?=[/._-]|$)",
    re.IGNORECASE,
)


class Meant(msgspec.Struct, frozen=True):
    """That an operation is for some alone. roles: who may come, one or another, in small letters. said: the words that say so.

    how: "words" about the operation itself, a "scope" that a token may have, or a "group" of operations that it stands
    in, or of what is read there: of the list that only admins may read, others may read their part.
    """

    roles: tuple[str, ...]
    said: str
    how: str = "words"


class Declared(msgspec.Struct, frozen=True):
    """That credentials are needed. itself: the operation says so itself; else the document says it of all its operations.

    refused: what reads, needs the same credentials by the description and was refused without any, the nearest
    first. throughout: the same is said of nearly all operations, so that nobody has told them apart. meant: whom the
    operation is for, as far as it is said.
    asks: nothing is said of credentials where it does not, but of whom it is for.
    """

    itself: bool
    refused: tuple[Request, ...] = ()
    throughout: bool = False
    meant: Meant | None = None
    asks: bool = True

    def refuses_beside(self, path: bytes) -> bool:
        """Whether one of the refused stands in the same section as a path (`/loans/7` and `/loans`), and not below it:
        what is kept of something (`/clubs/1/members`) says nothing of the rest.
        """
        section = section_of(path)
        beside = (other for other in self.refused if section_of(other.path) == section)
        return bool(section) and any(not _is_below(other.path, path) for other in beside)


def is_before_sign_in(path: bytes) -> bool:
    """Whether an address is asked before anybody is signed in, or by other services."""
    return _BEFORE_SIGN_IN.search(path.decode("latin-1")) is not None


def _is_below(path: bytes, upper: bytes) -> bool:
    """Whether a path is of a part of what another names; an object of a list is no part of it (`/loans/7` and `/loans`)."""
    own, above = path.decode("latin-1").rstrip("/").split("/"), upper.decode("latin-1").rstrip("/").split("/")
    below = own[len(above) :]
    return own[: len(above)] == above and bool(below) and (len(below) > 1 or look_of(below[0]) is None)
