"""English expressions that find what other languages call the same."""

import re

from gatecrash.core.words.named import ByteWords, Words


def test_a_text_is_found_as_it_is_written_or_as_it_says_in_english():
    password = Words(r"passw(?:or)?d", re.IGNORECASE)
    assert [bool(password.search(name)) for name in ("newPassword", "nuevaContraseña", "passage")] == [
        True,
        True,
        False,
    ]


def test_the_whole_and_the_beginning_likewise():
    delete = Words("delete")
    assert delete.fullmatch("löschen") is not None
    assert delete.fullmatch("löschen-alle") is None
    assert delete.match("löschen-alle") is not None
    assert delete.match("alle-löschen") is None


def test_bytes_likewise():
    login = ByteWords(rb"/log[-_]?in\b")
    assert login.search(b"/shop/anmelden") is not None
    assert login.search(b"/shop/deconnexion") is None
