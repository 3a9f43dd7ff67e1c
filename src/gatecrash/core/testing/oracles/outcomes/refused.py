"""What a refusal looks like: by its status, by a way to the login, or in words under a cheerful 200; and what a block is.

A refusal is the application saying that the caller may not. A block is something in front of the application (a firewall,
a limiter) refusing the test itself; it says nothing about the application.
"""

import re
from collections.abc import Iterator

import orjson

from gatecrash.core.message import Response
from gatecrash.core.statuses import CREATED, FIRST_ERROR, FIRST_REDIRECT
from gatecrash.core.testing.oracles.body import content_of, text_of
from gatecrash.core.testing.oracles.outcomes.refusing_words import refusing_words
from gatecrash.core.testing.oracles.outcomes.told_errors import gives_nothing
from gatecrash.core.testing.oracles.remembering import remembered
from gatecrash.core.words.english import in_english
from gatecrash.core.words.named import ByteWords
from gatecrash.core.words.pieces import spellings

_STATUSES = {
    401: "401 Unauthorized",
    403: "403 Forbidden",
    407: "407",
    419: "419 session expired",
    440: "440 login timeout",
}
_TO_LOGIN = ByteWords(
    rb"log[-_]?[io]n|sign[-_]?in|/auth(?:enticat(?:e|ion))?\b|/oauth|/sso\b|/saml|authorize|openid|/session/new|/account/login",
    re.IGNORECASE,
)
_KEYS = r"(?:api[\s_-]?key|access[\s_-]?token|token|credentials?|session|jwt)"
_BAD = r"(?:is\s+|are\s+|has\s+)?(?:missing|required|invalid|expired|not\s+valid)"
# Looked for in lower case, and each way begins with a letter: ten times as fast as with whole words to choose from.
_WORDS = re.compile(
    r"not(?:\s+(?:logged|signed)\s+in|[\s_]+authenticated|[\s_]authori[sz]ed|\s+permitted)|un-?auth(?:ori[sz]|enticat)ed"
    r"|log[\s-]?in\s+(?:is\s+)?required|sign[\s-]?in\s+(?:is\s+)?required"
    r"|please\s+(?:log|sign)\s?-?in|must\s+(?:log|sign)\s?-?in|need\s+to\s+(?:log|sign)\s?-?in"
    r"|(?:must|need|have|has)\s+(?:to\s+)?be\s+authenticated|(?<![\w-])(?:log|sign)\s?-?in\s+first(?!\w|\s+(?:to|time|name|with))"
    # SOAP Message Security 1.1.1, section 12.
    r"|:(?:failedauthentication|invalidsecuritytoken)\b"
    r"|auth(?:entication|orization)?[\s_]+(?:is\s+)?(?:required|failed|missing|needed)|requires?\s+authentication"
    rf"|missing\s+(?:or\s+\w+\s+)?{_KEYS}|invalid\s+(?:or\s+\w+\s+)?{_KEYS}|expired\s+(?:or\s+\w+\s+)?{_KEYS}"
    rf"|bad\s+(?:or\s+\w+\s+)?{_KEYS}|no\s+(?:or\s+\w+\s+)?{_KEYS}"
    rf"|api[\s_-]?key\s+{_BAD}|token\s+{_BAD}|credentials?\s+(?:{_BAD}|were\s+not\s+provided)"
    r"|could\s+not\s+validate\s+credentials"
    rf"|session\s+(?:{_BAD}|(?:has\s+)?(?:expired|timed))|access\s+(?:is\s+)?denied|permission\s+denied|forbidden"
)
# What libraries say of a token that they cannot read; under an error alone, as any page may explain it.
_OF_A_TOKEN = re.compile(
    r"jwt\s+(?:is\s+)?(?:malformed|expired|not\s+active|must\s+be\s+provided|signature\s+is\s+required)"
    r"|malformed\s+(?:jwt|token)|(?:token\s+)?signature\s+(?:verification\s+failed|has\s+expired)|not\s+enough\s+segments"
)
# Other signatures may be what a request is about, and a server may fail at them.
_SIGNATURE = re.compile(r"invalid\s+signature")
_ITS_STATUSES = frozenset({400, 422, 498})
_ERROR_KEYS = frozenset({"error", "errors", "message", "msg", "detail", "details", "reason", "code", "status", "title"})
_ERROR_CODES = frozenset(
    {"401", "403", "unauthorized", "unauthenticated", "forbidden", "access_denied", "invalid_token"}
)
# These three are looked for in lower case.
_PASSWORD_FIELD = re.compile(r"<input[^<>]{0,500}type\s*=\s*[\"']?password")
# Who is asked for the one that he has and for a new one, by their names, is in. What browsers are told to fill in says less:
# a page for a login and a registration asks for both.
_FIELD = re.compile(r"<input[^<>]{0,500}+>")
_NAME = r"""name\s*+=\s*+["']?[^"'\s<>]{0,60}"""
_PRESENT, _NEW = (re.compile(rf"{_NAME}{which}[-_]?(?:pass|pwd|pw)") for which in ("(?:old|current|present)", "new"))
# Who adds others manages them: what visitors are asked for makes an account of their own, or lets them in.
_ADDS_OTHERS = re.compile(
    r"(?:value\s*+=\s*+[\"']|>)\s*+add\s++(?:an?\s++)?(?:new\s++)?(?:user|member|operator|administrator|employee)\s*+(?:[\"']|</(?:button|label)\b)"
)
_IN, _OUT = spellings("login"), spellings("logout")
# Who is shown a way out is in: a password field beside it changes a password. Pages whose frame is the same for
# everybody show both ways. Where its address is called otherwise, its button is not, which may say who goes:
# `<form action="/exit">…<input type="submit" value="Log out">`, `<a onclick="leave()">Logout <span>ann</span></a>`.
_WAY_OUT = re.compile(
    rf"(?:href|action)\s*=\s*[\"']?[^\"'<>\s]{{0,200}}(?:(?:log|sign)[-_]?(?:out|off)|(?<![a-z])(?:{_OUT}))(?![a-z])"
    rf"|(?:value\s*=\s*[\"']|>)\s{{0,20}}(?:(?:log|sign)[-\s]?(?:out|off)|{_OUT})(?:\s[^<>\"']{{0,60}})?"
    r"(?:[\"']|</(?:a|button|span)\b|<(?:b|span|strong)\b)"
)
# One script may do both: `/login.php?action=logout` is the way out.
_WAY_IN = re.compile(
    rf"(?:href|action)\s*=\s*[\"']?[^\"'<>\s]{{0,200}}(?:log[-_]?[io]n|sign[-_]?in|(?<![a-z])(?:{_IN}))(?![a-z])"
    r"(?![^\"'<>\s]{0,200}[=/&](?:log|sign)[-_]?(?:out|off)(?![a-z]))"
)
# With a key of the session's own: no frame that everybody sees has it, and a way in beside it is for when the session has ended.
_OWN_WAY_OUT = re.compile(
    r"(?:href|action)\s*=\s*[\"']?[^\"'<>\s]{0,200}[=/&?](?:log|sign)[-_]?(?:out|off)(?![a-z])[^\"'<>\s]{0,200}=(?=[a-z]*\d)[\da-z]{8}"
)
_BLOCKED = re.compile(
    r"request (?:was |has been )?(?:blocked|rejected|denied)|blocked by (?:the )?(?:security|web application|waf|firewall)"
    r"|web application firewall|attention required!|malicious (?:request|input|activity)|attack (?:was )?detected"
    r"|incident id|support id is|the requested url was rejected|security (?:policy|rule) (?:violation|triggered)",
    re.IGNORECASE,
)
# Said around a link or in bold: `Please <a href="login.php">log in</a>`. A page for everybody says it of what its readers may add.
_INLINE = re.compile(r"</?(?:a|b|i|u|em|strong|span|font|code)(?:\s[^<>]{0,300})?>", re.IGNORECASE)
_LINKED = re.compile(
    r"(?:please|must|need\s+to|have\s+to)\s+(?:be\s+)?(?:log|sign)(?:ged|ed)?[\s-]?in\b"
    r"(?![^.!<\n]{0,60}\b(?:comment|post|repl|writ|review|rat(?:e|ing)|vot|like|buy|bid|book|chat|answer|participat|subscri))"
)
# Something was done, and a way on is told: `Registered successfully! Please log in.` Who was signed out is kept out.
_DONE = re.compile(
    r"success|(?<!not )(?<!un)registered|(?:account|user)\s+(?:was\s+|has\s+been\s+)?created|signed\s+up"
)
_LEFT = re.compile(r"(?:log|sign)(?:ged|ned)?[\s-]?(?:out|off)")
# One of these is in whatever the expressions above find.
_WORD_HINTS = (
    "auth",
    "log",
    "sign",
    "key",
    "token",
    "credential",
    "session",
    "jwt",
    "denied",
    "forbidden",
    "permitted",
)
_TOKEN_HINTS = ("jwt", "malformed", "signature", "segments")
_BLOCK_HINTS = (
    "blocked",
    "rejected",
    "denied",
    "firewall",
    "attention",
    "malicious",
    "attack",
    " id is",
    "incident",
    "security",
)
# Forms that change a password have its field, too.
LOGIN_FORM, _SENT_TO_LOGIN = "shows a login form", "redirects to the login"
_UNKNOWN_CALLER = frozenset({401, 419, 440})
_MARKUP = b"<"
_SHORT_TEXT = 2000
_LONGER_TEXT = 20_000
_MOST_VALUES = 200


