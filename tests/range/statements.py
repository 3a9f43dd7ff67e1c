"""Places of statements where values seldom stand: names of functions and tables, what a proxy tells."""

import html
import ipaddress
import re
import sqlite3
from collections import deque

from gatecrash.core.message import Request, Response
from tests.range.place import FORM, JSON, PATH, QUERY, Given, answer, flaw, miss, page, text, twin
from tests.range.store import rows

KNOWN = ("sum", "max", "min")
READ = (QUERY, JSON)
WRITTEN = (QUERY, FORM)
WORDS = re.compile(r"\s|and|or|case|when|union|select", re.IGNORECASE)
WALL = deque(["Good evening"], maxlen=25)


def plain(path: str) -> Request:
    return Request("GET", path.encode())


def caller(given: Given) -> str:
    return (given.request.first(b"X-Forwarded-For") or b"10.0.0.7").decode("latin-1")


def of_one_word(value: str) -> bool:
    """Whether any line is a word, as checks in Ruby often ask."""
    return re.search(r"^\w+$", value, re.MULTILINE) is not None


# Joined


@flaw("sqli", value="sum", ways=READ)
def function(given: Given) -> Response:
    return answer(rows(f"SELECT kind, {given.q}(price) FROM items GROUP BY kind ORDER BY kind"))


@flaw("sqli", value="upper", ways=(QUERY,))
def function_of_texts(given: Given) -> Response:
    return answer(rows(f"SELECT {given.q}(name) FROM items ORDER BY id"))


@flaw("sqli", value="items", ways=READ)
def table(given: Given) -> Response:
    return answer({"count": rows(f"SELECT count(*) FROM {given.q}")[0][0]})


@flaw("sqli", value="items", ways=(QUERY,))
def columns_of_a_table(given: Given) -> Response:
    """Neither an expression nor a text may stand there, and errors are told politely."""
    try:
        return answer([row[1] for row in rows(f"PRAGMA table_info({given.q})")])
    except sqlite3.Error:
        return answer([])


@flaw("sqli", value="items", ways=(QUERY,))
def table_in_quotes(given: Given) -> Response:
    """Within quotes of its own, and errors are told politely."""
    try:
        return answer(rows(f"SELECT name FROM `{given.q}`"))
    except sqlite3.Error:
        return answer([])


@flaw("sqli", value=">", ways=READ)
def sign_of_a_comparison(given: Given) -> Response:
    return answer(rows(f"SELECT name FROM items WHERE price {given.q} 3"))


@flaw("sqli", value="2 cups", ways=(FORM, JSON))
def begins_as_a_number(given: Given) -> Response:
    rows(f"SELECT 1 FROM items WHERE name = '{given.q}'")
    return answer({"written": True}, 201)


@flaw("sqli", ways=(QUERY, JSON))
def first_quote_doubled(given: Given) -> Response:
    safe = given.q.replace("'", "''", 1)
    return answer(rows(f"SELECT name FROM items WHERE name = '{safe}'"))


@twin("sqli", ways=(QUERY,))
def one_word_or_another(given: Given) -> Response:
    """OR is a word of this search, behind which other words are looked for; quotes are letters."""
    words = [each.strip() for each in given.q.split(" OR ")]
    return answer([row for word in words for row in rows("SELECT name FROM items WHERE name = ?", word)])


@flaw("sqli", value="ann", ways=(FORM, JSON))
def login_refused(given: Given) -> Response:
    found = rows(f"SELECT name FROM users WHERE name = '{given.q}' AND password = 'sesame'")
    return page(f"Welcome {found[0][0]}.") if found else text("Wrong name or password", 403)


@flaw("sqli", request=plain)
def address(given: Given) -> Response:
    rows(f"SELECT 1 FROM items WHERE name = '{caller(given)}'")
    return page("Welcome.")


@flaw("sqli", value="nobody", ways=(FORM,))
def nothing_found_or_wrong(given: Given) -> Response:
    """Finds nothing as it is, and tells errors politely."""
    try:
        found = rows(f"SELECT name FROM items WHERE name = '{given.q}' AND price = -1")
    except sqlite3.Error:
        return page("The request could not be processed.")
    return page(f"Your results: {found}")


@flaw("sqli", value="price", ways=(JSON,))
def told_as_graphql_does(given: Given) -> Response:
    try:
        return answer({"data": {"names": rows(f"SELECT name FROM items WHERE id = 3 ORDER BY {given.q}")}})
    except sqlite3.Error:
        return answer({"data": None, "errors": [{"message": "Something failed"}]})


@flaw("sqli", ways=(QUERY,))
def words_taken_out(given: Given) -> Response:
    return answer(rows(f"SELECT name FROM items WHERE name = '{WORDS.sub('', given.q)}'"))


@miss("sqli", ways=(JSON,))
def words_taken_out_of_a_document(given: Given) -> Response:
    """A request that may change something is not asked what widens a condition on MySQL."""
    return words_taken_out(given)


@flaw("sqli", value="price", ways=(QUERY,))
def column_in_quotes(given: Given) -> Response:
    return answer(rows(f'SELECT name FROM items ORDER BY "{given.q}"'))


