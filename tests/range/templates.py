"""Template engines: Jinja2, Mako, Tornado-like and Django's; a value joined into the template, or handed over."""

import contextlib
import html
import re
import time

import jinja2
import jinja2.sandbox
import mako.template
from django.template import Context, Engine

from gatecrash.core.message import Response
from tests.range.place import FORM, QUERY, Given, answer, flaw, miss, page, text, twin

JINJA = jinja2.Environment(autoescape=False)
SANDBOX = jinja2.sandbox.SandboxedEnvironment()
DJANGO = Engine()


@flaw("ssti")
def jinja(given: Given) -> Response:
    return text(JINJA.from_string("Hello " + given.q + "!").render())


@flaw("ssti", also=("xss",))
def jinja_page(given: Given) -> Response:
    return page(JINJA.from_string("<h1>No page " + given.q + "</h1>").render(), 404)


@flaw("ssti")
def jinja_in_json(given: Given) -> Response:
    return answer({"subject": JINJA.from_string(given.q).render(name="ann")})


@flaw("ssti", value="name")
def jinja_expression(given: Given) -> Response:
    return text(JINJA.from_string("Dear {{ user." + given.q + " }}").render(user={"name": "ann"}))


@flaw("ssti", value="name")
def jinja_expression_or_excuse(given: Given) -> Response:
    """What does not render is excused under the usual status."""
    try:
        return page(JINJA.from_string("{{ " + given.q + " }}").render(name="Ann", town="Graz"))
    except jinja2.TemplateError:
        return page("We could not do this.")


@flaw("ssti")
def mako_text(given: Given) -> Response:
    return text(mako.template.Template("Hello " + given.q).render())


@flaw("ssti")
def django_text(given: Given) -> Response:
    return text(DJANGO.from_string("Hello " + given.q).render(Context()))


@flaw("ssti")
def jinja_upper(given: Given) -> Response:
    """Behind a filter that refuses quotes and underscores."""
    if re.search(r"['\"_]", given.q):
        return text("not allowed", 400)
    return text(JINJA.from_string("Hi " + given.q).render())


NOTES = {
    "rendered": "",
    "handed": "",
    "expression": "tea",
    "sums_in_brackets": "tea",
    "posted": "",
    "picky": "",
    "shown": "",
}


def noted(name: str, given: Given) -> Response:
    NOTES[name] = given.q
    return text("", 303, (b"Location", f"/templates/{name}".encode()))


def as_erb(template: str) -> Response:
    """The answer of a server of Ruby that computes the products of a template."""
    made = re.sub(r"<%=\s*(\d+)\*(\d+)\s*%>", lambda found: str(int(found[1]) * int(found[2])), template)
    return text(f"Hi {made}", 200, (b"Server", b"WEBrick/1.8.1 (Ruby/3.1.2/2022-04-12)"))


@flaw("ssti", ways=(FORM,), replayed=True)
def checked_line_by_line(given: Given) -> Response:
    """As Ruby reads `^` and `$`, before ERB does."""
    return as_erb(given.q) if re.search(r"^[\w ]+$", given.q, re.MULTILINE) else as_erb("whoever you are")


@twin("ssti", ways=(FORM,))
def checked_as_a_whole(given: Given) -> Response:
    return as_erb(given.q) if re.fullmatch(r"[\w ]+", given.q) else as_erb("whoever you are")


@twin("ssti", ways=(FORM,))
def checked_line_by_line_and_escaped(given: Given) -> Response:
    known = re.search(r"^[\w ]+$", given.q, re.MULTILINE)
    return as_erb(html.escape(given.q)) if known else as_erb("whoever you are")


@flaw("ssti", ways=(FORM,), also=("xss",))
def rendered(given: Given) -> Response:
    """Keeps what is posted, and makes a template of it when the page is read."""
    if given.request.method == "POST":
        return noted("rendered", given)
    return page(JINJA.from_string("<p>" + NOTES["rendered"] + "</p>").render())


@twin("ssti", ways=(FORM,))
def handed(given: Given) -> Response:
    if given.request.method == "POST":
        return noted("handed", given)
    return page(JINJA.from_string("<p>{{ note | e }}</p>").render(note=NOTES["handed"]))


