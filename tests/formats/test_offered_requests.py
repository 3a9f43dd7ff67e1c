"""What a page offers is asked as a browser would."""

from urllib.parse import parse_qsl

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.formats.offered_requests import forms_of, links_of, told_paths, told_places

HTML = ((b"Content-Type", b"text/html"),)


def page(text: str, target: bytes = b"/shop/list?page=2", headers: tuple[tuple[bytes, bytes], ...] = HTML) -> Exchange:
    request = Request("GET", target, ((b"Host", b"127.0.0.1:8000"),), host="127.0.0.1", port=8000)
    return Exchange(request, Response(200, headers, text.encode()))


@pytest.mark.parametrize(
    ("markup", "target"),
    [
        ("<a href='item?id=7#top'>x</a>", b"/shop/item?id=7"),
        ("<a href='/a b'>x</a>", b"/a%20b"),
        ("<a href='?page=3'>x</a>", b"/shop/list?page=3"),
        ("<a href='HTTP://127.0.0.1:8000/c'>x</a>", b"/c"),
        ("<iframe src='//127.0.0.1:8000/d'></iframe>", b"/d"),
        ("<meta http-equiv=Refresh content='3; URL=/e'>", b"/e"),
        ("<base href='/other/'><a href=f>x</a>", b"/other/f"),
        ("<tr data-href='/g?row=2'>", b"/g?row=2"),
        ("<div hx-get=/h></div>", b"/h"),
        ("<svg><a xlink:href='/i'><text>x</text></a></svg>", b"/i"),
    ],
)
def test_links_lead_where_a_browser_goes(markup: str, target: bytes) -> None:
    assert links_of(page(markup)) == [target]


def test_a_page_that_only_loads_itself_again_leads_nowhere() -> None:
    assert links_of(page("<meta http-equiv=refresh content=5>")) == []


@pytest.mark.parametrize(
    "address", ["http://other.example/", "https://127.0.0.1:8000/", "javascript:x()", "mailto:a@b", "http://["]
)
def test_what_leads_elsewhere_is_no_link(address: str) -> None:
    assert links_of(page(f"<a href='{address}'>x</a><form action='{address}'></form>")) == []
    assert list(forms_of(page(f"<form action='{address}'><input name=x></form>"))) == []


def test_only_pages_offer_anything() -> None:
    plain = page("<a href=/a>x</a><form></form>", headers=((b"Content-Type", b"text/plain"),))
    assert links_of(plain) == []
    assert list(forms_of(plain)) == []


def test_an_asking_form_puts_what_was_filled_in_into_the_address() -> None:
    (form,) = forms_of(page("<form action=find><input name=q value='a b'><button name=go value=1>Go</button></form>"))
    assert (form.method, form.target, form.body) == ("GET", b"/shop/find?q=a%20b&go=1", b"")
    assert form.first(b"Referer") == b"http://127.0.0.1:8000/shop/list?page=2"


def test_empty_fields_hold_a_value_of_their_kind() -> None:
    (form,) = forms_of(
        page(
            "<form method=post action=/join><input name=mail type=email><input name=n type=number min=3><input type=password "
            "name=word><select name=size><option value=''>choose</option><option>big</option></select><input type=checkbox "
            "name=agree value=yes><input type=hidden name=token value=t1><input type=hidden name=none><textarea name=say "
            "maxlength=3></textarea></form>"
        )
    )
    sent = dict(parse_qsl(form.body.decode(), keep_blank_values=True))
    assert form.first(b"Content-Type") == b"application/x-www-form-urlencoded"
    assert form.first(b"Origin") == b"http://127.0.0.1:8000"
    assert "@" in sent["mail"]
    assert (sent["n"], sent["size"], sent["agree"], sent["token"], sent["none"]) == ("3", "big", "yes", "t1", "")
    assert sent["word"]
    assert len(sent["say"]) == 3


def test_a_form_with_a_file_is_sent_in_parts() -> None:
    (form,) = forms_of(
        page("<form method=post enctype=multipart/form-data><input type=file name=pic><input name=a value=1>")
    )
    assert (form.first(b"Content-Type") or b"").startswith(b"multipart/form-data; boundary=")
    assert b'name="pic"; filename=' in form.body
    assert form.target == b"/shop/list?page=2", "a form without an action leads to its own page"


@pytest.mark.parametrize(
    ("markup", "name"),
    [
        ("<input type=file name=doc accept='image/*'>", b"example.png"),
        ("<input type=file name=avatar>", b"example.png"),
        ("<p>Choose an image to upload</p><input type=file name=uploaded>", b"example.png"),
        ("<p>Your photo albums</p><input type=file name=list accept='.csv'>", b"example.txt"),
        ("<input type=file name=epic>", b"example.txt"),
    ],
)
def test_a_picture_goes_where_pictures_are_asked_for(markup: str, name: bytes) -> None:
    (form,) = forms_of(page(f"<form method=post enctype=multipart/form-data>{markup}</form>"))
    assert b'filename="' + name + b'"' in form.body
    assert (b"\x89PNG\r\n\x1a\n" in form.body) == (name == b"example.png")


def test_each_button_with_a_way_of_its_own_is_a_form_of_its_own() -> None:
    text = "<form action=/a><input name=t value=x><input type=submit name=b value=go><button formaction=/c formmethod=post name=d value=e></form>"
    one, other = forms_of(page(text))
    assert (one.method, one.target) == ("GET", b"/a?t=x&b=go")
    assert (other.method, other.target, other.body) == ("POST", b"/c", b"t=x&d=e")


def test_a_form_that_a_script_sends_by_its_attribute_goes_where_that_says() -> None:
    (form,) = forms_of(page("<form hx-post=/a><input name=t value=x></form>"))
    assert (form.method, form.target, form.body) == ("POST", b"/a", b"t=x")


def test_the_rules_for_robots_name_paths_and_sitemaps() -> None:
    text = (
        "User-agent: *\nDisallow: /old # gone\nAllow: /new\nDisallow: /*.pdf$\nDisallow:\nSitemap: http://a/map.xml\n"
    )
    assert told_paths(text) == ["/old", "/new", "http://a/map.xml"]


def test_a_sitemap_names_pages() -> None:
    assert told_places("<urlset><url><loc> http://a/?b=1&amp;c=2 </loc></url></urlset>") == ["http://a/?b=1&c=2"]


def test_a_form_that_its_page_s_script_sends_is_no_request_by_itself() -> None:
    assert not list(forms_of(page("<form onsubmit='go();return false'><input name=q></form>")))
    (other,) = forms_of(
        page("<form onsubmit='go();return false'><input name=q><button formaction=/b>x</button></form>")
    )
    assert other.path == b"/b"
