"""Command lines of a POSIX shell cut into words (XCU sections 2.2 and 2.3), with `$'…'` of bash and POSIX 2024.

Nothing is expanded: variables, patterns and substitutions stay as they are written. Where a shell would take `&` or `|`
inside a word for an operator they are kept, because documentation shows addresses without quotes.
"""

import re

_PIECE = re.compile(
    r"""
    (?P<blank> (?:[ \t\r] | \\\r?\n)+ )
  | (?P<line> \n )
  | '(?P<single> [^']* )'
  | \$'(?P<ansi> (?:[^'\\] | \\.)* )'
  | \$?"(?P<double> (?:[^"\\] | \\.)* )"
  | \\(?P<one> . )
  | (?P<open> ['"\\] )
  | (?P<end> ;(?=\s|;|$) )
  | (?P<plain> [^\s'"\\;$]+ | . )
    """,
    re.DOTALL | re.VERBOSE,
)
_OPERATOR = re.compile(r"(?P<end>&&|\|\||;;?|&|\|)|(?P<away>\d*(?:>>|>&|>\||<<<|<&|<>|[<>]))|(?P<comment>\#[^\n]*)")
# Within double quotes a backslash quotes these alone (XCU 2.2.3), and takes a line's end away.
_IN_DOUBLE = re.compile(r"\\(?:([$`\"\\])|\r?\n)")
_ESCAPE = re.compile(
    r"\\(?:u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|x([0-9a-fA-F]{1,2})|([0-7]{1,3})|c(.)|(.))", re.DOTALL
)
_LETTERS = dict(zip("abeEfnrtv\\'\"?", "\a\b\x1b\x1b\f\n\r\t\v\\'\"?", strict=True))
# Browsers write a character beyond U+FFFF as the two halves of its UTF-16 form.
_HALVES = re.compile("[\ud800-\udbff][\udc00-\udfff]")


class Unclosed(ValueError):
    """A quotation is never closed."""


def commands(text: str, at: int = 0) -> tuple[list[list[str]], int]:
    """The simple commands of the line that begins there, and where the next line begins. Lines are joined as a shell does.

    Redirections are left out. Raises Unclosed.
    """
    line = _Line()
    while at < len(text):
        if line.word is None and (operator := _OPERATOR.match(text, at)):
            at = operator.end()
            line.operate(operator)
            continue
        piece = _PIECE.match(text, at)
        assert piece is not None, "the last branch takes any character"
        at = piece.end()
        if piece["open"]:
            raise Unclosed("a quotation that begins here is never closed")
        if piece["line"]:
            break
        line.take(piece)
    return line.closed(), at


class _Line:
    """What was read of one line. word: the one that is being read; None between words."""

    def __init__(self) -> None:
        self.word: str | None = None
        self._commands: list[list[str]] = [[]]
        self._away = False

    def operate(self, operator: re.Match[str]) -> None:
        """An operator or a comment, where a word might begin."""
        if operator["end"]:
            self._commands.append([])
        self._away = self._away or bool(operator["away"])

    def take(self, piece: re.Match[str]) -> None:
        """A piece of a word, or what ends it."""
        if piece["blank"] is not None:
            self._end_word()
        elif piece["end"] is not None:
            self._end_word()
            self._commands.append([])
        else:
            self.word = (self.word or "") + _meant(piece)

    def closed(self) -> list[list[str]]:
        """All commands that have a word."""
        self._end_word()
        return [words for words in self._commands if words]

    def _end_word(self) -> None:
        if self.word is not None and not self._away:
            self._commands[-1].append(self.word)
        self._away = self._away and self.word is None
        self.word = None


def _meant(piece: re.Match[str]) -> str:
    if piece["double"] is not None:
        return _IN_DOUBLE.sub(lambda found: found[1] or "", piece["double"])
    if piece["ansi"] is not None:
        return _joined(_ESCAPE.sub(_escaped, piece["ansi"]))
    return piece["single"] if piece["single"] is not None else piece["one"] or piece["plain"]


def _escaped(found: re.Match[str]) -> str:
    """What an escape of `$'…'` stands for; one byte beyond ASCII as Python escapes such a byte."""
    if found[1] or found[2]:
        return chr(int(found[1] or found[2], 16))
    if found[3] or found[4]:
        byte = int(found[3], 16) if found[3] else int(found[4], 8) & 0xFF
        return chr(byte) if byte < 0x80 else chr(0xDC00 + byte)
    if found[5]:
        return chr(ord(found[5]) & 0x1F)
    return _LETTERS.get(found[6], "\\" + found[6])


def _joined(text: str) -> str:
    """The text with what was written in halves, or byte by byte, put together."""
    whole = _HALVES.sub(lambda found: found[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
    return whole.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
