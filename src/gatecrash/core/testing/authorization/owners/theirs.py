"""What the other identity has of its own in the owner's place (`/me`, `/settings`): a request sent in its name may
write there instead.

before = yield from theirs(other, named, asked, situation)      what stands there; None where the place is the owner's alone
yield from put_back(sent, other, before, points, beside)        write it there once more
is_called_by(named, situation)                                  whether a body says by a name whose it is
called_like(other, value, situation)                            what the other goes by where the owner's name or number stands
"""

from collections.abc import Collection, Generator

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite, rewrite_many
from gatecrash.core.testing.asking import ask_as, response_of
from gatecrash.core.testing.authorization.callers.holder import holder_values, values_of
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Answer, Situation, TestRequest


def theirs(
    other: Identity, named: Named, asked: Request, situation: Situation
) -> Generator[TestRequest, Answer, Response | None]:
    """asked: where the owner reads what is written. What surely names his object there shows the other no other one.

    A body that names its owner may be written to its sender's own profile all the same: the other reads his by his own names
    and numbers.
    """
    if is_called_by(named, situation):
        own = _about_himself(asked, other, situation)
        shown = response_of((yield from ask_as(own, other.name, "control"))) if own is not None else None
        is_owners = shown is not None and any(leaf.value == named.value for leaf in leaves(shown))
        return None if is_owners else shown
    names_it = named.sure or named.point[0] != "path"
    if names_it and named.value.encode() in asked.target + asked.body:
        return None
    return response_of((yield from ask_as(asked, other.name, "control")))


def _about_himself(asked: Request, other: Identity, situation: Situation) -> Request | None:
    """With what the other is called in the place of what the owner is; None where nobody knows that."""
    values: dict[Point, bytes] = {}
    for each in walked(asked):
        value = each.value.decode("utf-8", "replace")
        if each.point[0] in ("path", "get", "post") and value.lower() in holder_values(situation):
            called = called_like(other, value, situation)
            if not called:
                return None
            values[each.point] = called[0].encode()
    return rewrite_many(asked, values)


def is_called_by(named: Named, situation: Situation) -> bool:
    """Whether it stands in the body, and is the owner's name or address."""
    return named.point[0] == "post" and ("@" in named.value or named.value.lower() in holder_values(situation))


def called_like(other: Identity, value: str, situation: Situation) -> list[str]:
    """What the other goes by, in lower case: addresses for one of the owner's, else names and numbers, those like his first."""
    called = (each for each in values_of(other, situation) if ("@" in each) == ("@" in value))
    return sorted(called, key=lambda each: (each.isdigit() != value.isdigit(), each))


def put_back(
    sent: Request, other: Identity, before: Response | None, points: Collection[Point], beside: Point
) -> Generator[TestRequest, Answer, None]:
    """points: what of the request is written back where it was shown, and whatever stands in one object with another point."""
    if before is None:
        return
    # What stands nearest to the beginning is told last.
    told = sorted(leaves(before), key=lambda leaf: -len(leaf.path))
    was = {leaf.path[-1]: leaf.value for leaf in told if leaf.path}
    restored = sent
    for each in walked(sent):
        is_beside = each.point[:-1] == beside[:-1] and not each.container
        if each.point[-1] in was and (is_beside or each.point in points):
            value = was[each.point[-1]]
            restored = rewrite(restored, each.point, (value.lower() if _is_yes_or_no(each.value) else value).encode())
    if restored != sent:
        yield from ask_as(restored, other.name, "confirm")


def _is_yes_or_no(value: bytes) -> bool:
    return value in (b"true", b"false")
