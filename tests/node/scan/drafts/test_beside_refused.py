"""What stands beside a function for those above is asked as one of them; what may be a caller's own is not."""

import json

import msgspec
import pytest
from tests.node.loop import run
from tests.node.scan.drafts.shops import in_json
from tests.node.scan.drafts.test_obtaining import draft, obtained

from gatecrash.core.message import Response
from gatecrash.core.testing.profiles.profile import AuthProfile, Placed, ProfileIdentity
from gatecrash.fakes.raw_server import RawServer
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.drafts.beside_refused import sender_beside

WAGES = json.dumps([{"name": "Ann Example", "wage": 2100}, {"name": "Ben Example", "wage": 2200}])


def office(server: RawServer, pages: dict[str, tuple[str, str, str]]) -> RawServer:
    """What each page says to the boss and to others; nothing is a refusal."""

    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            is_boss = b"Authorization: boss" in raw
            said = pages[raw.split(b" ")[1].decode()][0 if is_boss else 1]
            writer.write(in_json(200 if said else 403, said or "{}"))

    server._talk = talk
    return server


async def senders(pages: dict[str, tuple[str, str, str]], **ranks: int) -> dict[str, str]:
    identities = tuple(
        ProfileIdentity(name=name, rank=rank, values=(Placed(("header", "AUTHORIZATION"), name),))
        for name, rank in ranks.items()
    )
    async with office(RawServer(), pages) as server:
        drafts = [draft(server.port, "GET", target, *(int(hole) for hole in pages[target][2])) for target in pages]
        ledger = await obtained(server.port, *drafts, profile=AuthProfile(id="p", name="p", identities=identities))
    found = [one.baseline.exchange for one in ledger.tested.values()]
    return {one.request.target.decode(): one.sender for one in found if isinstance(one, Draft)}


@run
async def test_the_lowest_asks_first_and_who_is_let_in_asks_what_is_refused_to_him() -> None:
    pages = {"/desk/home": ("[1, 2]", "[1, 2]", ""), "/stock/wages": (WAGES, "", "")}
    assert await senders(pages, boss=9, ann=1) == {"/desk/home": "ann", "/stock/wages": "boss"}
    assert await senders(pages, ann=1, boss=9) == {"/desk/home": "", "/stock/wages": "boss"}


@run
async def test_what_stands_right_beside_a_page_for_those_above_is_asked_as_one_of_them() -> None:
    pages = {
        "/stock/prices": (WAGES, "", ""),
        "/stock/wages": (WAGES, WAGES, ""),
        "/desk/wages": (WAGES, WAGES, ""),
        "/stock/mine": ("[]", WAGES, ""),
        "/stock/7": (WAGES, WAGES, "1"),
    }
    assert await senders(pages, ann=1, boss=9) == {
        "/stock/prices": "boss",
        "/stock/wages": "boss",
        "/desk/wages": "",
        "/stock/mine": "",
        "/stock/7": "",
    }, "what those above are told less of, and what names one of many, may be his own"


def page(path: str, sender: str = "", status: int = 200, method: str = "GET") -> Draft:
    one: Draft = msgspec.structs.replace(draft(80, method, path), response=Response(status), sender=sender)
    return one


OPEN, GUARDED = page("/stock/wages"), page("/stock/prices", "boss")


@pytest.mark.parametrize(
    ("asked", "beside", "sender"),
    [
        (OPEN, GUARDED, "boss"),
        (OPEN, page("/desk/prices", "boss"), ""),
        (OPEN, page("/stock/prices"), ""),
        (OPEN, page("/stock/prices", "boss", 404), ""),
        (OPEN, page("/stock/prices", "boss", method="POST"), ""),
        (page("/stock/wages", status=404), GUARDED, ""),
        (page("/stock/wages", "boss"), GUARDED, ""),
        (page("/stock/wages", method="POST"), GUARDED, ""),
        (msgspec.structs.replace(OPEN, public=True), GUARDED, ""),
        (page("/wages"), page("/prices", "boss"), ""),
    ],
)
def test_only_pages_of_one_folder_that_are_answered_well_say_so(asked: Draft, beside: Draft, sender: str) -> None:
    assert sender_beside(asked, (asked, beside), "") == sender
