"""A site is read from its front page on, and nothing in it is changed."""

import asyncio
from collections.abc import Mapping

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.probe import Answer
from gatecrash.node.scan.crawling import Crawl

FRONT = Request("GET", b"/", ((b"Host", b"shop.example"),), host="shop.example")
HTML = (b"Content-Type", b"text/html")
Pages = Mapping[str, str | Response]


def walked(
    pages: Pages, most: int = 100, headers: Headers = (HTML,), *, submits: bool = False
) -> tuple[Crawl, list[Request]]:
    sent: list[Request] = []

    async def send(request: Request) -> Answer:
        sent.append(request)
        named = request.target.decode()
        found = pages.get(named if request.method == "GET" else f"{request.method} {named}")
        if isinstance(found, str):
            found = Response(200, headers, found.encode())
        return Answer(Exchange(request, found or Response(404, (HTML,), b"<a href=/never>x</a>")))

    crawl = Crawl(send, most=most, submits=submits)
    asyncio.run(crawl.run(FRONT))
    return crawl, sent


def read(crawl: Crawl) -> list[str]:
    return [each.request.target.decode() for each in crawl.found() if not each.drafted]


def test_links_forms_that_search_and_what_the_site_tells_of_itself_are_read_once() -> None:
    plain = ((b"Content-Type", b"text/plain"),)
    pages: Pages = {
        "/": "<a href=/a>a</a><a href=/a#x>a</a><a href=/style.css>c</a><form action=/find><input name=q value=tea></form>",
        "/a": "<a href=/>home</a><a href=/b>b</a>",
        "/b": Response(302, ((b"Location", b"/c"),), b""),
        "/c": "c",
        "/find?q=tea": "tea",
        "/hidden": "h",
        "/mapped": "m",
        "/robots.txt": Response(200, plain, b"Disallow: /hidden\nSitemap: http://shop.example/map.xml"),
        "/map.xml": Response(200, ((b"Content-Type", b"text/xml"),), b"<loc>http://shop.example/mapped</loc>"),
    }
    crawl, sent = walked(pages)
    assert set(read(crawl)) == {"/", "/a", "/b", "/c", "/find?q=tea", "/hidden", "/map.xml", "/mapped"}
    assert len({one.target for one in sent}) == len(sent)
    assert all(one.method == "GET" for one in sent)


def test_what_changes_something_is_not_asked_and_forms_of_it_become_drafts() -> None:
    crawl, sent = walked(
        {
            "/": "<a href=/logout>x</a><a href='/items/7/delete'>x</a><a href='/mail/unsubscribe?code=7'>x</a><a href=/register>r</a>"
            "<form method=post action=/notes><input name=text value=a></form><form method=post action=/notes><input name=text value=b>"
            "</form><form method=post action=/items/7/delete></form><form method=post action=/reset></form>"
            "<form action=/motto/change><input name=new value=a></form>",
            "/register": "r",
        }
    )
    assert read(crawl) == ["/", "/register"]
    assert [(one.request.method, one.request.path) for one in crawl.found() if one.drafted] == [
        ("POST", b"/notes"),
        ("GET", b"/motto/change"),
    ]
    assert {one.target for one in sent} == {b"/", b"/register", b"/robots.txt", b"/sitemap.xml"}
    assert {"GET /logout", "GET /items/7/delete", "POST /items/7/delete", "POST /reset"} <= set(crawl.left_alone)


def test_a_form_of_each_row_is_sent_once_and_one_of_each_numbered_lesson_is() -> None:
    rows = "".join(
        f"<form method=post action=/tea/{number}><input name=pieces value=1></form>" for number in range(20, 24)
    )
    lessons = [f"/lesson{number}" for number in range(1, 4)]
    forms = dict.fromkeys(lessons, "<form method=post><input name=word value=tea></form>")
    posted = {f"POST {each}": "said" for each in (*lessons, "/tea/20")}
    links = "".join(f"<a href={each}>x</a>" for each in lessons)
    _, sent = walked({"/": rows + links, **forms, **posted}, submits=True)
    assert [each.target for each in sent if each.method == "POST"] == [
        b"/tea/20",
        b"/lesson1",
        b"/lesson2",
        b"/lesson3",
    ]