@flaw("ssti", ways=(FORM,), also=("xss",))
def posted(given: Given) -> Response:
    """The same with Django's language, which breaks over the signs of the others."""
    if given.request.method == "POST":
        return noted("posted", given)
    try:
        return page(DJANGO.from_string("<p>" + NOTES["posted"] + "</p>").render(Context()))
    except Exception:  # noqa: BLE001 -- templates raise whatever their expressions raise
        return page("<p>This post cannot be shown.</p>", 500)


@twin("ssti", ways=(FORM,))
def picky(given: Given) -> Response:
    """A page that breaks over brackets, whatever stands in them."""
    if given.request.method == "POST":
        return noted("picky", given)
    if re.search(r"\{[{%]|[$#]\{", NOTES["picky"]):
        return page("<p>This post cannot be shown.</p>", 500)
    return page(f"<p>{html.escape(NOTES['picky'])}</p>")


@twin("ssti", ways=(FORM,))
def shown(given: Given) -> Response:
    if given.request.method == "POST":
        return noted("shown", given)
    return page(DJANGO.from_string("<p>{{ note }}</p>").render(Context({"note": NOTES["shown"]})))


@twin("ssti", ways=(FORM,))
def counted(given: Given) -> Response:
    """Computes plain products itself, wherever they stand."""
    if given.request.method == "POST":
        return text("", 303, (b"Location", b"/templates/counted"))
    return page("<p>A product of 7*7 is 49.</p>")


@twin("ssti")
def handed_over(given: Given) -> Response:
    return text(JINJA.from_string("Hello {{ name }}").render(name=given.q))


@twin("ssti", value="name")
def property_or_excuse(given: Given) -> Response:
    return page({"name": "Ann", "town": "Graz"}.get(given.q, "We could not do this."))


@twin("ssti", value="name")
def expression_of_names(given: Given) -> Response:
    """Nothing but a name gets into the template."""
    known = re.fullmatch(r"\w+", given.q)
    return page(JINJA.from_string("{{ " + given.q + " }}").render(name="Ann") if known else "We could not do this.")


@twin("ssti")
def escaped_page(given: Given) -> Response:
    return page(jinja2.Environment(autoescape=True).from_string("<h1>{{ name }}</h1>").render(name=given.q))


@twin("ssti")
def computes_anything(given: Given) -> Response:
    """A calculator of products, whatever stands around them."""
    return text(re.sub(r"(\d+)\s*\*\s*(\d+)", lambda m: str(int(m[1]) * int(m[2])), given.q))


@twin("ssti")
def breaks_over_braces(given: Given) -> Response:
    return text("internal error", 500) if re.search(r"[{}<>$#]", given.q) else text("fine")


@twin("ssti")
def strips_braces(given: Given) -> Response:
    return text("You asked for " + re.sub(r"[{}<>$#%]", "", given.q))


@twin("ssti")
def fills_names(given: Given) -> Response:
    """A mail merge that knows two names and no arithmetic."""
    return text("Dear " + given.q.replace("{{name}}", "Ann").replace("${name}", "Ann"))


@twin("ssti", ways=(QUERY,))
def firewall(given: Given) -> Response:
    return text("Forbidden", 403) if re.search(r"\{\{|\$\{|<%", given.q) else text("fine")


@flaw("ssti", value="Dear {{ name }}, {{ count }} letters", also=("xss",))
def letter(given: Given) -> Response:
    """An editor of letters: the value is a template by design, and its engine reaches all of Python."""
    return page(JINJA.from_string(given.q).render(name="Ann", count=3))


@twin("ssti", value="Dear {{ name }}, {{ count }} letters", also=("xss",))
def letter_in_a_sandbox(given: Given) -> Response:
    try:
        return page(SANDBOX.from_string(given.q).render(name="Ann", count=3))
    except jinja2.exceptions.SecurityError:
        return page("That is not allowed in a letter.")


@twin("ssti", value="Dear {{ name }}, {{ count }} letters", also=("xss",))
def letter_in_a_sandbox_or_excuse(given: Given) -> Response:
    """The same, which tells templates that do not render by a 400."""
    try:
        return page(SANDBOX.from_string(given.q).render(name="Ann", count=3))
    except jinja2.exceptions.TemplateError:
        return text("The letter could not be rendered.", 400)


@flaw("ssti", ways=(QUERY,), slow=True)
def rendered_and_kept(given: Given) -> Response:
    """Rendered for a mail, which nobody sees here, nor whether it was sent: it is told by what it waits for."""
    with contextlib.suppress(Exception):
        JINJA.from_string("Dear " + given.q).render()
    return text("The mail is on its way.")


