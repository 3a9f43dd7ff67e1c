"""Names and addresses of other languages, in English."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.words.english import bytes_in_english, in_english, phrases_for, plain
from gatecrash.core.words.languages import LANGUAGES


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("/konto/passwort-aendern", "/account/password-change"),
        ("/konto/passwort-ändern", "/account/password-change"),
        ("nouveauMotDePasse", "new_password"),
        ("mot_de_passe", "password"),
        ("/d%C3%A9connexion", "/logout"),
        ("/se-connecter", "/login"),
        ("/utilisateurs/5/supprimer", "/users/5/delete"),
        ("/api/cerrarSesion", "/api/logout"),
        ("benutzer_id", "user_id"),
        ("contraseña", "password"),
        ("hasło", "password"),
        ("haslo", "password"),
        ("пароль", "password"),
        ("şifre", "password"),
        ("/beställningar/5/godkänn", "/orders/5/approve"),
        ("dogum_tarihi", "birthday"),
        ("/заказы/5/подтвердить", "/orders/5/confirm"),
        ("/uzivatele/5/smazat", "/users/5/delete"),
        ("zmena_hesla", "change_password"),
        ("/felhasználók/5/törlés", "/users/5/delete"),
        ("uj-jelszo", "new_password"),
        ("SENHA", "password"),
        ("/recuperar", "/recover"),
        ("/conta/recuperação", "/account/recover"),
        ("recupero-password", "recover-password"),
        ("clave", "password"),
        ("socio[clave]", "member[password]"),
        ("/perfil/clave?tipo=1", "/profile/password?tipo=1"),
        ("claveNueva", "new_password"),
        ("clave_de_acceso", "password"),
        ("palabra-clave", "keyword"),
        ("/api/%C3%BCberweisungen", "/api/transfer"),
        ("código_cupón", "código_coupon"),
        ("/pagamenti/5/approvazione", "/pagamenti/5/approve"),
    ],
)
def test_known_words_are_replaced_and_the_rest_stays(written, said):
    assert in_english(written) == said


@pytest.mark.parametrize(
    "written",
    ["/users/5", "client_id", "/login?next=%2F", "userName", "/notes/note", "passage", "/pass", "", "é%C3", "/a b/%20"],
)
def test_what_is_english_or_unknown_stays(written):
    assert in_english(written) == written


def test_words_of_a_phrase_stand_beside_each_other():
    assert in_english("mot/de/passe") == "mot/de/passe"


@pytest.mark.parametrize("written", ["clave_prod", "claveProdServ", "la_clave", "clave-unidad"])
def test_a_word_of_two_meanings_is_known_only_where_it_stands_alone(written):
    assert in_english(written) == written


def test_the_phrases_for_a_word_are_those_of_all_languages():
    assert {"restablecer", "zurücksetzen", "sıfırla"} <= set(phrases_for("reset"))
    assert phrases_for("no such word") == []


def test_a_long_text_is_left_alone():
    text = "passwort " * 1000
    assert in_english(text) == text


def test_bytes_are_read_as_utf_8_and_left_alone_where_they_are_none():
    assert bytes_in_english("contraseña".encode()) == b"password"
    assert bytes_in_english(b"passwort\xff") == b"passwort\xff"


@given(st.text(max_size=60))
def test_any_text_is_read(text):
    said = in_english(text)
    assert said == text or said


@pytest.mark.parametrize(
    "phrase", sorted({each for one in LANGUAGES for some in one.values() for each in some.split("|")})
)
def test_each_phrase_is_known_with_and_without_marks_and_however_its_words_are_joined(phrase):
    for words in (phrase.split(), [plain(word) for word in phrase.split()]):
        for joint in ("_", "-", " "):
            assert in_english(joint.join(words)) != joint.join(words) or in_english(phrase) == phrase
