"""Whether a request may change something, and whether one that finds no value under its name may act upon everything there is.

Many take a value that is not there for all: an absent name, brackets that nothing reads, XML where JSON is read. Where
something is deleted, or several things are changed at once, that is more than the baseline does. What a request does is
told by its method and its address, whatever the method; by an answer that says in few words what was done, or no more
than that it was; by a list of what is meant (`ids=7,8`); and by an answer that counts what was changed (`{"queued": 2}`).
"""

import re
from functools import lru_cache
from typing import Final

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.destruction import deletes, names_a_change
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.operations.graphql import address_of
from gatecrash.core.testing.operations.questions import is_question
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.remembering import remembered
from gatecrash.core.words.named import Words

# A longer answer is a page, whose words are about anything.
_LONGEST: Final = 400
# No member that says that it was not, nor one that names a thing so (`"deleted": false`, `"ok": "…"`).
_SO: Final = r"(?![a-z_-])(?!\"?\s*[:=]\s*(?:\"?false|null|\"))"
_REMOVED: Final = re.compile(
    rf"(?<![a-z_-])(?:deleted|removed|erased|purged|wiped|destroyed|truncated|emptied){_SO}", re.IGNORECASE
)
_DONE: Final = re.compile(
    rf"(?<![a-z_-])(?:ok|done|success(?:ful(?:ly)?)?|changed|updated|saved|stored|renamed|moved|sent|added|created|cleared|reset){_SO}",
    re.IGNORECASE,
)
_SEVERAL: Final = Words(
    r"(?<![a-z])(?:bulk|batch|broadcast)(?![a-z])|by[-_]?query(?![a-z])"
    r"|(?:update|change|set|modify|send|mark|move|close|cancel)[-_]?(?:many|all)(?![a-z])",
    re.IGNORECASE,
)
_DISCARDS: Final = Words(r"(?<![a-z])(?:discard|clean(?:up)?|clear|prune|flush|evict|expire)(?![a-z])", re.IGNORECASE)
# Flags and counts alone: whoever counts finds by a condition what he changes. What was made is named, by its number.
_COUNTED: Final = re.compile(
    r"\s*\{(?P<flags>(?:\s*\"\w+\"\s*:\s*(?:true|null|\d+)\s*,){0,3})"
    r"\s*\"(?:(?P<of_anything>n|count|rows)|changes|[a-z]\w*(?:ed|Count|_count|Rows|_rows))\"\s*:\s*\d+\s*[,}]"
)
# In a query, a form or JSON.
_LISTED: Final = re.compile(rb"(?:(?<![A-Za-z])ids|(?<=[a-z])I[dD]s)(?:\[\]|%5[Bb]%5[Dd])?(?:=|\"\s{0,9}:)")
_LARGEST: Final = 64_000
# A dozen probes ask the same of one baseline, at each of its points.
_MOST_KEPT: Final = 16


@lru_cache(_MOST_KEPT)
def may_change(baseline: Baseline) -> bool:
    """Whether a request may do more than read, a link too."""
    request, response = baseline.request, baseline.response
    return not is_safe(request) or names_a_change(request) or (response is not None and _tells(response) is not None)


@lru_cache(_MOST_KEPT)
def may_take_all(baseline: Baseline) -> bool:
    """Whether none of the baseline's values may be kept from it."""
    request, response = baseline.request, baseline.response
    discards = deletes(request) or _DISCARDS.search(address_of(request)) is not None
    deleted = discards or (response is not None and _tells(response) == _REMOVED.pattern)
    return deleted or (_means_several(request) and may_change(baseline)) or _counts(request, response)


def may_find_more(baseline: Baseline) -> bool:
    """Whether it harms nobody that a request finds more than it was asked for: nothing says that what it finds is changed."""
    request = baseline.request
    reads = is_safe(request) or is_question(request)
    return reads and not names_a_change(request) and not may_take_all(baseline)


def _counts(request: Request, response: Response | None) -> bool:
    """Whether what changes something answers with how many that were."""
    if response is None or len(response.body) > _LONGEST or is_safe(request) or is_question(request):
        return False
    counted = _COUNTED.match(text_of(response))
    if counted is None:
        return False
    # A POST that finds something counts so, too.
    may_be_found = counted["of_anything"] and not counted["flags"] and request.method.upper() == "POST"
    return not may_be_found or names_a_change(request)


def _means_several(request: Request) -> bool:
    """Whether a request is about several things at once, by its method, its address or a list of what they are called."""
    # What is changed in its place is named by the path; what a query says beside it is which of those that are there.
    if request.query and request.method.upper() in ("PATCH", "PUT"):
        return True
    listed = any(_LISTED.search(text) for text in (request.query or b"", request.body[:_LARGEST]))
    return listed or _SEVERAL.search(address_of(request)) is not None


@remembered
def _tells(response: Response) -> str | None:
    """The words by which an answer says in few words, or to the page that it leads to, what was done; None where nothing says so."""
    said = text_of(response) if len(response.body) <= _LONGEST else ""
    location = (response.first(b"Location") or b"").decode("latin-1")
    told = (words.pattern for words in (_REMOVED, _DONE) if words.search(said) or words.search(location))
    return next(told, None)
