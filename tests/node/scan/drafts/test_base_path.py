"""Operations are sought below another base path only where none is below the one that a description names."""

import asyncio

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.probe import Answer
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.drafts.base_path import Moved, base_of, moved

MISSING = 404


def draft(target: str, *holes: int, method: str = "GET", spare: str = "") -> Draft:
    def request(what: str) -> Request:
        return Request(method, what.encode(), ((b"Host", b"x"),), b"", "http", "127.0.0.1", 9)

    points = [Hole("item_id", Point(("path", str(at)))) for at in holes]
    found = (*points, Hole("q", Point(("get", "q")), loose=True))
    return Draft(request=request(target), drafted=True, holes=found, spare=request(spare) if spare else None)


class Site:
    """Answers at its paths, and elsewhere with a status of its own. asked: what it was asked for."""

    def __init__(self, *paths: str, status: int = 200, elsewhere: int = MISSING) -> None:
        self._paths = paths
        self._status, self._elsewhere = status, elsewhere
        self.asked: list[str] = []

    async def send(self, request: Request) -> Answer:
        """The answer, at once."""
        await asyncio.sleep(0)
        path = request.path.decode()
        self.asked.append(path)
        return Answer(Exchange(request, Response(self._status if path in self._paths else self._elsewhere, (), b"")))


def found(site: Site, *drafts: Draft) -> Moved | None:
    return asyncio.run(moved(drafts, site.send))


SHOP = (draft("/v1/items"), draft("/v1/items/1", 2), draft("/v1/search?q=a", spare="/v1/search"), draft("/v1/"))


@pytest.mark.parametrize(
    ("targets", "base"),
    [
        (["/v1/items", "/v1/items/1"], ("v1",)),
        (["/v1/items", "/v1/"], ("v1",)),
        (["/api/v1/items", "/api/v2/items"], ("api",)),
        (["/items", "/users"], ()),
        (["/graphql", "/graphql"], ()),
        (["/a/b/c/d/e"], ("a", "b", "c")),
    ],
)
def test_the_base_is_what_all_paths_begin_with_and_more_stands_behind(
    targets: list[str], base: tuple[str, ...]
) -> None:
    assert base_of(map(draft, targets)) == base
    assert base_of([draft("/club/1/items", 1), draft("/club/1/users", 1)]) == ("club",)


@pytest.mark.parametrize("status", [200, 401, 405])
def test_operations_without_the_named_base(status: int) -> None:
    site = Site("/items", "/search", status=status)
    assert found(site, *SHOP) == Moved(("v1",), ())
    assert site.asked[:2] == ["/v1/items", "/v1/search"]


def test_operations_below_a_base_that_the_description_does_not_name() -> None:
    assert found(Site("/api/users"), draft("/items"), draft("/users")) == Moved((), ("api",))
    assert found(Site("/v2/users"), draft("/api/v2/users"), draft("/api/v2/items")) == Moved(("api", "v2"), ("v2",))


def test_operations_where_everything_below_another_base_is_refused_to_strangers() -> None:
    class Guarded(Site):
        async def send(self, request: Request) -> Answer:
            answer = await super().send(request)
            status = 401 if request.path.startswith(b"/api/") else MISSING
            return Answer(Exchange(request, Response(status, (), b"")), answer.failure)

    assert found(Guarded(), *SHOP) == Moved(("v1",), ("api",))


@pytest.mark.parametrize(
    "site",
    [
        Site("/v1/search", "/items"),
        Site("/items", elsewhere=200),
        Site("/items", elsewhere=401, status=401),
        Site("/items", elsewhere=500),
        Site(),
    ],
    ids=["one is there", "everything is there", "everything is refused", "everything fails", "nothing is there"],
)
def test_nothing_is_moved_where_it_is_not_clear(site: Site) -> None:
    assert found(site, *SHOP) is None


def test_what_may_be_absent_itself_or_changes_something_is_not_asked_for() -> None:
    site = Site("/items/1")
    emptying = msgspec.structs.replace(draft("/v1/setup"), kept=True)
    assert found(site, draft("/v1/items/1", 2), draft("/v1/items", method="POST"), draft("/v1/"), emptying) is None
    assert site.asked == []


def test_a_draft_keeps_its_holes_and_its_query() -> None:
    shorter = Moved(("v1",), ()).draft(draft("/v1/items/1?q=a%2Fb", 2, spare="/v1/items/1"))
    assert shorter.request.target == b"/items/1?q=a%2Fb"
    assert shorter.spare is not None
    assert shorter.spare.target == b"/items/1"
    assert [hole.point for hole in shorter.holes] == [("path", "1"), ("get", "q")]
    longer = Moved((), ("api", "v1")).draft(draft("/items/1", 1))
    assert (longer.request.target, longer.holes[0].point) == (b"/api/v1/items/1", ("path", "3"))


@pytest.mark.parametrize("change", ["/desk/?password_new=a1&password_conf=a1", "/plan/update"])
def test_what_changes_something_by_get_is_not_asked_to_see_what_is_there(change: str) -> None:
    site = Site()
    assert found(site, draft(change)) is None
    assert site.asked == []
