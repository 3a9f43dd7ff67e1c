"""Command lines of curl: a file of them, as copied out of documentation or a browser, becomes requests that can be sent.

Lines are joined at a backslash and inside quotes, and read as a POSIX shell quotes (`$'…'` too); comments, a prompt and
other programs of a line are passed over. Variables of a shell have no value here and stay as they are written. An option that
is not known here is told, not guessed; files that a command would read are not read.
"""

import base64
import re
from collections.abc import Callable, Iterator
from typing import BinaryIO
from urllib.parse import quote_plus, unquote

import msgspec

from gatecrash.core.errors import GatecrashError
from gatecrash.core.message import Exchange
from gatecrash.formats.capture import Malformed, UnreadableCapture, header_bytes
from gatecrash.formats.descriptions.media import Part, multipart_body, type_of
from gatecrash.formats.draft import MOST_BYTES, Draft, request_to, server_of
from gatecrash.formats.saved import shell_words
from gatecrash.formats.saved.written_numbers import with_numbered

FORM = "application/x-www-form-urlencoded"
_PROMPT = re.compile(r"[ \t]*(?:[$>%][ \t]+)?(?:\w+=\S*[ \t]+)*(?=curl(?:\.exe)?(?:\s|$))")
_ASSIGNED = re.compile(r"\w+=")
_CALLED = re.compile(r"(?:\S*[/\\])?curl(?:\.exe)?")
_OF_WINDOWS = re.compile(r'curl(?:\.exe)?[ \t]++(?:\^"|[^\n]*\^[ \t]*\r?$)', re.MULTILINE)


def read(stream: BinaryIO) -> Iterator[Exchange | Malformed]:
    """The commands as drafts, in the file's order; the place of what cannot be read is its line."""
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise UnreadableCapture(f"The file of commands is larger than {MOST_BYTES // 1024 // 1024} MiB.")
    for place, words in _commands(data.decode("utf-8", "surrogateescape")):
        if isinstance(words, str):
            yield Malformed(place, words)
            continue
        try:
            yield from _drafts(words)
        except (ValueError, GatecrashError) as error:
            yield Malformed(place, str(error))


def _commands(text: str) -> Iterator[tuple[int, list[str] | str]]:
    """Each command's words with the number of its first line; a text in their place says why there are none."""
    at, number = 0, 1
    while at < len(text):
        prompt = _PROMPT.match(text, at)
        if prompt is None or _OF_WINDOWS.match(text, prompt.end()):
            if prompt is not None:
                yield number, "the command is written for cmd of Windows (^); copy it for bash"
            following = text.find("\n", at) + 1 or len(text)
        else:
            try:
                found, following = shell_words.commands(text, prompt.end())
            except shell_words.Unclosed as error:
                yield number, str(error)
                return
            yield from ((number, called) for words in found if (called := _called(words)))
        number += text.count("\n", at, following)
        at = following


def _called(words: list[str]) -> list[str]:
    """The words of a call of curl, without the variables that are set for it; none where it calls something else."""
    behind = [place for place, word in enumerate(words) if not _ASSIGNED.match(word)][:1]
    called = words[behind[0] :] if behind else []
    return called if called and _CALLED.fullmatch(called[0]) else []


class _Command(msgspec.Struct):
    """What the options of one command say so far."""

    method: str = ""
    urls: list[str] = []
    headers: list[tuple[str, str]] = []
    data: list[str] = []
    parts: list[Part] = []
    json: bool = False
    in_query: bool = False
    asked: list[str] = []
    head: bool = False
    user: str = ""
    bearer: str = ""
    cookies: list[str] = []

    def body(self) -> tuple[str, bytes]:
        """The body and the Content-Type that curl gives it."""
        if self.parts:
            made = multipart_body(self.parts)
            return made.content_type, made.data
        if not self.data:
            return "", b""
        joined = ("" if self.json else "&").join(self.data)
        return "application/json" if self.json else FORM, joined.encode("utf-8", "surrogateescape")


def _drafts(words: list[str]) -> Iterator[Draft]:
    command = _parsed(words[1:])
    if not command.urls:
        raise ValueError("the command names no address")
    for url in command.urls:
        yield _draft(command, url)


def _draft(command: _Command, url: str) -> Draft:
    kind, body = command.body()
    if "://" not in url:
        url = "http://" + url  # curl guesses so too
    address, _, asked = url.partition("#")[0].partition("?")
    scheme, _, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    user = command.user
    if "@" in host:
        inside, _, host = host.rpartition("@")
        user = user or unquote(inside)
    sends = bool(command.parts or command.data) and not command.in_query
    if command.in_query:
        asked = "&".join(filter(None, [asked, body.decode("utf-8", "surrogateescape")]))
        kind, body = "", b""
    asked = "&".join(filter(None, [asked, *command.asked]))
    headers = _headers(command, kind, user)
    method = command.method or ("HEAD" if command.head else "POST" if sends else "GET")
    target = slash + path if slash else "/"
    request = request_to(
        server_of(f"{scheme}://{host}"), method, target + (f"?{asked}" if asked else ""), headers, body
    )
    if not any(name.lower() == "host" for name, _ in headers):
        return with_numbered(Draft(request=request, drafted=True))
    # A Host of the user's own stands in the place of the address's.
    own = tuple(pair for pair in request.headers[1:])
    return with_numbered(Draft(request=msgspec.structs.replace(request, headers=own), drafted=True))


