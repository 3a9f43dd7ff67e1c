"""Contexts of a marker, what a browser renders, and what it would run."""

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.pages.reflection import IN_XML, SOURCE, Place, places, renders, runs


def page(text: str, kind: str = "text/html; charset=utf-8", *headers: tuple[bytes, bytes], status: int = 200):
    typed = ((b"Content-Type", kind.encode()),) if kind else ()
    return Response(status, (*typed, *headers), text.encode())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<p>qrst</p>", [Place("text")]),
        ("<p>QRST</p>", [Place("text")]),
        ('<input value="a qrst">', [Place("attribute", '"')]),
        ("<input value='qrst'>", [Place("attribute", "'")]),
        ("<input value=qrst>", [Place("attribute")]),
        ("<i qrst>", [Place("tag")]),
        ("<a href='qrst'>", [Place("url", "'")]),
        ("<img src='qrst'>", [Place("attribute", "'")]),
        ("<script src='qrst'></script>", [Place("attribute", "'", SOURCE)]),
        ("<b onclick=\"go('qrst')\">", [Place("handler", '"', "single")]),
        ('<b onclick="go(&quot;qrst&quot;)">', [Place("handler", '"', "double")]),
        ("<script>x='qrst'</script>", [Place("script", name="single")]),
        ("<script type='application/json'>\"qrst\"</script>", [Place("raw", name="script")]),
        ("<style>p{qrst}</style>", [Place("raw", name="style")]),
        ("<title>qrst</title><p>qrst", [Place("raw", name="title"), Place("text")]),
        ("<!-- qrst -->", [Place("comment")]),
        ("nothing", []),
    ],
)
def test_places(text, expected):
    assert list(places(page(text), "qrst")) == expected


def test_answers_that_are_no_page_are_one_place():
    assert places(page('{"q": "qrst"}', "application/json"), "qrst") == (Place("json"),)
    assert places(page("qrst", "text/plain"), "qrst") == (Place("plain"),)
    assert places(page("", "text/html", (b"X-Query", b"qrst")), "qrst") == (Place("header"),)


@pytest.mark.parametrize(
    "text",
    [
        "<i onclick=call()>",
        "<x y='' onclick=\"call()\">",
        "<script>call()</script>",
        "<svg onload=call()>",
        "<a href='javascript:call()'>",
        "<a href=' java\tscript:call()'>",
        "<form action=javascript:call()>",
        "<title></title><i onclick=call()></title>",
        "<b onclick='f(&#39;&#39;-call()-&#39;&#39;)'>",
    ],
)
def test_runs(text):
    assert runs(page(text), "call")


@pytest.mark.parametrize(
    "text",
    [
        "&lt;i onclick=call()&gt;",
        "<input value='<i onclick=call()>'>",
        '<input value="&quot; onclick=call() &quot;">',
        "<!-- <i onclick=call()> -->",
        "<textarea><i onclick=call()></textarea>",
        "<script>var a = '<i onclick=call()>'</script>",
        "<script type='text/template'><i onclick=call()></script>",
        "<a href='/x?javascript:call()'>",
        "<img src='javascript:call()'>",
        "<i title=call()>",
        "<i onclick='recall()'>",
        "<i onclick=call()",
        "<a href='javascript://call()'>",
        "<iframe sandbox srcdoc='<i onclick=call()>'></iframe>",
        "<iframe srcdoc='&amp;lt;i onclick=call()>'></iframe>",
        "<b srcdoc='<i onclick=call()>'></b>",
        "<i onclick=call&amp;lpar;)>",
    ],
)
def test_does_not_run(text):
    assert not runs(page(text), "call")


def test_what_a_browser_renders():
    text = "<html><i onclick=call()>"
    assert renders(page(text))
    assert renders(page(text, ""))
    assert not renders(page("{'a': '" + text, ""))
    assert not renders(page(text, "", (b"X-Content-Type-Options", b"nosniff")))
    assert not renders(page(text, "application/json"))
    assert not renders(page(text, "text/plain"))
    assert not renders(page(text, "text/html", (b"Content-Disposition", b"attachment; filename=a")))
    assert not renders(page(text, "text/html", (b"Location", b"/"), status=302))
    assert not runs(page(text, "application/json"), "call")


RUNS_IN_XML = '<i xmlns="http://www.w3.org/1999/xhtml" onclick="call()"></i>'


@pytest.mark.parametrize(
    "kind", ["image/svg+xml", "application/xhtml+xml", "text/xml", "application/xml; charset=utf-8"]
)
def test_documents_of_xml_run_only_what_is_well_formed(kind):
    assert places(page("<a>qrst</a>", kind), "qrst") == (Place("text", name=IN_XML),)
    assert runs(page(f"<a>{RUNS_IN_XML}</a>", kind), "call") == "in onclick of an element i"
    assert runs(page(f"<?xml version='1.0' encoding='latin-1'?><a>{RUNS_IN_XML}</a>", kind), "call")
    assert runs(page("<a><i onclick=call()></a>", kind), "call") is None
    assert runs(page(f"<a>{RUNS_IN_XML}", kind), "call") is None


def test_no_element_of_xml_is_raw_and_only_those_of_pages_and_drawings_run():
    assert places(page("<a><title>qrst</title></a>", "text/xml"), "qrst") == (Place("text", name=IN_XML),)
    assert runs(page(f"<a><title>{RUNS_IN_XML}</title></a>", "text/xml"), "call")
    assert runs(page("<a><i onclick='call()'/></a>", "text/xml"), "call") is None
    assert runs(page("<s:svg xmlns:s='http://www.w3.org/2000/svg' onload='call()'/>", "image/svg+xml"), "call")


def test_a_document_that_declares_entities_is_not_read():
    assert runs(page(f"<!DOCTYPE a><a>{RUNS_IN_XML}</a>", "text/xml"), "call")
    declared = f'<!DOCTYPE a [<!ENTITY b "c">]><a>{RUNS_IN_XML}</a>'
    assert runs(page(declared, "text/xml"), "call") is None


SOURCED = '<script {}src="data:text/javascript,qrst()"></script>'


@pytest.mark.parametrize("policy", [b"", b"img-src *", b"script-src 'self' data:"])
def test_a_source_that_is_the_script_itself_runs(policy: bytes):
    headers = ((b"Content-Security-Policy", policy),)
    assert runs(page(SOURCED.format(""), "text/html", *headers), "qrst") == "as the source of an element script"
    assert runs(page(SOURCED.format("type=module "), "text/html", *headers), "qrst")


@pytest.mark.parametrize(
    ("text", "policy"),
    [
        (SOURCED.format(""), b"script-src * 'unsafe-inline'"),
        (SOURCED.format("type='application/json' "), b""),
        (SOURCED.format("").replace("script ", "img ", 1), b""),
        (SOURCED.format("").replace("data:", "/lib/data:"), b""),
        (SOURCED.format("").replace("javascript", "plain"), b""),
        (SOURCED.format("").replace("qrst()", "'qrst()'"), b""),
    ],
    ids=["its policy lists no data", "no script", "a picture", "a path", "another type", "a text in it"],
)
def test_other_sources_do_not(text: str, policy: bytes):
    assert runs(page(text, "text/html", (b"Content-Security-Policy", policy)), "qrst") is None
