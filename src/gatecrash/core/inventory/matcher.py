"""Templates that people decided, compiled: pins first, then uploaded documents; a tree by segments, read in linear time.

The more literal template wins at each segment, as OpenAPI 3.1 has it (Paths Object, path templating matching), and a
document that names the host wins over one that does not.
"""

from collections.abc import Iterable, Iterator
from urllib.parse import unquote_to_bytes

from gatecrash.core.inventory.documents import DocumentPaths, HostTemplate
from gatecrash.core.inventory.templates import without_matrix

_MOST_SEGMENTS = 64
_MOST_STEPS = 2000


class _Piece:
    """A segment with one parameter or more: the literal texts between them, found one behind the other."""

    __slots__ = ("node", "texts")

    def __init__(self, texts: tuple[bytes, ...]) -> None:
        self.texts = texts
        self.node = _Node()

    def fits(self, segment: bytes) -> bool:
        first, *middle, last = self.texts
        if not segment.startswith(first) or not segment.endswith(last):
            return False
        position, end = len(first), len(segment) - len(last)
        for text in middle:
            # A parameter holds one character at least.
            found = segment.find(text, position + 1, end)
            if found < 0:
                return False
            position = found + len(text)
        return position < end


class _Node:
    __slots__ = ("leaves", "literals", "pieces")

    def __init__(self) -> None:
        self.literals: dict[bytes, _Node] = {}
        self.pieces: dict[tuple[bytes, ...], _Piece] = {}
        # By method; "" is every method.
        self.leaves: dict[str, str] = {}

    def below(self, segment: bytes) -> "_Node":
        texts = _texts(segment)
        if len(texts) == 1:
            return self.literals.setdefault(unquote_to_bytes(segment), _Node())
        return self.pieces.setdefault(texts, _Piece(texts)).node

    def following(self, segment: bytes) -> "Iterator[_Node]":
        """The nodes that take the segment, the most literal first."""
        literal = self.literals.get(segment)
        if literal is not None:
            yield literal
        for piece in self.pieces.values():
            if piece.fits(segment):
                yield piece.node


class TemplateMatcher:
    """Finds the decided template of a path. Immutable once made."""

    def __init__(self, pins: Iterable[HostTemplate] = (), documents: Iterable[DocumentPaths] = ()) -> None:
        """Compile what was decided; where two say the same, the earlier has it."""
        self._pins: dict[str, _Node] = {}
        self._documents: dict[str, _Node] = {}
        for pin in pins:
            _add(self._pins, pin.host, "", pin.template)
        for document in documents:
            for method, template in document.operations:
                _add(self._documents, document.host, method.upper(), document.base_path.rstrip("/") + template)
        for tree in (*self._pins.values(), *self._documents.values()):
            _sort(tree)

    def __bool__(self) -> bool:
        """Whether anything was decided at all."""
        return bool(self._pins or self._documents)

    def match(self, method: str, host: str, path: bytes) -> str | None:
        """The template of a method's path on a host; None where nobody decided about it.

        Where none takes the path as it is, matrix parameters are left off as learned templates have it.
        """
        found = self._match(method, host, path)
        if found is None and b";" in path:
            bare = b"/".join(map(without_matrix, path.split(b"/")))
            return self._match(method, host, bare) if bare != path else None
        return found

    def _match(self, method: str, host: str, path: bytes) -> str | None:
        segments = tuple(unquote_to_bytes(part) for part in path.removeprefix(b"/").split(b"/", _MOST_SEGMENTS))
        for trees in (self._pins, self._documents):
            for name in (host, ""):
                tree = trees.get(name)
                found = None if tree is None else _search(tree, method, segments)
                if found is not None:
                    return found
        return None


def _add(trees: dict[str, _Node], host: str, method: str, template: str) -> None:
    node = trees.setdefault(host, _Node())
    for segment in template.removeprefix("/").encode().split(b"/"):
        node = node.below(segment)
    node.leaves.setdefault(method, template)


def _sort(node: _Node) -> None:
    """Pieces with more literal text before those with less."""
    todo = [node]
    while todo:
        one = todo.pop()
        ordered = sorted(one.pieces.items(), key=lambda item: -sum(map(len, item[0])))
        one.pieces = dict(ordered)
        todo += [*one.literals.values(), *(piece.node for _, piece in ordered)]


def _search(tree: _Node, method: str, segments: tuple[bytes, ...]) -> str | None:
    """Depth first, the most literal way before the others; bounded, as a document may branch at every segment."""
    todo = [(tree, 0)]
    for _ in range(_MOST_STEPS):
        if not todo:
            return None
        node, depth = todo.pop()
        if depth == len(segments) and node.leaves:
            # A method that the document does not know is at its path all the same.
            return node.leaves.get(method) or node.leaves.get("") or next(iter(node.leaves.values()))
        if depth == len(segments):
            continue
        following = list(node.following(segments[depth]))
        todo += [(one, depth + 1) for one in reversed(following)]
    return None


def _texts(segment: bytes) -> tuple[bytes, ...]:
    """The literal texts around a segment's parameters: one text means that there is no parameter."""
    texts: list[bytes] = []
    while True:
        before, opening, rest = segment.partition(b"{")
        name, closing, after = rest.partition(b"}")
        if not opening or not closing or not name:
            return (*texts, segment)
        texts.append(before)
        segment = after
