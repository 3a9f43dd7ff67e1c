"""The payloads of sqli, read by a real SQLite: what is true, what is false, what does not parse, and what is touched."""

import sqlite3
from contextlib import closing, suppress

import pytest

from gatecrash.core.testing.payloads.sqli import (
    ALIASES,
    CHANGING_BROKEN_NUMBERS,
    CHANGING_CODES,
    CHANGING_TEXTS,
    ERROR_PAIRS_FOR_NUMBERS,
    ERROR_PAIRS_FOR_TEXTS,
    FILTERED,
    IN_ARRAYS,
    QUOTED_NAMES,
    READING_NUMBERS,
    READING_TEXTS,
    RENAMED,
    SCREEN,
    SELDOM,
    SELDOM_READING,
    SORTED_BY,
    SORTED_DOWN,
    WHOLE_STATEMENTS,
    WRITTEN,
    Context,
    broken_words,
    joins_with_care,
    named,
    names_a_column,
    reading_seldom,
)

STATEMENTS = {
    "number": "SELECT 1 WHERE 5 = {}",
    "name of a column": "SELECT 1 FROM (SELECT 5 AS lamp) WHERE lamp = 5 AND {} = 5",
    "text": "SELECT 1 WHERE 'lamp' = '{}'",
    "text, joined": "SELECT 1 WHERE 'lamp' IN ('{}')",
    "pattern": "SELECT 1 WHERE 'lamp' LIKE '%{}%'",
    "text in brackets": "SELECT 1 WHERE ('lamp' = '{}')",
    "pattern in brackets": "SELECT 1 WHERE ('lamp' LIKE '%{}%')",
    "text in double quotes": 'SELECT 1 FROM (SELECT 5 AS lamp) WHERE "lamp" = "{}"',
    "text, joined by the standard": "SELECT 1 WHERE 'lamp' IN ('{}')",
    "list": "SELECT 1 ORDER BY {}",
    "number alone": "SELECT 1 LIMIT {}",
}
WORDLESS = FILTERED[-1]
# SQLite neither joins texts that stand side by side nor runs what stands in a comment, as MySQL does both.
HERE = sorted(
    {*READING_NUMBERS, *READING_TEXTS, *CHANGING_BROKEN_NUMBERS, *CHANGING_TEXTS, *CHANGING_CODES}
    - {CHANGING_TEXTS[1], READING_NUMBERS[-1]}
)

CHANGES = (
    "DELETE FROM items WHERE id = {}",
    "DELETE FROM items WHERE (id = {} AND price > 0)",
    "DELETE FROM items WHERE id IN ({})",
    "DELETE FROM items WHERE id <= {}",
    "DELETE FROM items WHERE name = '{}'",
    "DELETE FROM items WHERE (name = '{}')",
    "DELETE FROM items WHERE name IN ('{}', 'no')",
    "DELETE FROM items WHERE name = lower('{}')",
    "DELETE FROM items WHERE name LIKE '%{}%'",
    "DELETE FROM items WHERE kind = 'x' OR name LIKE '%{}%'",
    "UPDATE items SET price = 0 WHERE name = '{}'",
    "UPDATE items SET price = price + 1 WHERE id IN ({})",
)


def payload(context: Context, word: str, value: str, *, true: bool, before: str = "") -> str:
    right = "101" if true else "102"
    return context.pattern.format(
        value=value,
        statement=value.rstrip(";"),
        head=value[:-1],
        tail=value[-1:],
        word=word,
        left="101",
        right=right,
        same="7",
        mark="xqzr",
        yes="zrqx" if true else "",
        no="" if true else "zrqx",
        again=word if true else "",
        once="" if true else "zrqxz"[: len(word)],
        before=before,
        column=value,
        after="",
        version="99101" if true else "40102",
    )


def rows(context: str, value: str) -> int:
    with closing(sqlite3.connect(":memory:")) as database:
        return len(database.execute(STATEMENTS[context].format(value)).fetchall())


@pytest.mark.parametrize("context", HERE, ids=lambda context: context.name)
def test_true_changes_nothing_false_finds_nothing_and_a_lookalike_does_not_parse(context):
    value = "5" if context.number else "lamp"
    assert rows(context.name, value) == 1
    assert rows(context.name, payload(context, context.operator, value, true=True)) == 1
    assert rows(context.name, payload(context, context.operator, value, true=False)) == 0
    for word in context.lookalikes:
        with pytest.raises(sqlite3.Error):
            rows(context.name, payload(context, word, value, true=True))


