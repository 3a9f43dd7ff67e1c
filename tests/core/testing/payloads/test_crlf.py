"""Each payload ends a line, as it is or after one more decoding; the tame one does not."""

import urllib.parse

import pytest

from gatecrash.core.testing.payloads.crlf import PATTERNS, TAME


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_line_ends_before_the_header(pattern):
    payload = pattern.format(value="tea", name="X-Bcd", word="zz")
    low = "".join(chr(ord(letter) & 0xFF) for letter in urllib.parse.unquote(payload))
    assert "\nX-Bcd: zz" in low.replace(":\x20zz", ": zz")


def test_the_tame_one_has_no_line_end():
    assert "\n" not in TAME
    assert "%" not in TAME
