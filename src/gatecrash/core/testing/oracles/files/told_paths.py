"""Paths that an answer tells in the words in which a runtime says that it found no such file to open, or may not open one; and whether
it says that what was opened takes nothing that is written to it.

Only the words of runtimes themselves count, of PHP, Node, Python, Ruby, Java and Go: they name the path that was opened, while an
application's own words may name what it was asked for and never looked up.
"""

import re
from html import unescape

_TOLD = re.compile(
    # <b>Warning</b>:  include(pages/a.php): Failed to open stream: No such file or directory in <b>…
    r"\b[a-z][a-z_]{3,30}\((?P<php>[^()\n]{1,400})\)(?: \[<a href='function\.[\w-]{1,40}'>function\.[\w-]{1,40}</a>\])?"
    r": [Ff]ailed to open stream: No such file or directory"
    r"|ENOENT: no such file or directory, open ['\"](?P<node>[^'\"\n]{1,400})['\"]"
    r"|\[Errno 2\] No such file or directory: ['\"](?P<python>[^'\"\n]{1,400})['\"]"
    r"|No such file or directory @ rb_sysopen - (?P<ruby>[^\n<>\"]{1,400})"
    r"|java\.io\.FileNotFoundException: (?P<java>[^\n<>()\"]{1,400}) \(No such file or directory\)"
    # Without the name of its class, as an exception tells it of itself.
    r"|(?<![^\s>:\"'])(?P<thrown>/[^\s<>()\"]{1,400}) \(No such file or directory\)"
    r"|java\.nio\.file\.NoSuchFileException: (?P<nio>[^\s<>()\"]{1,400})"
    r"|\bopen (?P<go>[^\s<>:\"]{1,400}): no such file or directory"
)
# Nobody is told so who only looks up where a path leads, as long as its folders are everybody's.
_DENIED = re.compile(
    r"\b[a-z][a-z_]{3,30}\((?P<php>[^()\n]{1,400})\)(?: \[<a href='function\.[\w-]{1,40}'>function\.[\w-]{1,40}</a>\])?"
    r": [Ff]ailed to open stream: Permission denied"
    r"|EACCES: permission denied, open ['\"](?P<node>[^'\"\n]{1,400})['\"]"
    r"|\[Errno 13\] Permission denied: ['\"](?P<python>[^'\"\n]{1,400})['\"]"
    r"|Permission denied @ rb_sysopen - (?P<ruby>[^\n<>\"]{1,400})"
    r"|java\.io\.FileNotFoundException: (?P<java>[^\n<>()\"]{1,400}) \(Permission denied\)"
    r"|java\.nio\.file\.AccessDeniedException: (?P<nio>[^\s<>()\"]{1,400})"
    r"|\bopen (?P<go>[^\s<>:\"]{1,400}): permission denied"
)
# Of a file that the superuser opened to write, and that the kernel takes nothing for. Who only follows a link that is none, in words
# that are nearly the same, tells its path or another call.
_TAKES_NOTHING = re.compile(
    r"\[Errno 22\] Invalid argument(?!:)"
    r"|EINVAL: invalid argument, write\b"
    r"|Write of \d{1,9} bytes failed with errno=22 Invalid argument"
    r"|Invalid argument @ (?:fptr_finalize_flush|io_fwrite|io_writev?) - "
    r"|java\.io\.IOException: Invalid argument"
    r"|\bwrite [^\s<>:\"]{1,400}: invalid argument"
)
# Who only looks up where a path leads, to refuse what lies outside, is told of a missing file in the same words.
_ALSO_LOOKED_UP = frozenset({"python", "nio"})
_MOST = 100_000


def told_paths(text: str, named: str = "") -> tuple[str, ...]:
    """The paths of files that were not there to be opened, in their order.

    named: what was asked for. Where the path ends with it, words that looking it up has as well do not count: who opens just
    what is named shows files that are there.
    """
    if "o such file" not in text and "NoSuchFile" not in text:
        return ()
    told = ((found.lastgroup or "", found[found.lastgroup or 0]) for found in _TOLD.finditer(_read(text)))
    return tuple(path for way, path in told if not (named and way in _ALSO_LOOKED_UP and path.endswith(named)))


def denied_paths(text: str) -> tuple[str, ...]:
    """The paths of files that are there and may not be opened, in their order."""
    if "ermission denied" not in text and "AccessDenied" not in text:
        return ()
    return tuple(found[found.lastgroup or 0] for found in _DENIED.finditer(_read(text)))


def takes_nothing(text: str) -> bool:
    """Whether a runtime says that it opened a file to write and could write nothing to it."""
    return "nvalid argument" in text and _TAKES_NOTHING.search(_read(text)) is not None


def _read(text: str) -> str:
    return unescape(text[:_MOST]).replace("\\/", "/").replace('\\"', '"')
