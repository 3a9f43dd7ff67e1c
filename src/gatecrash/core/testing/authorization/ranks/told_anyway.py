"""What somebody is told at the address of a section for those who manage, and at the same address outside of it as well:
`/news` beside `/admin/news`. Who wrote the section's pages for those who manage kept nothing back there. Where nothing
stands outside, what is written for all to read has its only place in the section.

What people keep to themselves, told of several, is no such thing: an open list of accounts may be a flaw itself.
"""

import re
from collections.abc import Generator

from gatecrash.core.message import Request, Response, reading
from gatecrash.core.statuses import NOT_FOUND
from gatecrash.core.testing.asking import ask_as, response_of
from gatecrash.core.testing.authorization.owners.private_fields import private_of_several
from gatecrash.core.testing.authorization.owners.told_facts import has_nearly_all
from gatecrash.core.testing.authorization.ranks.ranked_functions import is_word_for_managing
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.difference import Fact
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Answer, TestRequest

_LEAST_TEXT = 3
_NEARLY_ALL = 0.8
_FOR_ALL = re.compile(rb"news|announcements?|notices?|bulletins?|faqs?|help|contacts?|hours|holidays", re.IGNORECASE)


def told_anyway(
    request: Request, lower: Identity, seen: Response, told: frozenset[Fact]
) -> Generator[TestRequest, Answer, bool]:
    """Whether the lower identity is told the same outside of the section. seen: what he is told in it; told: of that, what
    nobody is told without credentials.
    """
    path = outside(request.path)
    if path is None or private_of_several(seen, frozenset(lower.known)):
        return False
    asked = reading(request, path if request.query is None else path + b"?" + request.query)
    response = response_of((yield from ask_as(asked, lower.name, "control")))
    if response.status == NOT_FOUND:
        return _FOR_ALL.fullmatch(path.rpartition(b"/")[2]) is not None
    return is_good(response) and (has_nearly_all(response, told) or _says_nearly_all(response, seen))


def outside(path: bytes) -> bytes | None:
    """The same address without its word for those who manage; None where it has none, or nothing else."""
    segments = path.split(b"/")
    words = (at for at, segment in enumerate(segments[:-1]) if is_word_for_managing(segment.decode("latin-1")))
    at = next(words, None)
    return None if at is None else b"/".join([*segments[:at], *segments[at + 1 :]])


def _says_nearly_all(response: Response, seen: Response) -> bool:
    """Whether another answer, in whatever form, holds nearly all texts that this one tells."""
    texts = {leaf.value for leaf in leaves(seen) if len(leaf.value) >= _LEAST_TEXT and not leaf.value.isdigit()}
    page = text_of(response)
    return bool(texts) and sum(text in page for text in texts) >= _NEARLY_ALL * len(texts)
