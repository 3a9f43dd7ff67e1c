"""Pages that show a value in each context, escaped for it or not."""

import html
import json
import re
from collections.abc import Callable
from urllib.parse import quote, unquote

from gatecrash.core.message import Response
from tests.range.place import FORM, JSON, QUERY, Given, answer, flaw, miss, page, text, twin

WAYS = (QUERY, FORM)
RAW = {
    "text": "<p>{}</p>",
    "title": "<title>{}</title>",
    "attribute": '<input value="{}">',
    "single": "<input value='{}'>",
    "unquoted": "<input value={}>",
    "link": '<a href="{}">on</a>',
    "handler": "<b onmouseover=\"go('{}')\">on</b>",
    "script": '<script>var q = "{}";</script>',
    "script_single": "<script>var q = '{}';</script>",
    "comment": "<!-- {} -->",
    "textarea": "<textarea>{}</textarea>",
    "template": "<script>var q = `{}`;</script>",
}


def showing(template: str, escape: Callable[[str], str]) -> Callable[[Given], Response]:
    def handler(given: Given) -> Response:
        return page(template.replace("{}", escape(given.q)))

    return handler


def named(name: str, handler: Callable[[Given], Response]) -> Callable[[Given], Response]:
    handler.__name__, handler.__module__ = name, __name__
    return handler


def as_script(value: str) -> str:
    return (
        json.dumps(value)[1:-1]
        .replace("<", "\\u003c")
        .replace("'", "\\u0027")
        .replace("`", "\\u0060")
        .replace("$", "\\u0024")
    )


for _name, _template in RAW.items():
    flaw("xss", ways=WAYS)(named(_name, showing(_template, str)))
for _name in ("text", "title", "attribute", "single", "comment", "textarea"):
    twin("xss", ways=WAYS)(named(f"escaped_{_name}", showing(RAW[_name], html.escape)))
for _name in ("script", "script_single", "template"):
    twin("xss", ways=WAYS)(named(f"escaped_{_name}", showing(RAW[_name], as_script)))


@flaw("xss", value="shop.js", ways=(QUERY,))
def source_of_a_script(given: Given) -> Response:
    """Escaped, and whatever stands there is run."""
    return page(f'<script src="{html.escape(given.q)}"></script><p>Shop</p>')


@twin("xss", value="shop.js", ways=(QUERY,))
def source_of_a_script_in_a_folder(given: Given) -> Response:
    return page(f'<script src="/lib/{html.escape(given.q)}"></script><p>Shop</p>')


@twin("xss", value="shop.js", ways=(QUERY,))
def source_of_a_script_under_a_policy(given: Given) -> Response:
    policy = (b"Content-Security-Policy", b"script-src 'self'")
    return page(f'<script src="{html.escape(given.q)}"></script><p>Shop</p>', 200, policy)


@twin("xss", value="shop.png", ways=(QUERY,))
def source_of_a_picture(given: Given) -> Response:
    return page(f'<img src="{html.escape(given.q)}"><p>Shop</p>')


@flaw("xss", ways=(QUERY,))
def its_address_decoded(given: Given) -> Response:
    return page(f"<p>You are at {unquote(given.request.target.decode('latin-1'))}</p>")


@twin("xss", ways=(QUERY,))
def its_address_as_it_came(given: Given) -> Response:
    return page(f"<p>You are at {given.request.target.decode('latin-1')}</p>")


@twin("xss", ways=(QUERY,))
def its_address_escaped(given: Given) -> Response:
    return page(f'<form action="{html.escape(unquote(given.request.target.decode("latin-1")))}"></form>')


def filtered_by(q: str, told: Callable[[str], str]) -> Response:
    """A page of what a filter finds, whose links carry the filter on, and which says what it cannot read."""
    wrong = re.search(r"[^\w\s#:-]", q)
    link = f'<a href="?q={quote(q)}">Journal</a>'
    return page(link + (told(f"Illegal sign {wrong[0]} in {q}") if wrong else "<ol><li>Bread</li></ol>"))


@flaw("xss", ways=(QUERY,))
def wrong_filter_told(given: Given) -> Response:
    return filtered_by(given.q, str)


@twin("xss", ways=(QUERY,))
def wrong_filter_told_escaped(given: Given) -> Response:
    return filtered_by(given.q, html.escape)


