"""Path templates: identifiers by their look, and names by what this node has learned, without letting names leave it.

A literal segment leaves the node only when it was seen 3 times, while its parent has fewer than 30 children, and when it
does not look random. Until then the learner says nothing of the path, and its counts wait in the node. A parent with
more children is one whose children are names: whatever was not let out by then becomes a parameter.

A scanner asks for hundreds of names that nobody gave, and an application that answers all strangers alike (401, to the
login) does not say which. So a name that was never asked for with credentials and never answered well gives way to one
that was, and many of them make no parent varied for those.

Of a segment is shown what names the resource: escapes that need not be are undone, matrix parameters (`;color=red`) are
left off, and a key in parentheses (`Orders(7)`, OData) or before a custom method (`7:cancel`) is a parameter within its
segment.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from gatecrash.core.inventory.documents import HostTemplate
from gatecrash.core.inventory.identifiers import look_in_path, parameter_name, split_extension

SEEN_TO_LEAVE = 3
MOST_CHILDREN = 30
# Of a parent whose names the user asked for, and of a file's: what is alike there is merged when all was read.
MOST_SPLIT_CHILDREN = 1000
_MOST_NODES = 100_000
_MOST_SEGMENTS = 64
# Bytes that a template's segment may show as they are: RFC 3986 pchar; braces are a template's own.
_SHOWN = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@%"
_UNRESERVED = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
_ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})")
# RFC 3986 section 3.3: a parameter of the segment, with a value; what has none may be a part of the name.
_MATRIX = re.compile(rb";[A-Za-z_][A-Za-z0-9_.-]*=.*", re.DOTALL)
# OData 4.01, URL conventions, section 4.3: canonical and function addresses.
_KEYED = re.compile(r"([A-Za-z_][A-Za-z0-9_.]{0,60}[A-Za-z0-9])\(.+\)")
# One thing and what is done with it, as in `42:cancel` (a custom method, AIP-136); 0 stands for the thing.
_METHOD = re.compile(r"([^:]+):([a-z][A-Za-z]{2,30})")
_OF_ANY = "0:"
# As in `/3/movies` and `/rest/api/2/issues`; how deep such a version may stand.
_VERSIONS = frozenset(b"%d" % number for number in range(1, 10))
_LAST_VERSION = 4

_Looks = tuple[tuple[str, str | None], ...]


class Placed(NamedTuple):
    """A path's template. strangers: the names that stand behind its parameters only because there were too many.

    position: the segment of the last of them.
    """

    template: str
    strangers: tuple[str, ...] = ()
    position: int = 0

    @property
    def apart(self) -> str:
        """The template for those of its names that stand apart: `{open_…}` where the last of them is."""
        segments = self.template.split("/")
        segments[self.position] = "{open_" + segments[self.position][1:]
        return "/".join(segments)


class _Node:
    """One segment of the tree: how often it was seen, and the literals below it."""

    __slots__ = ("children", "crowded", "parameters", "seen", "split", "sure", "varied")

    def __init__(self, *, sure: bool = False) -> None:
        self.seen = 0
        # Whether the application has it, as far as its answers tell.
        self.sure = sure
        # Whether there were too many names, and too many of those that may be none.
        self.varied = False
        self.crowded = False
        self.split = False
        self.children: dict[str, _Node] = {}
        self.parameters: dict[str, _Node] = {}

    def is_full(self, most: int, *, sure: bool) -> bool:
        """Whether new children become parameters, as they do from so many on."""
        if self.split:
            return len(self.children) >= MOST_SPLIT_CHILDREN - 1
        if self.is_varied(sure=sure) or len(self.children) < most - 1:
            return self.is_varied(sure=sure)
        return not sure or self.least() is None

    def is_varied(self, *, sure: bool) -> bool:
        """Whether there were too many names already for one more of this kind."""
        return self.varied or (self.crowded and not sure)

    def least(self) -> str | None:
        """The child that gives way to a sure one: of those that are not, the one that was seen least."""
        return min(
            (name for name, child in self.children.items() if not child.sure),
            key=lambda name: self.children[name].seen,
            default=None,
        )


class TemplateLearner:
    """Learns, for each host, which segments are names of things; pure, and bounded in memory."""

    def __init__(
        self, most_nodes: int = _MOST_NODES, seen_to_leave: int = SEEN_TO_LEAVE, most_children: int = MOST_CHILDREN
    ) -> None:
        """Hold at most so many segments (paths beyond that are made of parameters), and let names out when seen so often.

        most_children: from how many on the children of one parent are names of things.
        """
        self.seen_to_leave = seen_to_leave
        self._most_children = most_children
        self._hosts: dict[str, _Node] = {}
        self._room = most_nodes
        self._splits: frozenset[HostTemplate] = frozenset()

    def observe(self, host: str, path: bytes) -> str | None:
        """Learn from a path that the application answered, and give its template; None while its names must stay here."""
        placed = self.place(host, path)
        return placed.template if placed else None

    def resolve(self, host: str, path: bytes) -> str | None:
        """The template by what is known, learning nothing; None while its names must stay here."""
        placed = self.place(host, path, learn=False)
        return placed.template if placed else None

    def place(self, host: str, path: bytes, *, learn: bool = True, sure: bool = True) -> Placed | None:
        """As observe or resolve, with the names that are shown as parameters. sure: the application has that path."""
        looks = look_at(path)
        placed = self._template(host, looks, sure=sure, learn=learn)
        if placed is not None or not learn:
            # What can be placed has taught all it can.
            return placed
        node = self._host(host)
        for segment, kind in looks:
            node = self._step(node, segment, kind, sure=sure)
            node.seen += 1
        return self._template(host, looks, sure=sure)

    def split(self, places: Iterable[HostTemplate]) -> None:
        """Take these templates apart at their last parameter, and none else: names there leave up to 1,000 children."""
        wanted = frozenset(places)
        for place in self._splits - wanted:
            self._mark(place, split=False)
        for place in wanted - self._splits:
            self._mark(place, split=True)
        self._splits = wanted

    def _mark(self, place: HostTemplate, *, split: bool) -> None:
        for host in [place.host] if place.host else list(self._hosts):
            self._mark_at(self._host(host), place.template, split=split)

    def _mark_at(self, node: _Node, template: str, *, split: bool) -> None:
        """Say whether the parent of the template's last parameter is split."""
        *above, _ = template.removeprefix("/").split("/")
        for segment in above:
            kind = _kind_of(segment)
            if kind is not None:
                node = self._parameter(node, kind)
            else:
                if segment not in node.children:
                    node.children[segment] = _Node()
                    self._room -= 1
                node = node.children[segment]
        node.split = split

    def _template(self, host: str, looks: _Looks, *, sure: bool, learn: bool = False) -> Placed | None:
        node: _Node | None = self._hosts.get(host)
        parts: list[str] = []
        taken: tuple[str, ...] = ()
        strangers: tuple[str, ...] = ()
        position = 0
        for segment, kind in looks:
            child = None if kind or node is None else node.children.get(segment)
            if learn and child is not None and not child.sure:
                self._meet(child, sure=sure)
            if kind is None and self._may_leave(segment, child):
                if segment.startswith(_OF_ANY):
                    name = parameter_name("id", parts[-1] if parts else None, taken)
                    segment = f"{{{name}}}{segment[1:]}"
                    taken += (name,)
                parts.append(segment)
                if segment.endswith("})"):
                    taken += (segment.partition("{")[2][:-2],)
            elif kind or (node is not None and child is None and self._is_closed(node, sure=sure)):
                name = parameter_name(kind or "id", parts[-1] if parts else None, taken)
                taken += (name,)
                parts.append(f"{{{name}}}{_kept_extension(segment) if kind == 'id' else ''}")
                child = node.parameters.get(kind or "id") if node else None
                if kind is None:
                    strangers += (segment,)
                    position = len(parts)
            else:
                return None
            node = child
        return Placed("/" + "/".join(parts), strangers, position)

    def _meet(self, child: _Node, *, sure: bool) -> None:
        """Take a name that is known into account: what is asked for again and again is the last to give way."""
        child.sure = sure
        if child.seen >= self.seen_to_leave:
            child.seen += 1

    def _is_closed(self, node: _Node, *, sure: bool) -> bool:
        """Whether what is unknown below this node is a parameter."""
        return node.is_varied(sure=sure) and node.is_full(self._most_children, sure=sure)

    def _may_leave(self, segment: str, node: _Node | None) -> bool:
        """Whether a literal may be shown outside the node; an empty segment names nothing."""
        return not segment or (node is not None and node.seen >= self.seen_to_leave)

    def _host(self, host: str) -> _Node:
        node = self._hosts.get(host)
        if node is None:
            node = self._hosts[host] = _Node()
            self._room -= 1
            for place in self._splits:
                if not place.host:
                    self._mark_at(node, place.template, split=True)
        return node

    def _step(self, node: _Node, segment: str, kind: str | None, *, sure: bool) -> _Node:
        """The node of a segment below this one, made where it is new and there is room."""
        if kind is None:
            child = node.children.get(segment)
            if child is not None:
                child.sure = child.sure or sure
                return child
            if not node.is_full(self._most_children, sure=sure) and self._room > 0:
                if not node.split and len(node.children) >= self._most_children - 1:
                    self._forget(node, node.least() or "")
                self._room -= 1
                child = node.children[segment] = _Node(sure=sure)
                return child
            if not node.is_varied(sure=sure):
                self._vary(node, sure=sure)
        return self._parameter(node, kind or "id")

    def _vary(self, node: _Node, *, sure: bool) -> None:
        """From now on new children are parameters, or those alone that are not sure; what was not let out is forgotten."""
        if sure:
            node.varied = True
        else:
            node.crowded = True
        for name, child in list(node.children.items()):
            if child.seen < self.seen_to_leave and (sure or not child.sure):
                self._forget(node, name)

    def _forget(self, node: _Node, name: str) -> None:
        self._room += _size(node.children.pop(name))

    def _parameter(self, node: _Node, kind: str) -> _Node:
        found = node.parameters.get(kind)
        if found is None:
            found = node.parameters[kind] = _Node()
            self._room -= 1
        return found


