"""`scan` and `node` take a proxy on the way to applications, and refuse what is none before anything is sent."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from gatecrash.cli.main import main


@pytest.mark.parametrize("by", ["option", "environment"])
def test_what_is_no_proxy_is_refused_without_telling_its_password(by: str, tmp_path: Path) -> None:
    capture = tmp_path / "capture.jsonl"
    capture.write_text('{"method": "GET", "url": "http://127.0.0.1:9/"}\n')
    wrong = "socks5://user:secret@proxy.example:1080"
    given = ["--upstream-proxy", wrong] if by == "option" else []
    environment = {"GATECRASH_UPSTREAM_PROXY": wrong} if by == "environment" else {}
    told = CliRunner().invoke(main, ["scan", str(capture), *given], env=environment)
    assert told.exit_code == 2
    assert "http://proxy.example.com:3128" in told.output
    assert "secret" not in told.output
