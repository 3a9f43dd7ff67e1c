"""The list right above an address whose query chooses: `/jobs` of `/jobs/report?report_id=7`. Its name is not that of what is
chosen, so it counts where an entry of it says what the object itself says.

with_list_above(pages, situation, named)     the pages, and a recorded list above the address, whatever it showed then
stands_above(page, request, named)           whether a page is such a list
has_it_above(response, page, asked, named)   whether the answer of such a list shows what was asked for
"""

from collections.abc import Sequence

import msgspec

from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.addresses.kinship import kind_words
from gatecrash.core.testing.authorization.owners.list_entries import entry_tells_of
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.probe import Situation


def with_list_above(pages: Sequence[Page], situation: Situation, named: Named) -> list[Page]:
    """The pages; where none of them is such a list, one that the record has behind them: what was made since it was read is not
    known to stand there.
    """
    request = situation.baseline.request
    plain = msgspec.structs.replace(request, method="GET", headers=(), body=b"")
    recorded = (Page(msgspec.structs.replace(plain, target=target), rendered=False) for target in situation.around)
    above = [page for page in (*pages, *recorded) if stands_above(page, request, named)][:1]
    return [*pages, *(page for page in above if page not in pages)]


def has_it_above(response: Response, page: Page, asked: Exchange, named: Named) -> bool:
    """By what an entry of it says, and what was answered."""
    if asked.response is None or not stands_above(page, asked.request, named):
        return False
    return entry_tells_of(response, named.value, asked.response)


def stands_above(page: Page, request: Request, named: Named) -> bool:
    """Whether a page is called as a list, and is the folder of a request's address."""
    word = "".join(kind_words(page.request)[-1:])
    above = request.path.rstrip(b"/").rpartition(b"/")[0]
    is_folder = page.request.target.partition(b"?")[0].rstrip(b"/") == above
    return named.point[0] == "get" and is_folder and bool(above) and singular(word) != word