# A value of each, and a statement that it stands in.
NAMES = [
    ("sum", "SELECT 1 WHERE (SELECT {}(a) FROM (SELECT 5 AS a)) = 5"),
    ("upper", "SELECT 1 WHERE {}('x') = 'X'"),
    ("known", "WITH known(a) AS (SELECT 5) SELECT 1 FROM {}"),
]
CLOSINGS = ('"}', '"]}', '"]', '"}}', '")', "}", "})")
# Without the call around it, which PostgreSQL knows alone.
ARRAY_IN_BRACKETS = IN_ARRAYS[1]


@pytest.mark.parametrize(
    ("context", "value", "statement"),
    [
        *((context, *named_) for context, named_ in zip(SELDOM, NAMES, strict=True)),
        *(
            (each, "net", f"SELECT 1 WHERE 'net{end}'='#{end}'")
            for each, end in zip(SELDOM_READING, CLOSINGS, strict=True)
            if each is not ARRAY_IN_BRACKETS
        ),
    ],
    ids=str,
)
def test_what_stands_in_seldom_places_is_the_same_when_true_and_nothing_when_false(context, value, statement):
    asked = statement.replace("{}", "#")
    with closing(sqlite3.connect(":memory:")) as base:

        def found(word: str, *, true: bool) -> bool:
            first = base.execute(asked.replace("#", payload(context, word, value, true=true))).fetchone()
            return first is not None

        assert found(context.operator, true=True)
        assert not found(context.operator, true=False)
        for word in context.lookalikes:
            with pytest.raises(sqlite3.Error):
                found(word, true=True)


@pytest.mark.parametrize("statement", ["='{}'", " LIKE '%{}%'", " IN ('{}')", " = ('{}')", " = upper('{}')"])
def test_what_holds_no_word_and_no_blank_is_the_same_when_true_and_another_when_false(statement):
    query = "SELECT 1 WHERE 'LAMP'" + statement
    with closing(sqlite3.connect(":memory:")) as database:
        for word in (WORDLESS.operator, *WORDLESS.lookalikes):
            for true in (True, False):
                sent = payload(WORDLESS, word, "LAMP", true=true)
                assert sent.split("zrqx")[0].replace("'", "").replace("|", "") == "LAMP"
                assert sorted(word) == sorted(WORDLESS.operator), "a filter of signs takes the same out of both"
                found = database.execute(query.replace("{}", sent)).fetchall()
                assert bool(found) is (true and word == WORDLESS.operator)


def test_what_joins_side_by_side_takes_letters_in_quotes_and_no_statement_does():
    for word in WORDLESS.others:
        assert eval(f'len("tea"{word})') > len("tea")
        with closing(sqlite3.connect(":memory:")) as database, pytest.raises(sqlite3.Error):
            database.execute("SELECT 1 WHERE 'LAMP'='{}'".replace("{}", payload(WORDLESS, word, "LAMP", true=True)))


@pytest.mark.parametrize("context", [*QUOTED_NAMES, *SORTED_DOWN.values()], ids=lambda context: context.name)
def test_a_quoted_name_to_sort_by_sorts_when_true_and_does_not_when_false(context):
    quote = next((sign for sign in '`"' if sign in context.name), "")
    down = " DESC" if "down" in context.name else ""
    query = f"SELECT lamp FROM (SELECT 7 AS lamp UNION ALL SELECT 5) shop ORDER BY shop.{quote}#{quote}{down}"
    sorted_, unsorted = (7, 5) if down else (5, 7)
    with closing(sqlite3.connect(":memory:")) as database:

        def first(sent: str) -> int:
            return database.execute(query.replace("#", sent)).fetchone()[0]

        assert first(payload(context, context.operator, "lamp", true=True)) == first("lamp") == sorted_
        assert first(payload(context, context.operator, "lamp", true=False)) == unsorted
        for word in context.lookalikes:
            with pytest.raises(sqlite3.Error):
                first(payload(context, word, "lamp", true=True))


@pytest.mark.parametrize("statement", ["='{}'", " LIKE '%{}%'", " IN ('{}')", " = ('{}')", " = upper('{}')"])
def test_joining_holds_wherever_a_text_stands(statement):
    context = CHANGING_TEXTS[0]
    query = "SELECT 1 WHERE 'LAMP'" + statement
    with closing(sqlite3.connect(":memory:")) as database:
        for true in (True, False):
            found = database.execute(query.format(payload(context, context.operator, "LAMP", true=true))).fetchall()
            assert bool(found) is true


@pytest.mark.parametrize("context", STATEMENTS)
def test_the_screen_breaks_every_context(context):
    with pytest.raises(sqlite3.Error):
        rows(context, SCREEN.format(value="5"))