def test_a_script_in_a_file_reads_the_fields_of_its_page_and_sets_its_cookies() -> None:
    script = Response(
        200,
        ((b"Content-Type", b"text/javascript"),),
        b"document.cookie='seen=1; path=/find'; fetch('/find?q=' + document.getElementById('q').value)",
    )
    _, sent = walked({"/": "<input id=q value=tea><script src=/a.js></script>", "/a.js": script, "/find?q=tea": "tea"})
    (found,) = [each for each in sent if each.path == b"/find"]
    assert (found.target, found.first(b"Cookie")) == (b"/find?q=tea", b"seen=1")
    assert all(each.first(b"Cookie") is None for each in sent if each.path != b"/find")


def test_each_form_of_numbered_exercises_is_sent() -> None:
    cases = {
        f"/case/{number}": f"<form method=post action=/case/{number}/do><input name=v value=a></form>"
        for number in range(10, 40)
    }
    done = {f"POST /case/{number}/do": "done" for number in range(10, 40)}
    _, sent = walked({"/": "".join(f"<a href={each}>x</a>" for each in cases), **cases, **done}, submits=True, most=40)
    assert sum(each.method == "POST" for each in sent) == 30


def test_what_a_link_leads_to_and_is_forbidden_is_kept_and_nothing_in_it_is_read() -> None:
    forbidden = Response(403, (HTML, (b"Set-Cookie", b"role=reader")), b"<a href=/never>x</a>")
    crawl, sent = walked(
        {"/": "<a href=/board>x</a><a href=/broken>y</a>", "/board": forbidden, "/broken": Response(500, (HTML,))}
    )
    assert read(crawl) == ["/", "/board"]
    assert b"/never" not in {each.target for each in sent}


def test_a_calendar_has_an_end() -> None:
    pages = {f"/day/{number}": f"<a href=/day/{number + 1}>next</a>" for number in range(1, 500)}
    crawl, _ = walked({"/": "<a href=/day/1>today</a>", **pages})
    assert len(read(crawl)) < 10


def test_pages_that_one_script_shows_are_told_apart_by_words() -> None:
    names = ["about", "shop", "help", "terms", "imprint", "press"]
    pages = {f"/?page={name}": name for name in names}
    crawl, _ = walked({"/": "".join(f"<a href='/?page={name}'>x</a>" for name in names), **pages})
    assert len(read(crawl)) == 7