def of_a_file() -> TemplateLearner:
    """For a capture that its owner reads: no name has to stay anywhere."""
    return TemplateLearner(seen_to_leave=1, most_children=MOST_SPLIT_CHILDREN)


def look_at(path: bytes) -> _Looks:
    """A raw path's segments as shown in templates, each with the kind of identifier it looks like, if any.

    An empty last segment (a trailing slash) stays, because servers tell `/a` from `/a/`. A path with more than 64
    segments ends in one parameter for the rest.
    """
    raw = path.removeprefix(b"/").split(b"/", _MOST_SEGMENTS)
    looks = tuple([(part.decode(), "id") if part.isdigit() else _looked(part) for part in raw])
    for position, part in enumerate(raw[:_LAST_VERSION]):
        if part in _VERSIONS and _names_version(raw, position):
            looks = (*looks[:position], (part.decode(), None), *looks[position + 1 :])
    return (*looks[:_MOST_SEGMENTS], (looks[-1][0], "id")) if len(looks) > _MOST_SEGMENTS else looks


def _names_version(raw: list[bytes], position: int) -> bool:
    """Whether a digit says which version of an API this is: in front of everything, or behind `api` or `rest`."""
    below = raw[position + 1 : position + 2]
    leads = position == 0 or raw[position - 1].lower() in (b"api", b"rest")
    return leads and below not in ([], [b""]) and not below[0].isdigit()


