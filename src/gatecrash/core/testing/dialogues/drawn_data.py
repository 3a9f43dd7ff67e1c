"""What the pages of the run draw of the data that their own scripts ask for: which answer in JSON, and which of its members they
write as markup.

A page is asked for, and the scripts that it loads; one that draws nothing so is told to the run, and not read again. What a script
asks for is known by its path, or what the path ends with, among the script's texts; by GraphQL by the whole document, in which values
that are put into its texts are left empty. Where
two of the addresses that it asks for, neither below the other, may say a member of the same name, nobody knows which is drawn.

drawn = yield from drawn_data(situation)    [Drawn("/board", GET /api/notes, Draws((Draw(("title",), …),), ()))]
"""

import re
from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

import msgspec
import orjson

from gatecrash.core.inventory.protocols.document import first_operation
from gatecrash.core.message import Request, Response, reading, with_header
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.dialogues.page_scripts import scripts_of
from gatecrash.core.testing.known.page import Page, asking
from gatecrash.core.testing.operations.graphql import READS, operation_of
from gatecrash.core.testing.operations.unfiltered import unfiltered
from gatecrash.core.testing.oracles.pages.content_policy import forbids_inline, forbids_markup_by_scripts
from gatecrash.core.testing.oracles.pages.markup_members import Path, texts_of_objects
from gatecrash.core.testing.oracles.scripts.members import Draw, Draws, draws_of, texts_in
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_MOST_PAGES, _MOST_ASKED, _LEAST_PATH = 8, 4, 3
_QUERY: Final = re.compile(r"\s*(?:query\b|\{)")
# How a script writes the end of a line, and a blank at its beginning, within a text.
_WRITTEN_GAP: Final = re.compile(r"\\[nrt]|\\\n")


class Drawn(NamedTuple):
    """page: where it is drawn. request: what the page's script asks for. draws: what it writes as markup that may be of the answer."""

    page: str
    request: Request
    draws: Draws

    def holds(self, answer: Response, text: str) -> bool:
        """Whether one of the members that are drawn has the text in it, as it is."""
        return answer.status < FIRST_ERROR and any(
            text in value
            and any(_is_it(draw, path, beside) for draw in self.draws.written)
            and not self._is_doubtful(path, beside)
            for path, value, beside in texts_of_objects(answer)
        )

    def _is_doubtful(self, path: Path, beside: frozenset[str]) -> bool:
        """Whether the scripts do anything else with a member of this name that seems to be one of such an object."""
        return any(
            path[-1] == use.members[-1] and (not use.beside or not use.beside.isdisjoint(beside))
            for use in self.draws.doubtful
        )


def _is_it(draw: Draw, path: Path, beside: frozenset[str]) -> bool:
    """Whether the member at a path is the one that is drawn. Where its name is no proof, most of what the script asks of the same
    object must be there: a library's own objects have members of such names as well.
    """
    if path[-len(draw.members) :] != draw.members:
        return False
    shared = len(draw.beside & beside)
    return draw.alone_is_enough or (shared > 0 and 3 * shared >= 2 * len(draw.beside))


def drawn_data(situation: Situation) -> Generator[TestRequest, Answer, list[Drawn]]:
    """All that is drawn so, by the pages that stand nearest."""
    request, told = situation.baseline.request, situation.memory.told
    endpoint = request.path.decode("latin-1") if operation_of(request) is not None else ""
    loaded: dict[str, str] = {}
    found: list[Drawn] = []
    for page in islice(_pages(situation), _MOST_PAGES):
        target = page.request.target.decode("latin-1")
        key = ("draws nothing", request.origin, endpoint, target)
        if key in told:
            continue
        exchange = yield from ask(asking(request, page), "control")
        answer = response_of(exchange)
        runs_scripts = not forbids_inline(answer) and not forbids_markup_by_scripts(answer)
        codes = (yield from scripts_of(exchange, loaded)) if runs_scripts else []
        draws = draws_of(codes)
        asked = list(_asked(situation, texts_in(codes), draws)) if draws.written else []
        found += [Drawn(target, each, of_it) for each, of_it in asked]
        if not asked:
            told.add(key)
    return found


def may_be_drawn(situation: Situation) -> bool:
    """Whether the run has pages at all, and beside them data that scripts may ask for."""
    has_pages = next(_pages(situation), None) is not None
    return has_pages and (operation_of(situation.baseline.request) is not None or any(_data(situation)))


def _pages(situation: Situation) -> Iterator[Page]:
    return (page for page in situation.pages if page.rendered and not page.request.body)


def _data(situation: Situation) -> Iterator[Page]:
    return (page for page in situation.pages if not page.rendered and not page.request.body)


def _asked(situation: Situation, texts: frozenset[str], draws: Draws) -> Iterator[tuple[Request, Draws]]:
    """What scripts with these texts ask for, and which of the members its answer may have."""
    if operation_of(situation.baseline.request) is not None:
        yield from islice(_documents(situation.baseline.request, texts, draws), _MOST_ASKED)
        return
    asked = [page for page in _data(situation) if _is_named(page.request.path.decode("latin-1"), texts)]
    for page in asked[:_MOST_ASKED]:
        others = [each for each in asked if not _is_kin(each.request.path, page.request.path)]
        elsewhere = {
            each.members[-1] for each in draws.written if any(other.may_say(each.members[-1]) for other in others)
        }
        sure = draws._replace(written=tuple(each for each in draws.written if each.members[-1] not in elsewhere))
        if sure.written:
            yield asking(situation.baseline.request, page), sure


def _documents(request: Request, texts: Iterable[str], draws: Draws) -> Iterator[tuple[Request, Draws]]:
    """The queries of GraphQL that a script has as a whole, for the endpoint of the request, with what asks for all in their variables."""
    if not _is_named(request.path.decode("latin-1"), texts):
        return
    for text in sorted(texts):
        document = _WRITTEN_GAP.sub(" ", text)
        operation = first_operation(document) if _QUERY.match(document) else None
        values = unfiltered(document)
        words = frozenset(re.findall(r"\w+", document))
        of_it = draws._replace(written=tuple(each for each in draws.written if each.members[-1] in words))
        if operation is not None and operation.type == READS and of_it.written and values is not None:
            yield _posted(request, document, values), of_it


def _posted(request: Request, document: str, values: dict[str, object]) -> Request:
    message = {"query": document} | ({"variables": values} if values else {})
    plain, body = reading(request, request.path), orjson.dumps(message)
    headers = with_header(plain.headers, b"Content-Type", b"application/json")
    headers = with_header(headers, b"Content-Length", b"%d" % len(body))
    asked: Request = msgspec.structs.replace(plain, method="POST", headers=headers, body=body)
    return asked


def _is_named(path: str, texts: Iterable[str]) -> bool:
    """Whether a path, what it ends with, or the same up to its last segment, stands among the texts."""
    above = path.rpartition("/")[0] + "/"
    for text in texts:
        named = re.sub(r"\Ahttps?://[^/]*", "", text.partition("?")[0].partition("#")[0])
        end = "/" + named.lstrip("./")
        if len(end) > _LEAST_PATH and (
            (path + "/").endswith(end + "/") or (named.endswith("/") and above.endswith(end))
        ):
            return True
    return False


def _is_kin(one: bytes, other: bytes) -> bool:
    """Whether one address stands at or below the other: a list and its things."""
    return (one + b"/").startswith(other + b"/") or (other + b"/").startswith(one + b"/")
