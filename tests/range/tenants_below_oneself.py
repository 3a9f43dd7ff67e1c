"""What somebody has made below his own address, which names nobody: `/my/reels/48211` of `POST /my/reels`."""

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_store import asked, below, caller, missing, unauthorized, written

REELS = {48211: ("ann", "hemp rope"), 48212: ("ben", "steel wire")}


def spooled(above: str) -> dict[str, object]:
    return {
        "request": asked(f"{above}/48211"),
        "beside": (written("POST", above, b'{"material": "hemp rope", "shelf": "row 14"}'),),
    }


def reels(given: Given, *, checks: bool = True, lists: bool = False) -> Response:
    """Reels that their keepers spooled. checks: each is given to its keeper alone. lists: a list shows them all to anybody."""
    name, last = caller(given.request), below(given.request)[-1]
    if not name:
        return unauthorized()
    if given.request.method == "POST":
        return answer({"id": next(each for each, (keeper, _) in REELS.items() if keeper == name)}, 201)
    if not last.isdigit():
        return answer([{"id": each} for each in REELS]) if lists else missing()
    keeper, material = REELS.get(int(last), ("", ""))
    if not keeper or (checks and keeper != name):
        return missing()
    return answer({"id": int(last), "material": material, "length": "120 fathoms", "shelf": "row 14"})


@flaw("idor", **spooled("/my/reels"))
def reels_below_my(given: Given) -> Response:
    return reels(given, checks=False)


@twin("idor", **spooled("/my/reels"))
def ones_own_reels_below_my(given: Given) -> Response:
    return reels(given)


@twin("idor", **spooled("/my/reels"))
def reels_below_my_that_all_are_shown(given: Given) -> Response:
    return reels(given, checks=False, lists=True)


@twin("idor", **spooled("/my/team/reels"))
def reels_of_a_team(given: Given) -> Response:
    """Both are of one team, which its address says."""
    return reels(given, checks=False)