@twin("xss", ways=(QUERY,))
def wrong_filter_told_without_it(given: Given) -> Response:
    return filtered_by(given.q, lambda _: "The filter has signs that it may not have.")


@flaw("xss", ways=(QUERY,))
def escaped_and_evaluated(given: Given) -> Response:
    return page(f'<script>eval("show({html.escape(given.q)})");</script>')


@twin("xss", ways=(QUERY,))
def escaped_and_evaluated_from_a_text(given: Given) -> Response:
    shown = re.sub(r"[^\w ]", "", given.q)
    return page(f"<script>eval(\"show('{shown}')\");</script>")


@twin("xss", ways=(QUERY,))
def escaped_and_handed_to_no_timer(given: Given) -> Response:
    return page(f"<script>clock.setTimeout('show({html.escape(given.q)})', 10);</script>")


@flaw("xss", ways=(QUERY,))
def angle_brackets_stripped(given: Given) -> Response:
    return page(f'<input value="{re.sub("[<>]", "", given.q)}">')


@flaw("xss", ways=(QUERY,))
def not_found(given: Given) -> Response:
    return page(f"<h1>No page {given.q}</h1>", 404)


KEPT: dict[str, str] = {}


@flaw("xss", ways=(FORM,))
def board(given: Given) -> Response:
    """Keeps the entry, and sends the browser to the page that shows it."""
    if given.request.method == "POST":
        KEPT["entry"] = given.q
        return text("", 303, (b"Location", b"/pages/board"))
    return page("<h1>Board</h1><p>" + KEPT.get("entry", "") + "</p>")


@twin("xss", ways=(FORM,))
def escaped_board(given: Given) -> Response:
    if given.request.method == "POST":
        KEPT["safe"] = given.q
        return text("", 303, (b"Location", b"/pages/escaped-board"))
    return page("<h1>Board</h1><p>" + html.escape(KEPT.get("safe", "")) + "</p>")


@twin("xss", ways=(QUERY, FORM, JSON))
def as_json(given: Given) -> Response:
    return answer({"q": given.q})


@twin("xss", ways=WAYS)
def as_text(given: Given) -> Response:
    return text(f"<p>{given.q}</p>", 200, (b"X-Content-Type-Options", b"nosniff"))


@twin("xss", ways=WAYS)
def download(given: Given) -> Response:
    return page(given.q, 200, (b"Content-Disposition", b'attachment; filename="q.html"'))


@twin("xss", ways=WAYS)
def stripped(given: Given) -> Response:
    return page(f"<p>{re.sub(r'[^A-Za-z0-9 ]', '', given.q)}</p>")


@twin("xss", ways=WAYS)
def redirect(given: Given) -> Response:
    body = page(f"<p>{given.q}</p>").body
    return Response(302, ((b"Content-Type", b"text/html"), (b"Location", b"/")), body)


@twin("xss", ways=WAYS)
def firewall(given: Given) -> Response:
    return page("Forbidden", 403) if re.search(r"[<>\"'()]", given.q) else page(f"<p>{given.q}</p>")


@flaw("xss", ways=(QUERY, FORM))
def events_taken_out(given: Given) -> Response:
    return page("<p>" + re.sub(r"on\w+\s*=", "", given.q, flags=re.IGNORECASE) + "</p>")


@flaw("xss", ways=(QUERY, FORM))
def first_sign_escaped(given: Given) -> Response:
    return page("<p>" + given.q.replace("<", "&lt;", 1).replace(">", "&gt;", 1) + "</p>")


@flaw("xss", ways=(QUERY,))
def escaped_then_decoded(given: Given) -> Response:
    return page("<p>" + unquote(html.escape(given.q)) + "</p>")


@flaw("xss", ways=(QUERY,))
def document_of_a_frame(given: Given) -> Response:
    return page(f'<iframe srcdoc="<p>{html.escape(given.q)}</p>"></iframe>')


@twin("xss", ways=(QUERY, FORM))
def markup_taken_out_until_none_is_left(given: Given) -> Response:
    left, before = given.q, ""
    while left != before:
        left, before = re.sub(r"<[^>]*>?|javascript:|on\w+\s*=", "", left, flags=re.IGNORECASE), left
    return page(f"<p>{left}</p>")


