"""What a page does with its address is seen in a real browser; sound pages run nothing."""

from tests.node.browser.pages import Site, is_found, verdict_of
from tests.node.loop import run

from gatecrash.core.message import Request
from gatecrash.core.testing.opening import Opening
from gatecrash.core.testing.probe import TestRequest
from gatecrash.node.browser.showing import Showing

PAGE = "<!doctype html><div id=box></div><script>const box = document.getElementById('box');{}</script>"
FOUND = {
    "through a function": (
        (
            "function show(t) { box.innerHTML = t } function part() { return location.hash.substring(1) }"
            "show('<b>' + decodeURIComponent(part()) + '</b>')"
        ),
        "location.hash",
    ),
    "a parameter": (
        (
            "const p = new URLSearchParams(location.search); const view = {title: p.get('title') || 'none'};"
            "for (const key of Object.keys(view)) box.insertAdjacentHTML('beforeend', `<p>${view[key]}</p>`)"
        ),
        "location.search (title)",
    ),
    "a parameter behind the hash": (
        (
            "const o = {}; location.hash.slice(1).split('&').forEach(s => { const [k, v] = s.split('='); o[k] = decodeURIComponent(v || '') });"
            "const params = o; if (params.tab) { box.innerHTML = '<h2 class=t>' + params.tab + '</h2>' }"
        ),
        "location.hash (tab)",
    ),
    "a route of a router": (
        (
            "const routes = [{path: '/find', draw: q => { box.innerHTML = 'Nothing for ' + q.get('term') }}];"
            "function go() { const [at, rest] = location.hash.slice(1).split('?');"
            "const r = routes.find(r => r.path === at); if (r) r.draw(new URLSearchParams(rest)) }"
            "addEventListener('hashchange', go); go()"
        ),
        "location.hash (term)",
    ),
    "an attribute": (
        "const q = new URLSearchParams(location.search).get('q'); if (q) document.write('<input value=\"' + q + '\">')",
        "location.search (q)",
    ),
    "a link": (
        (
            "const a = document.createElement('a'); a.textContent = 'back'; const p = new URLSearchParams(location.search);"
            "a.href = p.has('back') ? p.get('back') : '/'; box.append(a)"
        ),
        "location.search (back)",
    ),
    "an address to go to": (
        "const next = new URLSearchParams(location.search).get('next'); if (next) setTimeout(() => { location = next }, 50)",
        "location.search (next)",
    ),
    "code": (
        (
            "const p = new URLSearchParams(location.search); const by = p.get('by') || 'name';"
            "const sort = new Function('a', \"return a['\" + by + \"']\"); box.textContent = sort({name: 1})"
        ),
        "location.search (by)",
    ),
    "a window's name": ("const opts = window.name || '{}'; box.innerHTML = opts", "window.name"),
}
SOUND = {
    "as text": "box.textContent = decodeURIComponent(location.hash.slice(1)); box.innerHTML += ''",
    "not decoded": "box.innerHTML = location.hash.slice(1)",
    "escaped": "const esc = s => s.replace(/[&<>\"']/g, c => `&#${c.charCodeAt(0)};`);"
    "box.innerHTML = esc(decodeURIComponent(location.hash)) + esc(new URLSearchParams(location.search).get('q') || '')",
    "a number": "box.innerHTML = 'page ' + parseInt(new URLSearchParams(location.search).get('page'), 10)",
    "one of a list": "const tab = location.hash.slice(1); if (['a', 'b'].includes(tab)) box.innerHTML = tab",
    "an inert document": "const d = new DOMParser().parseFromString(decodeURIComponent(location.hash.slice(1)), 'text/html');"
    "box.innerHTML = ''; box.textContent = d.body.textContent",
    "a sandboxed frame": "const f = document.createElement('iframe'); f.sandbox = 'allow-scripts';"
    "f.srcdoc = decodeURIComponent(location.hash.slice(1)); box.append(f)",
    "own addresses alone": "const n = new URLSearchParams(location.search).get('next');"
    "if (n && new URL(n, location.href).origin === location.origin) { location.href = n }",
}
WRITES = "box.innerHTML = decodeURIComponent(location.hash.slice(1))"
PROTECTED = {
    "inline scripts are forbidden": (b"Content-Security-Policy", b"script-src 'nonce-a'"),
    "markup must be trusted": (b"Content-Security-Policy", b"require-trusted-types-for 'script'"),
}


def _page(script: str) -> str:
    return PAGE.replace("{}", script)


@run
async def test_what_a_page_runs_of_its_address_is_proven(program: str) -> None:
    showing = Showing()
    showing.program = program
    told = {name: await verdict_of(showing, Site({"/": _page(script)})) for name, (script, _) in FOUND.items()}
    await showing.close()
    assert {name: verdict.detail for name, verdict in told.items() if is_found(verdict)} == {
        name: f"in the DOM, from {where}" for name, (_, where) in FOUND.items()
    }
    proofs = [verdict.proof.verified_by for verdict in told.values() if verdict.proof is not None]
    assert all("A browser that opened http://shop.example/" in proof for proof in proofs)


@run
async def test_a_page_that_runs_nothing_is_sound(program: str) -> None:
    showing = Showing()
    showing.program = program
    told = {name: await verdict_of(showing, Site({"/": _page(script)})) for name, script in SOUND.items()}
    for name, header in PROTECTED.items():
        told[name] = await verdict_of(
            showing, Site({"/": _page(WRITES).replace("<script", "<script nonce=a")}, (header,))
        )
    # What the server writes there itself is another matter.
    told["by the server"] = await verdict_of(
        showing, Site({"/": _page("const q = location.search; box.innerHTML = 'x'") + "[[query]]"})
    )
    await showing.close()
    assert [name for name, verdict in told.items() if is_found(verdict)] == []


@run
async def test_what_would_change_something_and_what_is_of_another_host_is_not_asked_for(program: str) -> None:
    script = (
        "fetch('/api/items').then(() => fetch('/api/items', {method: 'POST', body: '{}'})).finally(() => fetch('/logout'));"
        "fetch('http://elsewhere.example/'); box.innerHTML = location.hash"
    )
    showing, site = Showing(), Site({"/": _page(script), "/api/items": "[]"})
    showing.program = program
    await verdict_of(showing, site)
    await showing.close()
    assert set(site.asked) == {"/", "/api/items"}


@run
async def test_without_a_browser_a_page_is_asked_for_as_any_other() -> None:
    showing, site = Showing(), Site({"/": "fine"})
    request = Request("GET", b"/", ((b"Host", b"shop.example"),), host="shop.example")
    answer = await showing.opened(TestRequest(request, opening=Opening(names=("f",))), site.send)
    assert not showing.is_possible
    assert (answer.ran, site.asked) == ((), ["/"])


@run
async def test_a_browser_that_does_not_start_is_done_without() -> None:
    showing, site = Showing(), Site({"/": "fine"})
    showing.program = "/nowhere/browser"
    request = Request("GET", b"/", ((b"Host", b"shop.example"),), host="shop.example")
    answer = await showing.opened(TestRequest(request, opening=Opening(names=("f",))), site.send)
    await showing.close()
    assert answer.exchange.response is not None
    assert not showing.is_possible
