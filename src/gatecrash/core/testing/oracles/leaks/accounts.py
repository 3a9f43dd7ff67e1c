"""Accounts whose password an answer shows: records of somebody, by their other members, with a password that reads as one.

A form's description, a translation and an error have members of that name as well; none of them is a record of somebody.
"""

import base64
import binascii
import contextlib
import re
from collections.abc import Container, Iterator, Sequence

import orjson

from gatecrash.core.auth.jwt import PREFIX
from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import content_of, text_of
from gatecrash.core.testing.own_passwords import SHOWN, is_own_password

_PASSWORD = re.compile(
    r"(?:user|hashed|plain|account|login)?_?(?:password|passwd|pwd|pass_?phrase|pass_?word|passwort|kennwort|contrase(?:n|ñ)a|senha"
    r"|mot_?de_?passe)(?:_?(?:hash|digest|plain))?|(?:pin|pass_?code)_?(?:hash|digest)",
    re.IGNORECASE,
)
# What may be something else (`"pass": "gold"`), unless it holds what passwords are kept as: a hash, or one with its salt.
_SHORT = re.compile(r"(?:user_?)?(?:pass|pw)", re.IGNORECASE)
_HASH = re.compile(
    r"(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})|\$\w{1,12}\$\S{10,250}|(?:pbkdf2|scrypt|bcrypt|argon2)[\w:-]{0,30}\$\S{10,250}",
    re.IGNORECASE,
)
# One of them stands in whatever may hold a password, in small letters.
_MAY_HOLD = re.compile(rb"pass|pwd|pw\"|pin_?(?:hash|digest)|kennwort|contrase|senha")
_SOMEBODY = re.compile(
    r"(?:user_?)?(?:name|id|mail|login)|e_?mail|(?:user|login|account)_?name|uid|role", re.IGNORECASE
)
# What describes a field and is none, and what was masked.
_NO_PASSWORD = re.compile(
    r"|\s*(?:string|text|password|passphrase|passwort|kennwort|contrase(?:n|ñ)a|senha|required|null|none|true|false|hidden|redacted|removed|secret)\s*|.*\s.*|[*•x.\-_#]+|.*(?:\*\*\*|\[|<|\$\{).*",
    re.IGNORECASE | re.DOTALL,
)
# What only the owner of an account may be told, by another way, so that he may set its password. A plain `token` may name the
# attempt, and a plain `code` the answer's kind.
_RECOVERY = re.compile(
    r"otp|pin|(?:one_?time|verification|reset|recovery|confirmation)_?(?:code|password|pin|otp)"
    r"|(?:password_?)?(?:reset|recovery)_?(?:token|link|url|key)|(?:temp(?:orary)?|new)_?password",
    re.IGNORECASE,
)
# On a page, in a comment of it too: `Reset link: /reset.php?user=ann&token=…`, `Your reset code is <b>4711</b>`. Where
# no word says what a link is, its token may name the attempt, whose code comes by mail; so may that of a link by which
# the mail is sent again.
_PAGE_LINK = re.compile(
    r"(?<!\bthe )(?<!\ba )(?<!\bnew )\b(?:re-?set|recovery)[\s-](?:password[\s-])?(?:link|url)\b"
    r"(?![^.!?<>]{0,30}\b(?:sent|mailed|way|again|resend|request))[^.!?<>]{0,30}(?:<[^<>]{0,100}?)?"
    r"[\w:/.-]{0,100}(?:reset|recover|password)[\w./-]{0,60}\?(?:[\w-]{1,40}=[^&\s\"'<>]{0,100}&(?:amp;)?){0,5}"
    r"(?:(?:reset|recovery)[-_]?)?(?:token|code|key|hash|otp|pin)=([^&\s\"'<>]{1,500})",
    re.IGNORECASE,
)
_PAGE_CODE = re.compile(
    r"(?:re-?set|recovery)[\s-](?:code|pin|token|otp)(?:\sis)?:?\s{0,3}(?:<(?:b|strong|code|em|tt|span|kbd)(?:\s[^<>]{0,200})?>\s{0,3})?"
    r"(\d{4,10}|[0-9a-f]{16,128})\b(?!\s(?:digit|character|second|minute))",
    re.IGNORECASE,
)
# An address without a code is that of the page on which the code is entered, whatever digits its host and its port have.
_CODE = re.compile(
    r"\d{4,10}|(?=\S*\d)(?!https?://)[^\s*]{6,2048}|https?://[^\s/?#]{1,255}[^\s*]{0,1000}[/=](?=[\w.~%-]*\d)[\w.~%-]{3,1000}[^\s*]{0,100}"
)
_DIGITS = re.compile(r"\d{4,8}")
_USUAL_LENGTH = 6
_OF_AN_ENVELOPE = re.compile(r"status|success|errors?|err_?no|data|results?|ok|msg|message|detail|token", re.IGNORECASE)
_MOST_VALUES = 20_000
# Two may be the one who sends and the one who is sent to.
_LEAST_BY_NAME = 3
_LONGEST_PAGE = 100_000
# The claims of a JSON Web Token: anybody who has it reads them.
_TOKEN = re.compile(rb"(?<![\w-])eyJ[\w-]{10,2000}\.(eyJ[\w-]{10,8000})\.")
_MOST_TOKENS = 5


