"""Files that an upload keeps, in the place of the recorded one, and where they are handed out again.

exchange = yield from kept(situation, "zqj.html", "text/html", content)    None where it was refused
targets = yield from places_of(situation, exchange, "zqj.html")           the likeliest first
"""

import re
from collections.abc import Generator, Iterator
from urllib.parse import urljoin

from gatecrash.core.message import Exchange, Request, Response, reading
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.dialogues.files.renamed_files import showing_page, shown_anew
from gatecrash.core.testing.dialogues.following import addresses_in, known_again, own_target, renewed_target
from gatecrash.core.testing.dialogues.reading_after import was_taken, write_all
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_MOST_READ, _MOST_LISTS = 4, 2
_MAGIC, _WHOLE = 32, 16_384
# What an address ends at, in a page or in JSON.
_ENDS = re.compile(r"""[\s"'<>\\(),]""")
_LONGEST = 300


def is_kept_file(situation: Situation) -> bool:
    """Whether the point is the content of a file in a request that may keep it."""
    point = situation.point
    if is_safe(situation.baseline.request) or point[:2] != ("post", "multipart"):
        return False
    return point[-1] not in ("filename", "content_type", "name") and bool(file_name(situation))


def kind_of(situation: Situation) -> tuple[str, str]:
    """The recorded file's extension, which may be empty, and its declared type."""
    kind = read(situation.baseline.request, Point((*situation.point, "content_type"))) or b""
    before, _, extension = file_name(situation).decode("latin-1").rpartition(".")
    return extension if before else "", kind.decode("latin-1")


def first_bytes(situation: Situation) -> str:
    """By what the recorded file's kind is known: a small picture whole, whose size who keeps pictures reads from it."""
    is_small_picture = kind_of(situation)[1].startswith("image/") and len(situation.value) <= _WHOLE
    return situation.value[: None if is_small_picture else _MAGIC].decode("utf-8", "surrogateescape")


def kept(situation: Situation, name: str, type_: str, content: str) -> Generator[TestRequest, Answer, Exchange | None]:
    """The upload of such a file; None where it is refused."""
    sent = upload(situation, name, type_, content)
    exchange = (yield from ask(sent)) if sent is not None else None
    if exchange is None or not was_taken(situation, exchange) or not _names(situation, exchange, name):
        return None
    return exchange


def upload(situation: Situation, name: str, type_: str, content: str) -> Request | None:
    """The request with such a file in the recorded one's place; None where it cannot be written there."""
    point = situation.point
    values = {point: content, Point((*point, "filename")): name}
    # A field that says what the file is to be called says it of this one, too.
    values |= {each: name for each, value in situation.memory.places if value and value == file_name(situation)}
    kind = Point((*point, "content_type"))
    if read(situation.baseline.request, kind) is not None:
        values[kind] = type_
    return write_all(situation, values)


def _names(situation: Situation, exchange: Exchange, name: str) -> bool:
    """Whether an answer names the file if that to the recorded one did: pages say under a 200 that they did not take one."""
    recorded, old = situation.baseline.response, file_name(situation).decode("latin-1")
    if recorded is None or not old or old not in text_of(recorded):
        return True
    return name.partition(".")[0] in text_of(response_of(exchange))


def places_of(situation: Situation, exchange: Exchange, name: str) -> Generator[TestRequest, Answer, list[bytes]]:
    """Where the file may be handed out now, the likeliest first."""
    request, answer = exchange.request, response_of(exchange)
    given = list(_told(request, answer, name))
    targets = [*given, *addresses_in(situation.baseline, answer), *_recorded(situation, answer, name)]
    if not given:
        for page in _lists(situation):
            listed = yield from look(situation, exchange, page.request.target)
            targets = [*_told(listed.request, response_of(listed), name), *targets]
    if not targets and (shows := showing_page(request, exchange)):
        extension = name.rpartition(".")[2]
        targets = shown_anew(situation, (yield from look(situation, exchange, shows)), extension)
    return list(dict.fromkeys(targets))[:_MOST_READ]


def look(situation: Situation, exchange: Exchange, target: bytes) -> Generator[TestRequest, Answer, Exchange]:
    page = known_again(reading(situation.baseline.request, target), response_of(exchange))
    return (yield from ask(page, "control"))


def _told(request: Request, answer: Response, name: str) -> Iterator[bytes]:
    """The targets that an answer tells for the file's name. What begins with no slash is meant from the page that says it, as a
    browser joins it (RFC 3986, 5.2), or from the root.
    """
    for address in _naming(text_of(answer), name):
        is_whole = "://" in address or address.startswith("/")
        meant = (address,) if is_whole else (urljoin(request.path.decode("latin-1"), address), f"/{address}")
        yield from (target for each in meant if (target := own_target(request, each)))


def _naming(text: str, name: str) -> Iterator[str]:
    """The addresses in a text that hold the file's name."""
    at = text.find(name)
    while at >= 0:
        before = _ENDS.split(text[max(0, at - _LONGEST) : at])[-1]
        after = _ENDS.split(text[at + len(name) : at + _LONGEST])[0]
        yield (before + name + after).replace("&amp;", "&")
        at = text.find(name, at + 1)


def _recorded(situation: Situation, answer: Response, name: str) -> list[bytes]:
    """Pages of the run that hand out the recorded file, with the new one in its place."""
    old = file_name(situation)
    targets = [page.request.target for page in situation.pages if not page.request.body]
    named = [target.replace(old, name.encode()) for target in targets if old and old in target]
    moved = [renewed_target(target, situation.baseline.response, answer) for target in targets]
    return [*named, *(new for new, target in zip(moved, targets, strict=True) if new != target)]


def _lists(situation: Situation) -> list[Page]:
    """What named the recorded file: pages for people, and answers in JSON, as who asks about himself is told of his picture."""
    old = file_name(situation).decode("latin-1")
    return [page for page in situation.pages if old and not page.request.body and page.may_say(old)][:_MOST_LISTS]


def file_name(situation: Situation) -> bytes:
    return read(situation.baseline.request, Point((*situation.point, "filename"))) or b""
