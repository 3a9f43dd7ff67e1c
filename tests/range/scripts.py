"""Pages whose own scripts write what the address holds, or only seem to."""

from gatecrash.core.message import Request, Response
from tests.range.place import Given, flaw, miss, page, text, twin


def opened(path: str) -> Request:
    return Request("GET", path.encode() + b"?name=ann")


def scripted(code: str, *headers: tuple[bytes, bytes]) -> Response:
    return page(f"<div id='out'></div><script>{code}</script>", 200, *headers)


TAKEN = "var name = new URLSearchParams(location.search).get('name');"
WRITTEN = "document.getElementById('out').innerHTML = "


@flaw("xss", request=opened)
def greets(given: Given) -> Response:
    return scripted(f"{TAKEN} if (name) {{ {WRITTEN} 'Hello ' + name; }}")


@flaw("xss", request=opened)
def chooses_language(given: Given) -> Response:
    return scripted(
        "if (document.location.href.indexOf('lang=') >= 0) {"
        " var lang = document.location.href.substring(document.location.href.indexOf('lang=') + 5);"
        ' document.write("<option>" + decodeURI(lang) + "</option>"); }'
    )


@flaw("xss", request=opened)
def template_of_the_hash(given: Given) -> Response:
    return scripted("const tab = decodeURIComponent(location.hash.slice(1)); " + WRITTEN + "`<h2>${tab}</h2>`;")


@flaw("xss", request=opened)
def loads_it(given: Given) -> Response:
    """The script is a file of its own."""
    if given.request.path.endswith(b"/greet.js"):
        return Response(200, ((b"Content-Type", b"text/javascript"),), f"{TAKEN}\n{WRITTEN}name;\n".encode())
    return page("<div id='out'></div><script src='loads-it/greet.js'></script>")


@flaw("xss", request=opened)
def takes_messages(given: Given) -> Response:
    return scripted(f"addEventListener('message', function (sent) {{ {WRITTEN} '<b>' + sent.data.title; }});")


@twin("xss", request=opened)
def takes_messages_of_one(given: Given) -> Response:
    check = "if (sent.origin !== 'https://shop.example') return;"
    return scripted(f"addEventListener('message', function (sent) {{ {check} {WRITTEN} '<b>' + sent.data.title; }});")


@twin("xss", request=opened)
def takes_messages_of_its_worker(given: Given) -> Response:
    return scripted(f"worker.addEventListener('message', function (sent) {{ {WRITTEN} '<b>' + sent.data.title; }});")


@twin("xss", request=opened)
def as_text(given: Given) -> Response:
    return scripted(f"{TAKEN} document.getElementById('out').textContent = name;")


@twin("xss", request=opened)
def cleaned(given: Given) -> Response:
    return scripted(f"{TAKEN} {WRITTEN} DOMPurify.sanitize(name);")


@twin("xss", request=opened)
def cleaned_in_place(given: Given) -> Response:
    return scripted(f"{TAKEN} name = escapeHtml(name); {WRITTEN} name;")


@twin("xss", request=opened)
def compared(given: Given) -> Response:
    return scripted(f"{TAKEN} if (name === 'ann' || name === 'ben') {{ {WRITTEN} name; }}")


@twin("xss", request=opened)
def matched(given: Given) -> Response:
    return scripted(f"{TAKEN} if (/^[a-z]+$/.test(name)) {{ {WRITTEN} name; }}")


@twin("xss", request=opened)
def looked_up(given: Given) -> Response:
    return scripted(f"var titles = {{ann: '<b>Ann</b>'}}; {TAKEN} {WRITTEN} titles[name];")


@twin("xss", request=opened)
def still_escaped(given: Given) -> Response:
    """Browsers escape what markup is made of in the address, and nothing undoes it."""
    return scripted(WRITTEN + "location.href;")


@twin("xss", request=opened)
def under_a_policy(given: Given) -> Response:
    policy = (b"Content-Security-Policy", b"script-src 'self' 'nonce-k3v9'")
    return scripted(f"{TAKEN} {WRITTEN} name;", policy)


@twin("xss", request=opened)
def shown_as_source(given: Given) -> Response:
    return text(f"<script>{TAKEN} {WRITTEN} name;</script>")


@flaw("xss", request=opened)
def through_a_function(given: Given) -> Response:
    return scripted(f"function show(what) {{ {WRITTEN} what; }} {TAKEN} show(name);")


@twin("xss", request=opened)
def through_a_function_that_cleans(given: Given) -> Response:
    return scripted(f"function show(what) {{ {WRITTEN} DOMPurify.sanitize(what); }} {TAKEN} show(name);")


@miss("xss", request=opened)
def through_a_method(given: Given) -> Response:
    return scripted(f"const view = {{ show(what) {{ {WRITTEN} what; }} }}; {TAKEN} view.show(name);")


@flaw("redir", request=opened)
def goes_where_the_address_says(given: Given) -> Response:
    return scripted(f"{TAKEN} if (name) {{ window.location.href = name; }}")


@flaw("redir", request=opened)
def goes_where_the_hash_says(given: Given) -> Response:
    return scripted("window.location.replace(decodeURIComponent(location.hash.substring(1)));")


@flaw("redir", request=opened)
def loads_what_goes_there(given: Given) -> Response:
    """The script is a file of its own."""
    if given.request.path.endswith(b"/go.js"):
        code = "const to = new URL(location.href).searchParams.get('name') || '/';\nlocation.assign(to);\n"
        return Response(200, ((b"Content-Type", b"text/javascript"),), code.encode())
    return page("<p>One moment</p><script src='loads-what-goes-there/go.js'></script>")


@twin("redir", request=opened)
def goes_below_a_path(given: Given) -> Response:
    return scripted(f"{TAKEN} if (name) {{ location.href = '/people/' + name; }}")


@twin("redir", request=opened)
def goes_where_a_check_lets(given: Given) -> Response:
    return scripted(f"{TAKEN} if (name.startsWith('/') && !name.startsWith('//')) {{ location.href = name; }}")


@twin("redir", request=opened)
def goes_without_its_hash(given: Given) -> Response:
    return scripted("if (location.hash) { location.href = location.href.split('#')[0]; }")


@twin("redir", request=opened)
def asks_its_own_page_again(given: Given) -> Response:
    return scripted(f"{TAKEN} location.search = '?name=' + name; location.href = location.pathname + location.search;")


@flaw("redir", request=opened)
def goes_there_by_a_function(given: Given) -> Response:
    return scripted(f"function go(to) {{ location.href = to; }} {TAKEN} go(name);")


@miss("redir", request=opened)
def goes_there_by_a_method(given: Given) -> Response:
    return scripted(f"const way = {{ go(to) {{ location.href = to; }} }}; {TAKEN} way.go(name);")
