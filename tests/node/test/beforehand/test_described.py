"""A run of a description learns what its requests want, and signs in, before it tests any of them."""

import json
from typing import Any

import msgspec
from tests.node.loop import run, until
from tests.node.test.test_runner import order, running

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.profiles.profile import AuthProfile, Placed, ProfileIdentity
from gatecrash.fakes.control_plane import ControlPlane
from gatecrash.fakes.raw_server import RawServer
from gatecrash.formats.draft import Credential, Draft, Hole
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.wire.work import Describe, Described

SILENT = DEFAULT.__class__(id="silent", name="silent", types=())
BEARER = Credential("bearer", Point(("header", "AUTHORIZATION")), "Bearer ")
ACCOUNT = {"username": "example", "password": "Example-1"}


class Club(RawServer):
    """Members only: an item is there for whoever made it."""

    def __init__(self) -> None:
        super().__init__(self._talking)
        self.members: dict[str, str] = {}

    @property
    def asked(self) -> list[str]:
        """Method and address of all requests."""
        return [b" ".join(raw.split(b" ")[:2]).decode() for raw in self.received]

    async def _talking(self, reader: Any, writer: Any) -> None:
        while raw := await self.read_request(reader):
            head, _, body = raw.partition(b"\r\n\r\n")
            status, said = self._said(head, json.loads(body or b"{}"))
            text = json.dumps(said).encode()
            kind = b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(text)
            writer.write(b"HTTP/1.1 %d X\r\n" % status + kind + text)

    def _said(self, head: bytes, body: dict[str, Any]) -> tuple[int, Any]:
        path = head.split(b" ")[1]
        if path == b"/register":
            self.members[body["username"]] = body["password"]
            return 201, {}
        if path == b"/login":
            good = self.members.get(body["username"]) == body["password"]
            return (200, {"token": "token-of-" + body["username"]}) if good else (401, {})
        if b"Bearer token-of-" not in head:
            return 401, {}
        if path == b"/items":
            return 200, [{"id": 41}]
        return (200, {"id": 41}) if path == b"/items/41" else (404, {})


def draft(port: int, method: str, path: str, body: Any = None, *, hole: bool = False) -> Draft:
    content = json.dumps(body).encode() if body else b""
    length = (b"Content-Length", str(len(content)).encode())
    headers = ((b"Host", b"x"), (b"Content-Type", b"application/json"), length)
    request = Request(method, path.encode(), headers, content, "http", "127.0.0.1", port)
    is_open = path in ("/register", "/login")
    return Draft(
        request=request,
        drafted=True,
        public=is_open,
        wants=() if is_open else ("jwt",),
        places=() if is_open else (BEARER,),
        holes=(Hole("item_id", Point(("path", "1"))),) if hole else (),
    )


def described(control: ControlPlane, port: int, *more: Exchange, entrance: bool = True) -> None:
    ways_in = [draft(port, "POST", "/register", ACCOUNT), draft(port, "POST", "/login", ACCOUNT)]
    drafts = [draft(port, "GET", "/items"), draft(port, "GET", "/items/1", hole=True)]
    exchanges = [*(ways_in if entrance else ()), *drafts, *more]
    control.baselines["tr_1"] = {f"bl_{at}": Baseline(f"bl_{at}", one) for at, one in enumerate(exchanges)}


async def all_tested(
    control: ControlPlane, club: Club, *more: Exchange, entrance: bool = True, profile: AuthProfile | None = None
) -> None:
    """All that is described, and more that was recorded, tested to the end."""
    described(control, club.port, *more, entrance=entrance)
    control.orders = [order(policy=SILENT, profile=profile)]
    async with running(control, workers=4) as runner:
        runner.obey(control.orders)
        await until(lambda: len(control.finals) == len(control.baselines["tr_1"]))


@run
async def test_two_accounts_are_made_and_values_learned_before_anything_is_tested() -> None:
    async with ControlPlane() as control, Club() as club:
        await all_tested(control, club)
        assert control.users == {"tr_1": 2}
        assert len(club.members) == 3, "two that tests are sent as, and one for the registration's own tests"
        assert club.asked[:2] == ["GET /items", "POST /register"], (
            "first whether the operations are where the document says"
        )
        assert club.asked.count("GET /items") == 2
        assert "GET /items/1" not in club.asked
        assert "GET /items/41" in club.asked
        assert {result.status for result in control.finals.values()} == {"passed"}


def written(*names: str) -> AuthProfile:
    """A profile of users of one rank."""
    tokens = {name: Placed(("header", "AUTHORIZATION"), f"Bearer token-of-{name}") for name in names}
    identities = tuple(ProfileIdentity(name=name, values=(token,)) for name, token in tokens.items())
    return AuthProfile(id="prof_1", name="Club", identities=identities)


@run
async def test_an_account_is_made_beside_a_profile_of_one_user_and_none_beside_two_who_may_do_the_same() -> None:
    for profile, made in ((written("ann"), 1), (written("ann", "ben"), 0)):
        async with ControlPlane() as control, Club() as club:
            await all_tested(control, club, profile=profile)
            assert len(club.members) == made + 1, "and one for the registration's own tests"
            assert sum(b"token-of-ann" in raw for raw in club.received) > 0
            assert (control.users, control.notes) == ({"tr_1": 2} if made else {}, [])


@run
async def test_that_no_account_could_be_made_beside_a_profile_is_noted() -> None:
    class Closed(Club):
        def _said(self, head: bytes, body: dict[str, Any]) -> tuple[int, Any]:
            return (403, {}) if head.split(b" ")[1] == b"/register" else super()._said(head, body)

    async with ControlPlane() as control, Closed() as club:
        await all_tested(control, club, profile=written("ann"))
        (note,) = control.notes
        assert note.startswith("No second user could be made: ")


