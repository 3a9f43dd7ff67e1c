"""A browser of our own, that nobody else can reach and that leaves nothing behind."""

import os
import stat
from contextlib import suppress
from pathlib import Path

import pytest
from tests.node.loop import run, until

from gatecrash.node.browser.devtools import BrowserFailed, started


def written(folder: Path, text: str) -> str:
    path = folder / "browser"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@run
async def test_it_answers_and_is_gone_behind_the_block(program: str) -> None:
    async with started(program) as devtools:
        told = await devtools.call("Browser.getVersion")
        assert "Chrom" in told["product"]
        with pytest.raises(BrowserFailed, match="wasn't found"):
            await devtools.call("Nothing.isCalledSo")
    with pytest.raises(BrowserFailed, match="ended"):
        await devtools.call("Browser.getVersion")


@run
async def test_a_program_that_ends_at_once_and_one_that_is_none_are_told(tmp_path: Path) -> None:
    async with started(written(tmp_path, "exit 3")) as devtools:
        with pytest.raises(BrowserFailed, match="has ended"):
            await devtools.call("Browser.getVersion")
    with pytest.raises(BrowserFailed, match="does not start"):
        async with started(str(tmp_path)):
            pass


@run
async def test_what_it_started_ends_with_it_and_its_profile_is_deleted(tmp_path: Path) -> None:
    told = tmp_path / "told"
    script = f'for each in "$@"; do case $each in --user-data-dir=*) echo "${{each#*=}}" > {told}.tmp;; esac; done; sleep 100 & echo $! >> {told}.tmp; mv {told}.tmp {told}; wait'
    async with started(written(tmp_path, script)):
        await until(told.exists)
        profile, child = told.read_text().split()
        assert os.path.isdir(profile)  # noqa: PTH112, ASYNC240 - a look
    assert not os.path.exists(profile)  # noqa: PTH110, ASYNC240 - a look
    await until(lambda: not is_alive(int(child)))


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    with suppress(OSError):  # it has just gone
        # Whoever took its place as a parent may be slow to ask what became of it.
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False