def _headers(command: _Command, kind: str, user: str) -> list[tuple[str, str]]:
    """The command's own headers, and those that curl adds where the command has none of that name."""
    named = {name.lower() for name, _ in command.headers}
    made = [("User-Agent", "curl/8"), ("Accept", "application/json" if command.json else "*/*")]
    if user:
        pair = user if ":" in user else user + ":"
        made.append(("Authorization", "Basic " + base64.b64encode(header_bytes(pair)).decode()))
    if command.bearer:
        made.append(("Authorization", f"Bearer {command.bearer}"))
    if command.cookies:
        made.append(("Cookie", "; ".join(command.cookies)))
    if kind:
        made.append(("Content-Type", kind))
    added = [pair for pair in made if pair[0].lower() not in named]
    # `-H 'Accept:'` takes a header away; `-H 'X-Empty;'` sends it empty (curl's manual, --header).
    return [
        *added,
        *((name, value) for name, value in command.headers if name and value != _AWAY),
    ]


_AWAY = "\0away"


def _header(command: _Command, value: str) -> None:
    if value.startswith("@"):
        raise ValueError(f"the headers would be read from the file {value[1:]}, which is not read")
    name, colon, text = value.partition(":")
    if colon:
        command.headers.append((name.strip(), text.strip() or _AWAY))
    elif value.endswith(";"):
        command.headers.append((value[:-1].strip(), ""))


def _data(command: _Command, value: str) -> None:
    if value.startswith("@"):
        raise ValueError(f"the body would be read from the file {value[1:]}, which is not read")
    command.data.append(value)


def _raw(command: _Command, value: str) -> None:
    command.data.append(value)


def _json(command: _Command, value: str) -> None:
    _data(command, value)
    command.json = True


def _urlencode(command: _Command, value: str) -> None:
    command.data.append(_encoded(value))


def _url_query(command: _Command, value: str) -> None:
    """As --data-urlencode, behind the address; what begins with a plus is added as it is."""
    command.asked.append(value[1:] if value.startswith("+") else _encoded(value))


def _encoded(value: str) -> str:
    """`content`, `=content` and `name=content` (curl's manual, --data-urlencode)."""
    name, equals, content = value.partition("=")
    if not equals and "@" in value:
        raise ValueError(f"the value would be read from the file {value.partition('@')[2]}, which is not read")
    content = quote_plus((content if equals else value).encode("utf-8", "surrogateescape"))
    return f"{name}={content}" if equals and name else content


def _form(command: _Command, value: str) -> None:
    """`name=content;type=…`, `name=@file;type=…`; a file stands for itself by its name, with content of ours."""
    name, equals, content = value.partition("=")
    if not equals:
        raise ValueError(f"the form field {value!r} has no value")
    is_file = content.startswith("@")
    quoted, plain, behind = _CONTENT.fullmatch(content[is_file or content.startswith("<") :]).groups()  # type: ignore[union-attr]  # any text fits
    told = dict(option.strip().partition("=")[::2] for option in behind.split(";"))
    text = re.sub(r'\\(["\\])', r"\1", quoted) if quoted is not None else plain
    if is_file:
        file = told.get("filename", "").strip('"') or re.split(r"[/\\]", text)[-1]
        command.parts.append(Part(name, "example\n", file, told.get("type") or type_of(file)))
    else:
        made = "example\n" if content.startswith("<") else text
        command.parts.append(Part(name, made, told.get("filename", "").strip('"'), told.get("type", "")))


# A quoted or a plain content, and what is told of it behind a semicolon.
_CONTENT = re.compile(r'(?:"((?:[^"\\]|\\.)*)"\s*(?=;|$)|([^;]*));?(.*)', re.DOTALL)


def _cookie(command: _Command, value: str) -> None:
    if "=" not in value:
        raise ValueError(f"the cookies would be read from the file {value}, which is not read")
    command.cookies.append(value.strip().rstrip(";"))


def _set(field: str) -> Callable[[_Command, str], None]:
    return lambda command, value: setattr(command, field, value)


def _fixed(name: str) -> Callable[[_Command, str], None]:
    return lambda command, value: command.headers.append((name, value))


def _nothing(_command: _Command, _value: str) -> None:
    """An option about curl's own doing: where it writes, how it connects."""


