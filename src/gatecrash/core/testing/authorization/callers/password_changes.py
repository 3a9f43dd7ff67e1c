"""Requests by which somebody who is signed in changes his own password: which field holds the old one, the new one, and its repetition."""

import re
from typing import NamedTuple

from gatecrash.core.auth.logins import is_password, is_typed_again
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.found import Found
from gatecrash.core.testing.operations.graphql import address_of
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.words.named import ByteWords, Words

_SAYS_SO = ByteWords(
    rb"passw|passphrase|pwd|change[-_]?pass|/pass(?:/|$)|/(?:(?:change|set|new|my)[-_]?)?pw(?:\.\w{2,5})?/?$",
    re.IGNORECASE,
)
# Who is not signed in: what lets him in, or gives him an account, asks for no old password.
_NOT_SIGNED_IN = ByteWords(
    rb"log[-_]?in|sign[-_]?(?:in|up)|regist|forgot|recover|lost|remind|invite|activat", re.IGNORECASE
)
_GIVES_ONE = ByteWords(rb"log[-_]?in|sign[-_]?(?:in|up)|regist", re.IGNORECASE)
_OF_OTHERS = re.compile(rb"/(?:admin|manage|staff|users?/(?!v\d{1,2}/)[^/]*\d[^/]*)(?:/|$)", re.IGNORECASE)
# An account's own address may end in what its password is called there: `{"secret": "…"}` to `/me/secret`.
_CALLED_OTHERWISE = re.compile(
    rb"/(?:me|self|myself|account|profile|my-?account)/(secret|passcode|pin|pass)/?$", re.IGNORECASE
)
_OLD = Words(r"old|curr|existing|previous|present|actual|orig", re.IGNORECASE)
# Beside a password that is called new, such a field needs not say that it holds one.
_OLD_ALONE = Words(r"old|curr(?:ent)?|existing|previous|present|actual|orig(?:inal)?", re.IGNORECASE)
_AGAIN = Words(r"again|repeat|conf|retype|re-?enter|verif|(?:pass(?:word)?|pwd)_?2", re.IGNORECASE)
_NEW = Words(r"new", re.IGNORECASE)
# What proves by other means who is asking, and whose account it is.
_PROOF = re.compile(r"code|otp|^(?:reset|activation)|pin|secret|answer|^token$|signature", re.IGNORECASE)
_WHOSE = Words(r"user_?name|e-?mail|login|^user$|account|^uid$|user_?id", re.IGNORECASE)
_RECOVERS = Words(r"forgot|reset|recover|lost|remind|passw|pwd", re.IGNORECASE)
_PLACES = ("get", "post")


class PasswordChange(NamedTuple):
    """old: the field for the present password; None where the request has none. again: the fields that repeat the new one."""

    new: Point
    old: Point | None
    again: tuple[Point, ...]


def password_change(
    request: Request, own: frozenset[str] = frozenset(), *, proven: bool = False
) -> PasswordChange | None:
    """The change that a request makes; None where it is not surely one, is another's, or proves by a code who is asking.

    own: what its sender is called, in lower case. proven: whether a code, or a form's token that is called as one, may
    stand beside.
    """
    path = address_of(request).encode("ascii", "replace")
    if _NOT_SIGNED_IN.search(path) or _OF_OTHERS.search(path):
        return None
    fields = [
        each for each in walked(request) if each.point[0] in _PLACES and not each.container and len(each.point) > 1
    ]
    proves = not proven and any(_PROOF.search(each.point[-1]) for each in fields)
    if proves or any(_is_of_another(each, own) for each in fields):
        return None
    told = _SAYS_SO.search(path) is not None
    held = [each for each in fields if each.value and _is_password(each.point[-1], told=told)]
    old = next((each for each in held if _OLD.search(each.point[-1])), None)
    others = [each for each in held if each is not old]
    new = next((each for each in others if not _AGAIN.search(each.point[-1])), None)
    if new is None or not (told or _NEW.search(new.point[-1])):
        return None
    again = [each for each in others if each is not new]
    if any(each.value != new.value for each in again):
        return None  # a second password, whose part nobody knows
    if old is None:
        old = next((each for each in fields if each.value and _OLD_ALONE.fullmatch(each.point[-1])), None)
    again += [each for each in fields if each not in (*held, old) and is_typed_again(each.value, (new.value,))]
    return PasswordChange(new.point, None if old is None else old.point, tuple(each.point for each in again))


def sets_password(request: Request) -> bool:
    """Whether a request writes a password over one that is there, whosever and whatever proves who is asking: its path speaks of
    passwords, or the field of a new one, or an account's own address ends in what it is called. What makes an account or signs
    in writes over none.
    """
    path = address_of(request).encode("ascii", "replace")
    told = _SAYS_SO.search(path) is not None
    if _GIVES_ONE.search(path):
        return False
    fields = (
        each for each in walked(request) if each.point[0] in _PLACES and not each.container and len(each.point) > 1
    )
    called = _CALLED_OTHERWISE.search(path)
    own = "" if called is None else called[1].decode().lower()
    named = [each.point[-1] for each in fields if each.value]
    if own in (name.lower() for name in named):
        return True
    held = [name for name in named if _is_password(name, told=told)]
    return bool(held) and (told or any(map(_NEW.search, held)))


def sets_password_of_a_user(request: Request) -> bool:
    """Whether somebody who is signed in writes a password over one by it, his own or another's: its address is none of those who forgot
    theirs, join, or sign in.
    """
    path = address_of(request).encode("ascii", "replace")
    return sets_password(request) and _NOT_SIGNED_IN.search(path) is None


def speaks_of_recovery(request: Request) -> bool:
    """Whether the address of a request speaks of a password, or of one that is forgotten."""
    return _RECOVERS.search(address_of(request)) is not None


def _is_of_another(field: Found, own: frozenset[str]) -> bool:
    """Whether a field says whose password it is, and it is not surely the sender's."""
    whose = _WHOSE.search(field.point[-1]) is not None
    return whose and field.value.decode("utf-8", "replace").lower() not in own


def _is_password(name: str, *, told: bool) -> bool:
    """Whether a field holds a password by its name; where the path speaks of passwords, `new` and `repeat` are enough."""
    if is_password(name.encode("utf-8", "replace")):
        return True
    return told and any(each.match(name) for each in (_OLD, _NEW, _AGAIN))
