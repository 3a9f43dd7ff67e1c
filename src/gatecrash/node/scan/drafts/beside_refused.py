"""Who a described page is better asked as, where a page right beside it is refused to its sender.

`/stock/wages` answers a customer, to whom `/stock/prices` is refused: it may be for those above him, too. Sent as one
of them, its tests ask him for it; sent as the customer, nobody would be asked in vain.
"""

from collections.abc import Iterable

from gatecrash.core.message import Response
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.addresses.sections import folder_of
from gatecrash.core.testing.authorization.openness.access import may_be_repeated
from gatecrash.formats.draft import Draft


def sender_beside(draft: Draft, drafts: Iterable[Draft], lowest: str) -> str:
    """Who was let in right beside it where its sender, the lowest, was not; empty where nobody was, or it is about one of many."""
    folder = folder_of(draft.request.path)
    if folder is None or draft.public or draft.sender != lowest or not _is_page(draft):
        return ""
    beside = (other for other in drafts if other.sender != lowest and folder_of(other.request.path) == folder)
    return next((other.sender for other in beside if _is_page(other)), "")


def _is_page(draft: Draft) -> bool:
    response = draft.response
    is_good = isinstance(response, Response) and response.status < FIRST_ERROR
    return is_good and may_be_repeated(draft.request) and not any(hole.point[0] == "path" for hole in draft.holes)
