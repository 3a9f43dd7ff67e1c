"""Fields of a kind that people keep to themselves, in an answer about one of them or about several: by their names alone."""

import re

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.openness.interface_texts import are_texts_of_an_interface
from gatecrash.core.testing.authorization.owners.health_fields import tells_of_health
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.leaves import Leaf, leaves
from gatecrash.core.words.named import Words

# What whoever writes it says of it, in so many words.
_KEPT_TEXT = r"^(?:private|confidential|hidden)_?(?:notes?|comments?|remarks?|memos?|texts?|messages?|keys?|contents?|details?|info|data|diary|journal)$"
_PRIVATE = Words(
    r"e-?mail|^mail$|phone|mobile|address|street|postcode|postal|zip_?code|birth|^dob$|^ssn$|social_security|secret(?!ar)|passw"
    r"|token(?!i[sz])|api_?key|balance(?!r)|salary|iban(?:_?n(?:o|umber))?$|card|account_?(?:number|no)|(?<!ac)credit"
    r"|latitude|longitude|^vin$|passport|tax_?id|medical|diagnos|health_?(?:notes?|records?|history)$|^illness(?:es)?$"
    r"|^drafts?$|^pin$|private|income|(?<!se)wages?$|payroll|prescription|^(?:(?:last|client|remote|login)_?)?ip$"
    rf"|{_KEPT_TEXT}",
    re.IGNORECASE,
)
_IS_PRIVATE = Words(r"(?:is_?)?private", re.IGNORECASE)
# What nobody puts into a directory, not even of colleagues.
_SECRET = Words(
    r"secret(?!ar)|passw|token(?!i[sz])|api_?key|balance(?!r)|salary|^iban$|card_?(?:no|num)|(?<!ac)credit"
    r"|^ssn$|passport|medical|diagnos|^pin$|income|(?<!se)wages?$|payroll|prescription|birth|^dob$|health_?(?:notes?|records?|history)$|^illness(?:es)?$"
    rf"|{_KEPT_TEXT}",
    re.IGNORECASE,
)
_PEOPLE = Words(r"people|persons?|users?|employees?|customers?|members?|patients?|staff|students?", re.IGNORECASE)
_PERSON = Words(
    r"e-?mail|^user|^customer|^employee|^member|^patient|^student|^(?:first|last|full|sur|given)_?name$|^login$",
    re.IGNORECASE,
)
_CONTACT = Words(r"e-?mail|^mail$|phone|mobile", re.IGNORECASE)
_RANK = Words(r"(?:user_?)?(?:role|type|group|rank)", re.IGNORECASE)
STRANGERS = Words(
    r"(?:role_)?(?:customer|client|patient|buyer|shopper|subscriber|guest|applicant|tenant)s?", re.IGNORECASE
)
MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")


def is_private(response: Response, known: frozenset[str] = frozenset(), *, strictly: bool = False) -> bool:
    """Whether an answer has fields of a kind that people keep to themselves; strictly: of a kind that no directory shows.

    known: what only says who somebody is, as the address of a seller does on a public page.
    """
    kind = _SECRET if strictly else _PRIVATE
    told = [leaf for leaf in leaves(response) if leaf.path and leaf.value]
    found = any(
        kind.search(leaf.path[-1]) for leaf in told if leaf.value.lower() not in known and not _tells_none(leaf)
    )
    return (found or tells_of_health(told, strictly=strictly)) and not are_texts_of_an_interface(told)


def _tells_none(leaf: Leaf) -> bool:
    """Whether a field says yes or no (`"needs_email": true`), which is no secret; yes to `private` says that there is one."""
    value = leaf.value.lower()
    if _IS_PRIVATE.fullmatch(leaf.path[-1]):
        return value in ("false", "0")
    return value in ("true", "false")


def is_kind_of_private(name: str) -> bool:
    """Whether a field of this name is of a kind that people keep to themselves."""
    return _PRIVATE.search(name) is not None


def is_contact(name: str) -> bool:
    """Whether a field of this name tells how to reach somebody."""
    return _CONTACT.search(name) is not None


def secret_of_several(response: Response) -> str:
    """The name of a field that tells secrets of two people at least, each with whose it is; empty where none does."""
    kinds: dict[tuple[str, ...], dict[str, set[str]]] = {}
    for leaf in leaves(response):
        if leaf.path:
            kinds.setdefault(leaf.path[:-1], {}).setdefault(leaf.path[-1], set()).add(leaf.value)
    for parent, fields in kinds.items():
        of_people = any(_PEOPLE.fullmatch(name) for name in parent[-1:]) or any(_PERSON.search(name) for name in fields)
        secret = next((name for name, values in fields.items() if _SECRET.search(name) and len(values) > 1), "")
        if of_people and secret:
            return secret
    return ""


def contacts_of_several(response: Response) -> str:
    """The name of a field that tells how to reach two customers at least, in an answer that calls them so; else empty.

    Colleagues and members of a team see such lists; customers, patients and their like are nothing to each other.
    """
    kinds: dict[tuple[str, ...], set[str]] = {}
    apart: set[tuple[str, ...]] = set()
    for leaf in leaves(response):
        if leaf.path and _CONTACT.search(leaf.path[-1]):
            kinds.setdefault(leaf.path, set()).add(leaf.value)
        if leaf.path and _RANK.fullmatch(leaf.path[-1]) and STRANGERS.fullmatch(leaf.value):
            apart.add(leaf.path[:-1])
    for path, values in kinds.items():
        named = any(STRANGERS.fullmatch(name) for name in path[:-1])
        if len(values) > 1 and (named or path[:-1] in apart):
            return path[-1]
    return ""


def private_of_several(response: Response, known: frozenset[str]) -> str:
    """What an answer tells of several people that they keep to themselves, in words; empty where it is nothing.

    known: what the one who reads it is called.
    """
    kinds: dict[tuple[str, ...], set[str]] = {}
    for leaf in leaves(response):
        if leaf.path and leaf.value and _PRIVATE.search(leaf.path[-1]):
            kinds.setdefault(leaf.path, set()).add(leaf.value.lower())
    field = next((path[-1] for path, values in kinds.items() if len(values - known) > 1), "")
    if field:
        return f"{field!r} of several people"
    mails = {mail.lower() for mail in MAIL.findall(text_of(response))} - known
    return f"the addresses of {len(mails)} people" if len(mails) > 1 else ""
