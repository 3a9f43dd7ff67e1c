"""The whole node against a real target and a control plane in memory: traffic in, counts, baselines, verdicts out."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import msgspec
import pytest
from tests.node.loop import run, until
from tests.plain_http import PLAIN

from gatecrash.core.errors import UserError
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.fakes.control_plane import TOKEN, ControlPlane
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.agent import run_node
from gatecrash.node.settings import NodeSettings
from gatecrash.wire.session import Config, RunOrder


def shop() -> RawServer:
    """A small application: /items is injectable, /safe is its twin; both want a Bearer token, /open checks none."""

    def answer(raw: bytes) -> tuple[int, str]:
        head = raw.partition(b"\r\n\r\n")[0].decode("latin-1")
        url = urlsplit(head.split(" ")[1])
        name = parse_qs(url.query, keep_blank_values=True).get("name", [""])[0]
        if url.path != "/open" and "Authorization: Bearer good-token-1234" not in head:
            return 401, '{"error": "unauthorized"}'
        try:
            with closing(sqlite3.connect(":memory:")) as db:
                db.execute("CREATE TABLE items (id INTEGER, name TEXT)")
                db.executemany("INSERT INTO items VALUES (?, ?)", [(1, "pen"), (2, "cup"), (3, "mug")])
                if url.path == "/items":
                    rows = db.execute(f"SELECT * FROM items WHERE name = '{name}'").fetchall()
                else:
                    rows = db.execute("SELECT * FROM items WHERE name = ?", (name,)).fetchall()
        except sqlite3.Error as error:
            return 500, f'{{"error": "sqlite3.OperationalError: {error}"}}'
        return 200, str(rows)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            status, body = answer(await server.read_request(reader))
            head = (
                f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(body.encode())}\r\n\r\n"
            )
            writer.write((head + body).encode())
            await writer.drain()

    server = RawServer(talk)
    return server


@asynccontextmanager
async def node_of(
    control: ControlPlane, folder: Path, target: RawServer | None = None, **more: Any
) -> AsyncIterator[str]:
    """A running node; gives its proxy's address."""
    upstream = f"http://127.0.0.1:{target.port}" if target else None
    settings: dict[str, Any] = {"api": control.api, "token": TOKEN, "spool_dir": folder / "spool", "upstream": upstream}
    settings |= {"proxy_listen": "127.0.0.1:0", **more}
    listening: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    node = asyncio.ensure_future(run_node(NodeSettings(**settings), listening.set_result))
    await asyncio.wait([node, listening], return_when=asyncio.FIRST_COMPLETED)
    if node.done():
        node.result()
    try:
        yield await listening
    finally:
        node.cancel()
        await asyncio.gather(node, return_exceptions=True)


def order(**named: Any) -> RunOrder:
    fields: dict[str, Any] = {
        "run_id": "tr_1",
        "generation": 1,
        "record_id": "rec_1",
        "recording": True,
        "sending": True,
        "policy": msgspec.structs.replace(DEFAULT, types=("auth", "sqli")),
        "marker_key": b"k" * 32,
    }
    return RunOrder(**fields | named)


async def ask(proxy: str, *paths: str, token: str | None = "good-token-1234") -> None:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx.AsyncClient(**PLAIN, headers=headers) as client:
        for path in paths:
            await client.get(f"http://{proxy}{path}")


@pytest.mark.parametrize("processes", [1, 2])
@run
async def test_traffic_becomes_baselines_and_their_trials_find_what_is_there(tmp_path: Path, processes: int) -> None:
    async with ControlPlane() as control, shop() as target:
        control.orders = [order()]
        async with node_of(control, tmp_path, target, processes=processes) as proxy:
            await until(lambda: "tr_1" in control.progress)
            assert control.progress["tr_1"].recording
            await ask(proxy, "/items?name=pen", "/safe?name=pen", "/open?name=pen")
            await until(lambda: len(control.finals) == 3)
            told = [*control.parts, *control.finals.values()]
            paths = {name: baseline.request.path for name, baseline in control.baselines["tr_1"].items()}
            by_path = {path: [one for one in told if paths[one.baseline_id] == path] for path in paths.values()}
            assert {path: {one.status for one in results} for path, results in by_path.items()} == {
                b"/items": {"passed", "failed"},
                b"/safe": {"passed"},
                b"/open": {"passed", "failed"},
            }
            assert {(verdict.type) for verdict in control.findings} == {"sqli", "auth"}
            sent = sum(result.sent for result in told)
            await until(lambda: control.progress["tr_1"].sent == sent)
            # Of other processes these come some tenths of a second later.
            await until(lambda: sum(count for _, count in control.progress["tr_1"].recent) == sent)
            assert all(good == asked > 0 for good, asked in (one.authenticated for one in by_path[b"/safe"]))
        marked = [raw for raw in target.received if b"X-Gatecrash-Marker: 2.tr_1." in raw]
        assert len(marked) == sent == len(target.received) - 3


