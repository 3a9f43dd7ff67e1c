"""Notes that a bundled application asks for in JSON and draws, by React, Preact, Vue, Svelte, Lit, Angular and jQuery as their compilers
and a bundler leave them.
"""

import html
from collections.abc import Callable
from functools import partial

from gatecrash.core.message import Response
from tests.range.pages_drawn import BESIDE, note
from tests.range.place import Given, Handler, answer, flaw, page, twin

KEPT: dict[str, list[str]] = {}
# What a bundler puts before the application, and how that asks for its data.
VENDOR = 'import{j as t,r as s,D as p}from"./vendor.js";'
ASKS = 'async function d(){{return(await fetch("{}/notes")).json()}}'


def bundled(code: str, kept: Callable[[str], str] = str) -> Handler:
    """A page that loads this code, which draws the notes at the address beside its own."""

    def handle(given: Given) -> Response:
        place, _, rest = given.request.path.decode().removeprefix("/pages-drawn-bundled/").partition("/")
        base = f"/pages-drawn-bundled/{place}"
        notes = KEPT.setdefault(place, ["tea"])
        if given.request.method == "POST":
            notes[1:] = [kept(str(given.values["title"]))]
            return answer({"kept": True}, 201)
        if rest == "notes":
            return answer([{"id": number, "author": "Ann", "title": each} for number, each in enumerate(notes)])
        if rest == "app.js":
            script = VENDOR + ASKS.format(base) + code
            return Response(200, ((b"Content-Type", b"text/javascript"),), script.encode())
        return page(f'<div id=app></div><script type="module" src="{base}/app.js"></script>')

    return handle


def named(handler: Handler, name: str) -> Handler:
    handler.__name__, handler.__module__ = name, __name__
    return handler


broken = partial(flaw, "xss", request=note, beside=BESIDE)
sound = partial(twin, "xss", request=note, beside=BESIDE)

REACT = 'function C({{note:e}}){{return t.jsxs("article",{{children:[t.jsx("h4",{{children:e.author}}),{}]}})}}'
VUE = 'const C={{setup(e){{return(a,o)=>(r(),i("div",S,[x("h4",null,m(e.note.author),1),{}]))}}}};'
JQUERY = 'function m(e){{const n=t("<li></li>");t("<h4></h4>").text(e.author).appendTo(n),{},t("#app").append(n)}}'
SVELTE = (
    'function H(e,t){{var l="";q(()=>{{l!==(l=t()??"")&&(e.innerHTML=l)}})}}'
    "function M(a,o){{let n=I(o);{},j(()=>h(u,(p(n()),f(()=>n().author))))}}"
)
LIT = 'class U{{}}U.directiveName="unsafeHTML";var y=A(U);class X extends L{{one(e){{return r`<h4>${{e.author}}</h4>{}`}}}}'
ANGULAR = "class X{{show(e){{this.by=e.author,{}}}}}"

for _name, _code in {
    "by_react": REACT.format('t.jsx("div",{dangerouslySetInnerHTML:{__html:e.title}})'),
    "by_vue": VUE.format('x("div",{innerHTML:e.note.title},null,8,["innerHTML"])'),
    "by_jquery": JQUERY.format('t("<div></div>").html(e.title).appendTo(n)'),
    "by_svelte": SVELTE.format("H(i,()=>(p(n()),f(()=>n().title)),!0)"),
    "by_lit": LIT.format("<div>${y(e.title)}</div>"),
    "by_angular": ANGULAR.format("this.html=this.dom.bypassSecurityTrustHtml(e.title)"),
    "by_a_function": 'function w(e,n){e.innerHTML=n}function m(e){w(a,"<b>"+e.title+"</b>"),k(e.author)}',
}.items():
    broken()(named(bundled(_code), _name))

DRAWS = REACT.format('t.jsx("div",{dangerouslySetInnerHTML:{__html:e.title}})')
for _name, _handler in {
    "as_text_by_react": bundled(REACT.format('t.jsx("div",{children:e.title})')),
    "as_text_by_vue": bundled(VUE.format('x("div",null,m(e.note.title),1)')),
    "as_text_by_jquery": bundled(JQUERY.format('t("<div></div>").text(e.title).appendTo(n)')),
    "as_text_by_svelte": bundled(SVELTE.format("j(()=>h(v,(p(n()),f(()=>n().title))))")),
    "as_text_by_lit": bundled(LIT.format("<div>${e.title}</div>")),
    "through_a_function": bundled(REACT.format('t.jsx("div",{dangerouslySetInnerHTML:{__html:p(e.title)}})')),
    "by_a_renderer": bundled(REACT.format('t.jsx("div",{dangerouslySetInnerHTML:{__html:s.parse(e.title)}})')),
    "cleaned": bundled(REACT.format('t.jsx("div",{dangerouslySetInnerHTML:{__html:DOMPurify.sanitize(e.title)}})')),
    "a_translation": bundled(REACT.format('t.jsx("div",{dangerouslySetInnerHTML:{__html:s.t("title",{title:1})}})')),
    # A library that is bundled with the application draws its own options.
    "a_library_draws_titles": bundled(
        REACT.format('t.jsx("div",{children:s})')
        + 'function T(e){o.innerHTML="<b>"+e.title+"</b>",o.className=e.theme,k(e.timeout)}'
    ),
    "another_function_draws_a_letter": bundled(
        REACT.format('t.jsx("div",{children:e.title})')
        + "function a(e){o.innerHTML=e}function b(n){let e=n.title;return e}"
    ),
    "kept_with_escapes": bundled(DRAWS, html.escape),
}.items():
    sound()(named(_handler, _name))
