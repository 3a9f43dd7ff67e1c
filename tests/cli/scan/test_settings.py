"""What a scan was asked for is read before anything is sent; a mistake names its option."""

from typing import Any

import pytest
from tests.cli.scan.scanning import Listener, Scan


def test_of_two_targets_none_is_tested(scan: Scan, entries: list[dict[str, Any]], listener: Listener) -> None:
    targets = (f"http://127.0.0.1:{listener.port}", "http://127.0.0.1:9")
    result = scan("--target", targets[0], "--target", targets[1], of=entries[:1])
    assert result.exit_code == 2
    assert "--target is given 2 times" in result.stderr
    assert listener.connections == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--policy", "mine.json"), "choose default, quick, thorough"),
        (("--types", "sqli,nonsense"), "nonsense"),
        (("--types", ","), "choose out of"),
        (("--report", "pdf=a"), "FORMAT=FILE"),
        (("--report", "json=/nowhere/at/all.json"), "there is no folder"),
        (("--report", "json=/"), "it is a folder"),
        (("--allow-host", "~("), "--allow-host: `~(` is no regular expression"),
        (("--target", "nonsense"), "--target 'nonsense' is no address"),
        (("--from-host", "a"), "--target"),
    ],
)
def test_wrong_usage_is_2_before_anything_is_sent(scan: Scan, options: tuple[str, ...], words: str) -> None:
    result = scan(*options)
    assert result.exit_code == 2
    assert words in result.stderr
