"""What the other identity has of its own in the owner's place (`/me`, `/settings`): a request sent in its name may
write there instead.

before = yield from theirs(other, named, asked)        what stands there; None where the place is the owner's alone
yield from put_back(sent, other, before, beside)       write it there once more
"""

from collections.abc import Collection, Generator

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.authorization.callers.identity import Identity
from gatecrash.core.testing.authorization.objects.leaves import leaves
from gatecrash.core.testing.authorization.objects.named import Named
from gatecrash.core.testing.dialogues.asking import ask_as, response_of
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Answer, TestRequest


def theirs(other: Identity, named: Named, asked: Request) -> Generator[TestRequest, Answer, Response | None]:
    """asked: where the owner reads what is written. What surely names his object there shows the other no other one."""
    names_it = named.sure or named.point[0] != "path"
    if names_it and named.value.encode() in asked.target + asked.body:
        return None
    return response_of((yield from ask_as(asked, other.name, "control")))


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
