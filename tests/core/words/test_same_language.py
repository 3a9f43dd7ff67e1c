"""Words of the language that a name is written in."""

import pytest

from gatecrash.core.words.same_language import said_beside


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("rol", ("administracion", "administrador")),
        ("Rolle", ("verwaltung", "administration", "verwalter", "verwaltungsbereich")),
        ("RUOLO", ("amministrazione", "amministratore")),
        ("role", ()),
        ("roleplay", ()),
        ("", ()),
    ],
)
def test_administrators_are_called_in_the_language_of_the_roles_name(name, words):
    assert said_beside(name, "role", "admin") == words


def test_what_no_language_has_is_said_in_none():
    assert said_beside("rol", "role", "no such meaning") == ()
    assert said_beside("rol", "no such meaning", "admin") == ()
