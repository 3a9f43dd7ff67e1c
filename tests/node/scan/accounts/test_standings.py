"""Identities of a profile without ranks are asked for a description's pages; who is let in where others are refused stands above them."""

import msgspec
from tests.node.loop import run
from tests.node.test.answering import Application, Says, get, traffic

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.profiles.profile import ENROLLED
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.accounts.standings import MOST_OWN, Standings

NAMES = ("ann", "ben", "gus")
OPEN = {"/home": NAMES, "/orders": NAMES}


def door(**pages: tuple[str, ...]) -> Says:
    """Each page lets some in."""
    allowed = OPEN | {"/" + page: names for page, names in pages.items()}

    def says(request: Request) -> Response:
        key = (request.first(b"X-Key") or b"").decode()
        return Response(200 if key in allowed.get(request.path.decode(), ()) else 403)

    return says


def page(path: str, sender: str = "", **changes: object) -> Draft:
    one = Draft(get(path), response=Response(200), drafted=True, sender=sender)
    changed: Draft = msgspec.structs.replace(one, **changes)
    return changed


async def ranks(says: Says, *drafts: Draft, rank: int = 0, known: tuple[str, ...] = (), **changes: object) -> list[int]:
    named = [{"name": name, "rank": rank if name == "ann" else 0, "variables": {"key": name}} for name in NAMES]
    values = [{"point": ["header", "X-KEY"], "value": "${key}"}]
    sent = traffic(Application(says), {"values": values, "identities": named})
    sent.sessions.profile = msgspec.structs.replace(sent.sessions.profile, **changes)
    sent.sessions.tell("gus", known)
    await Standings(sent, "questions").learn((page("/home"), page("/orders"), *drafts))
    found = {each.name: each.rank for each in sent.sessions.identities(get("/loans/7"))}
    return [found[name] for name in NAMES]


@run
async def test_who_is_let_in_where_others_are_refused_stands_above_them() -> None:
    assert await ranks(door(stock=("ben", "gus")), page("/stock", "gus")) == [0, 1, 1]
    both = page("/stock", "ben"), page("/wages", "gus")
    assert await ranks(door(stock=("ben", "gus"), wages=("gus",)), *both) == [0, 1, 2]


@run
async def test_the_first_may_be_the_one_who_stands_above() -> None:
    assert await ranks(door(stock=("ann",)), page("/stock")) == [2, 0, 0]


@run
async def test_what_may_be_left_out_is_left_out_where_they_are_asked() -> None:
    asked = page("/stock?from=1", "gus", spare=get("/stock"))
    assert await ranks(door(stock=("gus",)), asked) == [0, 0, 2]


@run
async def test_the_sides_of_a_market_are_peers() -> None:
    sides = page("/buy"), page("/sell", "gus")
    assert await ranks(door(buy=("ann", "ben"), sell=("gus",)), *sides) == [0, 0, 0]


@run
async def test_who_alone_may_see_a_thing_of_his_own_stands_above_nobody() -> None:
    own = door(**{"orders/7": ("gus",), "users/gus": ("gus",)})
    assert await ranks(own, page("/orders/7", "gus")) == [0, 0, 0]
    assert await ranks(own, page("/users/gus", "gus"), known=("gus",)) == [0, 0, 0]


@run
async def test_whose_role_is_a_low_one_manages_nobody() -> None:
    assert await ranks(door(stock=("gus",)), page("/stock", "gus"), known=("is=member",)) == [0, 0, 0]


@run
async def test_ranks_that_somebody_wrote_down_and_accounts_of_the_scan_are_left_alone() -> None:
    above = page("/stock", "gus")
    assert await ranks(door(stock=("gus",)), above, rank=1) == [1, 0, 0]
    assert await ranks(door(stock=("gus",)), above, id=ENROLLED) == [0, 0, 0]


@run
async def test_many_pages_do_not_cost_many_questions() -> None:
    application = Application(door())
    values = [{"point": ["header", "X-KEY"], "value": "${key}"}]
    named = [{"name": name, "variables": {"key": name}} for name in NAMES]
    sent = traffic(application, {"values": values, "identities": named})
    await Standings(sent, "q").learn(page(f"/part/page{letter}") for letter in "abcdefghijklmnopqrst")
    assert len(application.asked) == MOST_OWN * len(NAMES)
    others = page("/orders/delete-all"), page("/gone", response=Response(404)), page("/news", public=True)
    await Standings(sent, "q").learn((*others, page("/home")))
    assert len(application.asked) == MOST_OWN * len(NAMES), "what is left is one page, which tells nothing"
