"""Ways to name a file: each leads where it should by the rules of paths."""

import posixpath
from urllib.parse import unquote

import pytest

from gatecrash.core.testing.payloads.ptrav import (
    ABSOLUTE,
    ALL_DOUBLE_ENCODED,
    ALL_ENCODED,
    BEHIND_VALUE,
    FOR_FILES,
    IN_FOLDER,
    LEVELS,
    NESTED,
    RELATIVE,
    SUFFIX_CUT,
    fill,
    filtered,
    may_name_a_folder,
)


@pytest.mark.parametrize(
    "folder", ["/srv/docs", "/srv/ann/shop/.venv/lib/python3.11/site-packages/shop/web/client/build/static/js"]
)
def test_steps_up_end_at_the_root_whatever_the_folder_and_more_of_them_at_the_same_place(folder):
    for extra in (0, 3):
        path = posixpath.join(folder, fill(RELATIVE, "/etc/passwd", "tea.txt", extra))
        assert posixpath.normpath(path) == "/etc/passwd"


@pytest.mark.parametrize("step", FOR_FILES)
def test_what_nothing_decodes_is_no_longer_than_a_part_of_a_path_may_be(step):
    """Else a sound server is told that the name is too long, which is answered otherwise than one that is not there."""
    assert len(fill(step, "/proc/self/status", "tea", 3)) <= 255


def test_other_ways():
    assert fill(ABSOLUTE, "/etc/passwd", "tea") == "/etc/passwd"
    assert fill(NESTED, "/etc/passwd", "tea").replace("../", "") == "../" * LEVELS + "etc/passwd"
    assert unquote(fill(ALL_ENCODED, "/etc/passwd", "tea")) == fill(RELATIVE, "/etc/passwd", "tea")
    twice = unquote(unquote(fill(ALL_DOUBLE_ENCODED, "/etc/passwd", "tea")))
    assert twice == "../" * 12 + "etc/passwd"
    assert not {".", "/"} & set(fill(ALL_ENCODED, "/etc/passwd", "tea"))
    assert fill(IN_FOLDER, "/etc/passwd", "de/tea.txt").startswith("de/../")
    assert fill(BEHIND_VALUE, "/etc/passwd", "tea").startswith("tea/../")
    assert fill(BEHIND_VALUE, "/etc/passwd", "tea.txt").startswith("tea.txtx/../")
    assert fill(SUFFIX_CUT, "/etc/passwd", "tea.txt").endswith("passwd\0.txt")


def test_a_filter_reads_the_values_own_file_and_no_other():
    assert filtered("docs/about", 1) == "php://filter/convert.base64-encode/resource=docs/about"
    assert filtered("docs/about", 3).count("base64-encode") == 3


@pytest.mark.parametrize(
    ("parameter", "value", "may"),
    [("q", ".", True), ("q", "./", True), ("dir", "pictures", True), ("q", "pictures", False), ("dir", "a.txt", False)],
)
def test_a_folder_is_known_by_its_parameter_and_a_dot_by_itself(parameter: str, value: str, may: bool) -> None:
    assert may_name_a_folder(parameter, value) is may
