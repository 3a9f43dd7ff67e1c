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
        ("ky.get('/a', {timeout: 9, searchParams: {q: 'x'}})", Called("GET", "/a?q=x")),
        ("api.get('/a', {q, page: 2})", Called("GET", "/a?q=example&page=2")),
        ("api.get('/a', {headers: {q: 'x'}, retry: 2})", Called("GET", "/a")),
        ("api.get('/a', given)", Called("GET", "/a")),
        ("axios.get('/a', {maxRedirects: 0})", Called("GET", "/a")),
        ("axios.get('/a', {anything: 'x'})", Called("GET", "/a")),
        ("http.get('/a', {reportProgress: true})", Called("GET", "/a")),
        ("s.get('/a', {validateStatus: e => e < 500})", Called("GET", "/a")),
        ("s.get('/a', {auth: {username: 'u', password: 'p'}})", Called("GET", "/a")),
        ("s.get('/a', {signIn: {username: 'u', password: 'p'}})", Called("GET", "/a")),
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


def test_what_a_compiled_page_leads_to_is_a_path_as_well() -> None:
    code = "a('a',{href:'./go?to=https://b.example/c'});a('a',{href:`/go?to=https://d.example`});i('./file.js');i('./locale')"
    assert paths_in(code) == ["./go?to=https://b.example/c", "/go?to=https://d.example"]


@pytest.mark.parametrize(
    "code",
    [
        "var x=new XMLHttpRequest();x.open('POST','/a');x.setRequestHeader('X-Word','tea');x.send('q=1')",
        (
            "function go(u,h,b){var x=new XMLHttpRequest();x.open('POST',u);for(var k in h)x.setRequestHeader(k,h[k]);x.send(b)}"
            "function run(){var h={};h['X-Word']=encodeURIComponent('tea');go('/a',h,'q=1')}"
        ),
    ],
)
def test_headers_that_a_request_is_given_one_by_one_are_sent(code: str) -> None:
    assert [each.headers for each in called_in(code) if each.address == "/a"] == [(("X-Word", "tea"),)]


def test_credentials_and_what_is_no_name_are_no_headers_of_a_call() -> None:
    code = "x.open('POST','/a');x.setRequestHeader('Authorization','t');x.setRequestHeader('a b','c');x.send('q=1')"
    assert called_in(code)[0].headers == ()


def test_form_data_is_sent_in_parts() -> None:
    called = called_in("const f = new FormData(); f.append('q', 'tea'); fetch('/a', {method: 'POST', body: f})")[0]
    assert called.kind.startswith("multipart/form-data; boundary=")
    assert 'name="q"\r\n\r\ntea\r\n' in called.body


def test_what_a_person_chooses_for_a_form_is_a_file() -> None:
    code = "up(f,t){const d=new FormData;d.append('file',f);d.append('profile','tea');this.http.post('/a',d)}"
    called = called_in(code)[0]
    assert 'name="file"; filename="example.txt"\r\n' in called.body
    assert 'name="profile"\r\n\r\ntea\r\n' in called.body


def test_data_of_a_form_may_be_an_address_s_query_or_a_body() -> None:
    made = 'const f = new URLSearchParams(new FormData({"q": "a b"}));'
    assert called_in(made + "fetch('/a?' + f.toString())") == [Called("GET", "/a?q=a%20b")]
    posted = called_in(made + "fetch('/a', {method: 'POST', body: f})")[0]
    assert (posted.body, posted.kind) == ("q=a%20b", "application/x-www-form-urlencoded")


def test_a_place_that_a_browser_is_led_to_may_be_encoded() -> None:
    assert called_in("function go(){location.href='/a/'+encodeURIComponent(btoa('tea'))}") == [Called("GET", "/a/dGVh")]


def test_a_body_with_replacements_is_sent_as_it_begins() -> None:
    code = "function s(u,b){fetch(u,{method:'POST',body:b})} var v='tea'; s('/a','<q>'+v.replace(/</g,'&lt;')+'</q>')"
    assert [each.body for each in called_in(code) if each.method == "POST"] == ["<q>tea</q>"]
