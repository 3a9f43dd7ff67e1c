"""A list that tells somebody of a lower rank of each entry what its own address refuses to him: `/users` beside `/users/7`.

The application itself says so that what is told of one is not for him. A list that says less than the address of one,
as a directory with names, is none of it.
"""

from collections.abc import Generator, Iterator
from urllib.parse import quote

from gatecrash.core.message import Request, Response
from gatecrash.core.statuses import UNAUTHORIZED
from gatecrash.core.testing.asking import ask, ask_as, response_of
from gatecrash.core.testing.authorization.objects.answered_objects import objects_in
from gatecrash.core.testing.authorization.objects.named import listing
from gatecrash.core.testing.authorization.owners.private_fields import is_private, private_of_several
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good, refusal
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_MOST_ASKED = 2
_IDENTIFIERS = ("id", "uuid", "_id")
_NEARLY_ALL = 0.9

_Saying = Generator[TestRequest, Answer, str]


def told_though_refused(situation: Situation, lower: Identity, told: Response) -> _Saying:
    """Where an entry is refused to the lower identity alone, and its list is not, in words; empty where none is."""
    request: Request = situation.baseline.request
    if request.method.upper() != "GET" or not private_of_several(told, frozenset(lower.known)):
        return ""
    for identifier, said in list(_entries(told, frozenset(lower.known)))[:_MOST_ASKED]:
        page = listing(request, request.path.rstrip(b"/") + b"/" + quote(identifier, safe="").encode())
        theirs = response_of((yield from ask_as(page, lower.name, "control")))
        if theirs.status == UNAUTHORIZED or refusal(theirs) is None:
            continue
        own = response_of((yield from ask(page, "control")))
        one = {leaf.value for leaf in leaves(own)}
        is_told = is_good(own) and is_private(own) and len(one & said) >= _NEARLY_ALL * len(one)
        if is_told and refusal(response_of((yield from ask_as(page, lower.name, "confirm")))) is not None:
            where = page.path.decode("latin-1")
            return f"{where}, which says of one entry what the list says of all, is refused to the same identity and not to the higher one."
    return ""


def _entries(told: Response, known: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """The entries that are not the identity's own, each with its identifier and all that it says. known: what the identity is called."""
    for each in objects_in(told):
        said = {str(value) for value in each.values() if isinstance(value, str | int | float)}
        identifier = next((str(each[name]) for name in _IDENTIFIERS if isinstance(each.get(name), str | int)), "")
        own = {value.lower() for value in said if not value.isdigit()} | {identifier.lower()}
        if identifier and known.isdisjoint(own):
            yield identifier, frozenset(said)