def passwords_in(response: Response) -> frozenset[str]:
    """The passwords, or hashes of them, in records of somebody, in a JSON answer or in the claims of a token that it holds; never
    to be shown or logged.
    """
    return frozenset(found for each in _documents(response) for found in _of_records(list(_records(each))))


def passwords_listed_in(response: Response) -> int:
    """How many of them stand in one list of accounts; not those of the senders of messages, or of who wrote a note."""
    lists = (found for document in _documents(response) for found in _lists(document))
    return max((len(frozenset(_of_records(each))) for each in lists), default=0)


def _documents(response: Response) -> list[object]:
    content = content_of(response)
    if not content:
        return []
    tokens = _TOKEN.findall(content)[:_MOST_TOKENS]
    return [*_told(content), *(claims for token in tokens for claims in _told(token))]


def _of_records(records: Sequence[dict[str, object]]) -> Iterator[str]:
    """What records show of them. A member that holds in one of them what a scan drew for its account holds passwords in all."""
    drawn = {name for record in records for name, value in record.items() if is_own_password(value)}
    for record in records:
        yield from _shown(record, drawn)


def _lists(document: object) -> Iterator[list[dict[str, object]]]:
    """The records of each list, by numbers or by names. What stands round each alone (`{"node": …}`) is taken off."""
    for value in _values(document):
        rows = list(value.values()) if isinstance(value, dict) else value
        records = [row["node"] if isinstance(row.get("node"), dict) else row for row in rows if isinstance(row, dict)]
        if isinstance(value, list) or len(records) == len(rows) >= _LEAST_BY_NAME:
            yield records


def is_masked(value: str) -> bool:
    """Whether what stands in the place of a password only describes it, or hides it."""
    return _NO_PASSWORD.fullmatch(value) is not None


def _told(content: bytes) -> Iterator[object]:
    """The JSON that a content or the middle of a token is, where it may speak of passwords."""
    if content.startswith(PREFIX):
        try:
            content = base64.urlsafe_b64decode(content + b"=" * (-len(content) % 4))
        except binascii.Error:
            return
    if _MAY_HOLD.search(content.lower()) or SHOWN in content:
        with contextlib.suppress(orjson.JSONDecodeError):
            yield orjson.loads(content)


def recovery_codes_in(response: Response) -> frozenset[str]:
    """What an answer holds that lets whoever has it set an account's password; never to be shown or logged."""
    try:
        document = orjson.loads(content_of(response) or b"")
    except orjson.JSONDecodeError:
        text = text_of(response)[:_LONGEST_PAGE]
        told = (found for way in (_PAGE_LINK, _PAGE_CODE) for found in way.findall(text))
        return frozenset(code for code in told if _CODE.fullmatch(code))
    return frozenset(
        str(value)
        for record in _records(document)
        for name, value in record.items()
        if isinstance(value, str | int)
        and ((_RECOVERY.fullmatch(name) and _CODE.fullmatch(str(value))) or _is_bare_code(name, value, record))
    )


def _is_bare_code(name: str, value: str | int, record: dict[str, object]) -> bool:
    """Whether what is called nothing but a code proves something, and is not the number by which services say how it went; beside
    a token it may be either.
    """
    if name.lower() != "code" or not _DIGITS.fullmatch(str(value)) or str(value).endswith("00"):
        return False
    says_how_it_went = any(_OF_AN_ENVELOPE.fullmatch(each) for each in record)
    return not says_how_it_went or (isinstance(value, str) and len(value) == _USUAL_LENGTH)


def reads_as_a_code(value: str) -> bool:
    """Whether a text may be a drawn code or token, or a link that holds one, and no word or masked value."""
    return _CODE.fullmatch(value) is not None and not is_masked(value)


def _records(document: object) -> Iterator[dict[str, object]]:
    return (value for value in _values(document) if isinstance(value, dict))


def _values(document: object) -> Iterator[dict[str, object] | list[object]]:
    """Each object and each list."""
    todo = [document]
    for _ in range(_MOST_VALUES):
        if not todo:
            return
        value = todo.pop()
        if isinstance(value, dict | list):
            yield value
            todo += value.values() if isinstance(value, dict) else value


def _shown(record: dict[str, object], drawn: Container[str]) -> Iterator[str]:
    """What of a record of somebody is a password. drawn: members that are known to hold them."""
    if not any(_SOMEBODY.fullmatch(name) and isinstance(value, str | int) for name, value in record.items()):
        return
    for name, value in record.items():
        if not isinstance(value, str) or is_masked(value):
            continue
        if name in drawn or _PASSWORD.fullmatch(name) or (_SHORT.fullmatch(name) and _HASH.fullmatch(value)):
            yield value
