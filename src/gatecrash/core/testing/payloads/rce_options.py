"""Payloads of `rce` for values that become an argument of a program without a shell: options, which each program knows
or complains of.

`{value}` stands for the baseline's value, `{option}` for an option. None of them names a file or changes what the program does
to one: who is asked for its version does nothing else, and who does not know an option does nothing at all.
"""

import re

# In the place of the value, and behind it where the line is split at blanks: then any program proves that.
ALONE, BEHIND = "{option}", "{value} {option}"
PATTERNS = (ALONE, BEHIND)
VERSION = "--version"
UNKNOWN = "--{mark}"
# Of the same letters and signs, and no options: who looks for the word finds it in these as well.
NONE = ("=--{mark}", "{mark}", "{mark}--")
NO_VERSIONS = ("version--", "version", "=--version")
# git writes the sign of this number between the letters; it writes files where it is told to, too.
FORMAT = "--format={mark}%x41{mark}"
NO_FORMATS = ("=" + FORMAT, FORMAT[2:], FORMAT[9:])
_FORMATTED = re.compile(r"--format=(\w+)%x41(\w+)")
_REVISION_NAMED = re.compile(r"branch|^tag|^rev|revision|^refs?$|commit|^head$|^base$|^since$|^until$", re.IGNORECASE)

# Programs whose options neither run nor write anything: handing them a value as one argument is what sound applications do.
_HARMLESS = (
    "basename", "cat", "cksum", "df", "dirname", "du", "echo", "head", "ls", "md5sum", "nslookup", "ping", "ping6", "stat", "tail", "wc",
)  # fmt: skip
# How programs tell their version in their first line, by their own name or their makers'.
_BANNER = (
    r"\((?:GNU [\w+ -]{2,30}|procps[\w-]*|util-linux[^)]{0,20}|libarchive[^)]{0,20})\) v?\d+\.\d"
    r"|\bcurl \d+\.\d[.\d]*+ \(|\bgit version \d|\bGNU \w+ \d+\.\d[.\d]*+ built on|\bVersion: (?:Image|Graphics)Magick \d"
    r"|\b(?:rsync|ffmpeg|nginx) +version:? |\bfile-5\.\d+\n|\bfrom util-linux \d|\bInfo-ZIP\b.{0,80}\bversion|\bVersion \d+\.\d+\.\d+\.\n\nReport bugs"
    r"|\bOpenSSH_\d|\bpandoc \d+\.\d|\bwkhtmltopdf \d|\bExifTool\b.{0,40}\d|\bpdfinfo version \d|\bGPL Ghostscript \d"
)
_BANNER_OF_ANY = re.compile(_BANNER + r"|\bping from iputils")
_BANNER_OF_OTHERS = re.compile("".join(rf"(?<!\b{name} )" for name in _HARMLESS) + _BANNER)
# One of these is in whatever the expression above finds: most pages have none, and looking for words is much faster.
_BANNER_HINTS = (
    "(procps", "(util-linux", "(libarchive", "curl ", "git version ", "GNU ", "ping from ", "Magick ", "rsync ", "ffmpeg ",
    "nginx ", "file-5.", "from util-linux ", "Info-ZIP", "Report bugs", "OpenSSH_", "pandoc ", "wkhtmltopdf ", "ExifTool",
    "pdfinfo version ", "GPL Ghostscript ",
)  # fmt: skip
# getopt(3) and those who parse options by themselves, behind the program's name: who says Error speaks of options of his own.
_COMPLAINT = (
    r"[\w./-]+: (?:(?:un(?:recogni[sz]ed|known|supported)|invalid|illegal|bad) (?:\w+ ){{0,2}}"
    r"(?:option|argument|predicate|flag|switch|primary)[^\n]{{0,12}}-{mark}|option -{{0,2}}{mark}:? (?:is (?:unknown|ambiguous)|requires|unknown))"
)
_COMPLAINT_OF_ANY = r"\b(?!errors?:|warning:|message:)" + _COMPLAINT
_COMPLAINT_OF_OTHERS = rf"\b(?!errors?:|warning:|message:|(?:[\w.-]*/)*(?:{'|'.join(_HARMLESS)}):)" + _COMPLAINT


def names_a_revision(parameter: str) -> bool:
    """Whether a parameter by its name holds what git knows a state of its files by."""
    return _REVISION_NAMED.search(parameter) is not None


def is_formatted(payload: str, text: str) -> bool:
    """Whether a text holds what the format of the payload's option comes to."""
    asked = _FORMATTED.search(payload)
    return asked is not None and "A".join(asked.groups()) in text


def tells_version(text: str, *, any_program: bool) -> bool:
    """Whether a text holds what a program says of its version: any, or one whose options run or write something."""
    banner = _BANNER_OF_ANY if any_program else _BANNER_OF_OTHERS
    return any(hint in text for hint in _BANNER_HINTS) and banner.search(text) is not None


def complains_of(text: str, mark: str, *, any_program: bool) -> bool:
    """Whether a text holds a program's complaint that it knows no option of this name: any, or one as above."""
    complaint = _COMPLAINT_OF_ANY if any_program else _COMPLAINT_OF_OTHERS
    return mark in text and re.search(complaint.format(mark=re.escape(mark)), text, re.IGNORECASE) is not None
