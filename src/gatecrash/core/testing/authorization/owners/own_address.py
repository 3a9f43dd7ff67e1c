"""An object's own address, which refuses the other what the request gives him: `/tickets/51` refuses him, and an export
that is asked for the same ticket by its number does not.

That alone says little: whose account refuses its reader may have a card for everybody. So what the other was given must be
nearly all that the owner reads at the object's own address.
"""

from collections.abc import Generator

from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.objects.named import kind_of
from gatecrash.core.testing.authorization.owners.kept_above import shown_and_kept_from
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_NEARLY_ALL = 0.8
_LEAST_TOLD = 3
# Shorter values are flags, and the number of other things as well.
_LEAST_LONG = 3


def kept_at_its_own_address(
    situation: Situation, other: Identity, named: Named, seen: Response
) -> Generator[TestRequest, Answer, str]:
    """What says that an object is not the other's to read, where the record has its own address, which refuses him; empty where
    nothing does. seen: what the other was given.
    """
    path = _own_address(situation, named)
    if not path:
        return ""
    shown = yield from shown_and_kept_from(situation.baseline.request, path, other)
    if shown is None or not _holds(seen, shown):
        return ""
    return (
        f"{path.decode('latin-1')}, the address of the very object, shows it to its owner and is refused to the other"
    )


def _own_address(situation: Situation, named: Named) -> bytes:
    """The path of a recorded page that ends in what the request names, below a word for such things; empty where there is none."""
    request = situation.baseline.request
    kind = singular(kind_of(request, named))
    for page in situation.pages:
        *_, above, last = b"", *page.request.path.lower().decode("latin-1").split("/")
        is_it = last == named.value.lower() and kind and singular(above).startswith(kind)
        if is_it and page.request.method.upper() == "GET" and page.request.path != request.path:
            return page.request.path
    return b""


def _holds(given: Response, own: Response) -> bool:
    """Whether an answer holds nearly all that another one tells."""
    told = {leaf.value for leaf in leaves(own) if len(leaf.value) >= _LEAST_LONG}
    return len(told) >= _LEAST_TOLD and len(told & {leaf.value for leaf in leaves(given)}) >= _NEARLY_ALL * len(told)
