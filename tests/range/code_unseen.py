"""Code whose result is shown nowhere, or beside an echo alone; and what looks so from outside."""

from collections.abc import Callable

from gatecrash.core.message import Response
from tests.range.code import NAMES
from tests.range.place import FORM, QUERY, Given, flaw, page, twin

EITHER = (QUERY, FORM)
KNOWN = {"__builtins__": {**NAMES["__builtins__"], "bytes": bytes}}


def said(wish: str, result: object = "") -> Response:
    """One page for whatever was done, with the wish and what came of it."""
    return page(f"<p>Your wish: <b>{escaped(wish)}</b></p><pre>{escaped(str(result))}</pre>")


def escaped(shown: str) -> str:
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;").replace("'", "&#39;")


def carried_out(code: Callable[[], object]) -> Response:
    """Tells in one sentence that it went well, in another that it did not."""
    try:
        code()
    except Exception:  # noqa: BLE001 -- hides what is wrong
        return page("<p>We could not carry out your wish.</p>")
    return page("<p>It is done.</p>")


@flaw("rce", value="7", ways=EITHER)
def number_that_is_evaluated(given: Given) -> Response:
    return carried_out(lambda: eval(given.q, {"__builtins__": {"len": len}}))


@twin("rce", value="7", ways=EITHER)
def number_that_is_read(given: Given) -> Response:
    return carried_out(lambda: float(given.q))


@twin("rce", value="7", ways=EITHER)
def signs_of_sums_alone(given: Given) -> Response:
    """Takes whatever arithmetic is made of, and computes nothing."""
    return carried_out(lambda: 1 // (not set(given.q) - set("0123456789+-*/(). ")))


@flaw("rce", value="Anna", ways=EITHER)
def greeting_beside_the_wish(given: Given) -> Response:
    try:
        return said(given.q, eval(f"'{given.q}'.title()", dict(NAMES)))
    except Exception:  # noqa: BLE001 -- as above
        return said(given.q)


@twin("rce", value="Anna", ways=EITHER)
def greeting_beside_the_wish_without_code(given: Given) -> Response:
    return said(given.q, "" if {"'", '"'} & set(given.q) else given.q.title())


@flaw("rce", value="Anna", ways=EITHER, slow=True)
def code_that_nothing_is_told_of(given: Given) -> Response:
    try:
        exec(f'name = "{given.q}"', dict(KNOWN))
    except Exception:  # noqa: BLE001 -- as above
        return said(given.q)
    return said(given.q)


@flaw("rce", value="Anna", ways=(QUERY,), slow=True)
def bare_code_that_nothing_is_told_of(given: Given) -> Response:
    try:
        exec(f"name = str({given.q})", dict(KNOWN))
    except Exception:  # noqa: BLE001 -- as above
        return said("")
    return said("")


@twin("rce", value="Anna", ways=EITHER)
def nothing_is_done(given: Given) -> Response:
    return said(given.q)


@twin("rce", value="Anna", ways=(QUERY,))
def kept_as_text(given: Given) -> Response:
    names = {}
    exec("name = str(given)", {"given": given.q}, names)
    return said("")