def shape_of(path: bytes) -> str:
    """A path with its identifiers by look replaced: the key under which waiting counts of one path are kept."""
    return "/" + "/".join(f"{{{kind}}}" if kind else segment for segment, kind in look_at(path))


def shown(segment: bytes) -> str:
    """A raw segment as text, without matrix parameters: bytes that a URL could not show are escaped, and so are braces."""
    segment = without_matrix(segment)
    if b"%" in segment:
        segment = _ESCAPE.sub(_plain, segment)
    if not segment.translate(None, _SHOWN):
        return segment.decode("ascii")
    return "".join(chr(byte) if byte in _SHOWN else f"%{byte:02X}" for byte in segment)


def without_matrix(segment: bytes) -> bytes:
    """A raw segment without its matrix parameters, a session's identifier (`;jsessionid=…`) among them."""
    return _MATRIX.sub(b"", segment) if b";" in segment else segment


def _plain(escape: re.Match[bytes]) -> bytes:
    """What an escape stands for where it need not be one, else the escape in capitals (RFC 3986 section 6.2.2)."""
    byte = bytes((int(escape[1], 16),))
    return byte if byte in _UNRESERVED else escape[0].upper()


# Names repeat and identifiers do not, so a memory of the latest segments is worth its price.
@lru_cache(maxsize=8192)
def _looked(part: bytes) -> tuple[str, str | None]:
    segment = shown(part)
    keyed = _KEYED.fullmatch(segment) if segment.endswith(")") else None
    if keyed is not None and look_in_path(keyed[1]) is None:
        return f"{keyed[1]}({{{parameter_name('id', keyed[1])}}})", None
    method = _METHOD.fullmatch(segment) if ":" in segment else None
    if method is not None and look_in_path(method[1]) == "id" and look_in_path(method[2]) is None:
        return _OF_ANY + method[2], None
    return segment, _look(segment)


def _kind_of(segment: str) -> str | None:
    """The kind of identifier that a template's segment stands for; None for a literal."""
    if not segment.startswith("{"):
        return None
    name = segment[1:].partition("}")[0]
    return name if name in ("date", "email") else "id"


def _look(segment: str) -> str | None:
    if not segment:
        return None
    if segment.isdigit():
        return "id"
    kind = look_in_path(segment)
    if kind in (None, "id") and "." in segment:
        stem, extension = split_extension(segment)
        if extension and (stem_kind := look_in_path(stem)):
            return stem_kind
    return kind


def _kept_extension(segment: str) -> str:
    if "." not in segment:
        return ""
    stem, extension = split_extension(segment)
    return extension if look_in_path(stem) else ""


def _size(node: _Node) -> int:
    below = (*node.children.values(), *node.parameters.values())
    return 1 + sum(_size(child) for child in below)
