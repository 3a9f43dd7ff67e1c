"""Flows from the address into the page that leave no doubt; whatever else a script does with it is none."""

import pytest

from gatecrash.core.testing.oracles.scripts.flow import Flow, flow, landing_flow


@pytest.mark.parametrize(
    "code",
    [
        'if (document.location.href.indexOf("default=") >= 0) { var lang = document.location.href.substring(document.location.href.indexOf("default=")+8); document.write("<option value=\'" + lang + "\'>" + decodeURI(lang) + "</option>"); document.write("<option value=\'\' disabled>----</option>"); }',
        "const p=new URLSearchParams(location.search).get('q');document.getElementById('searchValue').innerHTML=p;",
        "var q = new URLSearchParams(window.location.search);\nvar n = q.get('name');\nif (n) {\n document.querySelector('#x').innerHTML = `<b>Hello ${n}</b>`;\n}",
        "document.write(decodeURIComponent(location.hash.substring(1)))",
        "eval(location.hash.slice(1))",
        "if (window.name) { el.innerHTML = '<b>' + window.name; }",
        "const api = location.origin + '/api', s = `wss://${location.host}/s`; el.innerHTML = decodeURI(location.hash);",
        "var m = /[?&]who=([^&]*)/i.exec(location.search); if (m) el.innerHTML = decodeURIComponent(m[1]);",
        "document.write(decodeURI(location.href.match(/lang=(.*)/)[1]))",
        "$('#out').html(decodeURIComponent(window.location.hash.split('#')[1]))",
        "let u = new URL(location.href); el.innerHTML = 'x' + u.searchParams.get('a');",
        "const q = new URL(location).searchParams.get('tab') || 'a'; document.write('<b>' + q + '</b>');",
        "var at = new URL(document.location, base); el.innerHTML = at.searchParams.get('tab');",
        "var q = '';\nq = unescape(location.search.substr(3));\ndocument.body.insertAdjacentHTML('beforeend', '<p>' + q);",
    ],
)
def test_a_flow(code):
    assert flow(code) is not None


def test_a_flow_names_its_ends():
    assert flow("eval(location.hash.slice(1))") == Flow("location.hash", "eval")


@pytest.mark.parametrize(
    "code",
    [
        "document.write(location.href)",
        "if (window.name === 'menu') { el.innerHTML = window.name; }",
        "el.innerHTML = person.name + user.window.name;",
        "if (next === `${location.origin}/a`) el.innerHTML = decodeURI(location.hash);",
        "if (next.startsWith(location.origin + '/')) el.innerHTML = decodeURI(location.hash);",
        "document.write(new URL(location))",
        "document.write(new URL(location).pathname)",
        "document.write(new URL(locations).searchParams.get('tab'))",
        "var m = /page=([0-9]+)/.exec(location.search); if (m) el.innerHTML = decodeURIComponent(m[1]);",
        "var m = /[?&]who=([^&]*)/.exec(location.search); if (m && ok(m[1])) el.innerHTML = decodeURI(m[1]);",
        "el.innerHTML = decodeURI(/who=([^&]*)/.test(location.search));",
        "el.innerHTML = decodeURI(location.search.match(/who=([^&]*)/.source));",
        "el.innerHTML = DOMPurify.sanitize(new URLSearchParams(location.search).get('q'))",
        "var q=new URLSearchParams(location.search).get('q'); q = escapeHtml(q); el.innerHTML = q;",
        "var q=new URLSearchParams(location.search).get('q'); el.textContent = q;",
        "var q=new URLSearchParams(location.search).get('q'); if(/^[a-z]+$/.test(q)) el.innerHTML = q;",
        "var q=new URLSearchParams(location.search).get('q'); if(allowed.includes(q)) { el.innerHTML = q; }",
        "var q=new URLSearchParams(location.search).get('q'); el.innerHTML = names[q];",
        "var q=new URLSearchParams(location.search).get('q'); el.innerHTML = q ? 'yes' : 'no';",
        "var q=+new URLSearchParams(location.search).get('q'); el.innerHTML = q;",
        "var q=parseInt(new URLSearchParams(location.search).get('q')); el.innerHTML = q;",
        "var i=location.href.indexOf('x'); document.write(decodeURI(i));",
        "// el.innerHTML = decodeURI(location.hash)\n",
        "var s='el.innerHTML = decodeURI(location.hash)';",
        "el.innerHTML = decodeURI(location.hash).length;",
        "el.innerHTML = decodeURI(location.hash).replace(/</g,'&lt;');",
        "el.innerHTML = esc(decodeURI(location.hash));",
        "var q=new URLSearchParams(location.search).get('q'); if (q === 'a' || q === 'b') el.innerHTML = q;",
        "var q=new URLSearchParams(location.search).get('q'); switch(q){case 'a': break; default: q='x'} el.innerHTML = q;",
        "el.innerHTML = encodeURIComponent(decodeURI(location.hash))",
        "var q=new URLSearchParams(location.search).get('q'); if(q=='de'){el.innerHTML=q}",
        "var q=new URLSearchParams(location.search).get('q'); var ok = check(q); if(ok) el.innerHTML = q;",
        "el.innerHTML = decodeURI(location.hash) === '#a' ? 1 : 2",
        "var q=decodeURI(location.hash);if(!valid(q))throw 1;el.innerHTML=q",
        "el.innerHTML = !decodeURI(location.hash)",
        "var t=decodeURI(location.hash);el.innerHTML=t.toUpperCase().charAt(0)",
        "var q=new URLSearchParams(location.search); el.innerHTML=q",
        "if (location.href.indexOf('<') >= 0) throw 1; el.innerHTML = decodeURI(location.hash);",
        "if (location.hostname === 'localhost') el.innerHTML = decodeURI(location.hash);",
        "q => { el.innerHTML = q; }; var q = decodeURI(location.hash);",
        "el.innerHTML = decodeURI(location.hash",
        "var q=decodeURI(location.hash); if(ok(q)){var t='<b>'+q;el.innerHTML=t}",
        "var q=decodeURI(location.hash); if(ok(q)){var t='<b>'+q;var u=t;el.innerHTML=u}",
        "var q=decodeURI(location.hash); if(q.indexOf('<')>=0) throw 1; el.innerHTML=q",
    ],
)
def test_no_flow(code):
    assert flow(code) is None