@pytest.mark.parametrize("pairs", ERROR_PAIRS_FOR_NUMBERS + ERROR_PAIRS_FOR_TEXTS, ids=lambda pairs: pairs[0].name)
def test_of_a_pair_one_breaks_its_context_and_the_other_does_not(pairs):
    for pair in pairs:
        with pytest.raises(sqlite3.Error):
            rows(pair.name, pair.broken.format(value="1", mark="xq"))
        rows(pair.name, pair.whole.format(value="1", mark="xq"))


def touched(statement: str, value: str) -> set[int]:
    """The rows that a statement changes or deletes."""
    rows = [
        (0, "0", "z", 9),
        (1, "1", "a", 1),
        (2, "2", "b", 2),
        (5, "5", "c", 3),
        (6, "15", "d", 4),
        (7, "lamp", "e", 5),
    ]
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE items (id INTEGER, name TEXT, kind TEXT, price INTEGER)")
        database.executemany("INSERT INTO items VALUES (?, ?, ?, ?)", rows)
        try:
            database.execute(statement.format(value))
        except sqlite3.Error:
            return set()
        left = database.execute("SELECT id, name, kind, price FROM items").fetchall()
    return {row[0] for row in rows if row not in left}


@pytest.mark.parametrize("value", ["5", "lamp"])
@pytest.mark.parametrize("statement", CHANGES)
def test_nothing_is_changed_or_deleted_that_the_baseline_leaves(statement, value):
    payloads = [SCREEN.format(value=value)]
    for pairs in ERROR_PAIRS_FOR_NUMBERS + ERROR_PAIRS_FOR_TEXTS:
        payloads += [part.format(value=value, mark="xq") for pair in pairs for part in (pair.broken, pair.whole)]
    for context in CHANGING_BROKEN_NUMBERS + CHANGING_TEXTS + CHANGING_CODES + SELDOM:
        for word in (context.operator, *context.lookalikes):
            payloads += [payload(context, word, value, true=true) for true in (True, False)]
    for sent in payloads:
        assert touched(statement, sent) <= touched(statement, value), sent


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        ("price", ("", "price", "")),
        ("-price", ("-", "price", "")),
        ("-price,name", ("-price,", "name", "")),
        ("name, -i.price", ("name, -", "i.price", "")),
        ("created_at desc", ("", "created_at", " desc")),
        ("price:ASC", ("", "price", ":ASC")),
        ("blue lamp", ("", "blue lamp", "")),
    ],
)
def test_the_name_of_a_column_is_found_between_signs_other_names_and_directions(value, parts):
    assert tuple(named(value)) == parts


def test_a_column_to_sort_by_may_have_a_sign() -> None:
    assert all(names_a_column(value, "sort") for value in ("-price", "+price", "price"))
    assert not any(names_a_column(value, "sort") for value in ("-", "--price", "-5", "desc"))


@pytest.mark.parametrize("context", [*ALIASES, *QUOTED_NAMES, *SORTED_DOWN.values()], ids=lambda context: context.name)
def test_a_sign_stays_before_the_name_to_sort_by(context: Context) -> None:
    assert payload(context, context.operator, "price", true=True, before="-").startswith("-price")


def test_a_comment_of_mysql_is_whole_wherever_it_stands():
    """An open comment would cut off the rest of a statement, and with it its conditions."""
    context = READING_NUMBERS[-1]
    for word in (context.operator, *context.lookalikes):
        written = payload(context, word, "5", true=True)
        assert "/*" not in written or written.endswith("*/")


def test_where_something_may_change_no_digit_is_ever_a_condition_of_its_own():
    """MySQL reads `||` as OR and a text as a number: there a mark of letters is 0, which is false."""
    for context in CHANGING_BROKEN_NUMBERS + CHANGING_TEXTS:
        assert "{same}" not in context.pattern
        assert "AND" not in context.operator


@pytest.mark.parametrize(
    ("value", "careful"), [("lamp", True), ("5abc", False), (" 7", False), ("-x", False), (".5", False), ("", True)]
)
def test_a_text_that_an_or_would_take_for_true_is_not_joined(value: str, careful: bool) -> None:
    assert joins_with_care(value) is careful


def test_a_join_is_the_value_itself_or_another_where_it_joins() -> None:
    (joined,) = (context for context in CHANGING_TEXTS if context.name == "text, joined")
    for left, expected in ((1, "lamp"), (2, "lampzz")):
        text = joined.pattern.format(value="lamp", word="CASE", left=left, right=1, mark="zz")
        with closing(sqlite3.connect(":memory:")) as database:
            assert database.execute(f"SELECT '{text}'").fetchone() == (expected,)


