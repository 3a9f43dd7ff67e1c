"""The object of its sender's that a request names in its body, and what it makes belongs to:
`{"order_id": 7301, "text": "It is torn"}`.

reference = reference_of(request, pages)          the field, the object's own page and its list, and pages below it; None for nothing
others_instead(value, path, mine, theirs)         what the other's list has in its place
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from gatecrash.core.inventory.identifiers import look_of, singular
from gatecrash.core.message import Request, Response
from gatecrash.core.points.found import Found
from gatecrash.core.testing.authorization.owners.ownership import identifying
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.words.names import parted

_NAMES_ONE = re.compile(r"(?P<kind>[a-z][a-z_]*?)_(?:id|uuid|uid|no|number|ref)")
# Whom or what anybody may write to, pay, join or ask for: people, what money goes to, what is offered, and what has members.
_FOR_OTHERS = re.compile(
    r"(?:.*_)?(?:user|member|people|person|customer|client|patient|employee|friend|author|owner|seller|vendor|recipient|receiver|to|dest(?:ination)?"
    r"|target|payee|beneficiary|account|wallet|card|iban|invoice|bill|voucher|coupon|gift|post|article|blog|comment|reply|review|product|item|listing"
    r"|offer|advert|ad|auction|job|vacancy|event|course|lesson|class|team|group|room|channel|club|org|organi[sz]ation|company|tenant|workspace|project"
    r"|question|poll|survey|thread|topic|photo|picture|image|video|recipe|book|story|profile|page|campaign|petition|game|restaurant|shop|store"
    r"|hotel|property|house|station|device|parcel|shipment|category|type|status|country|city|language|currency|plan|tag|session|request|parent|chat"
    r"|conversation)"
)
# What somebody may do to what is another's: asks for it, tells of it, follows or pays it.
_ASKS = re.compile(
    r"request|invit|appl(?:y|ication)|report|claim|redeem|track|subscri|follow|friend|pay|donat|contribut|tip|transfer|deposit|top-?up|join|message"
    r"|contact|enquir|inquir|offer|bid|like|vote|watch|favou?rit|share|accept|sign",
    re.IGNORECASE,
)
# Whoever knows these beside the number has been told of the object.
_KNOWN = re.compile(r"e-?mail|code|token|pin|password|secret|signature|key|phone|last_?name|surname|birth|post_?code|zip", re.IGNORECASE)  # fmt: skip
_MOST_BELOW = 3


class Reference(NamedTuple):
    """Where it is named. own: the object's own page. listed: the list that it stands in. below: pages that show what belongs to it,
    the sender's list of such things among them.
    """

    found: Found
    own: Page
    listed: Page
    below: tuple[Page, ...]


def reference_of(request: Request, pages: Iterable[Page]) -> Reference | None:
    """The first field of a body that names an object whose page, list and what belongs to it were recorded, unless it
    may be anybody's to name.
    """
    if request.method.upper() != "POST" or operation_of(request) is not None or not request.body:
        return None
    if _ASKS.search(request.path.decode("latin-1")):
        return None
    fields = [each for each in walked(request) if each.point[0] == "post" and not each.container]
    if any(_KNOWN.search(each.point[-1]) for each in fields):
        return None
    read = [page for page in pages if page.request.method.upper() == "GET" and page.request.query is None]
    for each in fields:
        named = _NAMES_ONE.fullmatch(parted(each.point[-1]).lower())
        value = each.value.decode("utf-8", "replace")
        if named is None or _FOR_OTHERS.fullmatch(named["kind"]) or look_of(value) != "id":
            continue
        reference = _shown(request, each, value, named["kind"], read)
        if reference is not None:
            return reference
    return None


def others_instead(value: str, path: bytes, mine: Response, theirs: Response) -> list[str]:
    """The identifiers of one list that stand where another has this one, and that the other does not show."""
    keys = identifying({leaf.path for leaf in leaves(mine) if leaf.value == value}, value, path)
    known = {leaf.value for leaf in leaves(mine) if leaf.path in keys}
    told = {leaf.value for leaf in leaves(theirs) if leaf.path in keys} - known
    return sorted(each for each in told if look_of(each) == look_of(value))


def _shown(request: Request, found: Found, value: str, kind: str, pages: list[Page]) -> Reference | None:
    for page in pages:
        above, _, last = page.request.path.decode("latin-1").rstrip("/").rpartition("/")
        if last != value or not _is_called(above.rpartition("/")[2], kind):
            continue
        listed = next((each for each in pages if each.request.path.rstrip(b"/") == above.encode("latin-1")), None)
        below = [each for each in pages if each.request.path.startswith(page.request.path.rstrip(b"/") + b"/")]
        if listed is not None and value in listed.shown:
            made = [each for each in pages if each.request.path.rstrip(b"/") == request.path.rstrip(b"/")]
            return Reference(found, page, listed, (*below[:_MOST_BELOW], page, *made[:1]))
    return None


def _is_called(word: str, kind: str) -> bool:
    """Whether a list is called as a field calls one of it: `orders` of `order_id`, `work-orders` of `work_order_id`."""
    return singular(parted(word).lower().replace("-", "_")) == kind
