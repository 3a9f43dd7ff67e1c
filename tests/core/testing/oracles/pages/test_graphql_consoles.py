"""Consoles for queries, told from pages that speak of them."""

import pytest

from gatecrash.core.testing.oracles.pages.graphql_consoles import console_in


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("<script crossorigin src='https://unpkg.com/graphiql@3/graphiql.min.js'></script>", "GraphiQL"),
        ("<script>root.render(React.createElement(GraphiQL, {fetcher}))</script>", "GraphiQL"),
        ("<script>addEventListener('load', () => GraphQLPlayground.init(root, {}))</script>", "GraphQL Playground"),
        ("<script>new window.EmbeddedSandbox({target: '#s'})</script>", "Apollo Sandbox"),
        ("<SCRIPT>AltairGraphQL.init({endpointURL: '/graphql'})</SCRIPT>", "Altair"),
        ("<script>GraphQLVoyager.init(root, {})</script>", "Voyager"),
    ],
)
def test_a_console_is_known_by_what_its_scripts_load_or_start(page, name):
    assert console_in(f"<html><body>{page}</body></html>") == name


@pytest.mark.parametrize(
    "page",
    [
        "",
        "<p>Open graphiql.min.js, or GraphQLPlayground.init(…), in a script</p><script src=/a.js></script>",
        "<script src='/landing/main.js'></script><a href='https://studio.example/sandbox'>AltairGraphQL.init</a>",
    ],
)
def test_a_page_that_speaks_of_one_is_none(page):
    assert console_in(page) == ""


def test_a_script_without_an_end_takes_no_time():
    assert console_in("<script>" * 20_000) == ""
