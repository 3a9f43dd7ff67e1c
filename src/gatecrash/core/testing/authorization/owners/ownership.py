"""Whose data an answer holds, judged by what the application itself says: lists that show each caller his own, fields that
name an owner, and what a caller's own credentials say who he is.
"""

import re
from collections.abc import Mapping, Sequence

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.callers.oneself import OWNED, TENANT, TENANT_FIELD, groups_in
from gatecrash.core.testing.authorization.owners.page_links import links_to
from gatecrash.core.testing.authorization.owners.private_fields import MAIL, is_kind_of_private
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.leaves import Leaf, leaves
from gatecrash.core.words.named import Words

_LEAST_NAME = 3
_OWNER = Words(
    r"owner|user|customer|account|member|creator|created_?by|holder|patient|client|tenant|organi[sz]ation|employee"
    r"|student|buyer|subscriber|recipient|addressee|passenger|applicant|requester|e-?mail|login|^sub$|^uid$",
    re.IGNORECASE,
)
# Whoever made something for his team is its maker, and the team has it.
_MAKER = Words(r"creat|author|writer|made_?by", re.IGNORECASE)
_CHANGER = Words(r"modifier|(?:last_?)?(?:modified|changed|edited|updated)_?by|last_?editor", re.IGNORECASE)
# Beside owners: those who have to do with an object of somebody else's, and may see it.
PARTY = re.compile(
    r"collaborat|participa|shared|share|viewer|editor|reader|recipient|receiver|sender|assign|follow|friend|contribut|author"
    r"|guest|invit|attend|watch|access|partner|peer|team|seller|vendor|driver|agent|doctor|^(?:to|from|with|by)$",
    re.IGNORECASE,
)
_PUBLISHED = Words(r"(?:is_?)?(?:public|published|shared_?publicly|world_?readable)", re.IGNORECASE)
_SEEN = r"visibility|visible_?(?:to|for)|privacy|audience|sharing"
_SEEN_BY, _FOR_WHOM = Words(_SEEN, re.IGNORECASE), Words(rf"{_SEEN}|access|scope", re.IGNORECASE)
_EVERYBODY = re.compile(r"public|everyone|everybody|world|all|anyone|published|open", re.IGNORECASE)
# Whom somebody knows; that one may be among them, no answer says.
_ACQUAINTED = re.compile(r"(?:close_?|mutual_?)?friends(?:_?only)?|followers|contacts|connections", re.IGNORECASE)
_MOST_ABOVE = 2
_IDS = ("id", "_id", "pk")
_ID_SUFFIX = re.compile(r"(?:[_-](?:id|no|nr|number|ref|key)|I[dD])$")
# What an entry has to do with one of its own kind.
_SAME_AGAIN = re.compile(r"parent|reply|root|thread|group|origin|cop(?:y|ied)|source|previous|next|replace|merge|link")
# A number of fewer digits is an amount, a flag and the number of other things as well.
_LEAST_DIGITS = 5


def is_published(response: Response, *, wholly: bool = False) -> bool:
    """Whether an answer says of what it shows that it is for everybody: `public: true`, `visibility: public`; wholly:
    and of nothing that it is not.
    """
    told = [leaf for leaf in leaves(response) if leaf.path and len(leaf.path) <= _MOST_ABOVE]
    said = [leaf.value.lower() in ("true", "1") for leaf in told if _PUBLISHED.fullmatch(leaf.path[-1])]
    # The scope of a report is all of its entries, for whomever it is.
    for_whom = [leaf for leaf in told if _FOR_WHOM.fullmatch(leaf.path[-1])]
    said += [bool(_EVERYBODY.fullmatch(leaf.value)) for leaf in for_whom if not wholly or not _says_how_much(leaf)]
    return any(said) and (not wholly or all(said))


def is_for_acquaintances(response: Response) -> bool:
    """Whether an answer says of what it shows that its owner's friends or the like may see it: `visible_to: friends`."""
    told = (leaf for leaf in leaves(response) if leaf.path and len(leaf.path) <= _MOST_ABOVE)
    return any(_ACQUAINTED.fullmatch(leaf.value) and _SEEN_BY.fullmatch(leaf.path[-1]) for leaf in told)


