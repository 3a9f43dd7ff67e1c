"""Whether a section is called after some of those whom a list below it names, by the application's own words: `/curation/growers`
lists a curator among the growers, or another page of it is refused with `harbour office only`.

The list must tell how to reach several people, and say of each which role he has. That few of them have the one that
the section is called after keeps directories of those very people apart, and what is meant for all members, some of
whom manage it.
"""

import re

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.fields.properties import LOW_ROLES
from gatecrash.core.testing.authorization.owners.private_fields import is_contact
from gatecrash.core.testing.authorization.ranks.roles import Told, flagged, role_named
from gatecrash.core.testing.authorization.ranks.unnamed_columns import unnamed_columns
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.words.named import Words
from gatecrash.core.words.names import parted

_ROLE = Words(r"(?:(?:user|account|member|staff)_?)?(?:roles?|ranks?|rights?|position)", re.IGNORECASE)
# What applications call a role where they have no such word.
_KIND = Words(r"(?:(?:user|account|member|staff)_?)?(?:kind|type|group|level)", re.IGNORECASE)
_WORD = re.compile(r"[a-z][a-z_-]{2,29}")
_NUMBER = re.compile(r"(?:^|_)(?:id|uid|no|nr|number)$", re.IGNORECASE)
# Where people look for each other, in whatever section it stands.
_DIRECTORY = re.compile(
    r"director(?:y|ies)|contacts?|phone-?book|address-?book|colleagues|teams?|about|everyone|birthdays|who-?is-?who",
    re.IGNORECASE,
)
_LEAST_LISTED = 3
_LEAST_STEM = 4
_LONGEST_REFUSAL = 2000
_HAS = "role:"

Columns = dict[str, list[str]]


def section_word(request: Request) -> str:
    """The word that a path stands below, in small letters; empty where it is none, or people look for each other there."""
    *above, last = request.path.decode("latin-1").lower().rstrip("/").split("/")
    word = above[-1] if above else ""
    looked_for = _DIRECTORY.fullmatch(last.partition(".")[0]) or _DIRECTORY.fullmatch(word)
    return word if _WORD.fullmatch(word) and not looked_for else ""


def may_list_others(response: Response) -> bool:
    """Whether an answer lists several people with their roles and how to reach them."""
    return bool(_people(response))


def lists_the_caller(response: Response, own: frozenset[str]) -> bool:
    """Whether such a list names the caller, or somebody of his role: then it is none of those alone whom a section is for."""
    return any(roles_of_caller(people, own) for people in _people(response))


def role_of_section(word: str, response: Response, own: frozenset[str]) -> str:
    """The role of a few of those listed that a section is called after, where the list names the caller's own as well;
    empty where there is none. own: what he is called, and which role he has.
    """
    for people in _people(response):
        roles, mine = roles_in(people), roles_of_caller(people, own)
        for role in sorted(set(roles) - mine if mine else ()):
            if 2 * roles.count(role) < len(roles) and word in _called_after(role):
                return role
    return ""


def is_called_after(word: str, role: str) -> bool:
    """Whether a section is called after a role that nobody has by default: `curation` after a curator."""
    return word in _called_after(role)


def says_whom_it_is_for(word: str, refused: Response) -> bool:
    """Whether a refusal calls those whom it lets in by the section's own word: `harbour office only`, `Only wardens may see
    this`, `for the board`, `needs role board`.
    """
    text = " ".join(re.sub(r"<[^<>]{0,300}>", " . ", text_of(refused)[:_LONGEST_REFUSAL]).lower().split())
    who = re.escape(word.removesuffix("s")) + "s?"
    only = rf"\b{who} only\b|\b(?:only )?for (?:the )?{who}(?: only)?(?![\w' -]*\w)"
    # A role that is named as such; what follows may be another one, and no further word of its name.
    role = rf"\broles?\W{{1,6}}(?:(?:of|is|required|needed)\W{{1,4}})?{who}(?![-'\w]| (?!(?:or|and|is|to|required|needed)\b)\w)"
    needed = rf"\b(?:requires|needs|required:?|needed:?) (?:an? |the )?{who} (?:role|rights|privileges|permissions?|access)\b"
    lacking = (
        rf"(?:^|[^\w\s'-])\s?{who} (?:role|rights|privileges|permissions?|access) (?:is |are )?(?:required|needed)\b"
    )
    # The sentence must end there, or go on with what they are: `only staff tickets` are no staff.
    alone = rf"\bonly (?:the )?{who}(?= ?(?:[.,:;!\"}}]|$)| (?:may|can|could|must|are|is|have|has|members?)\b)"
    return re.search("|".join((only, role, needed, lacking, alone)), text) is not None


def roles_told(told: Told) -> frozenset[str]:
    """What is told of somebody's role, as it is given here beside what he is called, in small letters."""
    return frozenset(
        f"{_HAS}{role_named(value)}" for name, value in told if _ROLE.fullmatch(name) or _KIND.fullmatch(name)
    )


def roles_of_caller(columns: Columns, own: frozenset[str]) -> set[str]:
    """The roles of those listed whom one calls as the caller is called, and those that he is told to have."""
    roles = roles_in(columns)
    return {role for at, role in enumerate(roles) if f"{_HAS}{role}" in own or own & _entry(columns, at)}


def columns_of(response: Response) -> list[Columns]:
    """The lists of an answer: by the name of each field what it says of one entry after the other, in small letters."""
    lists: dict[tuple[str, ...], Columns] = {}
    for leaf in leaves(response):
        if leaf.path:
            lists.setdefault(leaf.path[:-1], {}).setdefault(leaf.path[-1], []).append(leaf.value.lower())
    return [*lists.values(), *unnamed_columns(response)]


def _people(response: Response) -> list[Columns]:
    """The lists of an answer that tell of several people which role each has, not one and the same, and how to reach him."""
    return [columns for columns in columns_of(response) if len(set(roles_in(columns))) > 1 and _contacts(columns)]


def roles_in(columns: Columns) -> list[str]:
    """The role of each person listed, by a column of roles, or of flags such as `is_admin`; empty where neither is there."""
    for words in (_ROLE, _KIND):
        named = next((values for name, values in columns.items() if words.fullmatch(name)), [])
        if named:
            return [role_named(value) for value in named]
    return next(filter(None, (flagged(*column) for column in columns.items())), [])


def _contacts(columns: Columns) -> bool:
    return any(is_contact(name) and len(set(values)) >= _LEAST_LISTED for name, values in columns.items())


def _entry(columns: Columns, at: int) -> set[str]:
    """What is said of one of those listed, where as much is said of all; a number calls somebody only where it is an identifier's."""
    rows = len(roles_in(columns))
    told = ((name, values[at]) for name, values in columns.items() if len(values) == rows)
    return {value for name, value in told if not value.isdigit() or _NUMBER.search(parted(name))}


def _called_after(role: str) -> set[str]:
    """What a section for those who have a role is called: `curation` and `curators` for a curator, `dispatch` for a dispatcher."""
    if role in LOW_ROLES:
        return set()
    words = {role, f"{role}s"}
    stem = role[:-2]
    if len(stem) >= _LEAST_STEM:
        words |= {f"{stem}ion"} if role.endswith("tor") else set()
        words |= {stem, f"{stem}ing"} if role.endswith("er") else set()
    return words
