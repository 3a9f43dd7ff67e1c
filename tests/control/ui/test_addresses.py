"""The addresses of the pages: each name once, identifiers named as in the API, and every one within the door."""

from django.urls import resolve, reverse

from gatecrash.control.ui.addresses import PAGES, SIGN_IN, urlpatterns
from gatecrash.control.ui.doorway import is_machine_path


def test_each_name_and_each_address_is_there_once() -> None:
    names = [pattern.name for pattern in urlpatterns]
    routes = [str(pattern.pattern) for pattern in urlpatterns]
    assert len(set(names)) == len(set(routes)) == len(urlpatterns) == len(PAGES) + len(SIGN_IN)


def test_an_address_leads_back_to_its_page() -> None:
    for pattern in urlpatterns:
        names = {name: "json" if name == "form" else "tr_x" for name in pattern.pattern.converters}
        found = resolve(reverse(pattern.name, kwargs=names))
        assert (found.url_name, found.kwargs) == (pattern.name, names)


def test_no_page_lies_among_the_apis_addresses() -> None:
    assert not [pattern for pattern in urlpatterns if is_machine_path(f"/{pattern.pattern}")]


def test_pages_end_with_a_slash_and_files_do_not() -> None:
    bare = [pattern.name for pattern in PAGES if str(pattern.pattern) and not str(pattern.pattern).endswith("/")]
    assert bare == ["inventory_export"]
