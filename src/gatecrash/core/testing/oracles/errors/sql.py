"""What database engines say when a statement does not parse: one list of our own, by engine.

Only errors of the parser count. A value of the wrong type ("invalid input syntax for type integer") is what a properly
bound parameter gives, and an error of a full-text query is about the query's own little language: neither is here.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple


class SqlError(NamedTuple):
    """An engine, and the words it was known by."""

    engine: str
    words: str


_SIGNATURES = (
    ("SQLite", r"near \"[^\"\n]{0,80}\": syntax error"),
    ("SQLite", r"near &quot;.{0,80}?&quot;: syntax error"),
    ("SQLite", r"near \\\"[^\n]{0,80}?\\\": syntax error"),
    ("SQLite", r"unrecognized token: (?:\"|\\\"|&quot;|&#34;|&#39;)"),
    ("SQLite", r"sqlite3\.(?:OperationalError|DatabaseError): (?:incomplete input|unrecognized|near)"),
    ("SQLite", r"SQLITE_ERROR"),
    ("SQLite", r"(?:SQL error or missing database|SQL logic error)"),
    ("SQLite", r"\bincomplete input\b"),
    ("PostgreSQL", r"syntax error at (?:or near|end of input)"),
    ("PostgreSQL", r"unterminated (?:quoted string|quoted identifier|bit string literal) at or near"),
    ("PostgreSQL", r"\bscanner_yyerror\b"),  # an error of Node's driver as JSON has it: without its message
    ("PostgreSQL", r"psycopg2?\.errors\.SyntaxError"),
    ("PostgreSQL", r"PG::SyntaxError"),
    ("MySQL", r"You have an error in your SQL syntax"),
    ("MySQL", r"right syntax to use near"),
    ("MySQL", r"\bER_PARSE_ERROR\b"),
    ("MySQL", r"MySQLSyntaxErrorException"),
    ("Microsoft SQL Server", r"Unclosed quotation mark (?:after|before) the character string"),
    ("Microsoft SQL Server", r"\bIncorrect syntax near (?:'|&#39;|the keyword|&#x27;)"),
    ("Microsoft SQL Server", r"Msg 1(?:02|05), Level 15"),
    ("Oracle", r"\bORA-(?:00906|00907|00911|00917|00920|00921|00923|00933|00936|00970|01740|01742|01756|01789)\b"),
    ("Oracle", r"quoted string not properly terminated"),
    ("Oracle", r"SQL command not properly ended"),
    ("H2", r"Syntax error in SQL statement|\borg\.h2\.jdbc\.JdbcSQLSyntaxError"),
    ("HSQLDB", r"\borg\.hsqldb\.HsqlException: unexpected (?:token|end of statement)"),
    ("HSQLDB", r"malformed (?:string|quoted identifier): (?:['\"]|&(?:#39|#x27|apos|quot|#34);)"),
    ("HSQLDB", r"unexpected (?:token: [^\n]{0,80}?|end of statement[^\n]{0,80}?) in statement \["),
    ("Derby", r"Syntax error: (?:Encountered|Lexical error)"),
    ("DuckDB", r"Parser Error: (?:syntax error|unterminated)"),
    ("DB2", r"\bSQL0(?:104N|010N)\b"),
    ("SQL", r"\bSQLSTATE[\[ :=(]+42(?:000|601)\b"),
    ("SQL", r"\bSQLSyntaxErrorException\b"),
    ("SQL", r"hibernate\.exception\.SQLGrammarException"),
)
# What drivers call whatever a server refused when it read a query, the little languages of its functions included.
_OF_ANY_KIND = frozenset(
    {r"SQLITE_ERROR", r"(?:SQL error or missing database|SQL logic error)", r"\bSQLSTATE[\[ :=(]+42(?:000|601)\b"}
)
# A bound value is read by those: full-text queries (SQLite, MySQL, PostgreSQL), paths into JSON, regular expressions, XPath.
_LITTLE_LANGUAGE = re.compile(
    r"\bfts[345]: |\bunterminated string\b|malformed MATCH expression|unknown special query|JSON path\b|to function '?json_"
    r"|syntax error, unexpected (?:\$|END\b|FTS_|['&\\-])|in (?:phraseto_|plainto_|websearch_)?tsquery|from regexp|XPATH syntax error",
    re.IGNORECASE,
)
# One pass for all engines; every alternative is bounded, so that a large answer costs time in proportion to its size.
_ANY = re.compile(
    "|".join(f"(?P<s{number}>{pattern})" for number, (_, pattern) in enumerate(_SIGNATURES)), re.IGNORECASE
)
ENGINES = frozenset(engine for engine, _ in _SIGNATURES)


# One of these is in every error above; most answers hold none and cost no more than this look.
_HINTS = (
    "syntax",
    "sql",
    "ora-",
    "unrecognized token",
    "incomplete input",
    "unterminated",
    "quotation",
    "er_parse",
    "yyerror",
    "properly",
    "hsqldb",
    "malformed string",
    "malformed quoted",
    "in statement [",
    "lexical error",
    "parser error",
)
# Errors stand at the beginning of an answer, or behind what was already sent when they came.
_HEAD, _TAIL = 200_000, 50_000
# So far around a hint an error reaches: more than the longest has on either side of its own.
_REACH = 300


def errors_in(text: str) -> frozenset[SqlError]:
    """Every parser error that a text shows, each signature once; of a long text its beginning and its end are read."""
    if len(text) > _HEAD + _TAIL:
        text = text[:_HEAD] + "\n" + text[-_TAIL:]
    lowered = text.lower()
    found = (one for begin, end in _around_hints(lowered) for one in _ANY.finditer(lowered, begin, end))
    signatures = (_SIGNATURES[int(one.lastgroup[1:])] for one in found if one.lastgroup)
    errors = frozenset(SqlError(engine, words) for engine, words in signatures)
    vague = frozenset(error for error in errors if error.words in _OF_ANY_KIND)
    return errors - vague if vague and _LITTLE_LANGUAGE.search(text) else errors


def _around_hints(lowered: str) -> list[tuple[int, int]]:
    """Where errors may stand, in order, none within another: thirty patterns are not tried at each letter of a page."""
    begins = sorted({at for hint in _HINTS for at in _places(lowered, hint)})
    spans: list[tuple[int, int]] = []
    for at in begins:
        if spans and at - _REACH <= spans[-1][1]:
            spans[-1] = (spans[-1][0], at + _REACH)
        else:
            spans.append((max(0, at - _REACH), at + _REACH))
    return spans


def _places(lowered: str, hint: str) -> Iterator[int]:
    at = lowered.find(hint)
    while at >= 0:
        yield at
        at = lowered.find(hint, at + 1)


# What SQLite and PostgreSQL say of a backslash outside of a text, as it stands in a text, in JSON and in a page.
_LONE_BACKSLASH = re.compile(
    r"(?:unrecognized token: |syntax error at or near )(\\?\"|&quot;|&#34;)\\{1,2}\1(?! of jsonpath)", re.IGNORECASE
)


def names_a_backslash(text: str) -> bool:
    """Whether a text tells that a parser met a backslash where none may stand."""
    return "\\" in text and _LONE_BACKSLASH.search(text[:_HEAD]) is not None


# What engines say of a name that nothing has: the statement parsed, and was run.
_UNKNOWN_NAME = re.compile(
    r"no such column|does not exist|unknown column|invalid column name|invalid identifier|column\W{1,12}\w{1,60}\W{1,12}not found"
    r"|object not found|not in any table|referenced column|\b(?:ora-00904|42703|42s22)\b|undefined ?column|unresolved ?column"
)
_UNKNOWN_NAME_HINTS = (
    "column",
    "does not exist",
    "invalid identifier",
    "object not found",
    "not in any table",
    "ora-00904",
    "42703",
    "42s22",
)


def knows_no_such_name(text: str) -> bool:
    """Whether a text tells that a statement named a column that is not there, in the words of any engine."""
    lowered = text[:_HEAD].lower()
    return any(hint in lowered for hint in _UNKNOWN_NAME_HINTS) and _UNKNOWN_NAME.search(lowered) is not None
