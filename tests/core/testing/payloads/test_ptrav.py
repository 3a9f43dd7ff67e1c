"""Ways to name a file: each leads where it should by the rules of paths."""

import posixpath
from urllib.parse import unquote

from gatecrash.core.testing.payloads.ptrav import (
    ABSOLUTE,
    ALL_DOUBLE_ENCODED,
    ALL_ENCODED,
    BEHIND_VALUE,
    IN_FOLDER,
    NESTED,
    RELATIVE,
    SUFFIX_CUT,
    fill,
    filtered,
)


def test_steps_up_end_at_the_root_whatever_the_folder_and_more_of_them_at_the_same_place():
    for extra in (0, 3):
        path = posixpath.join("/srv/docs", fill(RELATIVE, "/etc/passwd", "tea.txt", extra))
        assert posixpath.normpath(path) == "/etc/passwd"


def test_other_ways():
    assert fill(ABSOLUTE, "/etc/passwd", "tea") == "/etc/passwd"
    assert fill(NESTED, "/etc/passwd", "tea").replace("../", "") == "../" * 8 + "etc/passwd"
    assert unquote(fill(ALL_ENCODED, "/etc/passwd", "tea")) == unquote(
        unquote(fill(ALL_DOUBLE_ENCODED, "/etc/passwd", "tea"))
    )
    assert not {".", "/"} & set(fill(ALL_ENCODED, "/etc/passwd", "tea"))
    assert fill(IN_FOLDER, "/etc/passwd", "de/tea.txt").startswith("de/../")
    assert fill(BEHIND_VALUE, "/etc/passwd", "tea").startswith("tea/../")
    assert fill(BEHIND_VALUE, "/etc/passwd", "tea.txt").startswith("tea.txtx/../")
    assert fill(SUFFIX_CUT, "/etc/passwd", "tea.txt").endswith("passwd\0.txt")


def test_a_filter_reads_the_values_own_file_and_no_other():
    assert filtered("docs/about", 1) == "php://filter/convert.base64-encode/resource=docs/about"
    assert filtered("docs/about", 3).count("base64-encode") == 3
