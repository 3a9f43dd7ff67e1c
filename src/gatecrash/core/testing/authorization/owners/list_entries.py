"""Who else an entry of a list says its object belongs to: the sender of a letter, the seller of what was bought, or everybody.

What is shown to its owner as somebody's is that other one's, too, though only the owner's list has it: an inbox does not show
what its reader sent, nor a list of one's own the public objects of others.
"""

import html
import re
from collections.abc import Iterator

import orjson

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.objects.answered_objects import objects_in
from gatecrash.core.testing.authorization.owners.ownership import concerns, is_kept_private, is_published
from gatecrash.core.testing.authorization.owners.page_links import links_in, unescaped
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.leaves import Leaf, objects_in_document

_LEAST_NAME = 3
_FAR = 2000
_LEAST_ALIKE = 3
_JSON = ((b"Content-Type", b"application/json"),)
_IDENTIFIES = re.compile(r"(?:id|no|nr|number|ref|reference|key|code)$", re.IGNORECASE)
_ENTRY = re.compile(r"<(/?)(?:li|tr|article)\b", re.IGNORECASE)
_BLOCK = re.compile(r"</?(?:li|tr|article|section|table|[dou]l|div|p|h[1-6])\b", re.IGNORECASE)
# Taken to the end where nothing closes it, so that none of many such beginnings is read twice.
_TAG = re.compile(r"<[^>]*+(>?)")


def entry_names(response: Response, value: str, address: bytes, names: frozenset[str]) -> bool:
    """Whether the entry with this identifier, or with a link to this address, names one of these, given in lower case."""
    if "html" in media_type(response):
        words = "|".join(re.escape(name) for name in names if len(name) >= _LEAST_NAME and not name.isdigit())
        found = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)
        return bool(words) and any(found.search(said) for said in _entries(unescaped(text_of(response)), address))
    return any(concerns(entry, names) for entry in _objects(response, value))


def entry_is_published(response: Response, value: str) -> bool:
    """Whether the entry with this identifier says that it is for everybody: `public: true`."""
    return any(is_published(entry) for entry in _objects(response, value))


def entry_is_kept_private(response: Response, value: str) -> bool:
    """Whether the entry with this identifier says that it is not for everybody: `public: false`."""
    return any(is_kept_private(entry) for entry in _objects(response, value))


def entry_tells_of(response: Response, value: str, whole: Response) -> bool:
    """Whether the entry with this identifier says what an answer says that has more of it: whatever both have is the same,
    and there is more of that than the identifier and a state. Another thing's number may be this one's.
    """
    told = {name: str(held) for each in objects_in(whole) for name, held in each.items() if _is_plain(held)}
    for entry in _objects(response, value):
        own = {name: str(held) for each in objects_in(entry)[:1] for name, held in each.items() if _is_plain(held)}
        both = own.keys() & told.keys()
        named = any(_IDENTIFIES.search(name) and own[name] == value for name in both)
        if named and len(both) >= _LEAST_ALIKE and all(own[name] == told[name] for name in both):
            return True
    return False


def _is_plain(held: object) -> bool:
    return held is not None and not isinstance(held, dict | list)


def _objects(response: Response, value: str) -> Iterator[Response]:
    """The objects in JSON or in XML that hold this identifier, each as an answer of its own."""
    for each in objects_in(response):
        if any(str(held) == value and _IDENTIFIES.search(name) for name, held in each.items()):
            yield Response(200, _JSON, orjson.dumps(each))
    for told in objects_in_document(response):
        if any(leaf.value == value and len(leaf.path) == 1 and _IDENTIFIES.search(leaf.path[0]) for leaf in told):
            yield Response(200, _JSON, orjson.dumps([_object(leaf) for leaf in told]))


def _object(leaf: Leaf) -> object:
    """One value within the names that lead to it."""
    held: object = leaf.value
    for name in reversed(leaf.path):
        held = {name: held}
    return held


def _entries(text: str, address: bytes) -> Iterator[str]:
    """What the entries of a page say that link to an address: list items and rows of tables, else the block around the link."""
    for found in links_in(text, address):
        least, end = max(0, found.start() - _FAR), min(len(text), found.end() + _FAR)
        before = [*_ENTRY.finditer(text, least, found.start())][-1:]
        within = bool(before) and not before[0][1]
        bounds = _ENTRY if within else _BLOCK
        begin = [least, *(each.start() for each in bounds.finditer(text, least, found.start()))][-1]
        after = bounds.search(text, found.end(), end)
        yield html.unescape(
            _TAG.sub(lambda tag: " " if tag[1] else tag[0], text[begin : after.start() if after else end])
        )