@flaw("sqli", value="2", ways=(QUERY,))
def number_checked_line_by_line(given: Given) -> Response:
    """As Ruby reads `^` and `$`."""
    known = re.search(r"^\d+$", given.q, re.MULTILINE)
    return answer(rows(f"SELECT name FROM items WHERE id = {given.q}")) if known else text("no such number", 404)


@flaw("sqli", ways=WRITTEN)
def text_checked_line_by_line(given: Given) -> Response:
    return answer(rows(f"SELECT name FROM items WHERE name = '{given.q}'") if of_one_word(given.q) else "what?")


# Sound


@twin("sqli", ways=WRITTEN)
def text_checked_line_by_line_and_bound(given: Given) -> Response:
    return answer(rows("SELECT name FROM items WHERE name = ?", given.q) if of_one_word(given.q) else "what?")


@twin("sqli", ways=WRITTEN)
def text_checked_as_a_whole(given: Given) -> Response:
    known = re.fullmatch(r"\w+", given.q)
    return answer(rows(f"SELECT name FROM items WHERE name = '{given.q}'") if known else "what?")


@twin("sqli", ways=READ)
def words_taken_out_of_a_bound_text(given: Given) -> Response:
    return answer(rows("SELECT name FROM items WHERE name = ?", WORDS.sub("", given.q)))


@twin("sqli", ways=(QUERY, JSON))
def more_than_two_quotes_break(given: Given) -> Response:
    if given.q.count("'") > 2:
        return text("too many quotes", 500)
    return answer(rows("SELECT name FROM items WHERE name = ?", given.q))


@twin("sqli", ways=(QUERY, JSON))
def words_of_statements_break(given: Given) -> Response:
    if re.search(r"\b(?:and|case|when)\b|=", given.q, re.IGNORECASE):
        return text("internal error", 500)
    return answer(rows("SELECT name FROM items WHERE name = ?", given.q))


@twin("sqli", ways=READ)
def signs_taken_out(given: Given) -> Response:
    """Takes out all that joins texts, and looks for what is left."""
    return answer(rows("SELECT name FROM items WHERE name = ?", re.sub(r"['\"|*/`]", "", given.q)))


@twin("sqli", value="price", ways=(QUERY,))
def column_listed_or_the_first(given: Given) -> Response:
    return answer(rows(f'SELECT name FROM items ORDER BY "{given.q if given.q in ("price", "name") else "price"}"'))


@twin("sqli", value="sum", ways=READ)
def function_listed(given: Given) -> Response:
    """Breaks over any other word."""
    name = KNOWN[KNOWN.index(given.q)]
    return answer(rows(f"SELECT kind, {name}(price) FROM items GROUP BY kind ORDER BY kind"))


@twin("sqli", value="sum", ways=READ)
def function_by_its_letters(given: Given) -> Response:
    """Takes the letters behind all signs, as a parser of formulas would, and shows nothing where there is no such function."""
    name = re.split(r"[^a-z]", given.q)[-1]
    if name not in KNOWN or "'" in given.q:
        return text("no such function", 500)
    return answer(rows(f"SELECT kind, {name}(price) FROM items GROUP BY kind ORDER BY kind"))


@twin("sqli", value="items", ways=READ)
def table_listed(given: Given) -> Response:
    return answer(
        {"count": rows(f"SELECT count(*) FROM {('items', 'users')[['items', 'users'].index(given.q)]}")[0][0]}
    )


@twin("sqli", value="items", ways=READ)
def table_named_in_it(given: Given) -> Response:
    """Takes the first name that it knows, and nothing with quotes."""
    if '"' in given.q:
        return text("internal error", 500)
    return answer({"count": rows("SELECT count(*) FROM items")[0][0] if "items" in given.q else 0})


@twin("sqli", value=">", ways=READ)
def sign_listed(given: Given) -> Response:
    sign = ("<", ">", "=")[("<", ">", "=").index(given.q)]
    return answer(rows(f"SELECT name FROM items WHERE price {sign} 3"))


@twin("sqli", value=">", ways=READ)
def sign_at_the_beginning(given: Given) -> Response:
    """Reads the first sign and passes over all else."""
    return answer(rows(f"SELECT name FROM items WHERE price {'>' if given.q[:1] == '>' else '<'} 3"))


@twin("sqli", ways=READ, also=("nosqli",))
def condition_of_a_script(given: Given) -> Response:
    """As a script's condition: behind an OR any text but the empty one is true."""
    found = re.fullmatch(r"([^']*)((?:'\|\|'[^']*)*)", given.q)
    if found is None:
        return answer([])
    return answer(rows("SELECT name FROM items WHERE name = ? OR ?", found[1], found[2].strip("'|") != ""))


@twin("sqli", value="items", ways=READ)
def table_listed_or_nothing(given: Given) -> Response:
    return answer(rows("SELECT name FROM items") if given.q == "items" else [])


