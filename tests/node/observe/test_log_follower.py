"""A followed log is counted once, and its place is kept together with the counts."""

import json
from pathlib import Path

import pytest
from tests.node.loop import run

from gatecrash.core.errors import UserError
from gatecrash.node.observe.folding import Folding
from gatecrash.node.observe.log_file import LogFile
from gatecrash.node.observe.log_follower import LogFollower, read_log_option
from gatecrash.node.spool import Spool


def line(second: int = 1_795_168_800, **more: object) -> str:
    fields = {"msec": f"{second}.000", "request_method": "GET", "http_host": "a.example", "request_uri": "/x"}
    return json.dumps({**fields, "status": "200", "http_authorization": "Bearer a-secret-of-somebody", **more}) + "\n"


class Node:
    """What a node has of a followed log; `end` is a kill: what was not written is gone."""

    def __init__(self, folder: Path, kind: str | None = None) -> None:
        self.spool = Spool(folder / "spool")
        self.folding = Folding(self.spool)
        self.follower = LogFollower(folder / "a.log", kind, self.folding, self.spool)
        kept = self.spool.kept(f"log:{folder / 'a.log'}")
        from gatecrash.node.observe.log_follower import _position

        self.follower._file = LogFile(folder / "a.log", self.spool.name.encode(), _position(kept))

    async def read(self) -> None:
        while await self.follower.read_some():
            pass

    def requests(self) -> int:
        return sum(row.requests for batch in self.spool.counts(1000) for row in batch.endpoints)

    def end(self) -> None:
        self.follower._file.close()
        self.spool.close()


@run
async def test_lines_become_counts_with_their_answers(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(line() * 4 + line(status="401", http_authorization=""))
    node = Node(tmp_path)
    await node.read()
    await node.folding.write()
    [row] = [row for batch in node.spool.counts(10) for row in batch.endpoints]
    assert (row.requests, row.authenticated, row.refused, row.host) == (5, 4, 1, "a.example")
    node.end()


@run
async def test_a_kill_between_reading_and_writing_counts_nothing_twice_and_loses_nothing(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_text(line() * 100)
    node = Node(tmp_path)
    await node.read()
    node.end()
    node = Node(tmp_path)
    assert node.requests() == 0
    await node.read()
    await node.folding.write()
    node.end()
    with log.open("a") as file:
        file.write(line() * 10)
    node = Node(tmp_path)
    await node.read()
    await node.folding.write()
    assert node.requests() == 110
    node.end()


@run
async def test_broken_lines_cost_only_themselves(tmp_path: Path) -> None:
    odd = [line(http_host="a b"), line(request_method="<x>"), "nope\n", line(msec="1e300"), '{"a":' * 100_000 + "\n"]
    (tmp_path / "a.log").write_text(line() * 4 + "".join(odd) + line())
    node = Node(tmp_path)
    await node.read()
    await node.folding.write()
    assert (node.requests(), node.follower.counted, node.follower.unread) == (5, 5, 5)
    node.end()


@run
async def test_a_log_of_another_kind_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "a.log").write_text('127.0.0.1 - - [21/Nov/2026:10:00:00] "GET / HTTP/1.1" 200\n' * 3)
    node = Node(tmp_path)
    await node.read()
    assert node.follower.unread == 3
    assert "neither JSON lines nor a JSON access log" in caplog.text
    node.end()


@run
async def test_a_log_without_credentials_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    text = line()
    (tmp_path / "a.log").write_text(text[: text.index(', "http_authorization"')] + "}\n")
    node = Node(tmp_path)
    await node.read()
    assert node.follower.counted == 1
    assert "names no credentials" in caplog.text
    node.end()


@run
async def test_neither_spool_nor_log_of_the_node_holds_a_secret(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "a.log").write_text(line() * 4 + "broken a-secret-of-somebody\n")
    node = Node(tmp_path)
    await node.read()
    await node.folding.write()
    node.end()
    kept = b"".join(path.read_bytes() for path in (tmp_path / "spool").iterdir())
    assert b"a-secret-of-somebody" not in kept
    assert "a-secret-of-somebody" not in caplog.text


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [("/a/b.log", "/a/b.log", None), ("nginx=/a/b.log", "/a/b.log", "nginx"), ("/a/x=y.log", "/a/x=y.log", None)],
)
def test_a_log_is_named_with_or_without_its_format(text: str, name: str, kind: str | None) -> None:
    assert read_log_option(text) == (Path(name), kind)


@pytest.mark.parametrize("text", ["apache=/a", "nginx="])
def test_an_option_that_names_no_log_is_refused(text: str) -> None:
    with pytest.raises(UserError, match=r"nginx"):
        read_log_option(text)
