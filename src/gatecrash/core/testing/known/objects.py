"""Objects of the application as a record shows them: where a request names one, what made one, what renews it, and which
keys that an answer handed out were used.
"""

from typing import NamedTuple

from gatecrash.core.inventory.identifiers import look_in_path
from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good


class Named(NamedTuple):
    """An identifier in a request. value: as it is meant, decoded. collection: target of the list it would be in.

    sure: its look or what else is known says so; else it is a word that may be a name.
    """

    point: Point
    value: str
    collection: bytes | None
    sure: bool = True


class Made(NamedTuple):
    """A request that made an object, without what says who sent it. path: the names that lead to its identifier in the answer.

    was: which object it made when it was recorded. Of a form, whose answer does not say which, both are empty.
    chosen: where its body says what the new object is called, and the answer says nothing of it.
    """

    request: Request
    path: tuple[str, ...]
    was: str = ""
    chosen: Point | None = None

    def identifier(self, response: Response) -> str:
        """Which object an answer says that it made; empty where it says none, or what it said before: that is no new
        one. Of a list that shows several, the others were there before.
        """
        if not is_good(response):
            return ""
        told = self.shown(response)
        return min(told) if len(told) == 1 and self.was not in told else ""

    def shown(self, response: Response) -> frozenset[str]:
        """What an answer has where the identifier stood: of a thing that shows all that was made below it several."""
        return frozenset(leaf.value for leaf in leaves(response) if leaf.path == self.path)

    def shown_in(self) -> bytes:
        """The address of the thing that shows what was made below it, where the answer to that was the thing: `/posts/4` of
        `/posts/4/remarks`, answered `{"remarks": [{"id": 7}]}`; empty where it was anything else.
        """
        above, _, last = self.request.path.rstrip(b"/").rpartition(b"/")
        is_a_thing = look_in_path(above.rpartition(b"/")[2].decode("latin-1")) is not None
        return above if is_a_thing and self.path[-2:-1] == (last.decode("latin-1"),) else b""


class Renewal(NamedTuple):
    """makers: what made objects of the kind that a request changes. removal: what deletes one, and where it names it;
    None where nothing does. changes: what else changed the very object (`PUT /boats/7` of `PATCH /boats/7/price` and of
    its deletion).
    """

    makers: tuple[Made, ...] = ()
    removal: tuple[Request, Named] | None = None
    changes: tuple[Request, ...] = ()


UNKNOWN = Renewal()
"""Where the record shows nothing of the kind."""


_Place = tuple[str, int, bytes]


class KeyUse(NamedTuple):
    """A request that brought a key, without it and without what else says who sent it.

    made_by: where that key was handed out. path: the names that lead to it in that answer. was: the key itself.
    point: where the key stood, in the query or the path; header: in which header, before: and what stood before it there.
    """

    request: Request
    made_by: _Place
    path: tuple[str, ...]
    was: str
    point: Point | None = None
    header: bytes = b""
    before: bytes = b""
