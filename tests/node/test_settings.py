"""Settings travel as JSON and hide their secrets."""

from pathlib import Path

import pytest

from gatecrash.core.errors import UserError
from gatecrash.node.settings import NodeSettings, decode, encode


def test_settings_survive_the_way_to_another_process() -> None:
    settings = NodeSettings(api="http://127.0.0.1:1", token="hush", spool_dir=Path("/tmp/x"), workers=3)
    assert decode(encode(settings)) == settings


def test_settings_that_are_none_are_told() -> None:
    with pytest.raises(UserError, match="not understood"):
        decode(b'{"api": 1}')


def test_settings_never_show_their_secrets() -> None:
    settings = NodeSettings(
        api="http://127.0.0.1", token="hush", spool_dir=Path(), proxy_credentials="me:hush", collector_key="hush"
    )
    assert "hush" not in repr(settings) + str(settings) + f"{settings}"
