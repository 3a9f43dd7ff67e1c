"""Pages that escape what is a text, and pages that escape whatever they show: names that come twice are lists, as parsers of
Node and PHP have them.
"""

import html
from urllib.parse import parse_qsl

from gatecrash.core.message import Response
from tests.range.place import FORM, JSON, QUERY, Given, flaw, miss, page, twin

POWERED = (b"X-Powered-By", b"Express")


def handed(given: Given) -> object:
    """The value, or the list of all that came under its name."""
    told = given.values.get("q")
    if isinstance(told, list):
        return told
    sent = (given.request.query or b"", given.request.body)
    every = [value for part in sent for name, value in parse_qsl(part.decode(), keep_blank_values=True) if name == "q"]
    return every if len(every) > 1 else told


def joined(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def shown(text: str, status: int = 200) -> Response:
    return page(f"<h1>Results for {text}</h1>", status, POWERED)


@flaw("xss", ways=(QUERY, FORM, JSON))
def escapes_texts(given: Given) -> Response:
    value = handed(given)
    return shown(joined(html.escape(value) if isinstance(value, str) else value))


@flaw("xss", ways=(QUERY, FORM))
def escapes_texts_in_an_attribute(given: Given) -> Response:
    value = handed(given)
    return shown(f'<input value="{joined(html.escape(value) if isinstance(value, str) else value)}">')


@twin("xss", ways=(QUERY, FORM, JSON))
def escapes_whatever_it_shows(given: Given) -> Response:
    return shown(html.escape(joined(handed(given))))


@twin("xss", ways=(QUERY, FORM, JSON))
def escapes_each_of_a_list(given: Given) -> Response:
    value = handed(given)
    return shown(
        joined([html.escape(str(each)) for each in value] if isinstance(value, list) else html.escape(str(value)))
    )


@twin("xss", ways=(QUERY, FORM, JSON))
def refuses_lists(given: Given) -> Response:
    value = handed(given)
    return shown(html.escape(value)) if isinstance(value, str) else shown("nothing that was understood", 400)


@twin("xss", ways=(QUERY, FORM))
def takes_the_last_of_a_list(given: Given) -> Response:
    value = handed(given)
    return shown(html.escape(str(value[-1] if isinstance(value, list) else value)))


@twin("xss", ways=(JSON,))
def shows_lists_as_json(given: Given) -> Response:
    """Beside the page's text, as a plain one."""
    value = handed(given)
    if isinstance(value, list):
        return Response(200, ((b"Content-Type", b"text/plain"), POWERED), joined(value).encode())
    return shown(html.escape(str(value)))


@miss("xss", ways=(QUERY,))
def escapes_texts_and_wants_brackets(given: Given) -> Response:
    """Names that come twice are a list with brackets behind them alone."""
    value = given.values.get("q[]")
    return shown(html.escape(str(given.values.get("q"))) if value is None else str(value))
