"""What a body holds that speaks of a password in any known language."""

import re
from urllib.parse import quote

import pytest

from gatecrash.core.words.pieces import pieces_of, spellings

NAMES = (
    "passwort",
    "mot_de_passe",
    "contraseña",
    "contrasena",
    "senha",
    "hasło",
    "haslo",
    "şifre",
    "пароль",
    "lösenord",
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("written", [str, quote], ids=["as it is", "with percent signs"])
def test_a_body_is_known_by_one_piece(name, written):
    body = f"{written(name)}=x".lower().encode()
    assert any(piece in body for piece in pieces_of("password"))


def test_no_piece_is_in_an_ordinary_body():
    body = b'{"name": "ann", "note": "parcel 7", "total": 12}'
    assert not any(piece in body for piece in pieces_of("password"))


def test_spellings_are_whole_phrases_with_and_without_marks():
    out = re.compile(spellings("logout"))
    assert all(
        out.fullmatch(text) for text in ("abmelden", "se déconnecter", "se-deconnecter", "cerrar_sesión", "выйти")
    )
    assert out.fullmatch("anmelden") is None
