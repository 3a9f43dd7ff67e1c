"""Pages of posts that speak of errors and hold files' content as text: found by words, shown at random, or beside something."""

import html
import random
import re

from gatecrash.core.message import Response
from tests.range.place import JSON, QUERY, Given, flaw, page, twin
from tests.range.store import found_by, rows

WAYS = (QUERY, JSON)
POSTS = (
    "You have an error in your SQL syntax; check the manual for the right syntax to use near ''1''' at line 1",
    "ERROR: unterminated quoted string at or near \"'\" LINE 1: SELECT name FROM users WHERE id='",
    'near "AND": syntax error; unrecognized token: "\'"',
    "ORA-01756: quoted string not properly terminated",
    "Unclosed quotation mark after the character string ''. Incorrect syntax near 'x'.",
    "root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin is the passwd file in etc",
    "; for 16-bit app support\n[fonts]\n[extensions]\nis win.ini in the windows folder of drive c",
    # Without brackets: a search that goes by signs would find them by those of the broken filter, which is known to be claimed.
    "LDAP says: Bad search filter",
    "XPathException: Invalid expression; XPath error : Invalid predicate",
    "MongoServerError: unknown operator: $foo",
    "How to boil water",
    "How to steep tea",
)
WORD = re.compile(r"[a-z]{2,}")
CHANCE = random.Random(7)


def shown(posts: list[str], said: str) -> Response:
    return page(f"<p>{html.escape(said)}</p>" + "".join(f"<pre>{html.escape(post)}</pre>" for post in posts))


def at_random(given: Given) -> Response:
    return shown(CHANCE.sample(POSTS, 4), given.q)


def by_words(given: Given) -> Response:
    words = set(WORD.findall(given.q.lower()))
    return shown([post for post in POSTS if words & set(WORD.findall(post.lower()))], given.q)


def by_signs(given: Given) -> Response:
    """Punctuation counts as well: what holds most of the odd signs that were sent comes first."""
    signs, words = set(re.findall(r"[^\w\s]", given.q)), set(WORD.findall(given.q.lower()))
    points = {post: len(signs & set(post)) + 2 * len(words & set(WORD.findall(post.lower()))) for post in POSTS}
    return shown(sorted((post for post in POSTS if points[post]), key=lambda post: -points[post])[:4], given.q)


def beside_nothing(given: Given) -> Response:
    """Says what others wrote lately where nothing is found."""
    found = [post for post in POSTS if given.q.lower() in post.lower()]
    return shown(found or CHANCE.sample(POSTS, 3), given.q)


def named(name: str, handler: object) -> object:
    def place(given: Given) -> Response:
        return handler(given)

    place.__name__, place.__module__ = name, __name__
    return place


for _type in ("sqli", "ptrav", "xxe", "ldapi", "xpathi", "nosqli", "info"):
    for _handler in (at_random, by_words, by_signs, beside_nothing):
        twin(_type, ways=WAYS)(named(f"{_type}_{_handler.__name__}", _handler))


def moving(found: list[tuple]) -> Response:
    """What was found, amid what is another thing in every answer."""
    drawn = [f"<p>{''.join(CHANCE.choices('bcdfgh', k=9))}</p>" for _ in range(9)]
    kept = (
        f"<h1>Teas and cups</h1><p>{len(found)} of them</p><ul>{''.join(f'<li>{each[0]}</li>' for each in found)}</ul>"
    )
    return page("".join([*drawn[:3], kept, *drawn[3 : CHANCE.randrange(5, 9)]]))


@flaw("sqli", ways=(QUERY,))
def amid_what_moves(given: Given) -> Response:
    return moving(found_by(f"SELECT name FROM items WHERE name = '{given.q}'"))


@twin("sqli", ways=(QUERY,))
def bound_amid_what_moves(given: Given) -> Response:
    return moving(rows("SELECT name FROM items WHERE name = ?", given.q))


@twin("sqli", ways=(QUERY,))
def a_search_amid_what_moves(given: Given) -> Response:
    words = WORD.findall(given.q.lower())
    return moving([each for each in rows("SELECT name FROM items") if any(word in each[0] for word in words)])
