"""What scripts ask for is asked as their page would."""

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.formats.scripts.asked import code_of, guesses_in, loaded_in, requests_in, sources_of

PAGE = Request("GET", b"/shop/list", ((b"Host", b"a.example"), (b"Accept", b"text/html")), host="a.example")


def test_scripts_and_what_elements_do_are_one_code() -> None:
    code = code_of("<script>var a='x</script><p onclick=\"go('/b')\">c</p><script>d()</script>")
    assert [each.strip() for each in code.split("\n;\n")] == ["var a='x", "go('/b')", "d()"]


def test_calls_are_requests_at_the_pages_own_origin() -> None:
    code = "fetch('item?id=2');fetch('http://other.example/x');fetch('/n',{method:'POST',body:JSON.stringify({t:'x'})})"
    read, made = requests_in(PAGE, code)
    assert (read.method, read.target, read.first(b"Accept"), read.first(b"Referer")) == (
        "GET", b"/shop/item?id=2", b"*/*", b"http://a.example/shop/list",
    )  # fmt: skip
    assert (made.method, made.target, made.body) == ("POST", b"/n", b'{"t":"x"}')
    assert (made.first(b"Content-Type"), made.first(b"Content-Length")) == (b"application/json", b"9")
    assert made.first(b"Origin") == b"http://a.example"


def test_a_script_knows_its_own_site() -> None:
    (made,) = requests_in(PAGE, "c.post('/n',{hook:`${window.location.origin}/h`,to:location.origin})")
    assert made.body == b'{"hook":"http://a.example/h","to":"http://a.example"}'


def test_a_socket_is_opened_as_a_browser_opens_it_for_the_page() -> None:
    (opening,) = requests_in(PAGE, "new WebSocket('ws://a.example/live');new WebSocket('ws://other.example/live')")
    assert (opening.method, opening.url) == ("GET", "http://a.example/live")
    assert (opening.first(b"Upgrade"), opening.first(b"Origin")) == (b"websocket", b"http://a.example")
    assert (opening.first(b"Referer"), opening.first(b"Accept")) == (None, None)


def test_scripts_of_the_same_origin_are_named_once() -> None:
    text = b"<script src=/a.js></script><script src='b.js?v=1'></script><script src=/a.js></script><script src=//x.example/c.js></script>"
    exchange = Exchange(PAGE, Response(200, ((b"Content-Type", b"text/html"),), text))
    assert sources_of(exchange) == [b"/a.js", b"/shop/b.js?v=1"]
    assert sources_of(Exchange(PAGE, Response(200, ((b"Content-Type", b"text/plain"),), text))) == []


def test_paths_in_data_are_guesses() -> None:
    assert guesses_in(PAGE, '{"next": "/items?page=2", "name": "tea"}') == [b"/items?page=2"]


def test_scripts_that_a_page_loads_ahead_are_scripts_of_it() -> None:
    text = b"<link rel=modulepreload href=/a.js><link rel=preload as=script href=b.js><link rel=preload as=style href=c.css>"
    assert sources_of(Exchange(PAGE, Response(200, ((b"Content-Type", b"text/html"),), text))) == [
        b"/a.js",
        b"/shop/b.js",
    ]


def test_scripts_that_a_script_loads_are_seen_from_itself() -> None:
    code = "import('./b.js');import('http://other.example/c.js')"
    assert loaded_in(PAGE, b"/assets/a.js?v=1", code) == [b"/assets/b.js"]


def test_workers_are_seen_from_the_page() -> None:
    assert loaded_in(PAGE, b"/assets/a.js?v=1", "new Worker('w.js')") == [b"/shop/w.js"]
