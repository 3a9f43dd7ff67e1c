"""What applications that live in the browser ask for is read out of their bundles."""

from tests.node.scan.test_crawling import HTML, Pages, walked

from gatecrash.core.message import Response


def test_a_bundle_whose_files_import_from_each_other_is_read_as_one() -> None:
    script = ((b"Content-Type", b"text/javascript"),)
    pages: Pages = {
        "/": "<script type=module src=/s/main.js></script>",
        "/s/main.js": Response(
            200, script, b"const a=e=>h.post('/api/notes',e);on(()=>import(`./page.js`));export{a as x}"
        ),
        "/s/page.js": Response(200, script, b"import{x as e}from`./main.js`;e({text:'tea'})"),
        "POST /api/notes": "kept",
    }
    _, sent = walked(pages, submits=True)
    assert [(one.path, one.body) for one in sent if one.method == "POST"] == [(b"/api/notes", b'{"text":"tea"}')]


def test_calls_that_are_refused_to_a_visitor_are_kept_for_who_is_signed_in() -> None:
    pages: Pages = {
        "/": "<a href=/own>a</a><script>fetch('/api/mine');fetch('/api/none')</script>",
        "/own": Response(401, (HTML,), b"who?"),
        "/api/mine": Response(401, (), b"who?"),
    }
    crawl, _ = walked(pages)
    assert [each.request.target for each in crawl.found() if each.drafted] == [b"/api/mine"]