@run
async def test_why_nobody_could_be_signed_in_is_noted_for_the_reader_of_the_run() -> None:
    class Closed(Club):
        def _said(self, head: bytes, body: dict[str, Any]) -> tuple[int, Any]:
            return (401, {}) if head.split(b" ")[1] == b"/login" else super()._said(head, body)

    async with ControlPlane() as control, Closed() as club:
        await all_tested(control, club)
        (note,) = control.notes
        assert note.startswith("Nobody is signed in: ")
        assert control.users == {"tr_1": 0}


@run
async def test_what_is_wanted_where_a_description_shows_no_way_in_is_noted() -> None:
    async with ControlPlane() as control, Club() as club:
        await all_tested(control, club, entrance=False)
        assert [note.partition(":")[0] for note in control.notes] == ["jwt is wanted by 2 requests"]


@run
async def test_nobody_is_signed_up_where_the_record_holds_requests_of_others() -> None:
    async with ControlPlane() as control, Club() as club:
        request = Request("GET", b"/items", ((b"Host", b"x"),), b"", "http", "127.0.0.1", club.port)
        await all_tested(control, club, Exchange(request, Response(401)))
        assert control.users == {}
        assert club.asked.count("POST /register") == 1, "as it is described, once"


@run
async def test_a_control_plane_that_does_not_know_the_message_costs_no_baseline() -> None:
    class Older(ControlPlane):
        def _answer(self, head: bytes, body: bytes) -> tuple[int, bytes]:
            return (404, b"{}") if b"/node/describe" in head else super()._answer(head, body)

    async with Older() as control, Club() as club:
        await all_tested(control, club)
        assert "GET /items/1" in club.asked, "each is sent once as it is described"


@run
async def test_drafts_are_sent_below_the_base_path_where_their_operations_are() -> None:
    class Mounted(Club):
        def _said(self, head: bytes, body: dict[str, Any]) -> tuple[int, Any]:
            method, target, rest = head.split(b" ", 2)
            if not target.startswith(b"/api/"):
                return 404, {}
            return super()._said(b" ".join((method, target.removeprefix(b"/api"), rest)), body)

    async with ControlPlane() as control, Mounted() as club:
        await all_tested(control, club)
        assert control.users == {"tr_1": 2}
        assert list(control.notes) == [
            "Nothing is at the base path of the description, /: its requests go to /api instead."
        ]
        assert "GET /api/items/41" in club.asked


@run
async def test_what_all_drafts_are_answered_is_known_before_anything_is_tested() -> None:
    """What is described to be done to an object is asked before what makes such ones, and about one that was made."""
    learned: list[tuple[str, bool]] = []
    known: list[list[tuple[str, bool]]] = []
    async with ControlPlane() as control, Club() as club:
        described(control, club.port)
        control.orders = [order(policy=SILENT)]
        async with running(control, workers=1) as runner:
            way = runner.traffic

            def watched(*args: Any) -> Traffic:
                traffic = way(*args)
                learn, met = traffic.learn, traffic.met

                def noted(exchange: Exchange, *, visited: bool = False) -> bool:
                    learned.append((exchange.request.target.decode(), visited))
                    return learn(exchange, visited=visited)

                def begun(exchange: Exchange, *, visited: bool = False) -> None:
                    known.append(list(learned))
                    met(exchange, visited=visited)

                traffic.learn, traffic.met = noted, begun  # type: ignore[method-assign]
                return traffic

            runner.traffic = watched  # type: ignore[method-assign]
            runner.obey(control.orders)
            await until(lambda: bool(known))
    assert {("/items", False), ("/items/41", False)} <= set(known[0]), "and nobody was there without credentials"


class Graph(Club):
    """Its description has one query of a GraphQL endpoint, which tells that it has another."""

    QUERIES = ("harbour", "boats")

    def _said(self, head: bytes, body: dict[str, Any]) -> tuple[int, Any]:
        if head.split(b" ")[1] != b"/graphql":
            return super()._said(head, body)
        if "__schema" not in body["query"]:
            return 200, {"data": {name: "told" for name in self.QUERIES if name in body["query"]}}
        text = {"kind": "SCALAR", "name": "String"}
        fields = [{"name": name, "args": [], "type": text} for name in self.QUERIES]
        types = [{"kind": "OBJECT", "name": "Query", "fields": fields}]
        return 200, {"data": {"__schema": {"queryType": {"name": "Query"}, "types": types}}}


def asks_graphql(port: int) -> Draft:
    return draft(port, "POST", "/graphql", {"query": "{ harbour }"})


@run
async def test_what_a_graphql_endpoint_tells_beside_its_description_is_kept_and_tested() -> None:
    async with ControlPlane() as control, Graph() as club:
        await all_tested(control, club, asks_graphql(club.port))
        assert len(control.finals) == 6
        assert sum(b"boats" in raw for raw in club.received) > 0
        assert control.notes == ["/graphql tells 1 operation more than the description."]


@run
async def test_nothing_beside_its_baselines_is_asked_for_by_a_run_that_tests_what_somebody_chose() -> None:
    class Chosen(ControlPlane):
        def _describe(self, message: Describe) -> Described:
            return msgspec.structs.replace(super()._describe(message), extends=False)

    async with Chosen() as control, Graph() as club:
        await all_tested(control, club, asks_graphql(club.port))
        assert not any(b"__schema" in raw for raw in club.received)
