"""What may be an uploaded file that was renamed, on the page behind the upload."""

from tests.core.testing.driving import record
from tests.range.uploads import uploading

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.dialogues.files.renamed_files import showing_page, shown_anew
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.xss_upload import PROBE
from gatecrash.core.testing.surroundings.pages import Pages

HTML = ((b"Content-Type", b"text/html"),)


def shown(markup: str, before: str = "") -> list[bytes]:
    """What is taken for the file on a page at /me, of which this was recorded."""
    pages = Pages()
    pages.add(record(lambda _: Response(200, HTML, before.encode()), Request("GET", b"/me")).exchange)
    request = uploading("/upload")
    (check,) = plan(record(lambda _: Response(200), request), DEFAULT, (), (PROBE,), pages=pages.beside(request))
    page = Exchange(Request("GET", b"/me"), Response(200, HTML, markup.encode()))
    return shown_anew(check.planned, page, "svg")


def test_pictures_and_what_has_the_extension_are_files():
    markup = "<img src='/photos/1f'><a href='files/2e.SVG'>mine</a><a href='/essays'>Essays</a>"
    assert shown(markup) == [b"/files/2e.SVG", b"/photos/1f"]


def test_what_was_there_before_is_none():
    assert shown("<img src='/logo.svg'><img src='/photos/9a7f.svg'>", "<img src='/logo.svg'>") == [b"/photos/9a7f.svg"]


def test_neither_are_other_hosts_nor_what_changes_something():
    assert shown("<img src='http://elsewhere.example/9a.svg'><a href='/logout/9a.svg'>out</a><img src='//['>") == []


def test_behind_the_upload_comes_the_page_it_leads_to_or_the_form():
    request = Request("POST", b"/upload", ((b"Host", b"app.example"), (b"Referer", b"http://app.example/form")))
    request = record(lambda _: Response(200), request).request
    leading = Response(303, ((b"Location", b"/me"),))
    assert showing_page(request, Exchange(request, leading)) == b"/me"
    asked_from = Request(request.method, request.target, ((b"Referer", b"/form"),))
    assert showing_page(asked_from, Exchange(asked_from, Response(200))) == b"/form"
