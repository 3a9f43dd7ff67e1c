"""Refusals in the languages of their callers, and what only looks like one."""

from itertools import product
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.oracles.outcomes.refusing_words import _LANGUAGES, refusing_words

REFUSING = [
    "Sie sind nicht angemeldet.",
    "Bitte melden Sie sich an",
    "Accès refusé",
    "Votre session a expiré",
    "Debe iniciar sesión",
    "No autorizado",
    "Accesso negato",
    "Utente non autenticato",
    "La tua sessione è scaduta",
    "Effettua il login",
    "Token non valido",
    "Acesso negado",
    "Usuário não autenticado",
    "Sua sessão expirou",
    "Faça login para continuar",
    "Доступ запрещён",
    "Вы не авторизованы",
    "Необходимо войти в систему",
    "Сессия истекла",
    "用户未登录",
    "请先登录",
    "登录已过期",
    "token无效",
    "沒有登入,請重新登入",
    "ログインしてください",
    "認証が必要です",
    "セッションの有効期限が切れました",
    "この操作を行う権限がありません",
    "Bitte melden Sie sich zuerst an.",
    "Sie sind nicht angemeldet",
    "Sitzung abgelaufen",
    "Zugriff verweigert",
    "Veuillez vous connecter",
    "Vous devez être connecté",
    "Jeton expiré",
    "El token ha caducado",
    "Acceso denegado",
    "Sessão expirada",
    "Devi effettuare l'accesso",
    "Token scaduto",
    "U bent niet ingelogd",
    "Toegang geweigerd",
    "Musisz się zalogować",
    "Token wygasł",
    "Brak dostępu",
    "Nejste přihlášeni",
    "Pro pokračování se musíte přihlásit",
    "Prosím, přihlaste se",
    "Přístup byl odepřen",
    "Nemáte oprávnění k této akci",
    "Platnost relace vypršela",
    "Prístup zamietnutý",
    "Nie ste prihlásený",
    "Nincs bejelentkezve",
    "Kérjük, jelentkezzen be",
    "Bejelentkezés szükséges",
    "Hozzáférés megtagadva",
    "Nincs jogosultsága ehhez a művelethez",
    "A munkamenet lejárt",
    "Du måste logga in",
    "Oturumunuz sona erdi",
    "Silakan login terlebih dahulu",
    "Срок действия токена истёк",
    "没有权限",
    "認証に失敗しました",
    "로그인이 필요합니다",
]


@pytest.mark.parametrize("words", REFUSING)
def test_a_refusal_is_read(words: str) -> None:
    assert refusing_words(words.lower()) is not None
    told = Response(200, ((b"Content-Type", b"application/json"),), f'{{"error": "{words}"}}'.encode())
    assert refusal(told) is not None


@pytest.mark.parametrize(
    "words",
    [
        "Zugriffe heute: 12, letzte Sitzung am Montag",
        "Přihlásit se | Registrace",
        "Poslední přihlášení 3. 5., přístup povolen",
        "Bejelentkezés | Regisztráció",
        "Munkamenet kezdete: 10:00, jogosultságok: szerkesztő",
        "Connexion réussie, votre session commence",
        "Acceso: puerta 4, sesión de las 10",
        "Accesso riuscito, la sessione è valida",
        "Il login più recente: ieri",
        "Acesso permitido, sessão das 10",
        "Доступ открыт, сессия началась",
        "Войти",
        "登录成功,欢迎",
        "登录",
        "ログイン履歴",
        "セッション一覧",
        "Anmeldung zum Kurs am Montag",
        "Bitte wählen Sie ein Zimmer",
        "Zugang über den Hof, Rollstuhl geeignet",
        "Se connecter",
        "Accès au parking: rue de Lyon",
        "Permission de stationner",
        "Inicio de sesión: 12:40",
        "Acceso libre para socios",
        "Sessão de cinema às 20h",
        "Accesso al parcheggio",
        "Toegang via de achterdeur",
        "Zaloguj się",
        "Sesja zdjęciowa",
        "Oturum 3: salon B",
        "Доступ к складу с 8 до 17",
        "ログイン",
        "로그인",
        "the token of a lot, no more than a session of connect four",
        "token: valido",
    ],
)
def test_words_that_stand_on_any_page_refuse_nobody(words: str) -> None:
    assert refusing_words(words.lower()) is None


@pytest.mark.parametrize(
    ("status", "words", "refuses"),
    [
        (500, "jwt malformed", True),
        (400, "JsonWebTokenError: jwt expired", True),
        (400, "invalid signature", True),
        (422, "Signature verification failed", True),
        (200, "jwt malformed", False),
        (500, "invalid signature", False),
        (404, "invalid signature", False),
        (400, "invalid value of signature_date", False),
    ],
)
def test_what_libraries_say_of_a_token_refuses_under_an_error(status: int, words: str, *, refuses: bool) -> None:
    assert (refusal(Response(status, body=words.encode())) is not None) is refuses
    told = Response(status, ((b"Content-Type", b"application/json"),), f'{{"message": "{words}"}}'.encode())
    assert (refusal(told) is not None) is refuses


def spelt_out(pattern: Any) -> list[str]:
    """Every text that a parsed expression of plain words finds, with each repeat made once at most."""
    parts: list[list[str]] = []
    for operator, argument in pattern:
        match str(operator):
            case "LITERAL":
                parts.append([chr(argument)])
            case "IN":
                parts.append([chr(sign) if str(kind) == "LITERAL" else " " for kind, sign in argument])
            case "BRANCH":
                parts.append([text for branch in argument[1] for text in spelt_out(branch)])
            case "SUBPATTERN":
                parts.append(spelt_out(argument[-1]))
            case "MAX_REPEAT":
                least, _, repeated = argument
                parts.append([*([""] if least == 0 else []), *spelt_out(repeated)])
            case _:
                raise ValueError(operator)
    return ["".join(text) for text in product(*parts)]


@pytest.mark.parametrize("language", [name for name, each in _LANGUAGES.items() if each.hints])
def test_whatever_a_language_refuses_with_is_looked_for(language: str) -> None:
    texts = [text for way in _LANGUAGES[language].ways for text in spelt_out(parser.parse(way))]
    assert len(texts) > 30
    assert [text for text in texts if refusing_words(text) is None] == []


def test_no_hint_stands_in_what_most_english_pages_say() -> None:
    told = "the token of this session is invalid, no connection: log in to see who may log in and out, none of the login forms is sent"
    assert [hint for each in _LANGUAGES.values() for hint in each.hints if hint in told] == []
