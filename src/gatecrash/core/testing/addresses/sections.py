"""Which recorded pages stand around an endpoint: at its own address, above it, or beside it in a part of the site for some.

`/notes/41` stands above `/notes/41/share`, `/teacher/roster` beside `/teacher/grades`. What all of a site or an API
stands below (`/api/v1`) says nothing, and neither does what is beside it at the root, but for the page that it has on
paper or as a file (`/order` of `/order_print`).
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import itemgetter

from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.words.names import parted

_MOST = 3
_AT_ITS_OWN = 1000
# Each page is asked about once for every other of its section.
_MOST_KNOWN = 4_000
# What all of an application stands below.
_GENERIC = re.compile(r"|api|rest|app|apps|web|site|service|services|v\d+(?:\.\d+)?|[a-z]{2}|json|ajax|index(?:\.\w+)?")
# A part of a site that is for some: those who manage it, or whoever is signed in.
_FOR_SOME = re.compile(
    r"admin\w*|back-?(?:office|end)|staff|mods?|moderators?|moderation|manage|managers?|management|teacher|instructor|clerk"
    r"|librarian|editor|operator|supervisor|internal|dashboard|console|(?:control-?)?panel|cms|office|desk|hr|finance"
    r"|account|my|me"
)
# At the root, and before what APIs stand below, it is where a site's own pages ask, and no part of it: `/backend/v1`.
_SERVER = re.compile(r"back-?end")
_OF_AN_API = re.compile(r"api|rest|graphql|v\d+(?:\.\d+)?")
_BETWEEN = re.compile(r"[-_]+")
# What says in a name that it is the same on paper or as a file.
# Narrower than `named.FORMS`: a page called `label` or `text` is seldom the paper of another one.
_FORM = re.compile(r"print(?:able|out)?|pdf|csv|xlsx?|export|download")


def section_of(path: bytes) -> str:
    """The first word of a path that says something: what stands around one another has the same."""
    words = map(_thing, _parts(path))
    return next((word for word in words if not _says_nothing(word)), "")


def around(path: bytes, targets: Iterable[bytes]) -> tuple[bytes, ...]:
    """Of these addresses the few that stand around a path, the nearest first."""
    own = _parts(path)
    # Where a part of the site that is for some begins; behind the end where there is none.
    inside = next((at for at, part in enumerate(_within(own)) if _is_for_some(part)), len(own))
    here = 0 if _is_generic(own) else _AT_ITS_OWN
    found = []
    for target in targets:
        other = _parts(target.partition(b"?")[0])
        rank = here if other == own else _rank(own, other, inside)
        if rank:
            found.append((rank, target))
    return tuple(target for _, target in sorted(found, key=itemgetter(0), reverse=True)[:_MOST])


def above(path: bytes) -> tuple[bytes, ...]:
    """The addresses above a path, the nearest first; none that all of a site stands below."""
    parts = _parts(path)
    return tuple(
        b"/" + "/".join(parts[:length]).encode("latin-1")
        for length in range(len(parts) - 1, 0, -1)
        if not _is_generic(parts[:length])
    )


@lru_cache(_MOST_KNOWN)
def folder_of(path: bytes) -> bytes | None:
    """What a path stands right below; None where that is all of a site."""
    folder = path.rstrip(b"/").rpartition(b"/")[0]
    return folder if above(path)[:1] == (folder,) else None


def right_beside(path: bytes, targets: Iterable[bytes]) -> tuple[bytes, ...]:
    """Of these addresses those of a few other pages of the same folder; of what stands there for one of many, none."""
    folder = folder_of(path)
    if folder is None or _is_one_of_many(path):
        return ()
    others = {target.partition(b"?")[0]: target for target in targets}
    found = (target for other, target in others.items() if other != path and folder_of(other) == folder)
    return tuple(target for target in found if not _is_one_of_many(target.partition(b"?")[0]))[:_MOST]


def is_form_of(path: bytes, page: bytes) -> bool:
    """Whether a path names what is at another address of its folder on paper or as a file: `/order_print` of `/order`."""
    return _is_form_of(_parts(path), _parts(page))


def in_part_for_some(path: bytes) -> bool:
    """Whether a path stands below a word for a part of a site that is not for all."""
    return any(map(_is_for_some, _within(_parts(path))))


def _within(parts: tuple[str, ...]) -> tuple[str, ...]:
    """What the last part of a path stands below; an API at the root is nobody's part, and an empty word keeps its place."""
    is_api = len(parts) > 1 and _OF_AN_API.fullmatch(parts[1].lower()) is not None
    return ("", *parts[1:-1]) if is_api and _SERVER.fullmatch(parts[0].lower()) else parts[:-1]


def names_the_object(path: bytes, upper: bytes) -> bool:
    """Whether the address above a path ends with an identifier: both are of one object."""
    parts = _parts(upper)
    return bool(parts) and parts == _parts(path)[: len(parts)] and look_of(parts[-1]) is not None


def _rank(own: tuple[str, ...], other: tuple[str, ...], inside: int) -> int:
    """How near an address of another path stands; 0 for one that says nothing. inside: the place of the first own word
    for a part that is for some.
    """
    if not own or not other:
        return 0
    if _is_form_of(own, other):
        return _AT_ITS_OWN + 1
    if other[:-1] == own[:-1] and other[-1].partition(".")[0] == own[-1].partition(".")[0]:
        return 900
    if other == own[: len(other)]:
        return 0 if _is_generic(other) else 100 + len(other)
    if own[: inside + 1] != other[: inside + 1]:  # which no other has where there is no such part
        return 0
    return 1 + next((at for at, (mine, theirs) in enumerate(zip(own, other, strict=False)) if mine != theirs), len(own))


def _is_form_of(own: tuple[str, ...], other: tuple[str, ...]) -> bool:
    if not own or own[:-1] != other[:-1]:
        return False
    thing = _thing(own[-1])
    return _name(other[-1]) == thing != _name(own[-1])


@lru_cache(_MOST_KNOWN)
def _thing(part: str) -> str:
    """What a part of a path is about: its name, without what says that it is on paper or a file, if it says more than that."""
    words = _BETWEEN.split(parted(part.partition(".")[0]).lower())
    about = [word for word in words if not _FORM.fullmatch(word)]
    return "_".join(about) if about and len(about) < len(words) else _name(part)


def _name(part: str) -> str:
    return part.partition(".")[0].lower()


def _is_one_of_many(path: bytes) -> bool:
    return look_of(path.rstrip(b"/").rpartition(b"/")[2].decode("latin-1")) is not None


def _is_generic(parts: Sequence[str]) -> bool:
    return all(_says_nothing(part.lower()) for part in parts)


def _says_nothing(word: str) -> bool:
    return _GENERIC.fullmatch(word) is not None and not _is_for_some(word)


def _is_for_some(part: str) -> bool:
    return _FOR_SOME.fullmatch(part.lower()) is not None


@lru_cache(_MOST_KNOWN)
def _parts(path: bytes) -> tuple[str, ...]:
    return tuple(part for part in path.decode("latin-1").split("/") if part)