@run
async def test_counts_reach_the_control_plane_once_and_a_new_parameter_counts_at_once(tmp_path: Path) -> None:
    async with ControlPlane() as control, shop() as target, node_of(control, tmp_path, target) as proxy:
        await until(lambda: control.heartbeats > 0)
        await ask(proxy, *["/open"] * 5)
        await ask(proxy, *["/open"] * 3, token=None)
        await until(lambda: sum(row.requests for row in control.endpoints()) == 8)
        assert sum(row.authenticated for row in control.endpoints()) == 5
        row = control.endpoints()[0]
        assert (row.method, row.path, row.parameters[0].type) == ("GET", "/open", "bearer")
        control.config = Config(2, (("get", "knock"),))
        heard = control.heartbeats
        await until(lambda: control.heartbeats >= heard + 2)
        await ask(proxy, *["/open?knock=knock"] * 4, token=None)
        await until(lambda: sum(row.requests for row in control.endpoints()) == 12)
        assert sum(row.authenticated for row in control.endpoints()) == 9
        sequences = [sequence for _, sequence in control.counts]
        assert len(set(sequences)) == len(sequences)


@run
async def test_nothing_recorded_is_lost_while_the_control_plane_is_away(tmp_path: Path) -> None:
    async with ControlPlane() as control, shop() as target:
        control.orders = [order(sending=False)]
        async with node_of(control, tmp_path, target) as proxy:
            await until(lambda: "tr_1" in control.progress)
            control.down = True
            await ask(proxy, "/open?n=1", "/open?n=2")
        assert control.baselines == {}
        control.down = False
        control.orders = [order(sending=False, recording=False)]
        async with node_of(control, tmp_path, target):
            await until(lambda: len(control.baselines.get("tr_1", {})) == 2)
            await until(lambda: control.progress["tr_1"].unsent_baselines == 0)
        assert control.hellos[0].spool == control.hellos[1].spool


@run
async def test_a_pause_stops_sending_and_a_resume_goes_on_with_the_same_numbers(tmp_path: Path) -> None:
    async with ControlPlane() as control, shop() as target:
        control.orders = [order(rps=20)]
        async with node_of(control, tmp_path, target) as proxy:
            await until(lambda: "tr_1" in control.progress)
            await ask(proxy, "/items?name=pen")
            await until(lambda: control.progress["tr_1"].sent >= 3)
            control.orders = [order(rps=20, sending=False)]
            heard = control.heartbeats
            await until(lambda: control.heartbeats >= heard + 3)
            paused_at = len(target.received)
            before = control.progress["tr_1"].sent
            await asyncio.sleep(0.3)
            assert len(target.received) == paused_at
            control.orders = [order(rps=20)]
            await until(lambda: len(control.finals) == 1)
            await until(lambda: control.progress["tr_1"].sent > before)


@run
async def test_a_run_that_is_no_longer_ordered_is_dropped_and_another_generation_begins_anew(tmp_path: Path) -> None:
    async with ControlPlane() as control, shop() as target:
        control.orders = [order(rps=10)]
        async with node_of(control, tmp_path, target) as proxy:
            await until(lambda: "tr_1" in control.progress)
            await ask(proxy, "/items?name=pen")
            await until(lambda: control.progress["tr_1"].sent >= 3)
            control.orders, before = [order(generation=2)], len(control.parts)
            await until(lambda: control.progress["tr_1"].generation == 2)
            await until(lambda: len(control.finals) == 1)
            told = sum(one.sent for one in (*control.parts[before:], *control.finals.values()))
            await until(lambda: control.progress["tr_1"].sent == told)


@run
async def test_the_first_finding_stops_the_run_where_asked(tmp_path: Path) -> None:
    async with ControlPlane() as control, shop() as target:
        control.orders = [order(stop_on_first_fail=True)]
        async with node_of(control, tmp_path, target, workers=1) as proxy:
            await until(lambda: "tr_1" in control.progress)
            await ask(proxy, "/open?name=pen", "/items?name=pen", "/safe?name=pen")
            await until(lambda: len(control.findings) == 1)
            at = len(target.received)
            await asyncio.sleep(0.3)
            assert len(target.received) - at <= 8  # what was on its way
            assert len(control.finals) <= 1


@run
async def test_what_a_test_wrote_is_put_back_where_the_first_finding_stops_the_run(tmp_path: Path) -> None:
    recorded = b"PUT /items?name=pen HTTP"
    async with ControlPlane() as control, shop() as target:
        control.orders = [order(stop_on_first_fail=True)]
        async with node_of(control, tmp_path, target, workers=1) as proxy:
            await until(lambda: "tr_1" in control.progress)
            async with httpx.AsyncClient(**PLAIN, headers={"Authorization": "Bearer good-token-1234"}) as client:
                await client.put(f"http://{proxy}/items?name=pen", json={"color": "red"})
            await until(lambda: len(control.findings) == 1)
            await until(lambda: len(target.received) > 1 and target.received[-1].startswith(recorded))