def refusal(response: Response, good: Response | None = None) -> str | None:
    """How an answer refuses the caller, in a few words; None where it does not.

    good: the answer to a caller who is allowed: what it also says is no sign of a refusal.
    """
    if response.status in _STATUSES:
        return _STATUSES[response.status]
    if 300 <= response.status < FIRST_ERROR:
        location = response.first(b"Location") or b""
        same = good is not None and _TO_LOGIN.search(good.first(b"Location") or b"") is not None
        return _SENT_TO_LOGIN if _TO_LOGIN.search(location) and not same else None
    if response.status == CREATED:  # `Welcome! Please sign in.`: it was made, whatever is to be done next
        return None
    words, password = _signs(response)
    if not words and not password:
        return None
    words_of_good, password_of_good = (None, False) if good is None else _signs(good)
    if words and words_of_good is None:
        return words
    if password and not password_of_good:
        return LOGIN_FORM
    return None


def asks_to_sign_in(response: Response) -> bool:
    """Whether an answer takes its caller for nobody, as where his session is over: what he may do is not said then."""
    return response.status in _UNKNOWN_CALLER or refusal(response) in (_SENT_TO_LOGIN, LOGIN_FORM)


def was_let_in(recorded: Response) -> bool:
    """Whether a recorded answer does not refuse its caller. One that asks for a password may be the page that was
    asked for: a form to change it, or another login behind the first.
    """
    return refusal(recorded) in (None, LOGIN_FORM)


