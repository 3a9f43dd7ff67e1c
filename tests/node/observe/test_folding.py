"""Counts are written, sent, and dropped only when acknowledged; no value leaves."""

import asyncio
from pathlib import Path

import pytest
from tests.node.loop import run

from gatecrash.core.auth.sessions import LearnedCookie, State
from gatecrash.core.inventory.documents import DocumentPaths, HostTemplate
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.fakes.control_plane import TOKEN, ControlPlane
from gatecrash.node.observe.folding import Folding
from gatecrash.node.observe.observations import Observation
from gatecrash.node.session import Session
from gatecrash.node.spool import Spool
from gatecrash.node.uplink import HELLO, Uplink
from gatecrash.wire import codec
from gatecrash.wire.counts import Counts, NoteCount, WithoutCount
from gatecrash.wire.session import Config, Hello, Welcome


def seen(value: bytes) -> Observation:
    request = Request("GET", b"/a?secret_name=" + value, ((b"X-Mine", value),), host="h")
    return Observation(Exchange(request, Response(200), started=7200.0), whole=True)


@run
async def test_a_batch_is_sent_again_with_its_number_until_it_is_taken(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    folding = Folding(spool)
    folding.configure(Config(3, (("header", "X-MINE"), ("no such", "place"))))
    folding.add([seen(b"value-of-mine")] * 5)
    await folding.write()
    await folding.write()
    async with ControlPlane() as control:
        uplink, session = Uplink(control.api, TOKEN), Session()
        control.down = True
        sending = asyncio.ensure_future(folding.send(uplink, session))
        control.down = False
        session.set(await uplink.call(HELLO, Hello("n", "native", "1", spool.name), Welcome))
        await sending
        assert await spool.run(lambda: spool.counts(10)) == []
        [(name, batch)] = control.counts.items()
        assert name == (spool.name, 1)
        [row] = batch.endpoints
        assert (row.hour, row.requests, row.authenticated, row.refused, row.statuses) == (2, 5, 5, 0, ((2, 5),))
        assert (row.parameters[0].type, row.parameters[0].point) == ("api_key", ("header", "X-MINE"))
        assert b"value-of-mine" not in codec.encode(batch)
        await uplink.close()
    spool.close()


@run
async def test_an_exchange_that_breaks_the_folding_costs_itself_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    spool = Spool(tmp_path)
    folding = Folding(spool)
    odd = Observation(Exchange(Request("GET", b"/a", ((b"Authorization", None),), host="h"), Response(200)), whole=True)  # type: ignore[arg-type]
    folding.add([seen(b"1"), odd, *[seen(b"2")] * 4])
    await folding.write()
    [batch] = await spool.run(lambda: spool.counts(10))
    assert batch.endpoints[0].requests == 5
    assert "exchange not counted" in caplog.messages
    spool.close()


def asked(
    path: str, *headers: tuple[bytes, bytes], status: int = 200, method: str = "GET", body: bytes = b""
) -> Observation:
    request = Request(method, path.encode(), headers, body, host="h")
    return Observation(Exchange(request, Response(status), 7200.0), whole=True)


@run
async def test_a_row_says_who_is_without_what_is_weak_and_which_operation(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    folding = Folding(spool)
    basic = (b"Authorization", b"Basic dXNlcjpwYXNz")
    curl, json = (b"User-Agent", b"curl/8.5.0"), (b"Content-Type", b"application/json")
    query = b'{"query": "query GetTea { tea }"}'
    folding.add([asked("/graphql", json, curl, method="POST", body=query, status=403)] * 3)
    folding.add([asked("/graphql", json, basic, method="POST", body=query, status=401)] * 2)
    await folding.write()
    [batch] = await spool.run(lambda: spool.counts(10))
    [row] = codec.decode(codec.encode(batch), Counts).endpoints
    assert (row.protocol, row.operation, row.requests) == ("graphql", "query GetTea", 5)
    assert (row.authenticated, row.refused, row.authenticated_refused) == (2, 5, 2)
    assert row.without == (WithoutCount("curl", 4, 3, 7200, 7200),)
    assert row.notes == (NoteCount("basic_without_tls", ("header", "AUTHORIZATION"), 2, 7200, 7200),)
    spool.close()


@run
async def test_pins_documents_and_splits_of_the_configuration_place_the_traffic_from_now_on(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    folding = Folding(spool)
    names = [f"{one}{two}" for one in ("green", "black", "white", "red", "oolong", "puer") for two in "abcdefgh"]
    folding.add([asked(f"/shop/{name}") for name in names])
    config = Config(
        4,
        pins=(HostTemplate("h", "/pinned/{what}"),),
        splits=(HostTemplate("", "/shop/{shop_id}"),),
        documents=(DocumentPaths("", "/v1", (("GET", "/teas/{tea}"),)),),
    )
    folding.configure(config)
    folding.add([asked("/pinned/ann"), asked("/v1/teas/green")] * 3 + [asked("/shop/zen")] * 3)
    await folding.write()
    [batch] = await spool.run(lambda: spool.counts(10))
    counted = {row.path: row.requests for row in batch.endpoints}
    assert counted == {"/shop/{shop_id}": 48, "/pinned/{what}": 3, "/v1/teas/{tea}": 3, "/shop/zen": 3}
    spool.close()


@run
async def test_what_one_node_learned_of_sessions_another_counts_by(tmp_path: Path) -> None:
    spools = [Spool(tmp_path / name) for name in ("one", "two")]
    one, two = map(Folding, spools)
    handed_out = Response(200, ((b"Set-Cookie", b"PHPSESSID=visitor"),))
    one.add([Observation(Exchange(Request("GET", b"/", host="h"), handed_out, 7200.0), whole=True)])
    [told] = one.news()
    assert (told.host, told.name) == ("h", "PHPSESSID")
    one.told([told])
    assert one.news() == ()
    two.configure(Config(2, sessions=(told,)))
    two.add([asked("/orders", (b"Cookie", b"PHPSESSID=other"))] * 3)
    await two.write()
    [batch] = await spools[1].run(lambda: spools[1].counts(10))
    assert [(row.requests, row.authenticated) for row in batch.endpoints] == [(3, 0)]
    for spool in spools:
        spool.close()


@run
async def test_a_configuration_that_brings_only_sessions_compiles_nothing_anew(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    folding = Folding(spool)
    folding.configure(Config(1, (("header", "X-MINE"),)))
    before = folding.recogniser
    folding.configure(Config(2, (("header", "X-MINE"),), sessions=(LearnedCookie("h", "tea", State.PROVEN),)))
    assert folding.recogniser is before
    assert folding.config_version == 2
    folding.configure(Config(3))
    assert folding.recogniser is not before
    spool.close()


@run
async def test_what_waited_in_a_killed_node_is_counted_by_the_next_one_once(tmp_path: Path) -> None:
    first = Spool(tmp_path / "first")
    folding = Folding(first)
    folding.add([seen(b"1")] * 2)
    await folding.write(ended=False)
    assert first.counts(10) == []
    first.close()
    spool = Spool(tmp_path / "first")
    again = Folding(spool)
    again.add([seen(b"2")])
    await again.write(ended=False)
    [batch] = spool.counts(10)
    assert [row.requests for row in batch.endpoints] == [3]
    assert spool.kept_under("waiting/") == {}
    third = Folding(spool)
    await third.write()
    assert len(spool.counts(10)) == 1
    spool.close()


def test_a_new_parameter_changes_which_headers_are_read(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    folding = Folding(spool)
    head = b"GET / HTTP/1.1\r\nX-Mine: 1\r\nAccept: */*"
    assert folding.reader.read(head) == ("GET", b"/", ())
    folding.configure(Config(3, (("header", "X-MINE"),)))
    assert folding.reader.read(head) == ("GET", b"/", ((b"X-Mine", b"1"),))
    spool.close()