@twin("sqli", value="items", ways=READ)
def table_by_its_first_word(given: Given) -> Response:
    """Takes quotes off each word, and reads the first."""
    words = [word.strip('`"') for word in given.q.split()]
    return answer(rows("SELECT name FROM items") if words[:1] == ["items"] else [])


@twin("sqli", value="tea", ways=READ)
def found_without_comments(given: Given) -> Response:
    """A language of its own, with comments as Lua and Ada have them, and nothing but words beside them."""
    words = re.sub(r"--.*", "", given.q).split()
    sound = all(re.fullmatch(r"\w+", word) for word in words)
    return answer(rows("SELECT name FROM items WHERE name = ?", " ".join(words)) if sound else [])


@twin("sqli", value="tea", ways=READ)
def found_without_words(given: Given) -> Response:
    """A search that knows words with a sign before them, which shall not be in it, and takes all other signs out."""
    words = [word for word in re.findall(r"[-+]?\w+", given.q) if word[0] not in "-+"]
    return answer(rows("SELECT name FROM items WHERE name = ?", words[0] if words else ""))


@twin("sqli", ways=(QUERY,))
def looked_for(given: Given) -> Response:
    return page("We have it." if rows("SELECT 1 FROM items WHERE name = ?", given.q) else "We do not have it.")


@twin("sqli", value="2 cups", ways=(FORM, JSON))
def begins_as_a_number_bound(given: Given) -> Response:
    rows("SELECT 1 FROM items WHERE name = ?", given.q)
    return answer({"written": True}, 201)


@twin("sqli", value="ann", ways=(FORM, JSON))
def login_refused_bound(given: Given) -> Response:
    found = rows("SELECT name FROM users WHERE name = ? AND password = 'sesame'", given.q)
    return page(f"Welcome {found[0][0]}.") if found else text("Wrong name or password", 403)


@twin("sqli", value="ann", ways=(FORM, JSON))
def login_by_its_first_word(given: Given) -> Response:
    """Refuses words of SQL as it refuses anybody else, and reads no further than the first quote."""
    known = given.q.partition("'")[0] == "ann" and " AND " not in given.q
    return page("Welcome ann.") if known else text("Wrong name or password", 403)


@twin("sqli", value="nobody", ways=(FORM,))
def nothing_found_bound(given: Given) -> Response:
    """Politely refuses one open quote, or three, as a language of its own would."""
    if given.q.count("'") % 2:
        return page("The request could not be processed.")
    return page(f"Your results: {rows('SELECT name FROM items WHERE name = ? AND price = -1', given.q)}")


@twin("sqli", value="nobody", ways=(FORM,))
def nothing_found_by_words(given: Given) -> Response:
    """A search of its own words, which politely refuses quotes that a letter or nothing follows."""
    if re.search(r"'(?:\w|$)", given.q):
        return page("The request could not be processed.")
    words = " ".join(re.findall(r"\w+", given.q))
    return page(f"Your results: {rows('SELECT name FROM items WHERE name = ? AND price = -1', words)}")


@twin("sqli", value="Good morning", ways=(FORM,))
def wall(given: Given) -> Response:
    """Lists what it was sent before, which is in the answers to everything that is sent later."""
    WALL.append(given.q)
    return page("".join(f"<p>Somebody wrote: {html.escape(each)}</p>" for each in WALL))


@twin("sqli", request=plain)
def address_parsed(given: Given) -> Response:
    """Breaks over what is no address."""
    rows("SELECT 1 FROM items WHERE name = ?", str(ipaddress.ip_address(caller(given))))
    return page("Welcome.")


@twin("sqli", request=plain)
def address_bound(given: Given) -> Response:
    rows("SELECT 1 FROM items WHERE name = ?", caller(given))
    return page("Welcome.")


@twin("sqli", value="price", ways=(JSON,))
def errors_as_graphql_tells_them(given: Given) -> Response:
    """Refuses what is no name of a field."""
    if not re.fullmatch(r"\w+", given.q):
        return answer({"data": None, "errors": [{"message": "Unexpected character"}]})
    return answer({"data": {"names": rows("SELECT name FROM items WHERE id = 3")}})


# At a word of the path


def by_name(name: str) -> Response:
    found = rows(f"SELECT name, price FROM items WHERE name = '{name}'")
    return answer(found[0]) if found else answer({"error": "not found"}, 404)


@flaw("sqli", ways=(PATH,))
def item_of_a_name(given: Given) -> Response:
    try:
        return by_name(given.q)
    except sqlite3.Error as error:
        return text(f"sqlite3.OperationalError: {error}", 500)


@twin("sqli", value="everything", ways=(PATH,))
def a_list_beside_names(given: Given) -> Response:
    """Any other word in its place reaches the broken statement, which is another endpoint's."""
    return answer(rows("SELECT name, price FROM items")) if given.q == "everything" else item_of_a_name(given)


@twin("sqli", value="count", ways=(PATH,))
def a_number_beside_names(given: Given) -> Response:
    """Likewise, and what breaks says nothing."""
    return answer(rows("SELECT count(*) FROM items")[0][0]) if given.q == "count" else by_name(given.q)
