"""A document is read within bounds, and a mistake in it is told without its text."""

import pytest

from gatecrash.control.profiles.reading import MOST_BYTES, Unreadable, read_document

BOMB = b"a: &a [x, x, x, x, x, x, x, x, x, x]\n" + b"".join(
    f"{after}: &{after} [{', '.join([f'*{before}'] * 10)}]\n".encode()
    for before, after in zip("abcdefgh", "bcdefghi", strict=True)
)


def test_yaml_and_json_are_read() -> None:
    assert read_document(b"name: x\nidentities: []") == {"name": "x", "identities": []}
    assert read_document(b'{"name": "x"}') == {"name": "x"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"password: [hunter2", "line 1, column"),
        (b"password: *hunter2", "line 1, column 11 cannot be read"),
        (b"[hunter2]", "no profile"),
        (b"", "no profile"),
        (b"\xff\xfe\x00hunter2\xff", "neither YAML nor JSON"),
        (b"day: 2026-99-99", "neither YAML nor JSON"),
        (b"[" * 5000, "neither YAML nor JSON"),
        (b"x" * (MOST_BYTES + 1), "over 1024 KiB"),
        (b"!!python/object/apply:os.system [hunter2]", "neither YAML nor JSON"),
    ],
)
def test_what_is_wrong_is_told_by_its_place(text: bytes, told: str) -> None:
    with pytest.raises(Unreadable, match=told) as error:
        read_document(text)
    assert "hunter2" not in str(error.value)


@pytest.mark.parametrize("text", [BOMB, b"a: &a [*a]"])
def test_a_document_that_stands_for_millions_is_refused_at_once(text: bytes) -> None:
    with pytest.raises(Unreadable, match="far more than one profile"):
        read_document(text)
