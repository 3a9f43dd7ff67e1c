"""What a script calls the base of its addresses is told."""

import pytest

from gatecrash.formats.scripts.bases import bases_in

PAGE = "http://a.example/shop/"


@pytest.mark.parametrize(
    ("code", "bases"),
    [
        ("axios.create({baseURL: '/api/v2/'})", ["/api/v2"]),
        ('var a={api:{base:"/rest"}}', ["/rest"]),
        ("window.serverPrefix=`/srv`", ["/srv"]),
        ("apiUrl: 'http://a.example/api'", ["/api"]),
        ("const x=1,a='/api';make({baseURL:`${a}/v2`,timeout:8e3})", ["/api/v2"]),
        ("var a='/api',b={baseURL:a+'/v2'}", ["/api/v2"]),
        ("make({baseURL:paths.api});const paths={api:'/rest'}", ["/rest"]),
        ("const API_ROOT = '/x', API_ROOT_2 = '/x'", ["/x"]),
    ],
)
def test_paths_that_are_called_a_base(code: str, bases: list[str]) -> None:
    assert bases_in(code, PAGE) == bases


@pytest.mark.parametrize(
    "code",
    [
        "baseURL: 'http://other.example/api'",
        "baseURL: '/'",
        "baseURL: a",
        "baseURL: `/api/${tenant}`",
        "baseURL: '/api/' + tenant",
        "path: '/items'",
        "base64: '/9j/4AAQ'",
        "database: '/db'",
        "base: '/a b'",
    ],
)
def test_other_hosts_roots_variables_and_other_names_are_none(code: str) -> None:
    assert bases_in(code, PAGE) == []


def test_what_is_never_closed_is_read_a_bounded_way() -> None:
    assert bases_in("const apiBase=(" * 20_000 + "'/api'", PAGE) == []
