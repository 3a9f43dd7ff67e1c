"""The shop's database: sessions belong to customers, orders to one of them each."""

import asyncio
import gc
import sqlite3
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gatecrash.demo.target.store import USERS, Store

ENDLESS = "WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT max(n) FROM a"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path)
    yield made
    made.close()


def test_each_sign_in_gives_a_token_of_its_own(store: Store) -> None:
    tokens = [store.sign_in(*USERS[0]) for _ in range(2)]
    assert len(set(tokens)) == 2
    assert [store.customer_of(str(token)) for token in tokens] == [1, 1]
    assert store.sign_in("ada", "wrong") is None
    assert store.sign_in("nobody", "x") is None
    assert store.customer_of("") is None


def test_every_order_is_of_one_customer(store: Store) -> None:
    owners = {row["customer_id"] for row in store.rows("SELECT customer_id FROM orders")}
    assert owners == {1, 2}
    assert store.row("SELECT id FROM orders WHERE id = ?", 1) == {"id": 1}
    assert store.row("SELECT id FROM orders WHERE id = ?", 0) is None


def test_no_password_is_stored_as_it_is(store: Store) -> None:
    kept = repr(store.rows("SELECT * FROM customers"))
    assert all(password not in kept for _, password in USERS)


def test_a_long_query_runs_on_a_copy(store: Store) -> None:
    assert asyncio.run(store.long_rows("SELECT count(*) AS n FROM teas")) == [{"n": 7}]
    asyncio.run(store.long_rows("DELETE FROM teas"))
    assert store.row("SELECT count(*) AS n FROM teas") == {"n": 7}


def test_an_endless_query_is_ended(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gatecrash.demo.target.store._MOST_SECONDS", 0.1)
    with pytest.raises(sqlite3.OperationalError, match="interrupted"):
        asyncio.run(store.long_rows(ENDLESS))


def test_a_query_that_nobody_waits_for_ends_and_is_closed_where_it_runs(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("gatecrash.demo.target.store._MOST_SECONDS", 100.0)
    ended: list[tuple[str, threading.Thread]] = []

    class Copy(sqlite3.Connection):
        def execute(self, *arguments: Any) -> sqlite3.Cursor:
            try:
                return super().execute(*arguments)
            except sqlite3.OperationalError as error:
                ended.append((str(error), threading.current_thread()))
                raise

        def close(self) -> None:
            ended.append(("closed", threading.current_thread()))
            super().close()

    async def leaves() -> None:
        waiting = asyncio.ensure_future(store.long_rows(ENDLESS))
        await asyncio.sleep(0.05)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    monkeypatch.setattr("gatecrash.demo.target.store.sqlite3.connect", partial(sqlite3.connect, factory=Copy))
    asyncio.run(leaves())
    (how, where), (then, there) = ended
    assert (how, then) == ("interrupted", "closed")
    assert where is there is not threading.current_thread()
    gc.collect()
    assert caplog.text == "", "nobody is told"