def test_side_by_side_has_lookalikes_that_neither_a_shell_nor_an_address_refuses():
    """One of them is always among those that are tried: a shell joins such texts as MySQL does, and is no database."""
    words = [word for word in CHANGING_TEXTS[1].lookalikes if word.isalpha()]
    assert len(CHANGING_TEXTS[1].lookalikes) - len(words) < 4
    for word in words:
        written = payload(CHANGING_TEXTS[1], word, "lamp", true=True)
        assert written.count("'") % 2 == 0
        assert " " not in written


@pytest.mark.parametrize(
    ("value", "statement"),
    [
        ("5", "SELECT 1 LIMIT {}"),
        ("items", "SELECT * FROM {}"),
        ("items", "PRAGMA table_info({})"),
        ("round(7.5, 0)", "SELECT {}"),
    ],
)
def test_comments_leave_a_statement_as_it_is_and_what_only_looks_like_one_breaks_it(value: str, statement: str) -> None:
    (line,) = (
        each for each in reading_seldom(value, ("get", "limit"), broke=False, refused=True) if each.operator == "--"
    )
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE items (name)")

        def said(text: str) -> list[tuple[object, ...]] | None:
            try:
                return database.execute(statement.format(text)).fetchall()
            except sqlite3.Error:
                return None

        assert said(value) is not None
        assert said(line.pattern.format(value=value, word="--", mark="xqz")) == said(value)
        for word in broken_words(line):
            assert said(line.pattern.format(value=value, word=word, mark="xqz")) is None


@pytest.mark.parametrize("value", ["two words", "asc", "5.5", "it's", "tea.png"])
def test_texts_are_not_asked_with_comments_alone(value: str) -> None:
    assert "--" not in {each.operator for each in reading_seldom(value, ("get", "q"), broke=True, refused=False)}


@pytest.mark.parametrize("context", RENAMED, ids=lambda context: context.name)
@pytest.mark.parametrize("statement", ["SELECT * FROM {}", "SELECT {} FROM (SELECT 5 AS items)"])
def test_another_name_leaves_what_is_shown_and_what_only_looks_like_one_does_not(context, statement: str) -> None:
    quote = context.operator[0]
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE items AS SELECT 5 AS name")

        def shown(name: str) -> list[tuple[object, ...]]:
            with suppress(sqlite3.Error):
                return database.execute(statement.format(quote + name + quote)).fetchall()
            return []

        assert shown("items") == [(5,)]
        assert shown(context.pattern.format(value="items", word=context.operator, mark="xqz")) == [(5,)]
        for word in context.lookalikes:
            assert shown(context.pattern.format(value="items", word=word, mark="xqz")) != [(5,)]


@pytest.mark.parametrize(
    ("context", "name"), [(ALIASES[1], '"Sum"'), (ALIASES[2], "Sum"), (SORTED_BY[ALIASES[2]][1], "Sum")], ids=str
)
def test_a_name_that_the_statement_gives_is_sorted_by_and_stands_in_no_expression(context: Context, name: str) -> None:
    statement = f"SELECT 1 AS {name} ORDER BY {name}"
    with closing(sqlite3.connect(":memory:")) as base:
        for true in (True, False):
            told = payload(context, context.operator, "Sum", true=true)
            assert base.execute(statement.replace("BY " + name, "BY " + name.replace("Sum", told))).fetchall() == [(1,)]
        for word in context.lookalikes:
            with pytest.raises(sqlite3.Error):
                base.execute(f"SELECT 1 AS Sum ORDER BY {payload(context, word, 'Sum', true=True)}")


def test_a_whole_statement_shows_its_rows_or_none() -> None:
    ((context,), statement) = WHOLE_STATEMENTS, "select 5 as a;"
    with closing(sqlite3.connect(":memory:")) as base:
        found = [base.execute(payload(context, "WHERE", statement, true=true)).fetchall() for true in (True, False)]
        assert found == [[(5,)], []]
        for word in context.lookalikes:
            with pytest.raises(sqlite3.Error):
                base.execute(payload(context, word, statement, true=True))


def test_the_name_of_a_column_that_is_written_takes_a_comment_behind_it_and_none_within() -> None:
    (context,) = WRITTEN
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute("CREATE TABLE items (name TEXT)")
        base.execute(f"INSERT INTO items ({payload(context, '', 'name', true=True)}) VALUES ('tea')")
        base.execute(f"UPDATE items SET {payload(context, '', 'name', true=True)} = 'cup' WHERE 1 = 0")
        assert base.execute("SELECT name FROM items").fetchall() == [("tea",)]
        for word in context.lookalikes:
            with pytest.raises(sqlite3.Error):
                base.execute(f"UPDATE items SET {payload(context, word, 'name', true=True)} = 'cup'")