def test_no_more_is_asked_than_is_allowed() -> None:
    names = [f"/{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(200)]
    crawl, sent = walked(
        {"/": "".join(f"<a href={name}>x</a>" for name in names), **dict.fromkeys(names, "x")}, most=20
    )
    assert len(sent) == 20
    assert crawl.asked == 20


def test_what_sets_a_new_cookie_is_read_once_more_with_it() -> None:
    pages: Pages = {
        "/": "<a href=/a>x</a><a href=/b>x</a>",
        "/a": Response(200, (HTML, (b"Set-Cookie", b"role=user")), b"a"),
        "/b": Response(200, (HTML, (b"Set-Cookie", b"role=user")), b"b"),
    }
    crawl, _ = walked(pages)
    assert read(crawl) == ["/", "/a", "/a", "/b"]
    brought = [one.request.first(b"Cookie") for one in crawl.found()]
    assert brought == [None, None, b"role=user", b"role=user"]


def test_cookies_are_kept_as_a_browser_keeps_them() -> None:
    pages = {"/": "<a href=/a>x</a><form method=post><input name=a></form>", "/a": "a"}
    crawl, sent = walked(pages, headers=(HTML, (b"Set-Cookie", b"visit=v1; Path=/")))
    assert [one.first(b"Cookie") for one in sent if one.target == b"/a"] == [b"visit=v1"]
    assert [one.first(b"Cookie") for one in sent if one.target == b"/"] == [None, b"visit=v1"]
    assert all(one.request.first(b"Cookie") == b"visit=v1" for one in crawl.found() if one.drafted)


def test_what_stands_behind_a_form_is_read() -> None:
    pages: Pages = {
        "/": "<form method=post action=/tickets><input type=hidden name=csrf value=t1><input name=title></form>",
        "POST /tickets": Response(303, ((b"Location", b"/tickets/5"),), b""),
        "/tickets/5": "<a href=/tickets/5/log>log</a>",
        "/tickets/5/log": "<form method=post action=/steps><input name=plate value=k></form>",
        "POST /steps": "<form method=post action=/steps/last><input name=cover value=full></form>",
        "POST /steps/last": "done",
    }
    crawl, sent = walked(pages, submits=True)
    assert read(crawl) == ["/", "/tickets", "/tickets/5", "/tickets/5/log", "/steps", "/steps/last"]
    assert not any(each.drafted for each in crawl.found())
    assert [one.body for one in sent if one.method == "POST"] == [b"csrf=t1&title=example", b"plate=k", b"cover=full"]


def test_a_form_is_sent_with_what_its_page_hands_out_then() -> None:
    form = "<form method=post action=/notes><input type=hidden name=csrf value={}><input name=text></form>"
    shown = iter(["t1", "t2"])

    class Anew(dict[str, str]):
        def get(self, name: str, default: object = None) -> str:  # type: ignore[override]
            return form.format(next(shown)) if name == "/" else {"POST /notes": "kept"}.get(name, "")

    _, sent = walked(Anew(), submits=True)
    assert [one.body for one in sent if one.method == "POST"] == [b"csrf=t2&text=example"]


def test_forms_that_ask_for_a_password_change_something_or_fail_stay_drafts() -> None:
    fields = "<input name=user><input name=password type=password>"
    pages = {
        "/": f"<form method=post action=/enter>{fields}</form><form method=post action=/mail/update><input name=mail></form>"
        "<form method=post action=/broken><input name=a></form><form method=post action=/items/7/delete></form>",
    }
    crawl, sent = walked(pages, submits=True)
    assert {one.request.path for one in crawl.found() if one.drafted} == {b"/enter", b"/mail/update", b"/broken"}
    assert [one.path for one in sent if one.method == "POST"] == [b"/broken"]


def test_scripts_are_read_for_what_they_ask() -> None:
    script = ((b"Content-Type", b"text/javascript"),)
    asks = b"axios.post('/api/notes',{text:'x'});route('/c');fetch('/items/7/delete');l.text('en')"
    pages: Pages = {
        "/": "<script src=/l.js></script><script src=/app.js></script><script>fetch('/api/a?x=1');location='/gone/'+y</script><p onclick=\"open('/b')\">",
        "/app.js": Response(200, script, asks),
        "/l.js": Response(200, script, b"class L{text(i){return fetch('/texts?of='+i)}}"),
        "/api/a?x=1": Response(200, ((b"Content-Type", b"application/json"),), b'{"next":"/api/d"}'),
        "/api/d": "d",
        "/b": "b",
        "/c": "c",
        "/texts?of=en": "Tea",
        "POST /api/notes": "kept",
    }
    crawl, sent = walked(pages, submits=True)
    assert set(read(crawl)) == {"/", "/api/a?x=1", "/api/d", "/b", "/c", "/api/notes", "/texts?of=en"}
    assert "GET /items/7/delete" in crawl.left_alone
    assert sum(one.target == b"/app.js" for one in sent) == 1


def test_what_only_looks_like_an_address_is_no_page_where_it_shows_the_front_page() -> None:
    front = "<script>routes=['/settings','/help']</script>"
    crawl, _ = walked({"/": front, "/settings": front, "/help": "help"})
    assert read(crawl) == ["/", "/help"]


def test_a_bundle_is_read_with_its_pieces_and_below_the_base_of_its_client() -> None:
    js, data = ((b"Content-Type", b"text/javascript"),), ((b"Content-Type", b"application/json"),)
    front = "<script type=module src=/main.js></script>"
    pages: Pages = {
        "/": front,
        "/main.js": Response(
            200, js, b"c=axios.create({baseURL:'/v2'});import('./u.js');s=e=>c.post('/notes',e);export{s}"
        ),
        "/u.js": Response(200, js, b"c.get('/users');c.get(`/users/${u}`);import{s}from`./main.js`;s({text:'x'})"),
        "/users": front,
        "/users/1": front,
        "/v2/users": Response(401, data, b"{}"),
        "/v2/users/1": Response(200, data, b'{"id":1}'),
        "POST /v2/notes": Response(201, data, b'{"id":2}'),
    }
    crawl, sent = walked(pages, submits=True)
    assert read(crawl) == ["/", "/v2/users/1", "/v2/notes"]
    assert not any(one.target.startswith(b"/api") for one in sent)
    assert [(one.target, one.body) for one in sent if one.method == "POST"] == [(b"/v2/notes", b'{"text":"x"}')]
    assert [each.request.target for each in crawl.found() if each.drafted] == [b"/v2/users"]


def test_what_the_page_itself_imports_or_starts_as_a_worker_is_read() -> None:
    kind = ((b"Content-Type", b"text/javascript"),)
    pages: Pages = {
        "/": "<script type=module>import './part.js';new Worker('/w.js')</script>",
        "/part.js": Response(200, kind, b"fetch('/of-part')"),
        "/w.js": Response(200, kind, b"onmessage=e=>fetch('/of-worker?kind='+e.data)"),
        "/of-part": "part",
        "/of-worker": "worker",
    }
    _, sent = walked(pages)
    assert {b"/of-part", b"/of-worker?kind=1"} <= {one.target for one in sent}


def test_a_server_that_fails_below_a_base_has_nothing_there() -> None:
    code = "axios.get('/lost');axios.get('/rest/users');axios.post('/rest/notes',{text:'x'})"
    json = ((b"Content-Type", b"application/json"),)
    pages: Pages = {
        "/": f"<script>{code}</script>",
        "/api/lost": Response(500, json, b'{"error":"unexpected path"}'),
        "/rest/users": Response(200, json, b"[]"),
        "POST /rest/notes": Response(201, json, b'{"id":2}'),
    }
    crawl, sent = walked(pages, submits=True)
    assert b"/api/lost" in {one.target for one in sent}
    assert read(crawl) == ["/", "/rest/users", "/rest/notes"]


def test_calls_are_asked_and_sent_about_things_that_answers_named() -> None:
    code = "axios.get('/orders');axios.get(`/orders/${x}`);axios.post(`/orders/${x}/note`,{text:'x'});axios.put(`/orders/${x}/update`,{a:1})"
    kind = ((b"Content-Type", b"application/json"),)
    pages: Pages = {
        "/": f"<script>{code}</script>",
        "/orders": Response(200, kind, b'[{"id":"k7"}]'),
        "/orders/1": Response(200, kind, b"null"),
        "/orders/k7": Response(200, kind, b'{"id":"k7"}'),
        "POST /orders/k7/note": Response(201, kind, b"{}"),
    }
    crawl, _ = walked(pages, submits=True)
    assert [each.request.target for each in crawl.found() if each.drafted] == [b"/orders/k7/update"]
    assert read(crawl) == ["/", "/orders", "/orders/k7", "/orders/k7/note"]
    assert ("GET", b"/orders/1") in crawl.replaced


def test_calls_that_are_left_as_drafts_go_below_the_base_as_well() -> None:
    """A call by GET that says a change in its address is sent in its turn, and not to see what is there."""
    code = "axios.get('/users');axios.get('/settings/update');axios.put('/settings/colours',{dark:true})"
    found = Response(200, ((b"Content-Type", b"application/json"),), b"[]")
    crawl, _ = walked({"/": f"<script>{code}</script>", "/api/users": found})
    drafts = [(one.request.method, one.request.target) for one in crawl.found() if one.drafted]
    assert drafts == [("GET", b"/api/settings/update"), ("PUT", b"/api/settings/colours")]


def test_what_a_script_sends_something_to_is_not_asked_for_as_a_page() -> None:
    pages: Pages = {"/": "<script>path='/machine/restart';axios.put('/machine/restart',{now:true})</script>"}
    _, sent = walked(pages)
    assert b"/machine/restart" not in {one.target for one in sent}


def test_links_that_switch_something_or_change_one_thing_are_left_alone() -> None:
    links = ["/?do=toggle-security", "/users/3/ban", "/enable-debug", "/users/3/edit", "/register", "/restart"]
    pages = {"/": "".join(f"<a href='{link}'>x</a>" for link in links), **dict.fromkeys(links, "x")}
    crawl, _ = walked(pages)
    assert read(crawl) == ["/", "/users/3/edit", "/register"]


def test_a_sites_one_script_is_asked_for_the_pages_of_its_forms_and_for_no_change() -> None:
    links = ["page=edit", "page=edit&id=3", "page=confirm", "page=link&u=/tea", "page=link&token=tea", "do=restart"]
    pages = {f"/index.php?{link}": "x" for link in links}
    crawl, _ = walked({"/": "".join(f"<a href='{link}'>x</a>" for link in pages), **pages})
    assert read(crawl) == ["/"] + [f"/index.php?{links[each]}" for each in (0, 2, 3)]
    assert list(crawl.left_alone) == [f"GET /index.php ({page})" for page in ("edit", "link", "restart")]


def test_forms_that_stop_what_runs_are_left_alone() -> None:
    paths = [
        "/apps/stop?name=shop",
        "/apps/undeploy;jsessionid=8A1F?name=shop",
        "/sessions/expire",
        "/stops",
        "/shows/start",
    ]
    form = "<form method=post action='{}'><input name=note value=tea></form>"
    crawl, _ = walked({"/": "".join(form.format(path) for path in paths)})
    assert [one.request.target for one in crawl.found() if one.drafted] == [b"/stops", b"/shows/start"]
    assert list(crawl.left_alone) == ["POST /apps/stop", "POST /apps/undeploy", "POST /sessions/expire"]


def test_a_page_and_its_form_are_the_same_in_another_session_and_with_another_token() -> None:
    form = "<form method=post action='/shows{}'><input name=note value=tea></form>"
    addresses = [f";jsessionid=8A1F?csrf_nonce={number:032x}" for number in range(3)]
    front = "".join(f"<a href='/list{each}'>x</a>" + form.format(each) for each in addresses)
    crawl, sent = walked({"/": front, "/list" + addresses[0]: "x"})
    assert [one.target.partition(b"?")[0] for one in sent if b"list" in one.target] == [b"/list;jsessionid=8A1F"]
    assert len([one for one in crawl.found() if one.drafted]) == 1


def test_a_form_that_sets_a_password_is_not_asked_though_it_asks_by_get() -> None:
    form = "<form><input type=password name=password_new><input type=password name=password_conf></form>"
    login = "<form action=/brute><input name=user><input type=password name=password></form>"
    crawl, sent = walked({"/": form + login, "/brute?user=example&password=Example-Password-1": "no"}, submits=True)
    assert [one.request.query for one in crawl.found() if one.drafted] == [
        b"password_new=Example-Password-1&password_conf=Example-Password-1"
    ]
    assert not any(b"password_new" in one.target for one in sent)


def test_a_form_with_another_token_on_each_page_is_asked_once() -> None:
    tokens = (f"{number * 0x9E3779B97F4A7C15 % 2**80:020x}" for number in range(101, 1_000))
    form = "<form action=/find><input name=q value=tea><input type=hidden name=user_token value={}></form>"

    class Anew(dict[str, str]):
        def get(self, _name: str, _default: object = None) -> str:  # type: ignore[override]
            return form.format(next(tokens))

    crawl, _ = walked(Anew())
    assert len(read(crawl)) == 2


def test_what_was_not_there_before_a_form_made_it_is_asked_for_again() -> None:
    made: list[bool] = []

    class Notes(dict[str, str]):
        def get(self, name: str, _default: object = None) -> str | None:  # type: ignore[override]
            made.extend([True] if name == "POST /api/notes" else [])
            script = "<script>fetch('/api/notes/'+id);axios.post('/api/notes',{text:'x'})</script>"
            return {"/": script, "POST /api/notes": "made", "/api/notes/1": "note" if made else None}.get(name)

    assert read(walked(Notes(), submits=True)[0]) == ["/", "/api/notes", "/api/notes/1"]
    made.clear()
    assert read(walked(Notes())[0]) == ["/"]


def test_a_page_that_no_link_leads_to_says_where_it_was_named() -> None:
    pages: Pages = {
        "/": "front",
        "/robots.txt": Response(200, ((b"Content-Type", b"text/plain"),), b"Disallow: /hidden"),
        "/hidden": "<a href=/deeper>x</a>",
        "/deeper": "d",
    }
    _, sent = walked(pages)
    came = {each.target: each.first(b"Referer") for each in sent}
    assert came[b"/hidden"] == b"http://shop.example/robots.txt"
    assert came[b"/deeper"] == b"http://shop.example/hidden"


def test_who_wants_one_page_is_given_the_one_that_was_named() -> None:
    crawl, sent = walked({"/": "<a href=/a>a</a>", "/a": "a"}, most=1)
    assert read(crawl) == ["/"]
    assert len(sent) == 1
    assert read(walked({"/": "<a href=/a>a</a>", "/a": "a"}, most=4)[0]) == ["/", "/a"]
