"""Pages whose engine is handed the whole query: it makes code of its options, or takes the file of its layout from them."""

import html
import posixpath
import re

from gatecrash.core.message import Response
from tests.range.place import FORM, JSON, QUERY, Given, flaw, miss, page, twin

OPTION = "settings[view options][outputFunctionName]"
PARAMETER = "settings[view options][varName]"
_MADE = re.compile(r'a=1;__append\("(\w+)"\+(\d+)(\*| )(\d+)\);b')
_LINE = re.compile(r"'\);pug_html\+=\"(\w+)\"\+(\d+)(\*| )(\d+);//")
SCOPE = "settings[view options][useWith]"
_WRITTEN_OVER = re.compile(r'it=\(\(\)=>\{for\(let k in it\)it\[k\]="(\w+)"\+(\d+)(\*| )(\d+);return it\}\)\(\)')


@flaw("ssti", ways=(QUERY,), replayed=True)
def options_become_code(given: Given) -> Response:
    return made_code(given, OPTION)


@flaw("ssti", ways=(QUERY,), replayed=True)
def options_name_the_parameter(given: Given) -> Response:
    """As Squirrelly and Eta were seen to answer: what the page shows is written over before it is shown."""
    made = _WRITTEN_OVER.fullmatch(str(given.values.get(PARAMETER, ""))) if given.values.get(SCOPE) else None
    if made is not None and made[3] == " ":
        return page("Squirrelly Error: Bad template syntax", 500)
    return page(f"<p>{computed(made) if made else html.escape(given.q)}</p>")


@flaw("ssti", ways=(FORM,), replayed=True)
def options_of_a_form(given: Given) -> Response:
    return made_code(given, OPTION)


@flaw("ssti", ways=(JSON,), replayed=True)
def options_of_an_object(given: Given) -> Response:
    made = _MADE.fullmatch(str(of_the_view(given).get("outputFunctionName", "")))
    if made is not None and made[3] == " ":
        return page("SyntaxError: missing ) after argument list", 500)
    return page(f"{computed(made) if made else ''}<p>{html.escape(given.q)}</p>")


def of_the_view(given: Given) -> dict[str, object]:
    settings = given.values.get("settings")
    options = settings.get("view options") if isinstance(settings, dict) else None
    return options if isinstance(options, dict) else {}


@flaw("ssti", ways=(QUERY, FORM), replayed=True)
def lines_begin_with_an_option(given: Given) -> Response:
    """As Pug was seen to answer with a page that calls a mixin."""
    made = _LINE.fullmatch(str(given.values.get("pretty", "")))
    if made is not None and made[3] == " ":
        return page("SyntaxError: Unexpected number", 500)
    return page(f"{computed(made) if made else ''}<p>{html.escape(given.q)}</p>")


@twin("ssti", ways=(QUERY, FORM), replayed=True)
def lines_begin_with_blanks_alone(given: Given) -> Response:
    if str(given.values.get("pretty", "")).strip():
        return page("Error: The pretty parameter should either be a boolean or whitespace only string", 500)
    return page(f"<p>{html.escape(given.q)}</p>")


@twin("ssti", ways=(JSON,))
def members_are_shown(given: Given) -> Response:
    return page("".join(f"<p>{html.escape(f'{name}: {value}')}</p>" for name, value in of_the_view(given).items()))


@twin("ssti", ways=(FORM, JSON), replayed=True)
def fields_of_its_own_alone(given: Given) -> Response:
    return page(f"<p>{html.escape(given.q)}</p>")


@miss("ssti", ways=(QUERY,), replayed=True)
def options_by_another_name(given: Given) -> Response:
    return made_code(given, "settings[view options][escapeFunction]")


def made_code(given: Given, option: str) -> Response:
    """What a page comes to whose code begins with an option."""
    made = _MADE.fullmatch(str(given.values.get(option, "")))
    if made is not None and made[3] == " ":
        return page("SyntaxError: missing ) after argument list", 500)
    return page(f"{computed(made) if made else ''}<p>{html.escape(given.q)}</p>")