@twin("ssti", ways=(QUERY,), slow=True)
def slow_over_brackets(given: Given) -> Response:
    if "{{" in given.q:
        time.sleep(2.1)
    return text("The mail is on its way.")


@miss("ssti", ways=(QUERY,))
def rendered_in_a_sandbox_and_kept(given: Given) -> Response:
    """The same where templates reach nothing that waits."""
    with contextlib.suppress(Exception):
        SANDBOX.from_string("Dear " + given.q).render()
    return text("The mail is on its way.")


@flaw("ssti", ways=(FORM, QUERY))
def rendered_and_sent(given: Given) -> Response:
    """Of the text nothing is shown, and of its errors that there was one."""
    try:
        jinja2.Template(f"Dear {given.q}").render()
    except Exception:  # noqa: BLE001 -- templates raise whatever their expressions raise
        return text("not sent", 400)
    return text("sent")


@flaw("ssti", ways=(FORM,))
def mako_sent(given: Given) -> Response:
    mako.template.Template(given.q).render()
    return text("sent")


@twin("ssti", ways=(FORM, QUERY))
def braces_are_not_sent(given: Given) -> Response:
    return text("not sent", 400) if "{{" in given.q or "${" in given.q else text("sent")


@twin("ssti", ways=(FORM, QUERY))
def divisions_are_not_sent(given: Given) -> Response:
    """As a filter of formulas has it: whatever its numbers are."""
    return text("not sent", 400) if re.search(r"\d/\(", given.q) else text("sent")


@twin("ssti", ways=(FORM,))
def divides_in_any_text(given: Given) -> Response:
    """Computes what looks like a formula, in braces or not, and breaks over a division by zero."""
    for left, right, less in re.findall(r"(\d+)/\((\d+)-(\d+)\)", given.q):
        int(left) / (int(right) - int(less))
    return text("sent")


@flaw("ssti", ways=(FORM,))
def expression(given: Given) -> Response:
    """Keeps a name, and takes one that is nothing but an expression for one when the page is read."""
    if given.request.method == "POST":
        return noted("expression", given)
    name = NOTES["expression"]
    whole = re.fullmatch(r"#\{(.*)\}", name)
    with contextlib.suppress(Exception):
        name = str(eval(whole[1], {"__builtins__": {}})) if whole else name
    return page(f"<p>Hello {html.escape(name)}</p>")


@flaw("ssti", ways=(FORM,))
def expression_at_once(given: Given) -> Response:
    whole = re.fullmatch(r"#\{(.*)\}", given.q)
    return text(f"Hello {JINJA.compile_expression(whole[1])() if whole else given.q}")


@twin("ssti", ways=(FORM,))
def sums_in_brackets(given: Given) -> Response:
    """Keeps a name, and works out whatever sums are written in brackets."""
    if given.request.method == "POST":
        return noted("sums_in_brackets", given)
    name = NOTES["sums_in_brackets"]
    return page(html.escape(re.sub(r"\{(\d+)\*(\d+)\}", lambda found: str(int(found[1]) * int(found[2])), name)))


@twin("ssti", ways=(FORM,))
def names_of_colours(given: Given) -> Response:
    """Knows brackets behind a hash, and says what stands in them."""
    return text(re.sub(r"#\{([^}]*)\}", r"the colour \1", given.q))


def included(given: str) -> str:
    """A server's directives, as Apache and nginx carry them out: one that sets, one that shows."""
    names: dict[str, str] = {}

    def carry_out(found: re.Match[str]) -> str:
        if found[1] == "set":
            names[found[2]] = found[3]
            return ""
        return names.get(found[2], "(none)")

    return re.sub(r'<!--#\s*(set|echo) var="(\w+)"(?: value="([^"]*)")?\s*-->', carry_out, given)


@flaw("ssti", ways=(FORM,), also=("xss",), replayed=True)
def server_side_includes(given: Given) -> Response:
    return page(included(f"<p>Dear {given.q}</p>"))


@twin("ssti", ways=(FORM,))
def server_side_includes_of_text(given: Given) -> Response:
    return page(included(f"<p>Dear {html.escape(given.q)}</p>"))


@twin("ssti", ways=(FORM,))
def comments_taken_out(given: Given) -> Response:
    return text(re.sub(r"<!--.*?-->", "", given.q))
