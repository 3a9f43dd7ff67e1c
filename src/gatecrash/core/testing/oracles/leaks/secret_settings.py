"""Settings of the service itself in a JSON answer: what it signs tokens and sessions with, and the passwords with which
it reaches its database, its mail server and their like.

A name counts with the one above it: `{"database": {"password": …}}` is read as `database_password`. A password beside a
host is one with which something is reached there, whatever it is called. What Flask and Django sign with is called
`SECRET_KEY` alone, as half a customer's key is elsewhere; the settings beside it tell.
"""

import re
from collections.abc import Collection, Iterator

import orjson

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import content_of
from gatecrash.core.testing.oracles.leaks.accounts import is_masked
from gatecrash.core.testing.oracles.leaks.leaks import SECRET, Leak
from gatecrash.core.words.names import parted

SIGNING = Leak(SECRET, "a key with which the service signs tokens or sessions")
REACHING = Leak(SECRET, "a password with which the service reaches its database or another service")

_NAMES = (
    (
        SIGNING,
        re.compile(
            r"(?:^|_)(?:jwt|session|cookie|flask|django|rails|express)_(?:\w{1,20}_)?secret(?:_key)?(?:_base)?$"
            r"|(?:^|_)jwt_(?:(?:signing|hmac|private)_)?key$|(?:^|_)secret_key_base$"
        ),
    ),
    (
        REACHING,
        re.compile(
            r"(?:^|_)(?:db|database|datasource|mysql|mariadb|mssql|postgres(?:ql)?|mongo(?:db)?|redis|elastic(?:search)?|influx(?:db)?2?"
            r"|clickhouse|smtp|mailer|imap|email_host|ldap|rabbitmq|amqp|mqtt|kafka|s?ftp|service)_(?:\w{1,20}_)?"
            r"(?:password|passwd|pwd|pass)$"
        ),
    ),
)
# Beside a key without a first name: settings of an application, and the other half of a customer's key.
_SETTING = re.compile(
    r"debug|testing|allowed_hosts|installed_apps|(?:session|database|sqlalchemy|db|mail|jwt)(?:_\w+)?"
)
_OTHER_HALF = re.compile(
    r"(?:access|public|publishable|client|api|site|merchant|app)_?(?:key|token|id)(?:_?id)?|key_?id"
)
_BY_ITSELF, _IN_FULL = "secret_key", "flask_secret_key"
_PLACES = frozenset({"host", "host_name", "hostname", "broker"})
# Who has a meeting is its host, too.
_PLACE = re.compile(r"(?:[a-z]+://)?(?:localhost|[\w-]+(?:\.[\w-]+)+)(?::\d+)?/?", re.IGNORECASE)
_SERVICE = "service"
# One of them stands in whatever may hold such a setting, in small letters.
_MAY_HOLD = re.compile(rb"secret|jwt|pass|pwd")
_NO_LETTERS = re.compile(r"[^A-Za-z0-9]+")
# Where a secret is kept, or whether there is one.
_NO_SECRET = re.compile(
    r"(?:env|vault|file|secrets?|ref|ssm|arn|kms|keyring|op|awssm|gcpsm|keyvault)[:(/].*|/(?:run|etc|var|mnt|opt)/.*|\$\w+|.*\{\{.*|%\(.*"
    r"|(?:not|is)?[-_]?(?:set|unset|configured|present|provided|missing|empty|loaded|available|unchanged|encrypted|masked|generated|unknown"
    r"|default|enabled|disabled|yes|no|ok|env|vault)",
    re.IGNORECASE | re.DOTALL,
)
# A public key is for everybody.
_PUBLIC = "PUBLIC KEY"
_LEAST = 3
_MOST_VALUES = 20_000


def secret_settings_in(response: Response, sent: str = "") -> frozenset[Leak]:
    """Which secrets of the service an answer tells. sent: what the caller sent himself, which is no news to him."""
    content = content_of(response) or b""
    if not _MAY_HOLD.search(content.lower()):
        return frozenset()
    try:
        document = orjson.loads(content)
    except orjson.JSONDecodeError:
        return frozenset()
    return frozenset(
        leak
        for name, value in _settings(document)
        for leak, named in _NAMES
        if named.search(name) and _is_told(value) and value not in sent and value.lower() not in name
    )


def _is_told(value: str) -> bool:
    """A translation of the name (`Datenbankpasswort`) begins with a capital letter and has no digit."""
    is_drawn = value.islower() or any(map(str.isdigit, value))
    if not is_drawn or len(value) < _LEAST or is_masked(value) or _PUBLIC in value:
        return False
    return _NO_SECRET.fullmatch(value) is None


def _are_settings(names: Collection[str]) -> bool:
    """Whether an object is the settings of an application, by the names in it."""
    return any(map(_SETTING.fullmatch, names)) and not any(map(_OTHER_HALF.fullmatch, names))


def _settings(document: object) -> Iterator[tuple[str, str]]:
    """Every text of a document under its name and the one above it: `database_password`."""
    todo = [("", document)]
    for _ in range(_MOST_VALUES):
        if not todo:
            return
        above, value = todo.pop()
        if isinstance(value, dict):
            called = {name: _NO_LETTERS.sub("_", parted(name)).lower() for name in value}
            if _BY_ITSELF in called.values() and _are_settings(called.values()):
                called = {name: _IN_FULL if words == _BY_ITSELF else words for name, words in called.items()}
            if any(words in _PLACES and _PLACE.fullmatch(str(value[name])) for name, words in called.items()):
                above = _SERVICE
            for name, below in value.items():
                words = called[name]
                if isinstance(below, str):
                    yield f"{above}_{words}", below
                else:
                    todo.append((words, below))
        elif isinstance(value, list):
            todo += [(above, below) for below in value]
