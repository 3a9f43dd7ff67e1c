"""An application is used in a browser, and nothing that it does gets past the node."""

from tests.node.browser.site import ANN, APP, Site
from tests.node.loop import run


@run
async def test_what_a_visitor_can_do_is_seen_and_what_changes_something_is_held_back(program: str) -> None:
    site = Site()
    found = await site.walked(program)
    assert "GET /api/search?q=tea" in found
    assert "GET /api/count" in found  # behind a button of a dialog
    assert any(each.startswith('POST /api/login {"username":') for each in found)
    assert not [each for each in site.asked if not each.startswith("GET ")]


@run
async def test_what_no_link_leads_to_is_found_by_the_routes_of_the_script_but_not_the_way_out(program: str) -> None:
    found = await Site().walked(program)
    assert "GET /api/hidden" in found
    assert not [each for each in found if "/sessions/end" in each]


@run
async def test_who_has_an_account_signs_in_by_the_form_and_is_shown_more(program: str) -> None:
    site = Site()
    found = await site.walked(program, ANN)
    assert "GET /api/notes" in found
    assert 'POST /api/notes {"text":"tea","colour":"green"}' in found
    assert "DELETE /api/notes/71" in found  # the question whether to delete was agreed to
    assert {each for each in site.asked if not each.startswith("GET ")} == {"POST /api/login"}
    assert site.cookies == [b"seen=1; Path=/"]


@run
async def test_the_login_of_the_page_takes_the_name_that_its_field_wants(program: str) -> None:
    site = Site(APP.replace("name=username", "name=mail").replace('"[name=username]"', '"[name=mail]"'))
    await site.walked(program, ANN)
    assert b'{"username":"ann","password":"lighthouse-9"}' in site.bodies


@run
async def test_headers_of_the_script_are_kept_and_the_walks_own_are_not_replaced(program: str) -> None:
    site = Site()
    heard = []
    ask = site.ask

    async def listening(request):  # type: ignore[no-untyped-def]
        heard.append(request)
        return await ask(request)

    site.ask = listening  # type: ignore[method-assign]
    await site.walked(program)
    called = next(each for each in heard if each.path == b"/api/count")
    assert called.first(b"X-Client") == b"notes-1"
    assert called.first(b"User-Agent") == b"us"
    assert called.host == "notes.example"


@run
async def test_a_walk_ends_where_no_more_may_be_asked(program: str) -> None:
    site = Site(most=2)
    found = await site.walked(program)
    assert len(site.asked) <= 3
    assert "GET /api/hidden" not in found


@run
async def test_a_thousand_rows_and_a_page_that_asks_for_ever_have_an_end(program: str) -> None:
    rows = "document.body.innerHTML = Array.from({length: 1000}, (_, at) => `<button onclick=\"fetch('/api/row/${at}')\">Row ${at}</button>`).join('');"
    site = Site(rows + "setInterval(() => fetch('/api/tick'), 50);")
    found = await site.walked(program)
    assert 1 <= len([each for each in found if "/api/row/" in each]) <= 6
    assert 5 <= site.asked.count("GET /api/tick") <= 30