@twin("xss", ways=(QUERY, FORM))
def markup_refused(given: Given) -> Response:
    return page("<p>No markup, please.</p>" if re.search(r"[<>&]", given.q) else f"<p>{given.q}</p>")


@twin("xss", ways=(QUERY,))
def decoded_then_escaped(given: Given) -> Response:
    return page("<p>" + html.escape(html.unescape(unquote(given.q))) + "</p>")


@twin("xss", ways=(QUERY,))
def document_of_a_frame_held_back(given: Given) -> Response:
    return page(f'<iframe sandbox="" srcdoc="<p>{html.escape(given.q)}</p>"></iframe>')


@twin("xss", ways=(QUERY,))
def preview_in_a_sandbox(given: Given) -> Response:
    """Somebody's own markup as it will look, where no script runs."""
    return page(f"<p>{given.q}</p>", 200, (b"Content-Security-Policy", b"sandbox allow-forms; default-src 'self'"))


def drawn(content: str) -> Response:
    body = f'<svg xmlns="http://www.w3.org/2000/svg"><text>{content}</text></svg>'
    return Response(200, ((b"Content-Type", b"image/svg+xml"),), body.encode("utf-8", "replace"))


@flaw("xss", ways=(QUERY,))
def drawing(given: Given) -> Response:
    return drawn(given.q)


@twin("xss", ways=(QUERY,))
def drawing_escaped(given: Given) -> Response:
    return drawn(html.escape(given.q))


@twin("xss", ways=(QUERY,))
def drawing_without_quotes(given: Given) -> Response:
    """What is left of an element has attributes without quotes, which is no document any more."""
    return drawn(re.sub(r"['\"]", "", given.q))


@twin("xss", ways=(JSON,))
def message(given: Given) -> Response:
    """An answer to programs: no link and no form asks for it."""
    return Response(200, ((b"Content-Type", b"text/xml"),), f"<ok>{given.q}</ok>".encode("utf-8", "replace"))


@flaw("xss", ways=(QUERY, FORM))
def markup_in_json(given: Given) -> Response:
    """A page inserts the message as it is."""
    return answer({"status": "open", "message": f"<p>Nothing was found for <b>{given.q}</b>.</p>"})


@twin("xss", ways=(QUERY, FORM))
def escaped_markup_in_json(given: Given) -> Response:
    return answer({"status": "open", "message": f"<p>Nothing was found for <b>{html.escape(given.q)}</b>.</p>"})


@twin("xss", ways=(QUERY, FORM))
def text_beside_markup_in_json(given: Given) -> Response:
    """What was asked comes back as a text of its own, which pages write as text."""
    return answer({"asked": given.q, "message": "<p>Nothing was found.</p>"})


@miss("xss", ways=(QUERY,))
def in_the_dom(given: Given) -> Response:
    return page("<p id=q></p><script>q.innerHTML = decodeURIComponent(location.search.slice(3));</script>")


MADE_LINK = re.compile(r"\[(\w+)\]\((\S+)\)")


def linked(written: str, allowed: str) -> Response:
    """A text whose writer makes links in Markdown; its markup is escaped."""

    def link(found: re.Match[str]) -> str:
        kept = re.match(allowed, html.unescape(found[2]), re.IGNORECASE)
        return f'<a href="{found[2]}">{found[1]}</a>' if kept else found[0]

    return page(f"<p>{MADE_LINK.sub(link, html.escape(written))}</p>")


@flaw("xss", ways=(FORM,))
def links_to_anything(given: Given) -> Response:
    return linked(given.q, "")


@twin("xss", ways=(FORM,))
def links_to_pages(given: Given) -> Response:
    return linked(given.q, "https?://")


@twin("xss", ways=(FORM,))
def links_are_made_of_nothing(given: Given) -> Response:
    return page(f"<p>{html.escape(given.q)}</p>")


def tagged(given: Given, escape: Callable[[str], str]) -> Response:
    """A search by tags: its title has each in brackets, the field has them as they were written."""
    title = " ".join(f"[{escape(tag)}]" for tag in given.q.split())
    return page(f'<title>Search: {title}</title><input name="q" value="{html.escape(given.q)}">')


@flaw("xss", ways=(QUERY,))
def tags(given: Given) -> Response:
    return tagged(given, str)


@twin("xss", ways=(QUERY,))
def escaped_tags(given: Given) -> Response:
    return tagged(given, html.escape)
