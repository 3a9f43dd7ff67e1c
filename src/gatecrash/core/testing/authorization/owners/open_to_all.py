"""What all who read it may change, whoever began it: a notice board, a page of a wiki, what says of itself that anybody edits it.

The field that names its owner tells there who began it. Nothing is taken for such a thing that the other may not read.
"""

import re
from typing import Final

from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.message import Request, Response
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.oracles.leaves import Leaf, leaves
from gatecrash.core.words.names import parted

# What people write on together; a list, a note or a document may be one's own as well.
_KIND: Final = re.compile(
    r"(?:[a-z]+[-_]?)?(?:board|wikis?)|wiki[-_]?page|(?:scratch|ether|shared[-_]?)?pad|bulletin|canvas|glossary|log-?book|guest-?book",
    re.IGNORECASE,
)
# A dashboard is arranged for oneself, and nobody writes on a circuit.
_NO_KIND: Final = re.compile(r"(?:dash|key|mother|circuit|leader|score|skate|snow|surf)[-_]?board", re.IGNORECASE)
_MAY_EDIT: Final = re.compile(
    r"(?:any(?:one|body)|every(?:one|body)|all|members|public(?:ly)?)_?(?:can_?|may_?)?(?:edit|write|chang)\w*"
    r"|(?:edit|writ)able_?by_?(?:all|any(?:one|body)|every(?:one|body)|members)|(?:is_?)?collaborative|(?:is_?)?wiki",
    re.IGNORECASE,
)
_WHO_EDITS: Final = re.compile(
    r"(?:who_?(?:can|may)_?)?(?:edit|write)(?:able|ing)?(?:_?(?:by|policy|access|mode|scope|rights?|permissions?))?",
    re.IGNORECASE,
)
_ALL: Final = frozenset(
    {"all", "anybody", "anyone", "community", "everybody", "everyone", "members", "open", "public", "world"}
)


def is_open_to_all(request: Request, named: Named, shown: Response) -> bool:
    """Whether the object's kind, as the address has it, or the object itself says that whoever reads it may change it, too."""
    return _is_of_such_a_kind(request, named) or any(map(_says_so, leaves(shown)))


def _is_of_such_a_kind(request: Request, named: Named) -> bool:
    segments = request.path.decode("latin-1").strip("/").split("/")
    if named.point[0] != "path" or named.value not in segments[1:]:
        return False
    word = parted(singular(segments[segments.index(named.value, 1) - 1]), "-")
    return segments[-1] == named.value and _KIND.fullmatch(word) is not None and _NO_KIND.fullmatch(word) is None


def _says_so(leaf: Leaf) -> bool:
    name, value = parted(leaf.path[-1]) if leaf.path else "", leaf.value.lower()
    return (_MAY_EDIT.fullmatch(name) is not None and value == "true") or (
        _WHO_EDITS.fullmatch(name) is not None and value in _ALL
    )
