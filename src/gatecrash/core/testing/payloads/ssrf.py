"""Payloads of `ssrf`: addresses of the target itself, and of places where nothing answers.

`{origin}` stands for the target's own origin, `{host}` for its host, `{mark}` for fresh letters, `{port}` for a port of
this machine at which nothing listens. An address that is listened to elsewhere needs no other pattern than OWN.
"""

import re

OWN = "{origin}{path}"
# Ports that are assigned to services nobody runs (IANA: discard and its neighbours); a connection is refused at once.
CLOSED_PORTS = (9, 11, 13, 17)
CLOSED = "http://127.0.0.1:{port}/{mark}"
# RFC 6761 section 6.4: this name never resolves.
NAMELESS = "http://{mark}.invalid/"
# Read as text and not fetched, so that it must not be answered as an address is.
NO_ADDRESS = "hxxp:{mark}/"
# The loopback address as filters know it, and as they often do not (inet_aton(3): one number of 32 bits, two of 8 and 24).
_LOOPBACK, _SPELLINGS = "127.0.0.1", ("2130706433", "127.1")
# RFC 4291 section 2.5.5.2: an address of IPv4 as one of IPv6. Unlike those above, every reader of addresses knows it.
_MAPPED = "[::ffff:7f00:1]"

# Asked for where the usual one was refused: a zero before a number (POSIX, inet_addr: octal), one number, the name itself.
UNUSUAL = ("0177.0.0.1", "2130706433", "localhost")

_BLANK = re.compile(r"\s")
_FILE = re.compile(r"[^?#\s]*[\w-]\.[A-Za-z]\w{0,4}")
_IN_TEXT = re.compile(r"(?<=[\s(])https?://[^\s<>\"')]+", re.IGNORECASE)


def around_address(text: str) -> tuple[str, str] | None:
    """What stands before and behind the first address that a text names; None where it names none."""
    found = _IN_TEXT.search(text)
    return (text[: found.start()], text[found.end() :]) if found else None


# The host behind it tells an address from a doubled slash.
_IN_PATH = re.compile(r"(?<=[/=:])https?://[\w.\[-]", re.IGNORECASE)


def around_address_in_path(target: str) -> tuple[str, str] | None:
    """What stands before the address that a path ends in (`/proxy/http://host/page`), and nothing behind; None where it has none."""
    found = _IN_PATH.search(target.partition("?")[0])
    return (target[: found.start()], "") if found else None


def _spelled(spelling: str, url: str) -> str | None:
    return url.replace(_LOOPBACK, spelling, 1) if _LOOPBACK in url else None


def is_loopback(written: str) -> bool:
    """Whether a payload names the loopback address as filters know it."""
    return _LOOPBACK in written


def spelled(spelling: str, url: str, value: str) -> str | None:
    """An address of ours so spelled, without a scheme where the value has none; None where it is no loopback address."""
    written = _spelled(spelling, url)
    return written if written is None or "//" in value else written.partition("://")[2]


def _bare(url: str, value: str) -> str | None:
    """Without its scheme, which the application writes before it; what it writes behind it goes into the query, and the value
    ends it, for those who look at how a host ends.
    """
    behind = "" if _BLANK.search(value) else value
    return None if "//" in value or value.startswith("/") else f"{url.partition('://')[2]}?{behind}"


def _as_user(url: str, value: str) -> str | None:
    """Begins with the value's own host, as the name of a user at ours, and ends as the value does; without the words that filters
    of loopback addresses look for.
    """
    scheme, separator, rest = value.partition("://")
    host = rest.partition("/")[0]
    ours = url.partition("://")[2].replace(_LOOPBACK, _MAPPED, 1)
    return f"{scheme}://{host}@{ours}?{value}" if separator and host else None


def _before(url: str, value: str) -> str | None:
    """Holds the value, and ends as it does."""
    return f"{url}?{value}" if "://" in value else None


def _as_user_before(url: str, value: str) -> str | None:
    """Behind a scheme and a host that the application writes before a path: they become the name of a user at our own."""
    return f"@{url.partition('://')[2]}" if is_path(value) else None


def is_path(value: str) -> bool:
    """Whether a value is a path from the root, which may stand behind a host."""
    return value.startswith("/") and not value.startswith("//")


def is_file(value: str) -> bool:
    """Whether a value looks like the name of a file, in a folder or not."""
    return _FILE.fullmatch(value) is not None


def disguises(url: str, value: str) -> tuple[str | None, ...]:
    """An address of ours in the ways that pass filters, each at its own place; None where one makes no sense for the value."""
    return (
        url,
        *(_spelled(each, url) for each in _SPELLINGS),
        _bare(url, value),
        _as_user(url, value),
        _before(url, value),
        _as_user_before(url, value),
    )


# Those that are asked for always: the address itself, where the value has no scheme the same without one, where it has one as the
# host that a list of beginnings lets through, and with the value behind it (some refuse addresses with a user, as browsers' `fetch`
# does); where it is a path as the host behind what is written before it. What opens files by their names opens addresses in many
# libraries.
USUAL = (0, 3, 4, 5, 6)
OF_PATHS, OF_FILES = (6,), (0,)
# What renderers of pages fetch by themselves, in front of a text that is written into such a page.
IN_MARKUP = '<img src="{url}"><link rel="stylesheet" href="{url}"><iframe src="{url}"></iframe>{value}'
