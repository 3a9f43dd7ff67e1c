"""Bodies that are a text and nothing else: a word to look up, a greeting to fill in, what is put down on a page."""

import html
import shlex

from gatecrash.core.message import Response
from tests.range.place import TEXT, Given, answer, flaw, page, text, twin
from tests.range.shell import run
from tests.range.store import rows
from tests.range.templates import JINJA

ONLY = (TEXT,)
GREETING = "Hello {{ name }}"


@flaw("sqli", ways=ONLY)
def word(given: Given) -> Response:
    return answer(rows(f"SELECT name FROM items WHERE kind = '{given.q}'"))


@twin("sqli", ways=ONLY)
def bound_word(given: Given) -> Response:
    return answer(rows("SELECT name FROM items WHERE kind = ?", given.q))


@flaw("ssti", value=GREETING, ways=ONLY)
def greeting(given: Given) -> Response:
    return text(JINJA.from_string(given.q).render(name="Ann"))


@twin("ssti", value=GREETING, ways=ONLY)
def filled_greeting(given: Given) -> Response:
    return text(given.q.replace("{{ name }}", "Ann"))


@flaw("rce", ways=ONLY)
def told(given: Given) -> Response:
    return text(run(f"echo up {given.q}"))


@twin("rce", ways=ONLY)
def quoted(given: Given) -> Response:
    return text(run(f"echo up {shlex.quote(given.q)}"))


@flaw("xss", value="Tea is ready", ways=ONLY)
def put_down(given: Given) -> Response:
    return page(f"<h1>Note</h1><p>{given.q}</p>")


@twin("xss", value="Tea is ready", ways=ONLY)
def put_down_as_text(given: Given) -> Response:
    return page(f"<h1>Note</h1><p>{html.escape(given.q)}</p>")
