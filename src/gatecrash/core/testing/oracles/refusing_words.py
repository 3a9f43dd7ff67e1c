"""What applications say to callers whom they do not let in, in languages other than English; in lower case.

Only whole sayings: a word for access or for a session alone stands on many a page, and a way to the login on nearly all of them.
"""

import re
from typing import Final

_GERMAN: Final = (
    r"nicht\s+(?:angemeldet|eingeloggt|autorisiert|authentifiziert)|(?:anmeldung|authentifizierung)\s+(?:ist\s+)?erforderlich"
    r"|zugriff\s+verweigert|sitzung\s+(?:ist\s+)?abgelaufen|bitte\s+(?:melden\s+sie\s+sich\s+an|(?:zuerst\s+)?einloggen)"
)
_FRENCH: Final = (
    r"acc[eè]s\s+(?:refus[eé]|interdit)|non\s+(?:autoris[eé]|authentifi[eé])|authentification\s+(?:est\s+)?(?:requise|n[eé]cessaire)"
    r"|veuillez\s+vous\s+(?:connecter|identifier|reconnecter)|session\s+(?:a\s+)?expir[eé]e?|jeton\s+(?:invalide|expir[eé])"
)
_SPANISH: Final = (
    r"acceso\s+(?:denegado|prohibido)|no\s+(?:est[aá]\s+)?(?:autorizado|autenticado)|autenticaci[oó]n\s+(?:requerida|necesaria)"
    r"|(?:inicie|debe\s+iniciar|inicia)\s+sesi[oó]n|sesi[oó]n\s+(?:ha\s+)?(?:expirad[ao]|caducad[ao])|token\s+inv[aá]lido"
)
_ITALIAN: Final = (
    r"accesso\s+(?:negato|vietato)|non\s+(?:autorizzat|autenticat)[oa]|autenticazione\s+(?:richiesta|necessaria|fallita)"
    r"|(?:devi|effettua|effettuare|è\s+necessario)\s+(?:accedere|(?:effettuare\s+)?(?:il\s+login|l['’]accesso))"  # noqa: RUF001
    r"|sessione\s+(?:è\s+)?scaduta|token\s+(?:(?:è\s+)?scaduto|non\s+valido|mancante)"
)
_PORTUGUESE: Final = (
    r"acesso\s+(?:negado|proibido)|n[aã]o\s+(?:est[aá]\s+)?(?:autorizado|autenticado)|autentica[cç][aã]o\s+(?:necess[aá]ria|obrigat[oó]ria|falhou)"
    r"|(?:fa[cç]a|fazer|efetue|realize)\s+(?:o\s+)?login\s+(?:para|novamente)|sess[aã]o\s+(?:foi\s+)?(?:expirada|expirou|encerrada)"
    r"|token\s+(?:expirado|ausente)"
)
_RUSSIAN: Final = (
    r"доступ\s+(?:запрещ[её]н|закрыт)|не\s+(?:авторизован|аутентифицирован)|(?:требуется|необходима)\s+(?:авторизация|аутентификация)"
    r"|(?:необходимо|требуется)\s+(?:войти|авторизоваться)|(?:пожалуйста,?\s+)(?:войдите|авторизуйтесь)|(?:сессия|сеанс)\s+(?:истекла?|ист[её]к|заверш[её]на?)"
    r"|(?:неверный|недействительный)\s+токен|токен\s+(?:недействителен|ист[её]к|просрочен)"
)
_CHINESE: Final = (
    r"未(?:登录|登錄|登入|授权|授權|认证|認證)|(?:请|請)(?:先|重新)(?:登录|登錄|登入)|(?:没有|無|无)(?:访问|訪問)?(?:权限|權限)|权限不足|權限不足"
    r"|(?:登录|登錄|登入|会话|會話|令牌|token)\s?(?:状态)?(?:已)?(?:过期|過期|失效|超时|逾時)|(?:令牌|token)\s?(?:无效|無效)|(?:拒绝|拒絕)(?:访问|訪問)"
    r"|(?:身份)?(?:验证|驗證|认证|認證)(?:失败|失敗)"
)
_JAPANESE: Final = (
    r"ログインして(?:ください|下さい|いません)|ログインが必要|認証(?:が必要|に失敗|されていません|エラー)|未認証|権限がありません"
    r"|アクセスが拒否|セッション(?:が(?:切れ|無効|タイムアウト)|の有効期限)|トークンが(?:無効|期限切れ|不正)"
)
_WORDS: Final = re.compile("|".join((_GERMAN, _FRENCH, _SPANISH, _ITALIAN, _PORTUGUESE, _RUSSIAN, _CHINESE, _JAPANESE)))
# In a text of plain letters, one of these is in whatever is found.
_HINTS: Final = (
    "nicht ", "erforderlich", "verweigert", "abgelaufen", "bitte ", "refuse", "interdit", "non auto", "non aute", "authentif", "veuillez", "jeton",
    "session", "denegad", "prohibid", "autoriz", "autentic", "sesion", "negat", "vietat", "login", "scadut", "sessao", "negado", "proibid", "token",
)  # fmt: skip


def refusing_words(lowered: str) -> re.Match[str] | None:
    """What a text in lower case says so, first."""
    if lowered.isascii() and not any(hint in lowered for hint in _HINTS):
        return None
    return _WORDS.search(lowered)