def is_kept_private(response: Response) -> bool:
    """Whether an answer says of what it shows that it is not for everybody: `public: false`, `visibility: private`."""
    told = [leaf for leaf in leaves(response) if leaf.path and len(leaf.path) <= _MOST_ABOVE]
    return any(
        (_PUBLISHED.fullmatch(leaf.path[-1]) and leaf.value.lower() in ("false", "0"))
        or (_FOR_WHOM.fullmatch(leaf.path[-1]) and leaf.value.lower() == "private")
        for leaf in told
    )


def _says_how_much(leaf: Leaf) -> bool:
    return leaf.path[-1].lower() == "scope" and leaf.value.lower() == "all"


def shows(response: Response, value: str, path: bytes) -> bool:
    """Whether a list shows the object: its identifier as a field's whole value, or a link to it."""
    told = leaves(response)
    if told:
        return any(leaf.value == value for leaf in told) or links_to(text_of(response), path)
    return links_to(text_of(response), path)


def listed_apart(mine: Response, theirs: Response, value: str, path: bytes, kind: str = "") -> bool:
    """Whether one caller's list shows the object and the other's, as good a list, does not. kind: the word for what it is,
    where a call or a query asks for it and nothing links there.
    """
    if mine.status != theirs.status or mine.status >= 300 or not shows(mine, value, path):
        return False
    if media_type(mine) != media_type(theirs):
        return False  # what stands in between, and is no list
    keys = identifying({leaf.path for leaf in leaves(mine) if leaf.value == value}, value, path or kind.encode())
    if keys and bool(leaves(theirs) or _is_empty(theirs)):
        return not any(leaf.value == value and leaf.path in keys for leaf in leaves(theirs))
    return not shows(theirs, value, path)


def identifying(keys: set[tuple[str, ...]], value: str, path: bytes) -> set[tuple[str, ...]]:
    """The fields of a list that may name the object. Where one is its `id`, a small number in another is that of
    something else (`class_id`, `paid`), unless that is called as the object is (`machine_id`), or may be the same again.
    path: what stands at which, or the word for it.
    """
    if not path or not value.isdigit() or len(value) >= _LEAST_DIGITS or not any(map(_is_id, keys)):
        return keys
    address = path.decode("latin-1").lower()
    return {each for each in keys if _is_id(each) or not each or _may_be_again(each[-1], address)}


def _is_id(field: tuple[str, ...]) -> bool:
    return bool(field) and field[-1].lower() in _IDS


def _may_be_again(name: str, address: str) -> bool:
    """Whether a field is called as what stands at an address, or as what an entry of the same kind belongs to (`parent_id`)."""
    kind = _ID_SUFFIX.sub("", name).lower()
    return kind in address or _SAME_AGAIN.search(kind) is not None


def owners(response: Response) -> dict[tuple[str, ...], str]:
    """The fields that name an owner, with their values in lower case."""
    return {
        leaf.path: leaf.value.lower()
        for leaf in leaves(response)
        if any(_OWNER.search(name) for name in leaf.path[-2:])
    }


def all_owners(response: Response) -> frozenset[str]:
    """Every value of the fields that name an owner, in lower case: of a list those of all its entries."""
    told = (leaf for leaf in leaves(response) if any(_OWNER.search(name) for name in leaf.path[-2:]))
    return frozenset(leaf.value.lower() for leaf in told if leaf.value)


def is_owner_field(leaf: Leaf) -> bool:
    """Whether a field names an owner, as its own name or the one above it says; who made something may have made it for others."""
    ends = leaf.path[-2:]
    return any(map(_OWNER.search, ends)) and not any(map(_MAKER.search, ends)) and _tells(leaf.value, leaf.path)


def owner_field(leaf: Leaf) -> tuple[str, ...]:
    """What tells a field for an owner from others: its own name, or the one above it as well (`customer.id`)."""
    return leaf.path[-1:] if _OWNER.search(leaf.path[-1]) else leaf.path[-2:]


def names_of_owner(shown: Mapping[str, object]) -> list[tuple[str, str]]:
    """The fields of one object that name an owner, with their values in lower case; who made it may have made it for others."""
    told = [(name, str(value).lower()) for name, value in shown.items() if isinstance(value, str | int)]
    return [
        (name, value)
        for name, value in told
        if value and _OWNER.search(name) and not _MAKER.search(name) and _tells(value, (name,))
    ]


