"""Calls behind a value that is part of an expression: one that gives the value itself, and one of a name nobody defined.

`{value}` stands for the baseline's value, `{mark}` for seven fresh letters (fewer where the unknown call would be the longer
one of the two), `{number}` for a fresh number of four digits. Both calls hold something fresh: what a test has left at
one address (a name somebody signed up with) is known at another, and must be no call that is sent there. Both are written
with the same signs: a parser of cookies or of addresses that ends at one of them must read both alike.
"""

import re
from typing import NamedTuple

from gatecrash.core.testing.payloads.nosqli import IS_SERVER


class Call(NamedTuple):
    """Two ways to go on behind a value, `{value}`: with a call that gives the value itself, and with one of fresh
    letters, `{mark}`.

    language: which reads them. own: a function in the place of the letters that only the server's own code has, and no query of
    a store that evaluates the language; empty where none does.
    """

    language: str
    itself: str
    unknown: str
    own: str = ""


_OWN = f"(({IS_SERVER})?String:0)"

# Of a property, whatever stands behind the dot. Where methods are known to expressions of templates as well (Jinja2, Nunjucks),
# a function of one's own is called, which those do not know.
_BEHIND_NAMES = (
    Call("JavaScript", "{value}[(({mark})=>String('valueOf'))()]()", "{value}[(()=>{mark}('valueOf'))()]()", _OWN),
    Call("Ruby", "{value}.tap{{|{mark}|}}", "{value}.{mark}{{|tap|}}"),
    Call("Python", "{value} if(lambda*{mark}:[1])()else 0", "{value} if(lambda*a:[{mark}])()else 0"),
)
# SpEL, OGNL, MVEL and their like. What is shut in does not know what class a text is of, whose name has sixteen letters.
_JAVA, _CLASS_OF_TEXT = "an expression of Java", "''.getClass()"
# Of a text in quotes: the key of an element, a name to compare with.
_BEHIND_TEXTS = tuple(
    Call(language, f"{{value}}{quote}{itself}{quote}", f"{{value}}{quote}{unknown}{quote}", *own)
    for quote in "'\""
    for language, itself, unknown, *own in (
        ("JavaScript", f"+(({{mark}})=>String({quote}{quote}))()+", f"+(()=>{{mark}}({quote}{quote}))()+", _OWN),
        ("Python", f"+(lambda*{{mark}}:{quote}{quote}[:0])()+", f"+(lambda*a:{quote}{quote}[:{{mark}}])()+"),
        ("Ruby", ".tap{{|{mark}|}}+", ".{mark}{{|tap|}}+"),
        (
            "PHP or Perl",
            f".sprintf({quote}{quote},{quote}{{mark}}{quote}).",
            f".{{mark}}({quote}{quote},{quote}sprintf{quote}).",
        ),
        (
            _JAVA,
            f"+{quote}{quote}.getClass().getName().concat({quote}{{mark}}{quote}).substring(23)+",
            f"+{quote}{quote}.getClass().{{mark}}().concat({quote}getName{quote}).substring(23)+",
        ),
    )
)
# No database knows the functions.
_BEHIND_CONDITIONS = (
    Call("JavaScript", "{value} && isNaN('{mark}')", "{value} && {mark}('q')", _OWN),
    # A function of one's own, which evaluators that are shut in do not know.
    Call("Python", "{value} and (lambda*{mark}:[1])()", "{value} and (lambda*a:[{mark}])()"),
    Call("Ruby", "{value} && Integer('{number}')", "{value} && {mark}('{number}')"),
    # Perl has no `strlen`, and databases have no `ucfirst`.
    Call("PHP or Perl", "{value} && ucfirst('{mark}')", "{value} && {mark}('q')"),
    Call(
        _JAVA, f"{{value}} && {_CLASS_OF_TEXT}.getName()!='{{mark}}'", f"{{value}} && {_CLASS_OF_TEXT}.{{mark}}()!='q'"
    ),
)
# Of texts of bytes, as some databases know `len` of a text.
_BEHIND_NUMBERS = (
    Call("JavaScript", "{value}-isNaN('')*{number}", "{value}-{mark}('')*{number}", _OWN),
    Call("Python", "{value}-len(b'')*{number}", "{value}-{mark}(b'')*{number}"),
    Call("Ruby", "{value}-''.size*{number}", "{value}-''.{mark}*{number}"),
    Call("PHP", "{value}-strlen('')*{number}", "{value}-{mark}('')*{number}"),
    Call(
        _JAVA,
        f"{{value}}-(16-{_CLASS_OF_TEXT}.getName().length())*{{number}}",
        f"{{value}}-(16-{_CLASS_OF_TEXT}.{{mark}}().length())*{{number}}",
    ),
)
# Of a sign between two operands, by what counts the letters: a factor of one before the second of them, which divides
# it where the sign divides.
_BEHIND_OPERATORS = tuple(
    Call(language, f"{{value}} {itself}{{sign}}", f"{{value}} {unknown}{{sign}}", *own)
    for language, itself, unknown, *own in (
        ("JavaScript", "isNaN('{mark}')", "{mark}('1')", _OWN),
        ("Python", "(len(b'{mark}')==7)", "({mark}(b'q')==7)"),
        ("Ruby", "('{mark}'.size/7)", "('q'.{mark}/7)"),
        ("PHP", "(strlen('{mark}')==7)", "({mark}('q')==7)"),
        (
            _JAVA,
            f"('{{mark}}'.length()+10-{_CLASS_OF_TEXT}.getName().length())",
            f"('q'.length()+16-{_CLASS_OF_TEXT}.{{mark}}().length())",
        ),
    )
)
_NAME = re.compile(r"[A-Za-z_]\w*")
_CONDITION = re.compile(r".*[<>=!].*", re.DOTALL)
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_OPERATOR = re.compile(r"[-+*/]|[<>]=?|[=!]==?")


