"""Things that are asked for by their number at another address than their own, which refuses whoever does not keep them."""

from collections.abc import Iterable

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_store import asked, below, caller, missing, unauthorized, written

REELS = {
    48211: ("ann", {"number": 48211, "material": "hemp rope", "length": "120 fathoms", "shelf": "row 14"}),
    48212: ("ben", {"number": 48212, "material": "steel wire", "length": "75 fathoms", "shelf": "row 9"}),
}
SHIPPED = {"request": written("POST", "/reels/export", b'{"reel_ids": [48211]}'), "beside": (asked("/reels/48211"),)}


def reels(given: Given, *, guards: bool = True, checks: bool = True, shown: Iterable[str] = ()) -> Response:
    """One reel at its own address, or several by their numbers. guards: the address is its keeper's alone. checks: so are the
    numbers. shown: what of each is told by its number; all of it where nothing is said.
    """
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if path[-1:] != ["export"]:
        keeper, reel = REELS.get(int(path[-1]) if path and path[-1].isdigit() else 0, ("", {}))
        return answer(reel) if reel and (keeper == name or not guards) else missing()
    wanted = given.values.get("reel_ids", [])
    found = [REELS[each] for each in wanted if each in REELS] if isinstance(wanted, list) else []
    told = [reel for keeper, reel in found if keeper == name or not checks]
    return answer({"rows": [{each: reel[each] for each in shown or reel} for reel in told]})


@flaw("idor", **SHIPPED)
def reels_by_their_numbers(given: Given) -> Response:
    return reels(given, checks=False)


@twin("idor", **SHIPPED)
def ones_own_reels_by_their_numbers(given: Given) -> Response:
    return reels(given)


@twin("idor", **SHIPPED)
def reels_of_all(given: Given) -> Response:
    """Whoever is signed in reads each of them at its own address, too."""
    return reels(given, guards=False, checks=False)


@twin("idor", **SHIPPED)
def what_all_may_know_of_reels(given: Given) -> Response:
    """Their material is no secret; the rest is told at their own addresses, to who keeps them."""
    return reels(given, checks=False, shown=("number", "material"))
