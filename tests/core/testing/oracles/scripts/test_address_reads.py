"""What a script's words say of the address it reads."""

import pytest

from gatecrash.core.testing.oracles.scripts.address_reads import reads_address, reads_of

SINK = ";box.innerHTML = x"


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("new URLSearchParams(location.search).get('q')", ("q",)),
        ("getParam('name'); function getParam(n) { return location.search }", ("name",)),
        ("function g(n) { var m = f(n).exec(location.search); return m ? d(m[1]) : '' } g('topic')", ("topic",)),
        ("const from = n => { return new URLSearchParams(location.search).get(n) }; from('who')", ("who",)),
        ("location.search.split('lang=')[1]", ("lang",)),
        ("/[?&]sort=([^&]*)/.exec(location.href)", ("sort",)),
        ("this.$route.query.tab + useless.of", ("tab",)),
        ("const { view } = route.query; location.hash", ("view",)),
        ("location.search.get('class') || params.length", ()),
    ],
)
def test_names_of_parameters_are_told_by_how_they_are_read(code: str, names: tuple[str, ...]) -> None:
    reads = reads_of([code + SINK])
    assert reads is not None
    assert reads.names == names
    assert reads.query


@pytest.mark.parametrize(
    ("code", "hash_", "query", "window"),
    [
        ("x = location.hash", True, False, False),
        ("x = location.search", False, True, False),
        ("x = document.URL", True, True, False),
        ("x = new URL(location)", True, False, False),
        ("x = window.name", False, False, True),
        ("window.name = 'main'; x = location.search", False, True, False),
    ],
)
def test_the_parts_that_are_read_are_told_apart(code: str, hash_: bool, query: bool, window: bool) -> None:
    reads = reads_of([code + SINK])
    assert reads is not None
    assert (reads.hash, reads.query, reads.window) == (hash_, query, window)


def test_routes_are_behind_the_hash_where_the_router_has_them_there() -> None:
    code = "routes = [{path: '/find', c: F}, {path: 'user/:id', c: U}]; location"
    paths, behind = reads_of([code + SINK]), reads_of([code + ";a.href='#/about'" + SINK])
    assert paths is not None
    assert behind is not None
    assert (paths.routes, paths.is_behind_hash) == (("/find", "/user/:id"), False)
    assert (behind.routes, behind.is_behind_hash) == (("/find", "/user/:id", "/about"), True)


def test_what_reads_no_address_or_writes_nothing_is_not_read() -> None:
    assert not reads_address("box.innerHTML = data.title")
    assert reads_of(["box.innerHTML = data.title"]) is None
    assert reads_of(["console.log(location.hash)"]) is None
    assert reads_of(["x = location.hash", "box.innerHTML = y"]) is not None


def test_code_that_is_run_is_told() -> None:
    reads = reads_of(["setTimeout(location.hash)"])
    assert reads is not None
    assert reads.runs_code
