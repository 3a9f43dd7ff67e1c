"""Texts in base64 are found within others; what is none tells nothing and breaks nothing."""

import base64
import json

import pytest

from gatecrash.core.testing.oracles.files.packed_texts import packed_texts

LETTER = "Dear Anna, the kettle is yours.\n" * 4


@pytest.mark.parametrize("pack", [base64.b64encode, base64.encodebytes])
@pytest.mark.parametrize(
    "written",
    [
        str,
        lambda text: json.dumps({"name": "letter", "data": text}),
        lambda text: f'<a href="data:text/plain;base64,{text}">letter</a>',
        lambda text: text.rstrip("=\n"),
        lambda text: text.replace("/", "\\/"),
    ],
)
def test_a_text_is_found_within_another(pack, written):
    assert LETTER in packed_texts(written(pack(LETTER.encode()).decode()))[0] + "\n"


@pytest.mark.parametrize("text", ["", "A kettle, a cup and a pot. " * 9, base64.b64encode(b"short").decode(), "=" * 99])
def test_what_is_none_tells_nothing(text):
    assert packed_texts(text) == []


def test_the_longest_are_read():
    small = [base64.b64encode(bytes([number]) * 60).decode() for number in range(65, 75)]
    assert LETTER in packed_texts(" ".join([*small, base64.b64encode(LETTER.encode()).decode(), *small]))[0]


def test_nothing_breaks_it():
    assert all(isinstance(found, str) for found in packed_texts("A" * 65 + " " + "B" * 1001 + "\\n\\n"))
