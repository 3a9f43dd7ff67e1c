"""What members say of themselves for others to read, as communities and markets show it to their visitors: a name, a text about
oneself, a town, how many follow.

A list of users is somebody's business, and so is `/users/7`, unless each of them has such a text, or says how many
follow, and nothing but what goes with it: who keeps accounts writes no `bio` for them, and counts no followers. A role,
a street or a state is none of it. How to write to him stands on the one page that is called after his handle, beside what
he says of himself (`/shops/eva`); an e-mail in a list, or behind a number that others count to, is none of it. A name
with the server that gives it (`@eva:graz.example`; Matrix specification, appendices, section 4.2.1) is made for other
servers to ask for: what stands there beside a name, a picture and whether somebody is there is no card.
"""

import re
from typing import Final
from urllib.parse import unquote

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import media_type
from gatecrash.core.testing.oracles.leaves import Leaf, leaves
from gatecrash.core.words.names import parted

_SAID = re.compile(r"about(?:_?me)?|bio(?:graphy)?|headline|tagline|motto|signature", re.IGNORECASE)
_FOLLOWED = re.compile(r"followers?(?:_?count)?", re.IGNORECASE)
_OF_A_CARD = re.compile(
    r"_?id|uuid|slug|handle|(?:user|nick|display|screen|full|first|last)?_?name|nick|city|town|region|country|location"
    r"|avatar(?:_?url)?|photo(?:_?url)?|picture(?:_?url)?|image(?:_?url)?|website|badges?|instruments?|interests?|languages?"
    r"|joined(?:_?(?:at|on))?|member_?since|__?typename",
    re.IGNORECASE,
)
# How many of something: a number, and no list.
_COUNTED = re.compile(
    r"(?:\w+_)?(?:count|total)|followers|following|posts|listings|reviews|friends|likes|points|karma|reputation|rating|stars|level",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,3})?")
# What tells one answer from another, and nothing of what it holds.
_OF_THE_ANSWER = re.compile(
    r"(?:trace|request|correlation)(?:_?id)?|ts|(?:server_?)?time(?:stamp)?|took", re.IGNORECASE
)
_WORDS = frozenset({"true", "false", "ok", "success"})
_AROUND = re.compile(
    r"data|items|results?|nodes?|edges|list|rows|(?:get_?)?(?:users?|members?|profiles?)(?:_?by_?\w+)?|people|persons?|author|sellers?",
    re.IGNORECASE,
)
_OF_THE_LIST = re.compile(
    r"success|ok|code|status|message|msg|total|count|page|pages|limit|offset|per_?page|has_?more|next|prev",
    re.IGNORECASE,
)
_HANDLE: Final = re.compile(r"handle|slug|(?:user|nick|screen)_?name|nick|login", re.IGNORECASE)
_MAIL: Final = re.compile(r"(?:(?:public|contact)_?)?e?mail(?:_?address)?", re.IGNORECASE)
_LEAST_HANDLE: Final = 3
# Below one member. Of a `profile` or a `summary` nobody knows for whom it is.
_CALLED_CARD = re.compile(
    r"(?:/(?:api|rest|v\d+|[a-z]{2}))*/(?:users?|members?|profiles?|people|persons?)/(?!(?:me|self)/)[^/]+/(?:card|badge|about|bio|public(?:[-_]?(?:profile|card|info))?)/?",
    re.IGNORECASE,
)
_BETWEEN_SERVERS: Final = re.compile(
    r"(?:/[\w.-]+)*/(?:users?|members?|profiles?|people|persons?)/@[^/@:]+[:@][\w-]+(?:\.[\w-]+)+(?::\d+)?/?",
    re.IGNORECASE,
)
_PRESENT: Final = re.compile(r"(?:status|presence)(?:_?(?:text|message|msg))?|pronouns?", re.IGNORECASE)


def shows_member_cards(good: Response, path: str = "") -> bool:
    """Whether an answer in JSON holds members' cards and nothing else. path: its address, which may name it such a card."""
    if "json" not in media_type(good):
        return False
    told = [leaf for leaf in leaves(good) if leaf.path]
    if is_called_after_handle(path, good):
        told = [leaf for leaf in told if not _tells_mail(leaf)]
    names = [parted(leaf.path[-1]) for leaf in told]
    between = is_told_between_servers(path)
    says_so = (
        between
        or is_card_of_a_member(path)
        or any(_SAID.fullmatch(name) or _FOLLOWED.fullmatch(name) for name in names)
    )
    if not names or not says_so:
        return False
    return all(
        all(map(_AROUND.fullmatch, leaf.path[:-1]))
        and (_fits(name, leaf.value, alone=len(leaf.path) == 1) or (between and _PRESENT.fullmatch(name) is not None))
        for leaf, name in zip(told, names, strict=True)
    )


def _tells_mail(leaf: Leaf) -> bool:
    return len(leaf.path) == 1 and _MAIL.fullmatch(parted(leaf.path[0])) is not None


def is_called_after_handle(path: str, good: Response) -> bool:
    """Whether an address ends in the handle of the one member whom an answer shows, who says something of himself there."""
    last = path.rstrip("/").rpartition("/")[2].lower().removeprefix("@")
    alone = {parted(leaf.path[0]): leaf.value.lower() for leaf in leaves(good) if len(leaf.path) == 1}
    handles = [name for name, value in alone.items() if _HANDLE.fullmatch(name) and value == last]
    says = any(_SAID.fullmatch(name) and value for name, value in alone.items())
    return bool(handles) and says and len(last) >= _LEAST_HANDLE and not last.isdigit()


def is_card_of_a_member(path: str) -> bool:
    """Whether an address is called as what one member shows to others: `/members/12/card`."""
    return _CALLED_CARD.fullmatch(path) is not None


def is_told_between_servers(path: str) -> bool:
    """Whether an address is that of a member who is named with his server."""
    return _BETWEEN_SERVERS.fullmatch(unquote(path)) is not None


def _fits(name: str, value: str, *, alone: bool) -> bool:
    if _SAID.fullmatch(name) or _OF_A_CARD.fullmatch(name):
        return True
    if alone and _OF_THE_ANSWER.fullmatch(name):
        return True
    if _COUNTED.fullmatch(name):
        return _NUMBER.fullmatch(value) is not None
    is_said_of_the_list = alone and _OF_THE_LIST.fullmatch(name) is not None
    return is_said_of_the_list and (value.lower() in _WORDS or _NUMBER.fullmatch(value) is not None)
