"""Calls behind a value that is part of an expression: one that gives the value itself, and one of a name nobody defined.

`{value}` stands for the baseline's value, `{mark}` for fresh letters, `{number}` for a fresh number.
"""

import re
from typing import NamedTuple

from gatecrash.core.testing.payloads.nosqli import IS_SERVER


class Call(NamedTuple):
    """Two ways to go on behind a value, `{value}`: with a call that gives the value itself, and with one of fresh letters, `{mark}`.

    language: which reads them. own: a function in the place of the letters that only the server's own code has, and no query of
    a store that evaluates the language; empty where none does.
    """

    language: str
    itself: str
    unknown: str
    own: str = ""


_OWN = f"({IS_SERVER}?String:0)"

# Of a property, whatever stands behind the dot. Where methods are known to expressions of templates as well (Jinja2, Nunjucks),
# a function of one's own is called, which those do not know.
_BEHIND_NAMES = (
    Call("JavaScript", "{value}[(()=>String('valueOf'))()]()", "{value}[(()=>{mark}('valueOf'))()]()", _OWN),
    Call("Ruby", "{value}.itself", "{value}.{mark}"),
    Call("Python", "{value} if(lambda:[1])()else 0", "{value} if(lambda:{mark})()else 0"),
)
# Of a text in quotes: the key of an element, a name to compare with.
_BEHIND_TEXTS = tuple(
    Call(language, f"{{value}}{quote}{itself}{quote}", f"{{value}}{quote}{unknown}{quote}", *own)
    for quote in "'\""
    for language, itself, unknown, *own in (
        ("JavaScript", f"+(()=>String({quote}{quote}))()+", f"+(()=>{{mark}}({quote}{quote}))()+", _OWN),
        ("Python", f"+(lambda:{quote}{quote})()+", "+(lambda:{mark})()+"),
        ("Ruby", ".itself+", ".{mark}+"),
        ("PHP or Perl", f".sprintf({quote}{quote}).", f".{{mark}}({quote}{quote})."),
    )
)
# No database knows the functions.
_BEHIND_CONDITIONS = (
    Call("JavaScript", "{value} && isNaN('q')", "{value} && {mark}('q')", _OWN),
    Call("Python", "{value} and len('q')", "{value} and {mark}('q')"),
    Call("Ruby", "{value} && Integer('1')", "{value} && {mark}('1')"),
    Call("PHP", "{value} && strlen('q')", "{value} && {mark}('q')"),
)
_BEHIND_NUMBERS = (
    Call("JavaScript", "{value}-isNaN('')", "{value}-{mark}('')", _OWN),
    Call("Python", "{value}-len('')", "{value}-{mark}('')"),
    Call("Ruby", "{value}-''.size", "{value}-''.{mark}"),
    Call("PHP", "{value}-strlen('')", "{value}-{mark}('')"),
)
_NAME = re.compile(r"[A-Za-z_]\w*")
_CONDITION = re.compile(r".*[<>=!].*", re.DOTALL)
_DIGITS = re.compile(r"\d+(?:\.\d+)?")


def calls_behind(value: str, *, keys: bool = True) -> tuple[Call, ...]:
    """The calls that make sense behind a value, by its look. keys: of texts in quotes, too."""
    if _DIGITS.fullmatch(value):
        return _BEHIND_NUMBERS
    if _CONDITION.fullmatch(value):
        return _BEHIND_CONDITIONS
    return (*(_BEHIND_NAMES if _NAME.fullmatch(value) else ()), *(_BEHIND_TEXTS if keys else ()))


# What breaks a text in quotes of either kind.
QUOTES = "'\""
# Filters of templates, which all of these engines know; Django and Liquid write their arguments behind a colon.
_FILTERS = (Call("Jinja2, Twig, Nunjucks", "{value}|default({number})", "{value}|{mark}({number})"),)
_FILTERS_OF_TEXTS = tuple(
    Call(engines, f"{{value}}{quote}|default{rest}", f"{{value}}{quote}|{{mark}}{rest}")
    for quote in "'\""
    for engines, rest in (("Jinja2, Twig, Nunjucks", f"({{number}})~{quote}"), ("Django, Liquid", f":{quote}"))
)


def filters_behind(value: str) -> tuple[Call, ...]:
    """The same of filters, within an expression of a template."""
    return (*(_FILTERS if _NAME.fullmatch(value) or _DIGITS.fullmatch(value) else ()), *_FILTERS_OF_TEXTS)