async def _status_of(control: ControlPlane, folder: Path, target: RawServer, first: bytes) -> Any:
    """Records one good answer, then lets the target behave as the test's server does."""
    control.orders = [order(sending=False)]
    async with node_of(control, folder, target) as proxy:
        await until(lambda: "tr_1" in control.progress)
        await ask(proxy, "/x?q=1")
        await until(lambda: len(control.baselines.get("tr_1", {})) == 1)
        control.orders = [order(recording=False)]
        await until(lambda: len(control.finals) == 1)
    return next(iter(control.finals.values()))


@pytest.mark.parametrize("then", [b"", b"SSH-2.0-x\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"])
@run
async def test_a_target_that_breaks_costs_its_baseline_an_error_with_its_reason(tmp_path: Path, then: bytes) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await target.read_request(reader)
        good = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        writer.write(good if len(target.received) == 1 else then)
        await writer.drain()

    target = RawServer(talk)
    async with ControlPlane() as control, target:
        result = await _status_of(control, tmp_path, target, then)
        assert (result.status, result.reason) == ("error", "connection_failed"), result
        assert result.detail


@run
async def test_an_old_session_says_hello_again(tmp_path: Path) -> None:
    async with ControlPlane() as control, node_of(control, tmp_path):
        await until(lambda: control.heartbeats > 1)
        control.end_session()
        await until(lambda: len(control.hellos) == 2)
        assert [hello.again for hello in control.hellos] == [False, True]
        heard = control.heartbeats
        await until(lambda: control.heartbeats > heard)


@run
async def test_a_start_that_stands_by_says_so_once_and_takes_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("gatecrash.node.agent.STANDBY_PAUSE", 0.01)
    caplog.set_level("INFO", "gatecrash.node.agent")
    async with ControlPlane() as control, node_of(control, tmp_path):
        await until(lambda: control.heartbeats > 1)
        control.hold(True)
        control.end_session()
        await until(lambda: control.standbys > 3)
        control.hold(False)
        await until(lambda: len(control.hellos) == 2)
    told = [(record.levelname, record.message) for record in caplog.records]
    assert told.count(("INFO", "standing by")) == 1
    assert "ERROR" not in [level for level, _ in told]


@run
async def test_a_wrong_token_ends_the_node_with_a_clear_word(tmp_path: Path) -> None:
    async with ControlPlane() as control:
        settings = NodeSettings(api=control.api, token="wrong", spool_dir=tmp_path, proxy_listen="")
        with pytest.raises(UserError, match="valid token"):
            await run_node(settings)


def test_settings_never_show_their_token() -> None:
    assert "hush" not in repr(NodeSettings(api="http://127.0.0.1", token="hush", spool_dir=Path()))


@run
async def test_a_restarted_node_records_from_its_first_request_under_its_last_orders(tmp_path: Path) -> None:
    async with ControlPlane() as control, shop() as target:
        control.config = Config(7, (("get", "knock"),))
        control.orders = [order(sending=False)]
        async with node_of(control, tmp_path, target) as proxy:
            await until(lambda: "tr_1" in control.progress)
            heard = control.heartbeats
            await until(lambda: control.heartbeats >= heard + 2)
        control.down = True
        async with node_of(control, tmp_path, target) as proxy:
            await ask(proxy, *["/open?knock=knock"] * 3, token=None)
            control.down = False
            await until(lambda: len(control.baselines.get("tr_1", {})) == 3)
            await until(lambda: sum(row.authenticated for row in control.endpoints()) == 3)


@run
async def test_what_a_restarted_node_recorded_is_dropped_where_the_recording_was_over(tmp_path: Path) -> None:
    async with ControlPlane() as control, shop() as target:
        control.orders = [order(sending=False), order(run_id="tr_2", record_id="rec_2", sending=False)]
        async with node_of(control, tmp_path, target):
            await until(lambda: set(control.progress) == {"tr_1", "tr_2"})
        control.down = True
        async with node_of(control, tmp_path, target) as proxy:
            await ask(proxy, "/open?n=1")
        # Killed before it heard of it: still nobody has said whether this is a baseline.
        control.orders = [order(run_id="tr_2", record_id="rec_2", sending=False)]
        async with node_of(control, tmp_path, target) as proxy:
            await ask(proxy, "/open?n=2")
            control.down = False
            await until(lambda: len(control.baselines.get("tr_2", {})) == 2)
            await ask(proxy, "/open?n=3")
            await until(lambda: len(control.baselines["tr_2"]) == 3)
        assert "tr_1" not in control.baselines
