"""Calls behind a value that is part of an expression: one that gives the value itself, and one of a name nobody defined.

`{value}` stands for the baseline's value, `{mark}` for fresh letters.
"""

import re
from typing import NamedTuple


class Call(NamedTuple):
    """Two ways to go on behind a value, `{value}`: with a call that gives the value itself, and with one of fresh letters, `{mark}`.

    Both have the same signs, so that no filter tells them apart. language: which reads them.
    """

    language: str
    itself: str
    unknown: str


# Of a property, whatever stands behind the dot.
_BEHIND_NAMES = (
    Call("JavaScript", "{value}.valueOf()", "{value}.{mark}()"),
    Call("Ruby", "{value}.itself", "{value}.{mark}"),
    Call("Python", "{value}.__str__()", "{value}.__{mark}__()"),
)
# Of a text in quotes: the key of an element, a name to compare with.
_BEHIND_TEXTS = tuple(
    Call(language, f"{{value}}{quote}{itself}{quote}", f"{{value}}{quote}{unknown}{quote}")
    for quote in "'\""
    for language, itself, unknown in (
        ("JavaScript", ".valueOf()+", ".{mark}()+"),
        ("Python or Ruby", ".strip()+", ".{mark}()+"),
        ("PHP or Perl", f".sprintf({quote}{quote}).", f".{{mark}}({quote}{quote})."),
    )
)
# No database knows the functions.
_BEHIND_CONDITIONS = (
    Call("JavaScript", "{value} && isNaN('q')", "{value} && {mark}('q')"),
    Call("Python", "{value} and len('q')", "{value} and {mark}('q')"),
    Call("Ruby", "{value} && Integer('1')", "{value} && {mark}('1')"),
    Call("PHP", "{value} && strlen('q')", "{value} && {mark}('q')"),
)
_BEHIND_NUMBERS = (
    Call("JavaScript", "{value}-isNaN(1)", "{value}-{mark}(1)"),
    Call("Python", "{value}-len('')", "{value}-{mark}('')"),
    Call("Ruby", "{value}-''.size", "{value}-''.{mark}"),
    Call("PHP", "{value}-strlen('')", "{value}-{mark}('')"),
)
_NAME = re.compile(r"[A-Za-z_]\w*")
_CONDITION = re.compile(r".*[<>=!].*", re.DOTALL)
_DIGITS = re.compile(r"\d+(?:\.\d+)?")


def calls_behind(value: str) -> tuple[Call, ...]:
    """The calls that make sense behind a value, by its look."""
    if _DIGITS.fullmatch(value):
        return _BEHIND_NUMBERS
    if _CONDITION.fullmatch(value):
        return _BEHIND_CONDITIONS
    return (*(_BEHIND_NAMES if _NAME.fullmatch(value) else ()), *_BEHIND_TEXTS)


# What breaks a text in quotes of either kind.
QUOTES = "'\""
# Filters of templates, which all of these engines know; Django and Liquid write their arguments behind a colon.
_FILTERS = (Call("Jinja2, Twig, Nunjucks", "{value}|default(0)", "{value}|{mark}(0)"),)
_FILTERS_OF_TEXTS = tuple(
    Call(engines, f"{{value}}{quote}|default{rest}", f"{{value}}{quote}|{{mark}}{rest}")
    for quote in "'\""
    for engines, rest in (("Jinja2, Twig, Nunjucks", f"(0)~{quote}"), ("Django, Liquid", f":{quote}"))
)


def filters_behind(value: str) -> tuple[Call, ...]:
    """The same of filters, within an expression of a template."""
    return (*(_FILTERS if _NAME.fullmatch(value) or _DIGITS.fullmatch(value) else ()), *_FILTERS_OF_TEXTS)
