"""Papers and letters: what an answer says by its owner's name of whose it is.

is_made_out_to(request, named, page, values)    a bill or the like that is made out to him
speaks_of(response, values)                     whether a text names him
is_named_in(response, values)                   whether a field for names does
is_held_by(response, values)                    whether a field holds his name and nothing else, whatever it is called
"""

import re
from collections.abc import Iterator

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.fields.properties import LOW_ROLES
from gatecrash.core.testing.authorization.objects.named import kind_of
from gatecrash.core.testing.authorization.owners.owner_words import may_own
from gatecrash.core.testing.authorization.owners.ownership import is_owned_as_listed
from gatecrash.core.testing.authorization.ranks.roles import is_managers_name
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.words.named import Words
from gatecrash.core.words.names import parted

# Papers that a page shows to whom they are made out, by their address.
_PAPER = re.compile(
    rb"/(?:invoices?|receipts?|orders?|bookings?|reservations?|statements?|payslips?|prescriptions?|purchases?|rentals?|policies)"
    rb"(?:[/.?-]|$)",
    re.IGNORECASE,
)
# Of these what programs read as well: nobody looks at a colleague's to see what is free or left to do, as at bookings and orders.
_BILL = re.compile(r"(?:.*[-_])?(?:bill|invoice|receipt|payment|payslip|refund|transaction|transfer)")
_FOR_PEOPLE = ("text/html", "application/xhtml+xml", "text/plain", "text/markdown")
_LEAST_LOGIN = 5
_LEAST_NAME = 3
_NAME = re.compile(
    r"name$|^patient$|^customer$|^holder$|^owner$|^employee$|^member$|^user$|^(?:nick|handle|login|alias)$",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_DID = Words(r"(?:^|_)by$|modif|chang|edit|updat|approv|check|review|sign", re.IGNORECASE)


def is_made_out_to(request: Request, named: Named, page: Response, values: frozenset[str]) -> bool:
    """Whether a page or a text for people is an invoice or the like, and tells the owner's name or address; or what
    programs read is a bill, and names its owner in the field by which the application keeps his own list for him.
    """
    if _BILL.fullmatch(kind_of(request, named)) and is_owned_as_listed(page, values):
        return True
    if media_type(page) not in _FOR_PEOPLE or not _PAPER.search(request.path):
        return False
    return speaks_of(page, frozenset(_names_of_one(values)))


def speaks_of(response: Response, values: frozenset[str]) -> bool:
    """Whether a page names the owner in its text, as letters do."""
    names = [name for name in values if len(name) >= _LEAST_NAME and not name.isdigit()]
    text = text_of(response)
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) for name in names)


def is_named_in(response: Response, values: frozenset[str]) -> bool:
    """Whether a field for names holds the owner's, as one of its words."""
    names = {name for name in values if len(name) >= _LEAST_NAME and not name.isdigit()}
    fields = (leaf.value.lower() for leaf in leaves(response) if leaf.path and _NAME.search(leaf.path[-1]))
    return any(names & set(_WORD.findall(field)) for field in fields)


def is_held_by(response: Response, values: frozenset[str]) -> bool:
    """Whether a field holds the owner's name and nothing else, be it called by a word that no list has (`keeper`), and does not
    say who made what it shows, did something to it or has to do with it beside him.
    """
    names = {name for name in _names_of_one(values) if not name.isdigit()}
    held = (leaf.path[-2:] for leaf in leaves(response) if leaf.path and leaf.value.lower() in names)
    return any(may_own(" ".join(path)) and not _DID.search(parted(path[-1])) for path in held)


def _names_of_one(values: frozenset[str]) -> Iterator[str]:
    """Of what somebody is called that which is likely nobody else's."""
    for name in values:
        is_long = "@" in name or " " in name or len(name) >= _LEAST_LOGIN
        if is_long and name not in LOW_ROLES and not is_managers_name(name):
            yield name
