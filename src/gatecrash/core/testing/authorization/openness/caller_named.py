"""Whether an answer names its caller, so that it is his own: not who wrote, offers or shares it, and not one among
others of a catalogue.
"""

from urllib.parse import unquote

from gatecrash.core.message import Request, Response
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.openness.everybodys import describes_things, ends_published, is_published
from gatecrash.core.testing.authorization.openness.offered_by import says_who_offers
from gatecrash.core.testing.authorization.openness.unlisted_links import is_unlisted
from gatecrash.core.testing.oracles.leaves import Leaf, leaves
from gatecrash.core.testing.probe import Situation

_LEAST_NAME, _LEAST_PART = 3, 2
_NUMBERS = frozenset({("id",), ("_id",), ("uuid",)})
# Names that say a role or a kind as often as somebody.
_ANYBODYS = frozenset(
    {
        "admin",
        "administrator",
        "root",
        "user",
        "users",
        "test",
        "tester",
        "guest",
        "demo",
        "member",
        "customer",
        "manager",
        "staff",
    }
)


def names_caller(situation: Situation, good: Response, address: str) -> bool:
    """Whether an answer names the caller, where the address does not and he is not its author, or one among others.

    address: in English.
    """
    request = situation.baseline.request
    path = _of_the_kind(address, good)
    if is_published(path) and ends_published(path):
        return False
    # Who is given such a link may follow it, and reads who made what it shows.
    if is_unlisted(path):
        return False
    # What the address says, the answer may say again; and a search finds the caller, too, where a part of the name was asked for.
    echoed = request.target.decode("latin-1").lower()
    asked = [
        found.value.decode("utf-8", "replace").lower() for found in walk(request).points if found.point[0] == "get"
    ]
    known = holder_values(situation) - _ANYBODYS
    names = {name for name in known if len(name) >= _LEAST_NAME and not name.isdigit() and name not in echoed}
    names = {name for name in names if not any(name.startswith(part) for part in asked if len(part) >= _LEAST_PART)}
    told = [leaf for leaf in leaves(good) if not says_who_offers(leaf)]
    if _gives_back(request, told):
        return False
    of_caller = {leaf.path for leaf in told if leaf.value.lower() in names}
    # A list of what things are called, or of their numbers alone, tells visitors whose each is.
    beside = {leaf.path[-1:] for leaf in told if leaf.path not in of_caller}
    bare = bool(beside) and beside <= _NUMBERS
    is_list = any(sum(leaf.path == path for leaf in told) > 1 for path in of_caller)
    if is_list and (bare or describes_things(good, of_caller)):
        return False
    # What is published does so, too.
    among_others = {leaf.path for leaf in told if is_published(path) and leaf.value.lower() not in names}
    return bool(of_caller - among_others)


def _gives_back(request: Request, told: list[Leaf]) -> bool:
    """Whether an answer says nothing that the body of its request does not: what reads a document tells what it read."""
    said = {found.value for found in walk(request).points if found.point[0] == "post" and not found.container}
    return all(leaf.value.encode() in said for leaf in told)


def _of_the_kind(path: str, good: Response) -> str:
    """A path without its last word where that is what the one thing is called that is shown there: `/books/Dune`."""
    before, _, word = path.rpartition("/")
    called = any(len(leaf.path) == 1 and leaf.value.lower() == unquote(word).lower() for leaf in leaves(good))
    return before if called and before else path
