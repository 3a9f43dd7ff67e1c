"""What an answer at an address that nobody was led to hands out: leaks, and files whose form says what they are.

An address that was asked for by its well-known name needs less than a page that somebody meant to show: a file of settings
is one whether a secret stands in it or not. Pages are never such files, whatever they quote.
"""

import re
from collections.abc import Iterator

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import content_of, media_type, text_of
from gatecrash.core.testing.oracles.leaks.accounts import passwords_in
from gatecrash.core.testing.oracles.leaks.kinds import PASSWORD, THREAT_OF
from gatecrash.core.testing.oracles.leaks.leaks import DEPLOYED, TRACE, Leak, leaks
from gatecrash.core.testing.oracles.leaks.secret_settings import secret_settings_in

_GIVEN = (200, 206)
_MOST = 70_000
# By the first bytes.
_BEGINS = (
    (b"SQLite format 3\x00", "a database"),
    (b"JAVA PROFILE 1.0", "a dump of the server's memory"),
    (b"\x00\x00\x00\x01Bud1", "the names of a folder's files"),
)
# End of the path, what it is, and the form of its content.
_FILES = tuple(
    (re.compile(path, re.IGNORECASE), what, re.compile(form, re.MULTILINE))
    for path, what, form in (
        (r"\.(?:zip|jar|war)$", "an archive", r"\APK\x03\x04"),
        (r"\.hg/requires$", "version control", r"\A(?:[a-z0-9=.-]{3,40}\n)*(?:revlogv1|store)\n"),
        (r"\.htpasswd$", "accounts of the web server", r"\A[\w.@-]{1,60}:(?:\$apr1\$|\$2[aby]\$|\{SHA\})\S{8}"),
        (r"web\.xml$", "the description of a servlet application", r"\A\s*(?:<\?xml[^>]{0,100}>\s*)?(?:<!--[\s\S]{0,4000}?-->\s*|<!DOCTYPE[^>]{1,300}>\s*)?<web-app[\s>]"),
        (r"web\.config$", "settings", r"<configuration>[\s\S]{0,20000}?<(?:connectionStrings|system\.web|system\.webServer|appSettings)[\s/>]"),
        (r"appsettings\.json$", "settings", r"\"ConnectionStrings\"\s*:\s*\{"),
        (r"\.properties(?:\.\w+)?$", "settings", r"^[\w.-]{3,80}(?:password|secret|url|key)\s*=\s*\S"),
        (r"application\.ya?ml$", "settings", r"^(?:spring|server|datasource|management|quarkus|micronaut):\s*$"),
        (r"docker-compose\.ya?ml$", "settings", r"^services:[^\S\n]*$[\s\S]{0,2000}?^[^\S\n]++(?:image|build):"),
        (r"(?:^|/)\.env[.\w]*$", "settings", r"\A(?:[^\S\n]*(?:#[^\n]{0,300})?\n)*(?:(?:export )?[A-Z][A-Z0-9_]{1,60}=[^\n]{0,2000}\n+(?:#[^\n]{0,300}\n+)*){2}"),
        (r"\.log$", "a log", r"(?:^[^\n]{0,40}\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^\n]{0,100}\b(?:ERROR|WARN|WARNING|INFO|DEBUG|CRITICAL)\b[^\n]{1,2000}$[\s\S]{0,3000}?){2}"),
        (r"(?:\.(?:bak|old|orig)|~)$", "source code", r"\A\s*(?:<\?php\s|<%@? )|^(?:from [\w.]{1,80} import |import [\w.]{1,80}$|def \w{1,80}\()[\s\S]{0,4000}?^(?:from|import|def|class|@app) |\b(?:require\(['\"]\w|module\.exports)"),
    )
)  # fmt: skip


def handed_out(path: str, response: Response) -> Leak | None:
    """The worst that an answer at this path hands out; None for an answer that is nothing of the kind."""
    if response.status not in _GIVEN or not response.body:
        return None
    return max(_all(path, response), key=lambda leak: THREAT_OF[leak.kind], default=None)


def _all(path: str, response: Response) -> Iterator[Leak]:
    text = text_of(response)[:_MOST]
    yield from (leak for leak in sorted(leaks(text)) if leak.kind != TRACE)
    content = content_of(response) or b""
    yield from (Leak(DEPLOYED, what) for start, what in _BEGINS if content.startswith(start))
    if passwords_in(response):
        yield PASSWORD
    yield from sorted(secret_settings_in(response))
    if media_type(response) != "text/html":
        yield from (Leak(DEPLOYED, what) for end, what, form in _FILES if end.search(path) and form.search(text))
