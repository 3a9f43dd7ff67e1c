r"""Payloads of `ldapi`: a value spelt as only a search filter reads it (RFC 4515).

In a filter `\61` is the letter a, `*` any text or none, and brackets end what was begun. A value in this spelling finds
what the value finds and never more; a sound application escapes the backslash and the star, and finds nothing.
"""

# A star where nothing is missing, and the same with letters that are missing.
HOLDS, HOLDS_NOT = "{first}*{rest}", "{first}*{mark}{rest}"
# Brackets that do not close, and the same as a filter must spell them.
BROKEN, WHOLE = "{value})({mark}", "{value}\\29\\28{mark}"
# Signs that a filter takes as they are, and languages of queries and regular expressions read as open brackets and quotes.
LITERAL = '{value}["{mark}'
# To whom brackets group, the value itself.
GROUPED = "({value})"
# A backslash that escapes nothing. Regular expressions take it and break over the brackets, or break over WHOLE as well.
UNESCAPED = "{value}\\z{mark}"
# One comparison more, which BROKEN lacks: it narrows, or names nobody. For those who take any backslash.
COMPARED = "{value})(uid={mark}"
# One comparison more that holds for every entry, one that holds for none, and the former with a bracket turned round.
COMPARED_HOLDS, COMPARED_HOLDS_NOT, TURNED_HOLDS = (
    "{value})(objectClass=*",
    "{value})(objectClass={mark}",
    "{value}((objectClass=*",
)
# The same letters and signs with a bracket turned round: to whoever passes over brackets it is what COMPARED is.
TURNED = "{value}((uid={mark}"


def spelt(value: str) -> str:
    """The value with its first letter as a filter's escape."""
    return "".join(f"\\{byte:02x}" for byte in value[:1].encode("utf-8", "surrogateescape")) + value[1:]


def misspelt(value: str) -> str:
    """The same with a backslash that escapes nothing: no filter reads it as the value."""
    return "\\x" + spelt(value)[1:]


def other(value: str) -> str:
    r"""Another value of the same spelling, which differs from `spelt` in the first digit: who searches in spite of typing
    errors finds both or neither. `\32` ends as the letter that it means.
    """
    first, *rest = value[:1].encode("utf-8", "surrogateescape")
    changed = first ^ 0x40 if first < 0x80 else first ^ 1
    return "".join(f"\\{byte:02x}" for byte in (changed, *rest)) + value[1:]