def is_good(response: Response) -> bool:
    """Whether an answer is a success that refuses nothing."""
    return response.status < FIRST_REDIRECT and refusal(response) is None


def is_taken(response: Response) -> bool:
    """Whether an answer is no error and refuses nothing."""
    return response.status < FIRST_ERROR and refusal(response) is None


def is_carried_out(response: Response) -> bool:
    """Whether an answer is taken, and is none of GraphQL without data, nor that of a call that failed: both have a good status."""
    return is_taken(response) and not gives_nothing(text_of(response))


def block(response: Response) -> str | None:
    """How something in front of the application refuses the test itself; None where nothing shows it."""
    if response.status in (406, 418, 493, 501, 999):
        return f"status {response.status}"
    if response.status == 403:
        return "403 to the payload"
    return _blocks(response)


@remembered
def _blocks(response: Response) -> str | None:
    text = text_of(response)[: _SHORT_TEXT * 4]
    found = _BLOCKED.search(text) if _hints(text, _BLOCK_HINTS) else None
    return f"it says “{found[0].lower()}”" if found else None


@remembered
def _signs(response: Response) -> tuple[str | None, bool]:
    """A refusal spelt out, and whether a password is asked for."""
    content = content_of(response)
    if not content:
        return None, False
    text = text_of(response)
    return _words_of(content, text, response.status), _asks_password(text)


