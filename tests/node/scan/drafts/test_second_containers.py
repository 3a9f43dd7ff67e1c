"""The second account that a scan made is given what stands above other things, once each, by what made the first one's."""

import msgspec
from tests.node.loop import run
from tests.node.test.answering import Application, get, traffic

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.profiles.profile import ENROLLED
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.drafts.second_containers import SecondContainers


def draft(method: str, path: str, *places: int, status: int = 200, **changes: object) -> Draft:
    holes = tuple(Hole("id", Point.of("path", str(place))) for place in places)
    request = msgspec.structs.replace(get(path), method=method)
    one = Draft(request, response=Response(status), drafted=True, holes=holes)
    changed: Draft = msgspec.structs.replace(one, **changes)
    return changed


PROJECT = draft("POST", "/v1/projects")
DOCUMENT = draft("GET", "/v1/projects/7/documents/9", 2, 4)


async def made(
    *drafts: Draft, names: tuple[str, ...] = ("ann", "ben"), profile: str = ENROLLED
) -> list[tuple[str, str]]:
    """What was sent, and by whom."""
    application = Application(lambda _: Response(201))
    named = [{"name": name, "variables": {"key": name}} for name in names]
    sent = traffic(application, {"values": [{"point": ["header", "X-KEY"], "value": "${key}"}], "identities": named})
    sent.sessions.profile = msgspec.structs.replace(sent.sessions.profile, id=profile)
    await SecondContainers(sent, "questions").make(drafts)

    def told(request: Request) -> tuple[str, str]:
        return request.path.decode(), (request.first(b"X-Key") or b"").decode()

    return [told(request) for request in application.asked if request.method == "POST"]


@run
async def test_what_stands_above_another_thing_is_made_for_the_second_account() -> None:
    assert await made(PROJECT, DOCUMENT, draft("POST", "/v1/projects/7/documents", 2)) == [("/v1/projects", "ben")]


@run
async def test_what_nothing_stands_below_or_was_not_made_is_made_for_nobody_else() -> None:
    assert await made(PROJECT, draft("GET", "/v1/projects/7", 2)) == []
    assert await made(PROJECT, draft("GET", "/v1/projects/7/documents/9", 2, 4, status=404)) == []
    assert await made(draft("POST", "/v1/projects", status=402), DOCUMENT) == []


@run
async def test_users_of_a_profile_are_given_nothing() -> None:
    assert await made(PROJECT, DOCUMENT, profile="prof_1") == []
    assert await made(PROJECT, DOCUMENT, names=("ann",)) == []
