"""Users that sign in again are asked for pages that only one of them was recorded at; who is let in where others are refused manages."""

from itertools import permutations
from typing import Any

import msgspec
from tests.node.loop import run
from tests.node.test.answering import Application, get, traffic

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Request, Response
from gatecrash.core.testing.profiles.profile import RECORDED, Holder, Placed
from gatecrash.node.test.sessions.entrances import MOST_COMMON, MOST_OWN, Entrances

PAGE = ((b"Content-Type", b"text/html"),)
KEY = ("header", "X-KEY")
NAMES = ("ann", "ben", "gus")
AGAIN: dict[str, Any] = {
    "values": [{"point": list(KEY), "value": "${key}"}],
    "identities": [{"name": name, "variables": {"key": f"of-{name}"}} for name in NAMES],
}
HOLDERS = tuple(Holder(name, (Placed(KEY, f"old-{name}"),)) for name in NAMES)


def as_recorded(name: str, path: str) -> Request:
    return get(path, (b"X-Key", b"old-" + name.encode()))


def club(request: Request) -> Response:
    """Only Gus may enter the stewards' part; whoever is signed in all else."""
    key = request.first(b"X-Key") or b""
    if not key.startswith(b"of-"):
        return Response(401)
    return Response(403 if request.path.startswith(b"/steward") and key != b"of-gus" else 200, PAGE, b"<h1>All</h1>")


def market(request: Request) -> Response:
    side = {b"of-ann": b"/buy", b"of-ben": b"/sell"}.get(request.first(b"X-Key") or b"")
    return Response(200 if side and request.path in (side, b"/home") else 403, PAGE, b"<h1>All</h1>")


async def ranks(
    says: Any,
    *requests: Request,
    known: tuple[str, ...] = (),
    rank: int = 0,
    order: tuple[str, ...] = NAMES,
    **changes: Any,
) -> tuple[list[int], list[str]]:
    application = Application(says)
    sent = traffic(application, AGAIN)
    profile = sent.sessions.profile
    assert profile is not None
    whose = sorted(profile.identities, key=lambda each: order.index(each.name))
    identities = tuple(msgspec.structs.replace(each, known=known, rank=rank) for each in whose)
    changes = {"id": RECORDED, "identities": identities, "holders": HOLDERS, **changes}
    sent.sessions.profile = msgspec.structs.replace(profile, **changes)
    entrances = Entrances(sent, compile_recogniser(), "questions")
    for _ in range(2):
        await entrances.compare(requests)
    found = {each.name: each.rank for each in sent.sessions.identities(get("/loans/7"))}
    return [found[name] for name in NAMES], application.paths()


CLUB = (as_recorded("ann", "/plots"), as_recorded("gus", "/plots"), as_recorded("gus", "/steward/members"))


@run
async def test_who_is_let_in_where_others_are_refused_manages_and_is_asked_once() -> None:
    assert await ranks(club, *CLUB) == ([0, 0, 1], ["/plots"] * 3 + ["/steward/members"] * 3)


@run
async def test_the_sides_of_a_market_are_peers() -> None:
    pages = (as_recorded("ann", "/buy"), as_recorded("ben", "/sell"), as_recorded("ann", "/home"))
    assert (await ranks(market, *pages, as_recorded("ben", "/home")))[0] == [0, 0, 0]


@run
async def test_whose_role_is_a_low_one_manages_nobody() -> None:
    assert (await ranks(club, *CLUB, known=("is=member",)))[0] == [0, 0, 0]


@run
async def test_a_profile_that_somebody_wrote_without_ranks_is_asked_for_them_and_told_of_it() -> None:
    for order in permutations(NAMES):
        assert (await ranks(club, *CLUB, id="p", order=order))[0] == [0, 0, 1]
    told = traffic(Application(club), AGAIN)
    told.sessions.promote("gus")
    assert "gus is taken to stand above" in " ".join(told.notes)


@run
async def test_what_no_identity_of_it_is_known_to_have_sent_is_its_firsts() -> None:
    requests = [as_recorded("somebody", path) for path in ("/plots", "/steward/members")]
    assert (await ranks(club, *requests, id="p", order=("gus", "ann", "ben"), bare=True))[0] == [0, 0, 1]
    assert await ranks(club, *requests, id="p", order=("gus", "ann", "ben")) == ([0, 0, 0], []), "a visitor's, perhaps"


@run
async def test_ranks_that_somebody_wrote_down_and_living_sessions_are_left_alone() -> None:
    assert await ranks(club, *CLUB, id="p", rank=1) == ([1, 1, 1], [])
    alone = traffic(Application(club), None)
    await Entrances(alone, compile_recogniser(), "questions").compare(CLUB)


@run
async def test_nothing_that_changes_something_or_names_one_of_many_is_asked() -> None:
    others = ("/steward/members/7", "/steward?all=1", "/steward/delete-all", "/logout")
    assert (await ranks(club, *(as_recorded("gus", path) for path in others)))[1] == []


@run
async def test_many_pages_do_not_cost_many_questions() -> None:
    own = [as_recorded("gus", f"/part/page{letter}") for letter in "abcdefghijkl"]
    common = [as_recorded(name, f"/hall/page{letter}") for letter in "abcdef" for name in ("ann", "gus")]
    assert len((await ranks(club, *own, *common))[1]) == (MOST_OWN + MOST_COMMON) * len(NAMES)