def _words_of(content: bytes, text: str, status: int) -> str | None:
    """A refusal spelt out in a JSON answer's error fields, or in a short text."""
    try:
        document = None if content.startswith(_MARKUP) else orjson.loads(content)
    except orjson.JSONDecodeError:
        document = None
    if document is None:
        told = len(text) <= _SHORT_TEXT or status >= FIRST_ERROR
        found = _refusing_words(text[:_LONGER_TEXT], status) if told else None
        return f"says “{' '.join(found[0].split())}”" if found else None
    for value in _error_values(document):
        if value.lower() in _ERROR_CODES or _refusing_words(value, status):
            return f"says “{value[:80]}”"
    return None


def _refusing_words(text: str, status: int) -> re.Match[str] | None:
    lowered = text.lower()
    if any(hint in lowered for hint in _WORD_HINTS):
        found = _WORDS.search(lowered)
        if found is None and ("log" in lowered or "sign" in lowered):
            found = _LINKED.search(_INLINE.sub("", lowered))
        if found is None and status >= FIRST_ERROR and any(hint in lowered for hint in _TOKEN_HINTS):
            found = _OF_A_TOKEN.search(lowered) or (_SIGNATURE.search(lowered) if status in _ITS_STATUSES else None)
        if found is not None:
            return None if status < FIRST_REDIRECT and _leads_on(lowered[: found.end()]) else found
    return refusing_words(lowered)


def _leads_on(told: str) -> bool:
    """Whether a text that ends with the way to the login says first that something was done, as registrations do."""
    return told.endswith("in") and _DONE.search(told) is not None and _LEFT.search(told) is None


def _error_values(document: object) -> Iterator[str]:
    """The texts and codes of fields that errors are told in, near the top of a JSON answer."""
    todo: list[tuple[object, bool]] = [(document, isinstance(document, str))]
    for _ in range(_MOST_VALUES):
        if not todo:
            return
        value, told = todo.pop(0)
        if isinstance(value, dict):
            todo += [(below, told or in_english(str(name)).lower() in _ERROR_KEYS) for name, below in value.items()]
        elif isinstance(value, list) and told:
            todo += [(below, told) for below in value[:10]]
        elif told and isinstance(value, str | int) and not isinstance(value, bool):
            yield str(value)


def shows_a_way_out(response: Response) -> bool:
    """Whether a page shows a way out and none in, as whoever is signed in is shown."""
    return _leads_out(text_of(response).lower())


def _asks_password(text: str) -> bool:
    lowered = text.lower()
    if "password" not in lowered or "<input" not in lowered or _PASSWORD_FIELD.search(lowered) is None:
        return False
    return not (_leads_out(lowered) or _changes_a_password(lowered) or _ADDS_OTHERS.search(lowered))


def _changes_a_password(lowered: str) -> bool:
    fields = [found[0] for found in _FIELD.finditer(lowered) if _PASSWORD_FIELD.match(found[0])]
    return any(map(_PRESENT.search, fields)) and any(map(_NEW.search, fields))


def _leads_out(lowered: str) -> bool:
    if _WAY_OUT.search(lowered) is None:
        return False
    return _WAY_IN.search(lowered) is None or _OWN_WAY_OUT.search(lowered) is not None


def _hints(text: str, hints: tuple[str, ...]) -> bool:
    """Whether any of these words is there at all; a plain look is a hundred times cheaper than the expression."""
    lowered = text.lower()
    return any(hint in lowered for hint in hints)