def computed(made: re.Match[str]) -> str:
    return f"{made[1]}{int(made[2]) * int(made[4])}"


@twin("ssti", ways=(QUERY,), replayed=True)
def parameter_is_a_name_alone(given: Given) -> Response:
    if not str(given.values.get(PARAMETER, "it")).isidentifier():
        return page("Error: varName is not a valid JS identifier.", 500)
    return page(f"<p>{html.escape(given.q)}</p>")


@twin("ssti", ways=(QUERY,), replayed=True)
def options_are_names_alone(given: Given) -> Response:
    if not str(given.values.get(OPTION, "a")).isidentifier():
        return page("Error: outputFunctionName is not a valid JS identifier.", 500)
    return page(f"<p>{html.escape(given.q)}</p>")


@twin("ssti", ways=(QUERY,))
def options_are_shown(given: Given) -> Response:
    return page("".join(f"<p>{html.escape(f'{name}: {value}')}</p>" for name, value in given.values.items()))


@twin("ssti", ways=(QUERY,))
def options_are_summed_up(given: Given) -> Response:
    """Whatever numbers are asked with are multiplied, with a sign between them or not."""
    asked = str(given.values.get(OPTION, ""))
    product, word = 1, re.search(r'"(\w+)"', asked)
    for number in re.findall(r"\d{5}", asked):
        product *= int(number)
    return page(f"<p>{word[1] if word else ''}{product}</p>")


RESOLVER = "# made by the network\nnameserver 10.0.0.2\noptions edns0\n"
VIEWS = "/srv/club/views"


def laid_out(given: Given, name: str) -> Response:
    """A page within the layout of this name, as Handlebars was seen to answer: one without an extension is given its own."""
    path = posixpath.normpath(posixpath.join(VIEWS, name if posixpath.splitext(name)[1] else f"{name}.hbs"))
    if path == "/etc/resolv.conf":
        return page(RESOLVER)
    if path != f"{VIEWS}/layout.hbs":
        return page(f"Error: ENOENT: no such file or directory, open '{html.escape(path)}'", 500)
    return page(f"<body><p>{html.escape(given.q)}</p></body>")


@flaw("ptrav", ways=(QUERY,), replayed=True)
def layout_out_of_the_query(given: Given) -> Response:
    return laid_out(given, str(given.values.get("layout", "layout")))


@flaw("ptrav", ways=(FORM, JSON), replayed=True)
def layout_out_of_a_body(given: Given) -> Response:
    return laid_out(given, str(given.values.get("layout", "layout")))


@twin("ptrav", ways=(FORM, JSON), replayed=True)
def layout_of_a_body_within_its_folder(given: Given) -> Response:
    return laid_out(given, posixpath.basename(str(given.values.get("layout", "layout"))))


@miss("ptrav", ways=(QUERY,), replayed=True)
def layout_by_another_name(given: Given) -> Response:
    return laid_out(given, str(given.values.get("settings[view options][layout]", "layout")))


@twin("ptrav", ways=(QUERY,), replayed=True)
def layout_within_its_folder(given: Given) -> Response:
    return laid_out(given, posixpath.basename(str(given.values.get("layout", "layout"))))


@twin("ptrav", ways=(QUERY,), replayed=True)
def layout_named_behind_the_query(given: Given) -> Response:
    return laid_out(given, "layout")


@twin("ptrav", ways=(QUERY,))
def layout_of_any_name_shows_a_resolver(given: Given) -> Response:
    """Help about the network, where a page of its words is found by its last."""
    sought = "resolv" in str(given.values.get("layout", ""))
    return page(f"<pre>{RESOLVER}</pre>" if sought else f"<p>{html.escape(given.q)}</p>")
