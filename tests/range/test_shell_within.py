"""Lines of payloads change nothing outside of their folder, whoever runs the tests."""

from pathlib import Path

import pytest

from tests.core.testing.shell import leaves, run_within


@pytest.mark.parametrize(
    "line",
    ["rm files/../secret", "rm '/etc/motd'", "echo > ../x", "rm ~", "rm files/..", "rm -r files//x", "rm -r files/tea /*a*/", "rm xfiles/../.."],
)  # fmt: skip
def test_what_may_leave_the_folder_is_not_run(line: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("kept")
    assert leaves(line)
    with pytest.raises(PermissionError):
        run_within(tmp_path, line)
    assert (tmp_path / "secret").read_text() == "kept"


def test_what_stays_within_is_run_without_waiting_and_not_as_root(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "tea").write_text("tea")
    assert (
        run_within(tmp_path, "rm files/tea 2>/dev/null; sleep 600; echo gone; [ $(id -u) = 0 ] && echo root")
        == "gone\n"
    )
    assert not (tmp_path / "files" / "tea").exists()
