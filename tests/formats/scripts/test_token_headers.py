"""By which headers a script sends a token, by their names alone."""

import pytest

from gatecrash.formats.scripts.token_headers import headers_in


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("fetch(to, {method: 'POST', headers: {'X-CSRFToken': token()}})", "X-CSRFToken"),
        ("const all = {'anti-csrf': window.csrf};", "anti-csrf"),
        ("xhr.setRequestHeader('csrf', read('csrf'))", "csrf"),
        ("axios.defaults.headers.common['X-CSRF-TOKEN'] = meta.content;", "X-CSRF-TOKEN"),
        ("options.headers.set( 'XsrfToken', token)", "XsrfToken"),
        ('defaults={xsrfCookieName:"XSRF-TOKEN",xsrfHeaderName:"X-XSRF-TOKEN"}', "X-XSRF-TOKEN"),
        ('new Key("",{factory:()=>"X-XSRF-TOKEN"})', "X-XSRF-TOKEN"),
    ],
)
def test_a_header_is_known_by_the_place_where_it_is_named(code: str, name: str) -> None:
    assert headers_in(code) == [name]


@pytest.mark.parametrize(
    "code",
    [
        "document.querySelector('meta[name=\"csrf-token\"]').content",
        "JSON.stringify({'csrf_token': token})",
        "getCookie('csrftoken')",
        "fetch(to, {headers: {'X-Requested-With': 'XMLHttpRequest', 'Content-Type': kind}})",
    ],
)
def test_other_names_are_none(code: str) -> None:
    assert headers_in(code) == []


def test_one_header_is_one_in_any_case() -> None:
    assert len(headers_in("a={'X-CSRF-Token': t};b={'x-csrf-token': t}")) == 1
