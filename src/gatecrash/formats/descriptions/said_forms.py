"""A text of the form that words tell: by a notation (`HH:MM-HH:MM`, `DD.MM.YYYY`), a standard (ISO 4217, E.164), or so many digits."""

import re
from typing import Any

from gatecrash.core.words.names import parted

MOST_CHARACTERS = 500
# The values of a notation's letters; of two times the second is the later one.
_LETTERS = re.compile(r"YYYY|yyyy|YY|yy|DD|dd|HH|hh|MM|mm|SS|ss")
_SIGNS = r"[-./:T ]"
_PART = r"(?:YYYY|yyyy|YY|yy|DD|dd|HH|hh|MM|mm|SS|ss)"
_NOTATION = re.compile(
    rf"(?<![A-Za-z]){_PART}(?:{_SIGNS}{_PART}){{1,5}}(?:(?:\s?[-\u2013/]\s?|\s(?:to|until)\s){_PART}(?:{_SIGNS}{_PART}){{1,5}})?Z?(?![A-Za-z])"
)
YEAR = "2026"
IS_BORN = re.compile(r"birth|born|(?:^|[^a-z])dob(?:$|[^a-z])")
_TEXTS = {"YY": "30", "DD": "15", "SS": "00"}
# Digits left blank: `01xxxxxxxxx`, `XXX-XXX-XXXX`, `###-##-####`.
_BLANKS = re.compile(r"(?<![\w#])\+?\d{0,6}(?:[xX]{3,12}|#{3,12})(?:[- ]?[xX#]{2,12}){0,4}(?![\w#])")
_HOURS = ("08", "12")
IBAN = "DE89370400440532013000"  # the example of the standard (ISO 13616), whose digits agree
_STANDARDS = (
    (r"\biso[\s-]?4217\b", "EUR"),
    (r"\biso[\s-]?3166\b.{0,40}\balpha-?3\b", "DEU"),
    (r"\biso[\s-]?3166\b|\bcountry\b.{0,20}\balpha-?2\b", "DE"),
    (r"\bbcp[\s-]?47\b|\biso[\s-]?639\b", "en"),
    (r"\biata\b", "BER"),
    (r"\biban\b", IBAN),
    (r"\bswift\b|\bbic\b", "DEUTDEFF"),
    (r"\be\.?164\b", "+12025550123"),
    (r"\bcidr\b", "192.0.2.0/24"),
    (r"\bsem(?:antic )?ver(?:sion(?:ing)?)?\b", "1.0.0"),
    (r"\bcron\b", "0 3 * * *"),
    (r"#rrggbb|\bhex(?:adecimal)? colou?r\b", "#336699"),
    (r"\btime ?zone\b.{0,20}\b(?:iana|tz|olson)\b|\b(?:iana|tz) (?:database )?(?:time ?zone|name)\b", "Europe/Berlin"),
)
_TOLD = tuple((re.compile(pattern, re.IGNORECASE), text) for pattern, text in _STANDARDS)
_COUNTED = {
    word: number for number, word in enumerate(["three", "four", "five", "six", "seven", "eight", "nine", "ten"], 3)
}
_DIGITS = re.compile(
    rf"(?<![\d-])(?<!to )(?<!least )(?<!most )(?<!than )(?<!and )(\d{{1,2}}|{'|'.join(_COUNTED)})[\s-]digits?\b(?! or)",
    re.IGNORECASE,
)


def form_said(description: Any, name: str = "") -> str | None:
    """A text of the form that the words tell; None where they tell none. name: of the parameter or member."""
    if not isinstance(description, str):
        return None
    said = description[:MOST_CHARACTERS]
    notation = _NOTATION.search(said)
    if notation is not None:
        return _written(notation[0], "1990" if IS_BORN.search(parted(name).lower()) else YEAR)
    blanks = _BLANKS.search(said)
    if blanks is not None:
        return re.sub("[xX#]", "5", blanks[0])
    for pattern, text in _TOLD:
        if pattern.search(said):
            return text
    digits = _DIGITS.search(said)
    count = _COUNTED.get(digits[1].lower()) or int(digits[1]) if digits is not None else 0
    return "1234567890123456789"[:count] if 2 < count < 20 else None


def _written(notation: str, year: str) -> str:
    """The notation with numbers for its letters: `MM` is a month, and minutes behind hours."""
    hours = 0
    timed = False

    def text(part: re.Match[str]) -> str:
        nonlocal hours, timed
        letters = part[0].upper()
        if letters == "HH":
            hours, timed = hours + 1, True
            return _HOURS[min(hours, len(_HOURS)) - 1]
        if letters == "MM":
            return "00" if timed else "01"
        timed = timed and letters == "SS"
        return year if letters == "YYYY" else year[2:] if letters == "YY" and year != YEAR else _TEXTS[letters]

    return _LETTERS.sub(text, notation)
