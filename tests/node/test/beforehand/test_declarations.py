"""What a run's descriptions say of credentials, and which of their operations were refused without any."""

import json

import msgspec
from tests.node.loop import run

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.known.declared import Meant
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.fakes.raw_server import RawServer
from gatecrash.formats.descriptions.operations import drafts
from gatecrash.formats.draft import SECURED_ITSELF, SECURED_WITH_ALL, Draft
from gatecrash.node.scan.engine import Engine
from gatecrash.node.scan.ledger import Facts, Ledger
from gatecrash.node.scan.outgoing import Way
from gatecrash.node.scan.planned import Planner
from gatecrash.node.test.beforehand.declarations import Declarations
from gatecrash.wire.session import RunOrder

RECOGNISER = compile_recogniser()


def one(target: str, status: int, secured: str = SECURED_ITSELF, **more) -> Draft:
    request = Request(more.pop("method", "GET"), target.encode(), host=more.pop("host", "a.example"))
    wants = more.pop("wants", ("key",))
    return Draft(request, Response(status), drafted=True, secured=secured, wants=wants, **more)


def test_what_reads_and_was_refused_is_told_of_what_needs_the_same_the_nearest_first() -> None:
    asked = one("/members", 200)
    declarations = Declarations()
    declarations.see(
        [
            asked,
            one("/orders", 401),
            one("/members/1", 403, SECURED_WITH_ALL),
            one("/loans", 404),
            one("/login", 401, method="POST"),
            one("/other", 401, wants=("token",)),
            one("/far", 401, host="b.example"),
            one("/open", 401, ""),
        ]
    )
    declared = declarations.of(asked)
    assert declared is not None
    assert declared.itself
    assert [each.target for each in declared.refused] == [b"/members/1", b"/orders"]
    for_all = declarations.of(one("/members", 200, SECURED_WITH_ALL))
    assert for_all is not None
    assert not for_all.itself


def test_what_a_document_names_above_all_requests_is_sent_with_all_of_them() -> None:
    assert Declarations.of_all(one("/tools", 200, ""))
    assert not Declarations.of_all(one("/tools", 200, "", wants=()))
    assert not Declarations.of_all(one("/tools", 200))
    assert not Declarations.of_all(Exchange(Request("GET", b"/tools"), Response(200)))


def test_a_description_asks_throughout_where_nothing_but_logins_and_their_like_is_free() -> None:
    declarations, asked = Declarations(), one("/members", 200)
    declarations.see([asked, one("/auth/login", 200, ""), one("/users/register", 200, ""), one("/clock", 200, "")])
    assert declarations.of(asked).throughout
    declarations.see([one("/rooms", 200, "")])
    assert not declarations.of(asked).throughout


def test_nothing_is_said_of_what_was_captured_or_needs_no_credentials() -> None:
    declarations = Declarations()
    declarations.see([one("/orders", 401)])
    assert declarations.of(Exchange(Request("GET", b"/orders"))) is None
    assert declarations.of(one("/orders", 200, "")) is None


@run
async def test_a_scan_of_a_description_finds_what_answers_without_the_credentials_that_it_asks_for() -> None:
    document = {
        "security": [{"bearer": []}],
        "components": {"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}},
        "paths": {path: {"get": {}} for path in ("/members", "/orders", "/products")},
    }
    document["paths"]["/login"] = {"get": {"security": []}}  # type: ignore[index]
    async with RawServer() as server:
        server._talk = shop(server)
        ledger = await scanned(server.port, document)
    found = {(each["endpoint"], tuple(each["cwe"])) for each in ledger.shown_vulnerabilities(RECOGNISER)}
    assert found == {("GET /members", (306,))}


def shop(server: RawServer):  # type: ignore[no-untyped-def]
    told = {
        b"/members": (200, [{"id": 1, "full_name": "Ann Marsh", "email": "ann@post.example"}]),
        b"/orders": (401, {"error": "unauthorized"}),
        b"/products": (200, [{"id": 1, "name": "tea", "price": 3.5}]),
        b"/login": (200, {"methods": ["password"]}),
    }

    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            status, body = told.get(raw.split(b" ")[1].partition(b"?")[0], (404, {"error": "not found"}))
            text = json.dumps(body)
            head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
            writer.write((head + text).encode())

    return talk


async def scanned(port: int, document: dict[str, object]) -> Ledger:
    policy = msgspec.structs.replace(DEFAULT, types=("auth",))
    exchanges = list(drafts({**document, "servers": [{"url": f"http://127.0.0.1:{port}"}]}))
    facts = Facts(id="tr_1", record_id="rec_1", name="n", policy_id="default", created_at=1, updated_at=1.0)
    ledger = Ledger(facts, Planner(policy, RECOGNISER).plan(exchanges), 1.0)  # type: ignore[arg-type]
    order = RunOrder(run_id="tr_1", generation=1, record_id="rec_1", recording=False, sending=True, policy=policy)
    await Engine(ledger, order, RECOGNISER, Way(AllowedHosts()), workers=2).run()
    return ledger


def test_whom_an_operation_is_for_is_told_of_what_says_nothing_of_credentials_too_and_not_of_what_is_public() -> None:
    declarations, admins = Declarations(), Meant(("admin",), "'Admin only'")
    said = declarations.of(one("/orders", 200, "", meant=admins))
    assert said is not None
    assert (said.meant, said.asks) == (admins, False)
    secured = declarations.of(one("/orders", 200, meant=admins))
    assert secured is not None
    assert (secured.meant, secured.asks) == (admins, True)
    assert declarations.of(one("/orders", 200, "", meant=admins, public=True)) is None
