"""The list at which an object was made, where the object itself stands elsewhere: `/trees/4/leaves` of `/leaves/7`.

told = yield from kept_where_made(situation, other, named, address)      in words; empty where nothing says so
addresses_where_made(makers, new)                                       where a new object may be read by what made it
"""

from collections.abc import Generator, Iterable

from gatecrash.core.testing.asking import ask, ask_as, response_of
from gatecrash.core.testing.authorization.objects.named import listing, named_objects
from gatecrash.core.testing.authorization.owners.kept_above import below_a_wall
from gatecrash.core.testing.authorization.owners.ownership import listed_apart, shows
from gatecrash.core.testing.authorization.ranks.overseers import oversees
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Made, Named
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.testing.operations.questions import called
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Answer, Situation, TestRequest


def kept_where_made(
    situation: Situation, other: Identity, named: Named, address: bytes
) -> Generator[TestRequest, Answer, str]:
    """What says that it is its owner's: the list below another thing, where it was made, shows it to him and not to the other, or is
    kept from the other as that thing is. address: what such a list links to.
    """
    request = situation.baseline.request
    made = (each.request for each in situation.makers if each.path)
    maker = next(
        (each for each in made if any(one.sure and one.point[0] == "path" for one in named_objects(each))), None
    )
    if maker is None or maker.path.rstrip(b"/") == (named.collection or b"").rstrip(b"/"):
        return ""
    asked = listing(request, maker.path)
    mine = response_of((yield from ask(asked, "control")))
    if not is_good(mine) or not shows(mine, named.value, address):
        return ""
    theirs = response_of((yield from ask_as(asked, other.name, "control")))
    is_apart = listed_apart(mine, theirs, named.value, address)
    is_apart = is_apart and not oversees(situation, other, mine, theirs, named.value)
    if is_apart or (yield from below_a_wall(asked, request, named, theirs, other)):
        return f"{maker.path.decode('latin-1')}, where it was made, shows it to its owner and not to the other"
    return ""


def addresses_where_made(makers: Iterable[Made], new: str) -> list[bytes]:
    """A new object's address below the one at which it was made, and that one: `/bills/7` and `/bills`, which `/bills/delete` with
    `{"ids": [7]}` does not tell.
    """
    made = [maker.request for maker in makers if maker.path]
    plain = [each.path.rstrip(b"/") for each in made if operation_of(each) is None and not called(each)]
    return [target for path in dict.fromkeys(plain) for target in (path + b"/" + new.encode(), path)]
