"""Refusals in words of other languages than English, as applications and frameworks write them: who asks is not signed in, his
session or token is over, or he may not. In small letters; English ones are in `refused`.

To add a language, add its lines here. A way to the login that any page shows to visitors is none (`zaloguj się` as a link).
"""

import re
from typing import Final, NamedTuple


class _Language(NamedTuple):
    """hints: of which one stands in whatever the ways find; none where letters of another script are enough.

    A word that most English pages have (`token`) is none: they would be read once for each such language.
    """

    hints: tuple[str, ...]
    ways: tuple[str, ...]


_LANGUAGES: Final = {
    "German": _Language(
        (
            "nicht",
            "erforderlich",
            "verweigert",
            "bitte",
            "anmeldung",
            "zugriff",
            "zugang",
            "berechtigung",
            "rechte",
            "abgelaufen",
            "ungültig",
        ),
        (
            r"nicht (?:angemeldet|eingeloggt|berechtigt|autorisiert|authentifiziert)",
            r"bitte (?:melden sie sich|melde dich|loggen sie sich|logge dich|(?:zuerst |erst |erneut )?(?:anmelden|einloggen))",
            r"anmeldung (?:ist )?(?:erforderlich|notwendig|nötig)",
            r"(?:zugriff|zugang) (?:wurde )?(?:verweigert|untersagt)|keine (?:ausreichende )?berechtigung|keine zugriffsrechte",
            r"(?:sitzung|session|token|zugangsdaten)(?: ist| sind)? (?:abgelaufen|ungültig)|ungültige[rs]? (?:token|sitzung|session|zugangsdaten|api-?schlüssel)",
            r"nicht\s+(?:angemeldet|eingeloggt|autorisiert|authentifiziert)|(?:anmeldung|authentifizierung)\s+(?:ist\s+)?erforderlich",
            r"zugriff\s+verweigert|sitzung\s+(?:ist\s+)?abgelaufen|bitte\s+(?:melden\s+sie\s+sich\s+an|(?:zuerst\s+)?einloggen)",
        ),
    ),
    "French": _Language(
        (
            "connecté",
            "authentifi",
            "autoris",
            "veuillez",
            "devez",
            "merci de",
            "connexion",
            "accès",
            "refus",
            "interdit",
            "expir",
            "invalide",
            "terminé",
            "droits",
        ),
        (
            r"(?:vous )?(?:n'êtes pas|non) (?:connectée?|authentifiée?|autorisée?)",
            r"(?:veuillez|vous devez|merci de) (?:d'abord )?(?:être connectée?|vous (?:re)?(?:connecter|identifier|authentifier))",
            r"accès (?:refusé|interdit|non autorisé)|authentification (?:requise|nécessaire|échouée)|connexion (?:requise|nécessaire)",
            r"(?:session|jeton|token)(?: est| a)? (?:expirée?|invalide|terminée)|permission refusée|droits insuffisants",
            r"acc[eè]s\s+(?:refus[eé]|interdit)|non\s+(?:autoris[eé]|authentifi[eé])|authentification\s+(?:est\s+)?(?:requise|n[eé]cessaire)",
            r"veuillez\s+vous\s+(?:connecter|identifier|reconnecter)|session\s+(?:a\s+)?expir[eé]e?|jeton\s+(?:invalide|expir[eé])",
        ),
    ),
    "Spanish": _Language(
        (
            "sesi",
            "denegad",
            "prohibid",
            "autoriz",
            "autentic",
            "acceso",
            "permiso",
            "expirad",
            "caducad",
            "válid",
            "invalido",
            "credenciales",
        ),
        (
            r"no (?:está |estás )?(?:autorizad[oa]|autenticad[oa])|no ha iniciado (?:la )?sesión",
            r"(?:debe|debes|es necesario|por favor,?|necesita|tiene que) (?:iniciar|inicie|inicia) sesión",
            r"acceso (?:denegado|no autorizado|prohibido)|permiso denegado|no tiene permisos?|autenticación (?:requerida|fallida)|(?:se )?requiere autenticación",
            r"(?:sesión|token)(?: ha| está)? (?:expirad[oa]|caducad[oa]|inválid[oa]|no válid[oa])|credenciales (?:inválidas|no válidas)",
            r"acceso\s+(?:denegado|prohibido)|no\s+(?:est[aá]\s+)?(?:autorizado|autenticado)|autenticaci[oó]n\s+(?:requerida|necesaria)",
            r"(?:inicie|debe\s+iniciar|inicia)\s+sesi[oó]n|sesi[oó]n\s+(?:ha\s+)?(?:expirad[ao]|caducad[ao])|token\s+inv[aá]lido",
        ),
    ),
    "Portuguese": _Language(
        (
            "negad",
            "proibid",
            "autoriz",
            "autentic",
            "logad",
            "faça",
            "faca",
            "fazer",
            "efetue",
            "realize",
            "necessário",
            "precisa",
            "acesso",
            "permissão",
            "sessão",
            "sessao",
            "expir",
            "ausente",
            "inválid",
            "credenciais",
        ),
        (
            r"não (?:está |foi )?(?:autorizad[oa]|autenticad[oa]|logad[oa])",
            r"(?:faça|efetue|é necessário|precisa) (?:fazer |o )*login|(?:inicie|deve iniciar) (?:a )?sessão",
            r"acesso (?:negado|não autorizado|proibido)|permissão negada|sem permissão|autenticação (?:requerida|necessária|obrigatória|falhou)",
            r"(?:sessão|token) (?:expirad[oa]|expirou|inválid[oa]|ausente)|credenciais inválidas",
            r"acesso\s+(?:negado|proibido)|n[aã]o\s+(?:est[aá]\s+)?(?:autorizado|autenticado)|autentica[cç][aã]o\s+(?:necess[aá]ria|obrigat[oó]ria|falhou)",
            r"(?:fa[cç]a|fazer|efetue|realize)\s+(?:o\s+)?login\s+(?:para|novamente)|sess[aã]o\s+(?:foi\s+)?(?:expirada|expirou|encerrada)",
            r"token\s+(?:expirado|ausente)",
        ),
    ),
    "Italian": _Language(
        (
            "negat",
            "vietat",
            "autorizzat",
            "autenticat",
            "connesso",
            "scadut",
            "accesso",
            "accedere",
            "autenticazione",
            "autenticarsi",
            "il login",
            "effettua",
            "non valid",
            "mancante",
            "credenziali",
        ),
        (
            r"non (?:sei |è )?(?:autenticat[oa]|autorizzat[oa]|connesso)",
            r"(?:devi|occorre|è necessario|si prega di|effettuare|effettua) (?:effettuare )?(?:il login|l'accesso|accedere|autenticarsi)",
            r"accesso (?:negato|non (?:consentito|autorizzato)|vietato)|permesso negato|autenticazione (?:richiesta|necessaria|fallita)",
            r"(?:sessione|token)(?: è)? (?:scadut[oa]|non valid[oa])|credenziali non valide",
            r"accesso\s+(?:negato|vietato)|non\s+(?:autorizzat|autenticat)[oa]|autenticazione\s+(?:richiesta|necessaria|fallita)",
            r"(?:devi|effettua|effettuare|è\s+necessario)\s+(?:accedere|(?:effettuare\s+)?(?:il\s+login|l['’]accesso))",
            r"sessione\s+(?:è\s+)?scaduta|token\s+(?:(?:è\s+)?scaduto|non\s+valido|mancante)",
        ),
    ),
    "Dutch": _Language(
        (
            "niet",
            "toegang",
            "rechten",
            "ingelogd",
            "inloggen",
            "opnieuw",
            "eerst",
            "verlopen",
            "ongeldig",
        ),
        (
            r"niet (?:ingelogd|aangemeld|geautoriseerd|bevoegd|geauthenticeerd)|(?:log|meld u|meld je) (?:eerst|opnieuw) (?:in|aan)",
            r"toegang geweigerd|geen (?:toegang|rechten)|inloggen (?:is )?vereist|u moet (?:eerst )?(?:inloggen|ingelogd)",
            r"(?:sessie|token)(?: is)? (?:verlopen|ongeldig)|ongeldige? (?:token|sessie|inloggegevens)",
        ),
    ),
    "Polish": _Language(
        (
            "zalogowan",
            "zalogować",
            "dostęp",
            "uprawnień",
            "autoryzac",
            "nieautoryz",
            "wymagane",
            "wygas",
            "nieprawidłow",
            "nieważn",
        ),
        (
            r"nie jesteś zalogowan[ya]|niezalogowan[ya]|brak (?:dostępu|uprawnień|autoryzacji)|odmowa dostępu|nieautoryzowan[ya]",
            r"(?:musisz|proszę|należy) (?:być zalogowan[ya]|się (?:ponownie )?zalogować|zalogować się)|wymagane (?:jest )?(?:logowanie|zalogowanie|uwierzytelnienie)",
            r"(?:sesja|token) (?:wygasła?|nieprawidłow[ya]|nieważn[ya])|nieprawidłowy token",
        ),
    ),
    "Czech and Slovak": _Language(
        ("přihlá", "prihlá", "přihlas", "přístup", "prístup", "oprávn", "relace", "neplatn", "vypršel", "autoriz"),
        (
            r"nejste přihlášen[aiý]?|nie ste prihlásen[ýáí]|(?:musíte|je nutné|je třeba) (?:se )?(?:nejprve |nejdříve |znovu )?(?:být )?přihlá(?:sit|šen[aiý]?)",
            r"musíte sa (?:najprv |znova )?prihlásiť|(?:prosím,? |nejprve se )(?:se )?přihlaste|je vyžadováno přihlášení|přihlášení je (?:vyžadováno|nutné|povinné)",
            r"(?:přístup|prístup) (?:byl |bol |vám byl )?(?:odepřen|zamítnut|zakázán|odmietnut[ýé]|zamietnut[ýé])|nemáte (?:dostatečná |potřebná |dostatočné )?oprávn|nedostatečná oprávnění",
            r"(?:platnost (?:relace|tokenu|přihlášení)|relace|token) (?:již |už )?vypršela?|neplatn(?:ý token|á relace)|neautorizovan[ýá] (?:přístup|prístup)",
        ),
    ),
    "Hungarian": _Language(
        (
            "jelentkez",
            "hozzáférés",
            "jogosul",
            "munkamenet",
            "érvénytelen",
            "lejárt",
        ),
        (
            r"nincs (?:be)?jelentkezve|(?:kérjük,? |kérem,? |először )?jelentkezzen be|be kell jelentkezni|bejelentkezés (?:szükséges|kötelező)|jelentkezz be (?:a|először)",
            r"hozzáférés (?:megtagadva|megtagadták|nem engedélyezett)|nincs (?:megfelelő |elegendő )?jogosults[áa]g|nincs hozzá jogosults[áa]g|jogosulatlan hozzáférés",
            r"(?:munkamenet|token)(?:e|ed)? (?:lejárt|érvénytelen)|lejárt (?:a )?(?:munkamenet|token)|érvénytelen (?:token|munkamenet)",
        ),
    ),
    "Swedish, Danish, Norwegian and Finnish": _Language(
        (
            "inte ",
            "ikke ",
            "åtkomst",
            "adgang",
            "tilgang",
            "du må",
            "du skal",
            "vennligst",
            "vänligen",
            "kirjaud",
            "kirjaut",
            "pääsy",
            "gått ut",
            "udløbet",
            "utløpt",
            "vanhentunut",
            "ogiltig",
            "ugyldig",
        ),
        (
            r"(?:inte|ikke) (?:inloggad|logget (?:ind|inn)|behörig|autoriser(?:et|t)|auktoriserad)|åtkomst nekad|adgang n[æe]gtet|(?:ingen|ikke) (?:adgang|tilgang)",
            r"(?:du måste|du skal|du må|vennligst|vänligen) (?:være )?log(?:ga|ge|get|g)? in?[dn]?|et ole kirjautunut|pääsy (?:evätty|kielletty)|kirjaudu sisään ensin",
            r"(?:sessionen|sesjonen|istunto|token)(?: har| er| on)? (?:gått ut|udløbet|utløpt|vanhentunut|ogiltig|ugyldig)",
        ),
    ),
    "Turkish": _Language(
        ("yetki", "erişim", "lütfen", "önce", "oturum", "geçersiz", "kimlik"),
        (
            r"yetkisiz (?:erişim|işlem|istek)|yetkiniz (?:yok|bulunm)|erişim (?:engellendi|reddedildi)|(?:lütfen|önce) (?:önce )?(?:giriş yap|oturum aç)",
            r"oturum(?:unuz|un)?(?:un süresi| süresi)? (?:sona erdi|doldu|geçersiz)|geçersiz (?:token|oturum)|kimlik doğrulama (?:gerekli|başarısız)",
        ),
    ),
    "Indonesian and Vietnamese": _Language(
        (
            "silakan",
            "harus",
            "harap",
            "akses",
            "tidak",
            "berakhir",
            "daluwarsa",
            "kadaluarsa",
            "đăng",
            "quyền",
        ),
        (
            r"(?:silakan|anda harus|harap) (?:masuk|login)|akses (?:ditolak|dilarang)|tidak (?:diizinkan|berwenang|terautentikasi)",
            r"(?:sesi|token) (?:anda )?(?:telah )?(?:berakhir|kedaluwarsa|kadaluarsa|tidak valid)|vui lòng đăng nhập|chưa đăng nhập|không có quyền",
        ),
    ),
    "Russian and Ukrainian": _Language(
        (),
        (
            r"не ?авториз(?:ован|ирован)|необходим[оа] (?:войти|авториз|аутентиф|вход)|требуется (?:авториз|аутентиф|вход)|войдите в (?:систему|аккаунт)",
            r"доступ (?:запрещ[её]н|закрыт|отказан|заборонено)|недостаточно прав|нет (?:прав|доступа)|(?:увійдіть|необхідно увійти)",
            r"(?:сессия|сеанс|токен|срок действия (?:токена|сессии))[^.<]{0,20} (?:ист[её]к|завершен|недействител)|(?:неверный|недействительный) токен",
            r"доступ\s+(?:запрещ[её]н|закрыт)|не\s+(?:авторизован|аутентифицирован)|(?:требуется|необходима)\s+(?:авторизация|аутентификация)",
            r"(?:необходимо|требуется)\s+(?:войти|авторизоваться)|(?:пожалуйста,?\s+)(?:войдите|авторизуйтесь)|(?:сессия|сеанс)\s+(?:истекла?|ист[её]к|заверш[её]на?)",
            r"(?:неверный|недействительный)\s+токен|токен\s+(?:недействителен|ист[её]к|просрочен)",
        ),
    ),
    "Chinese": _Language(
        (),
        (
            r"(?:未|尚未|没有|您还没有|请先|请重新|请|需要|請先|請重新|尚未|未)(?:登录|登陆|登入)",
            r"(?:登录|登入|登陆|会话|會話|身份|凭证|令牌|token)(?:信息|状态|狀態)?(?:已|已经)?(?:过期|失效|无效|超时|過期|逾時|無效)",
            r"无权(?:限|访问|操作)|沒有權限|没有权限|权限不足|權限不足|未授权|未授權|未认证|未經授權|认证失败|鉴权失败|拒绝访问|禁止访问|拒絕存取",
            r"未(?:登录|登錄|登入|授权|授權|认证|認證)|(?:请|請)(?:先|重新)(?:登录|登錄|登入)|(?:没有|無|无)(?:访问|訪問)?(?:权限|權限)|权限不足|權限不足",
            r"(?:登录|登錄|登入|会话|會話|令牌|token)\s?(?:状态)?(?:已)?(?:过期|過期|失效|超时|逾時)|(?:令牌|token)\s?(?:无效|無效)|(?:拒绝|拒絕)(?:访问|訪問)",
            r"(?:身份)?(?:验证|驗證|认证|認證)(?:失败|失敗)",
        ),
    ),
    "Japanese": _Language(
        (),
        (
            r"ログイン(?:して(?:ください|いません)|が必要|し直)|認証(?:されていません|に失敗|エラー|が必要)|未認証|未ログイン",
            r"(?:アクセス|操作|閲覧)?(?:権限|許可)が(?:ありません|必要)|アクセス(?:が|は)?(?:拒否|できません|禁止)",
            r"(?:セッション|トークン)(?:が|の|は)?(?:有効期限|期限|無効|切れ|タイムアウト|不正)",
            r"ログインして(?:ください|下さい|いません)|ログインが必要|認証(?:が必要|に失敗|されていません|エラー)|未認証|権限がありません",
            r"アクセスが拒否|セッション(?:が(?:切れ|無効|タイムアウト)|の有効期限)|トークンが(?:無効|期限切れ|不正)",
        ),
    ),
    "Korean": _Language(
        (),
        (
            r"로그인(?:이|을)? ?(?:필요|하세요|해 ?주세요|하십시오|후 이용)|인증(?:이|에)? ?(?:필요|실패|되지)|(?:접근 )?권한이 (?:없|필요)",
            r"접근이? ?(?:거부|금지)|(?:세션|토큰)(?:이|의)? ?(?:만료|유효하지|종료)|유효하지 않은 (?:토큰|세션)",
        ),
    ),
}
_COMPILED: Final = tuple(
    (each.hints, re.compile("|".join(f"(?:{way})" for way in each.ways))) for each in _LANGUAGES.values()
)


def refusing_words(text: str) -> re.Match[str] | None:
    """Where a text in small letters refuses in one of these languages; None where none of them says so."""
    in_ascii = text.isascii()
    for hints, ways in _COMPILED:
        likely = any(hint in text for hint in hints) if hints else not in_ascii
        if likely and (found := ways.search(text)) is not None:
            return found
    return None
