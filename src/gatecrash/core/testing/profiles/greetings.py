"""What the pages of a site call who reads them: the name in the frame that is put around each (`<b>Lucía Ferrer</b>`).

A name that stands on nearly all pages of one user, and on few of another's, who may see him in a list, is his: what a page
is about changes from page to page, and a site's own words are on everybody's.
"""

import html
import re
from collections import Counter
from itertools import islice
from typing import Final

import msgspec

from gatecrash.core.message import Exchange
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.outcomes.refused import is_good

_FEWEST_PAGES: Final = 3
_MOST_PAGES, _MOST_TEXTS, _LARGEST = 40, 400, 200_000
_MOST_NAMES: Final = 4
# Nine of ten: a page for printing has no frame.
_NEARLY_ALL: Final = 0.9
_FEW: Final = 1 / 3
_TEXT: Final = re.compile(r">\s*+([^\s<>][^<>]{3,58}?[^\s<>])\s*+<")
_NAME: Final = re.compile(r"[^\W\d_][\w'.-]*(?: [^\W\d_][\w'.-]*){1,3}")


class Greetings(msgspec.Struct):
    """The names on the pages of one user. pages: how many were looked at; named: on how many of them each stands."""

    pages: int = 0
    named: Counter[str] = msgspec.field(default_factory=Counter)

    def see(self, exchange: Exchange) -> None:
        """One more exchange of his."""
        response = exchange.response
        if self.pages >= _MOST_PAGES or exchange.request.method.upper() != "GET" or response is None:
            return
        if media_type(response) != "text/html" or not is_good(response):
            return
        self.pages += 1
        texts = (html.unescape(each[1]) for each in islice(_TEXT.finditer(text_of(response)[:_LARGEST]), _MOST_TEXTS))
        self.named.update({text for text in texts if _is_name(text)})

    def beside(self, other: "Greetings") -> frozenset[str]:
        """What he is called, in lower case, where few of the other's pages say it; nothing while few were seen of either."""
        if min(self.pages, other.pages) < _FEWEST_PAGES:
            return frozenset()
        steady = (name for name, count in self.named.items() if count >= _NEARLY_ALL * self.pages)
        own = {name.lower() for name in steady if other.named[name] <= _FEW * other.pages}
        return frozenset(own) if len(own) <= _MOST_NAMES else frozenset()


def _is_name(text: str) -> bool:
    """Whether each of two to four words begins with a capital, as in the name of somebody."""
    return _NAME.fullmatch(text) is not None and all(word[0].isupper() for word in text.split())