def calls_behind(value: str, *, keys: bool = True) -> tuple[Call, ...]:
    """The calls that make sense behind a value, by its look. keys: of texts in quotes, too."""
    if _DIGITS.fullmatch(value):
        return _BEHIND_NUMBERS
    if _OPERATOR.fullmatch(value):
        return _behind_operator("/" if value == "/" else "*")
    if _CONDITION.fullmatch(value):
        return _BEHIND_CONDITIONS
    return (*(_BEHIND_NAMES if _NAME.fullmatch(value) else ()), *(_BEHIND_TEXTS if keys else ()))


def _behind_operator(sign: str) -> tuple[Call, ...]:
    return tuple(
        call._replace(itself=call.itself.replace("{sign}", sign), unknown=call.unknown.replace("{sign}", sign))
        for call in _BEHIND_OPERATORS
    )


def scripts_behind(value: str) -> tuple[Call, ...]:
    """Those of JavaScript alone, of which more is asked before they prove anything, so that they may be tried wherever
    answers differ; behind conditions, which are rare, those of all languages.
    """
    condition = _CONDITION.fullmatch(value) is not None and not _OPERATOR.fullmatch(value)
    return tuple(call for call in calls_behind(value) if call.own or condition)


# What breaks a text in quotes of either kind.
QUOTES = "'\""
# Filters of templates, which all of these engines know; Django and Liquid write their arguments behind a colon.
_FILTERS = (Call("Jinja2, Twig, Nunjucks", "{value}|default({number})", "{value}|{mark}({number})"),)
_FILTERS_OF_TEXTS = tuple(
    Call(engines, f"{{value}}{quote}|default{rest}", f"{{value}}{quote}|{{mark}}{rest}")
    for quote in "'\""
    for engines, rest in (
        ("Jinja2, Twig, Nunjucks", f"({{number}})~{quote}"),
        ("Django, Liquid", f":{quote}{{number}}"),
    )
)


def filters_behind(value: str) -> tuple[Call, ...]:
    """The same of filters, within an expression of a template."""
    return (*(_FILTERS if _NAME.fullmatch(value) or _DIGITS.fullmatch(value) else ()), *_FILTERS_OF_TEXTS)
