"""A thing that a document shows is asked for as the identity whose list has it."""

import msgspec
import pytest
from tests.node.loop import run
from tests.node.scan.drafts.shops import in_json
from tests.node.scan.drafts.test_obtaining import draft, obtained

from gatecrash.core.testing.profiles.profile import AuthProfile, Placed, ProfileIdentity
from gatecrash.fakes.raw_server import RawServer
from gatecrash.formats.draft import Draft

LETTER = '{"id": 303, "text": "Ben asks for a week off"}'
LISTS = {"ann": '[{"id": 301}]', "ben": '[{"id": 302}, {"id": 303}]', "boss": '[{"id": 301}, {"id": 303}]'}


def office(server: RawServer, lists: dict[str, str]) -> RawServer:
    """Shows each caller his own list, and the letter to whoever asks."""

    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            who = next((name for name in lists if f"Authorization: {name}".encode() in raw), "")
            said = LETTER if b"/letters/303" in raw else lists.get(who, "[]")
            writer.write(in_json(200, said))

    server._talk = talk
    return server


async def asked(lists: dict[str, str], *, given: bool = True, **ranks: int) -> tuple[str, int]:
    """As whom the letter is tested, and how often a list was asked for."""
    identities = tuple(
        ProfileIdentity(name=name, rank=rank, values=(Placed(("header", "AUTHORIZATION"), name),))
        for name, rank in ranks.items()
    )
    async with office(RawServer(), lists) as server:
        one = draft(server.port, "GET", "/letters/303", 1)
        one = msgspec.structs.replace(
            one, holes=tuple(msgspec.structs.replace(hole, given=given) for hole in one.holes)
        )
        profile = AuthProfile(id="p", name="p", identities=identities)
        ledger = await obtained(server.port, draft(server.port, "GET", "/letters"), one, profile=profile)
        lists_asked = sum(b"GET /letters HTTP" in raw for raw in server.received)
    found = [each.baseline.exchange for each in ledger.tested.values()]
    return next(
        (each.sender, lists_asked) for each in found if isinstance(each, Draft) and each.request.path.count(b"/") > 1
    )


@run
async def test_it_is_asked_for_as_the_one_whose_list_shows_it() -> None:
    sender, _ = await asked(LISTS, ann=1, ben=1)
    assert sender == "ben"


@pytest.mark.parametrize(
    ("lists", "ranks"),
    [
        pytest.param({**LISTS, "ann": LISTS["ben"]}, {"ann": 1, "ben": 1}, id="both have it"),
        pytest.param({**LISTS, "ben": '[{"id": 302}]'}, {"ann": 1, "ben": 1}, id="nobody has it"),
        pytest.param(LISTS, {"ann": 1, "boss": 9}, id="whoever manages others sees all of them"),
        pytest.param(LISTS, {"ann": 1}, id="one identity"),
    ],
)
@run
async def test_else_it_stays_with_who_asked_first(lists: dict[str, str], ranks: dict[str, int]) -> None:
    sender, _ = await asked(lists, **ranks)
    assert sender == ""


@run
async def test_a_value_that_the_document_does_not_show_is_taken_from_ones_own_list() -> None:
    sender, times = await asked(LISTS, given=False, ann=1, ben=1)
    assert (sender, times) == ("", 1)
