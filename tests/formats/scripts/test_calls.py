"""Calls are read out of a script's text."""

import pytest

from gatecrash.formats.scripts.calls import FORM, JSON, XML, Called, called_in, paths_in


@pytest.mark.parametrize(
    ("code", "called"),
    [
        ("fetch('/a?x=' + y)", Called("GET", "/a?x=1")),
        ("window.fetch(`/a/${y}`).then(z)", Called("GET", "/a/1")),
        (
            "fetch('/a', {headers: {'X-Part': 'p', Authorization: 'B ' + t}})",
            Called("GET", "/a", headers=(("X-Part", "p"),)),
        ),
        (
            "fetch('/a', {method: 'post', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({t: 'x', n: 2})})",
            Called("POST", "/a", '{"t":"x","n":2}', JSON),
        ),
        ("fetch('/a', {method: 'POST', body: new URLSearchParams({t: 'x y'})})", Called("POST", "/a", "t=x%20y", FORM)),
        ("fetch('/a', {method: 'POST', body: '<b>1</b>'})", Called("POST", "/a", "<b>1</b>", XML)),
        ("fetch('/a', {method: 'POST', body: new FormData(form)})", Called("POST", "/a")),
        (
            "const m = {q: 'x'}; var body = JSON.stringify(m); fetch('/a', {method: 'POST', body})",
            Called("POST", "/a", '{"q":"x"}', JSON),
        ),
        (
            "let sent = new URLSearchParams({q: 'x'}); const how = {method: 'POST', body: sent}; fetch('/a', how)",
            Called("POST", "/a", "q=x", FORM),
        ),
        ("axios.get('/a', {params: {q: 'x'}})", Called("GET", "/a?q=x")),
        ("axios.put('a', {q: 'x'})", Called("PUT", "a", '{"q":"x"}', JSON)),
        ("axios({url: '/a', method: 'post', data: {q: 1}})", Called("POST", "/a", '{"q":1}', JSON)),
        ("$.getJSON('/a', {q: 'x'}, done)", Called("GET", "/a?q=x")),
        ("$.post('/a', {q: 'x'})", Called("POST", "/a", "q=x", FORM)),
        ("$.ajax({url: '/a', type: 'POST', data: {q: 'x'}})", Called("POST", "/a", "q=x", FORM)),
        (
            "$.ajax({url: '/a', type: 'POST', contentType: 'application/json', data: JSON.stringify({q: 'x'})})",
            Called("POST", "/a", '{"q":"x"}', JSON),
        ),
        ("$.ajax({url: '/a', data: {q: 'x'}})", Called("GET", "/a?q=x")),
        ("this.api.get('/a')", Called("GET", "/a")),
        ("x.open('GET', '/a', true); x.send()", Called("GET", "/a")),
        ("x.open('POST', '/a'); x.send('q=x')", Called("POST", "/a", "q=x", FORM)),
        ("window.location = '/a'", Called("GET", "/a")),
        ("location.href='/a?' + q;", Called("GET", "/a?1")),
        ("location.assign('/a')", Called("GET", "/a")),
        ("window.open('/a', 'w')", Called("GET", "/a")),
        ("$fetch('/a', {method: 'POST', body: '{}'})", Called("POST", "/a", "{}", JSON)),
        ("fetchJson('/a', {method: 'POST', body: {q: 1}})", Called("POST", "/a", '{"q":1}', JSON)),
        ("await apiFetch(`/a/${id}`)", Called("GET", "/a/1")),
        ("this._get(`/a/${t}/b`)", Called("GET", "/a/1/b")),
        ("fetch(this.root + '/a?x=' + y)", Called("GET", "/a?x=1")),
        ("axios.get(`${window.prefix}/a/${y}`)", Called("GET", "/a/1")),
        ("http.request('POST', '/a', {body: t})", Called("POST", "/a")),
        ("o.request({method: 'post', url: '/a', data: {q: 1}})", Called("POST", "/a", '{"q":1}', JSON)),
        ("this.request({path: `/a/${t}`, method: 'PUT', body: {q: 1}})", Called("PUT", "/a/1", '{"q":1}', JSON)),
        ("this.request(Object.assign({path: '/a', method: 'POST', body: t}, more))", Called("POST", "/a")),
    ],
)
def test_a_call_is_what_the_browser_would_send(code: str, called: Called) -> None:
    assert called_in(code) == [called]


@pytest.mark.parametrize(
    "code",
    [
        "fetch(address)",
        "// fetch('/a')",
        "say(\"fetch('/a')\")",
        "map.get('key')",
        "fetch('/a', {method: 'DELETE'})",
        "prefetch('/a')",
        "if (location == '/a') {}",
        "db.open('name', 3)",
        "fetch(base + name)",
        "function fetchJson(url, options) {}",
        "store.fetched('/a')",
        "fetch(`${base}${name}`)",
        "fetch(scheme + '//b.example/a')",
        "socket.request('update', {a: 1})",
        "http.request('DELETE', '/a')",
        "fetch(",
        "fetch()",
    ],
)
def test_what_asks_for_nothing_that_is_written_out_is_no_call(code: str) -> None:
    assert called_in(code) == []


def test_paths_are_texts_that_are_nothing_else() -> None:
    code = "x = {\"item\": \"/api/items/3?full=1\", n: '/', r: '/a b', t: 'see /c', u: '/d' + e, w: '//host/f'}"
    assert paths_in(code) == ["/api/items/3?full=1"]