def names_owner(response: Response, values: frozenset[str], *, makers: bool = True) -> bool:
    """Whether a field that names an owner holds one of these values. makers: whether who made something owns it."""
    return is_owned_as_listed(response, values, makers=makers) or any(
        value in values and _tells(value, path) and (makers or not any(map(_MAKER.search, path[-2:])))
        for path, value in owners(response).items()
    )


def is_owned_as_listed(response: Response, values: frozenset[str], *, makers: bool = True) -> bool:
    """Whether the field that names the owner in his own list, as `OWNED` has it, names him here, and nobody else; makers as above."""
    said = (leaf for leaf in leaves(response) if leaf.path and (makers or not any(map(_MAKER.search, leaf.path[-2:]))))
    told = {(leaf.path[-1].lower(), leaf.value.lower()) for leaf in said}
    his = {(name, value) for name, value in told if f"{OWNED}{name}={value}" in values}
    fields = {name for name, _ in his}
    return bool(his) and all(pair in his for pair in told if pair[0] in fields)


def says_who_made(name: str) -> bool:
    """Whether a field of this name tells who made something."""
    return _MAKER.search(name) is not None


def is_changed_by_several(response: Response) -> bool:
    """Whether an answer tells who changed something last beside who made it, as a wiki does of its pages."""
    names = {leaf.path[-1] for leaf in leaves(response) if leaf.path and leaf.value}
    return any(map(_CHANGER.fullmatch, names)) and any(map(says_who_made, names))


def is_of_tenant(response: Response, tenants: frozenset[str]) -> bool:
    """Whether an answer says that what it shows is of one of these tenants or groups, as `self_values` writes them."""
    told = leaves(response)
    named = (leaf.value.lower() for leaf in told if leaf.path and TENANT_FIELD.fullmatch(leaf.path[-1]))
    return any(TENANT + each in tenants for each in named) or not tenants.isdisjoint(groups_in(told))


def concerns(response: Response, values: frozenset[str]) -> bool:
    """Whether an answer names somebody as one who has to do with what it shows: a member, a recipient, whom it is shared with.

    values: what he is called. A number is his only in a field or a list for people.
    """
    return any(_is_him(leaf, values) for leaf in leaves(response) if leaf.path)


def _is_him(leaf: Leaf, values: frozenset[str]) -> bool:
    value = leaf.value.lower()
    if value not in values:
        return False
    if not value.isdigit():
        return len(value) >= _LEAST_NAME
    return any(PARTY.search(name) or _OWNER.search(name) for name in leaf.path[-2:])


def newly_told_of_others(before: Response, after: Response) -> str:
    """What a longer answer tells beside the shorter one that is not everybody's to know, in words; empty where it is nothing.

    Fields that people keep to themselves, objects of more owners than one, addresses to write to.
    """
    old, new = leaves(before), leaves(after)
    known = {leaf.path[-1] for leaf in old if leaf.path}
    private = next(
        (
            name
            for leaf in new
            if leaf.path and leaf.value
            for name in leaf.path[-1:]
            if name not in known and is_kind_of_private(name)
        ),
        "",
    )
    if private:
        return f"the field {private!r}"
    owned = _owned(new)
    field = next(
        (path[-1] for path, whose in _owned(old).items() if len(whose) == 1 and whose < owned.get(path, set())), ""
    )
    if field:
        return f"objects of others by {field!r}"
    mails = set(MAIL.findall(text_of(after))) - set(MAIL.findall(text_of(before)))
    return f"the addresses of {len(mails)} people" if len(mails) > 1 else ""


def _owned(told: Sequence[Leaf]) -> dict[tuple[str, ...], set[str]]:
    """The owners that the fields for them name."""
    found: dict[tuple[str, ...], set[str]] = {}
    for leaf in told:
        if leaf.path and leaf.value and _OWNER.search(leaf.path[-1]):
            found.setdefault(leaf.path, set()).add(leaf.value.lower())
    return found


def _tells(value: str, path: tuple[str, ...]) -> bool:
    """A number is an owner's only where the field is an identifier; other words must have some length."""
    return (
        path[-1].lower().endswith(("id", "user", "owner", "sub", "no", "by"))
        if value.isdigit()
        else len(value) >= _LEAST_NAME
    )


def _is_empty(response: Response) -> bool:
    return text_of(response).strip() in ("[]", "{}")
