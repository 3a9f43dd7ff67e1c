"""The node's further sources start together, and one that fails costs itself only."""

import asyncio
from pathlib import Path

import pytest
from tests.node.loop import run, until
from tests.node.observe.test_log_follower import line

from gatecrash.core.errors import UserError
from gatecrash.node.observe.collector import CollectorSettings
from gatecrash.node.observe.folding import Folding
from gatecrash.node.observe.observations import Observations
from gatecrash.node.observe.sources import Sources
from gatecrash.node.spool import Spool


@run
async def test_several_logs_are_followed_at_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    spool = Spool(tmp_path / "spool")
    for name in ("a.log", "b.log"):
        (tmp_path / name).write_text(line() * 3)
    logs = [str(tmp_path / "a.log"), f"nginx={tmp_path / 'b.log'}", str(tmp_path / "absent.log"), str(tmp_path)]
    sources = Sources(Observations(), Folding(spool), spool, collector=CollectorSettings(port=0), logs=logs)
    await sources.start()
    assert sources.address.startswith("127.0.0.1:")
    following = asyncio.ensure_future(sources.follow_always())
    await until(lambda: [one.counted for one in sources.followers] == [3, 3, 0, 0])
    await until(lambda: "not there yet" in caplog.text)
    assert not following.done()
    waited_for = [one.log for one in caplog.records if "not there yet" in one.message]  # type: ignore[attr-defined]
    assert waited_for == [str(tmp_path / "absent.log")]
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)
    await sources.close()
    spool.close()


def test_a_log_of_no_known_format_is_refused(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    with pytest.raises(UserError, match="no log format"):
        Sources(Observations(), Folding(spool), spool, logs=["apache=/a"])
    spool.close()