@pytest.mark.parametrize(
    "code", ["var a=location.hash;" + "(" * 2000, "document.write(" * 3000 + "location", "a=location.hash+c;" * 3000]
)
def test_hostile_scripts_end(code):
    assert flow(code) is None


def test_what_is_too_long_is_not_read():
    assert flow("eval(location.hash.slice(1));" + " " * 300_000) is None


@pytest.mark.parametrize(
    "code",
    [
        "var to=new URLSearchParams(location.search).get('to'); if (to) { window.location.href = to; }",
        "location.href = new URLSearchParams(window.location.search).get('next') || '/';",
        "const u=new URL(location.href);\nlocation.replace(u.searchParams.get('back'))",
        "location = location.hash.slice(1)",
        "var m = location.search.match(/[?&]goto=([^&]+)/); if (m) location = decodeURIComponent(m[1]);",
        "location = location.search.split('=')[1].split('&')[0]",
        "window.location = decodeURIComponent(location.search.split('url=')[1]);",
        "b.onclick = () => { const p = new URLSearchParams(location.search); window.location.assign(p.get('url') + '?x=1'); }",
    ],
)
def test_a_script_that_goes_where_its_address_says(code):
    assert landing_flow(code) is not None
    assert flow(code) is None


@pytest.mark.parametrize(
    "code",
    [
        "location.href = location.href.split('#')[0]",
        "location.href='/login?next='+new URLSearchParams(location.search).get('next')",
        "var p='/x/'+new URLSearchParams(location.search).get('q'); location=p;",
        "location.hash = new URLSearchParams(location.search).get('q')",
        "location.href = location.pathname + location.search",
        "location.search = new URLSearchParams(location.search)",
        "location.href = location.hash.toString()",
        "location.href = location.search",
        "location.href = location.search.split('&')[0]",
        "location.href = location.hash.split('?').shift()",
        "location.href = location.hash.split('?').at(0)",
        "location.href = location.search.slice(0, 9)",
        "if (new URLSearchParams(location.search).get('to').startsWith('/')) location = new URLSearchParams(location.search).get('to')",
        "var to=new URLSearchParams(location.search).get('to'); if (to.startsWith('/')) { location.href = to; }",
        "var to=new URLSearchParams(location.search).get('to'); if (to && to[0]=='/') location = to;",
        "location.href = safe(new URLSearchParams(location.search).get('to'))",
        "location.href = `/${location.hash.slice(1)}`",
        "if (location.href == decodeURI(location.hash.slice(1))) x()",
        "window.location = window.location.href.split('?')[0] + '?lang=' + x.value",
        "l.href = new URLSearchParams(location.search).get('q')",
        "var m = location.search.match(/goto=(\\/[^&]+)/); if (m) location = decodeURIComponent(m[1]);",
        "var m = /goto=([^&]+)/.exec(location.search); if (m) location = '/go/' + m[1];",
        "if (/^http/.test(location.search)) throw 1; location.href = new URLSearchParams(location.search).get('to')",
        "// location = location.hash.slice(1)",
    ],
)
def test_a_script_that_goes_to_what_is_its_own(code):
    assert landing_flow(code) is None