_Act = Callable[[_Command, str], None]
_WITH_VALUE: dict[str, _Act] = {
    "-X": _set("method"), "--request": _set("method"),
    "-H": _header, "--header": _header,
    "-d": _data, "--data": _data, "--data-ascii": _data, "--data-binary": _data,
    "--data-raw": _raw, "--data-urlencode": _urlencode,
    "--json": _json,
    "--url-query": _url_query,
    "-F": _form, "--form": _form, "--form-string": lambda command, value: command.parts.append(Part(*value.partition("=")[::2])),
    "-u": _set("user"), "--user": _set("user"), "--oauth2-bearer": _set("bearer"),
    "-b": _cookie, "--cookie": _cookie,
    "-A": _fixed("User-Agent"), "--user-agent": _fixed("User-Agent"),
    "-e": _fixed("Referer"), "--referer": _fixed("Referer"),
    "--url": lambda command, value: command.urls.append(value),
    **dict.fromkeys(
        ("-o", "--output", "-w", "--write-out", "-m", "--max-time", "--connect-timeout", "--retry", "--retry-delay",
         "-x", "--proxy", "--cacert", "--cert", "--key", "-E", "-c", "--cookie-jar", "-D", "--dump-header", "--resolve",
         "--max-redirs", "--limit-rate", "--tls-max", "--ciphers", "--interface", "-U", "--proxy-user", "--noproxy",
         "--socks5", "--socks5-hostname", "--connect-to", "--dns-servers", "--local-port", "--unix-socket", "--capath",
         "--cert-type", "--key-type", "--pass", "--pinnedpubkey", "--proto", "--proto-default", "--proto-redir",
         "--retry-max-time", "-Y", "--speed-limit", "-y", "--speed-time", "--keepalive-time", "--expect100-timeout",
         "--max-filesize", "--output-dir", "--stderr", "--trace", "--trace-ascii", "--tls13-ciphers", "--curves"),
        _nothing,
    ),
}  # fmt: skip
_ALONE: dict[str, _Act] = {
    "-G": lambda command, _: setattr(command, "in_query", True),
    "--get": lambda command, _: setattr(command, "in_query", True),
    "-I": lambda command, _: setattr(command, "head", True),
    "--head": lambda command, _: setattr(command, "head", True),
    "--compressed": lambda command, _: command.headers.append(("Accept-Encoding", "gzip, deflate")),
    **dict.fromkeys(
        ("-k", "--insecure", "-s", "--silent", "-S", "--show-error", "-L", "--location", "-v", "--verbose", "-i",
         "--include", "-f", "--fail", "--fail-with-body", "-g", "--globoff", "-N", "--no-buffer", "-#", "--progress-bar",
         "-O", "--remote-name", "-4", "-6", "--ipv4", "--ipv6", "--http1.0", "--http1.1", "-0", "--http2",
         "--http2-prior-knowledge", "--http3", "--path-as-is", "--basic", "--anyauth", "-q", "--no-progress-meter",
         "--tlsv1", "--tlsv1.0", "--tlsv1.1", "--tlsv1.2", "--tlsv1.3", "--ssl-no-revoke", "-J", "--raw", "-a",
         "--location-trusted", "-j", "--tr-encoding", "--no-keepalive", "--no-alpn", "--no-sessionid", "--tcp-nodelay",
         "--retry-all-errors", "--retry-connrefused", "--create-dirs", "--trace-time", "--styled-output", "-Z",
         "--parallel", "--post301", "--post302", "--post303", "--junk-session-cookies", "--remote-header-name",
         "--disable", "--doh-insecure", "--proxy-insecure", "--fail-early", "--http0.9"),
        _nothing,
    ),
}  # fmt: skip


def _parsed(words: list[str]) -> _Command:
    """Raises ValueError with the option that is not known, or that has no value."""
    command = _Command()
    left = iter(words)
    for word in left:
        if not word.startswith("-") or word == "-":
            if word.strip():
                command.urls.append(word)
        elif word.startswith("--"):
            _long(command, word, left)
        else:
            _short(command, word[1:], left)
    return command


def _long(command: _Command, word: str, left: Iterator[str]) -> None:
    if word in _ALONE:
        _ALONE[word](command, "")
    elif word in _WITH_VALUE:
        _WITH_VALUE[word](command, _value(word, left))
    else:
        raise ValueError(f"the option {word} is not known here; take it out, or write the request as JSON lines")


def _short(command: _Command, letters: str, left: Iterator[str]) -> None:
    """`-sSL`, `-XPOST`, `-d value`: letters that stand alone, and one with its value behind it."""
    for at, letter in enumerate(letters):
        option = f"-{letter}"
        if option in _WITH_VALUE:
            behind = letters[at + 1 :]
            _WITH_VALUE[option](command, behind or _value(option, left))
            return
        if option not in _ALONE:
            raise ValueError(f"the option {option} is not known here; take it out, or write the request as JSON lines")
        _ALONE[option](command, "")


def _value(option: str, left: Iterator[str]) -> str:
    value = next(left, None)
    if value is None:
        raise ValueError(f"the option {option} has no value")
    return value
