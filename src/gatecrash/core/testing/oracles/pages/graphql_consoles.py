"""Pages that are consoles for GraphQL queries: known by the scripts they load and start, not by what they speak of.

References: the pages that GraphiQL, GraphQL Playground, Altair, Voyager and Apollo's Sandbox are embedded by, as their
documentation shows them.
"""

import re

_SCRIPT = re.compile(r"<script\b[^>]{0,1000}>(?:(?!</script)[\s\S]){0,20000}", re.IGNORECASE)
_MOST = 200_000
_CONSOLES = {
    "GraphiQL": r"graphiql(?:\.min)?\.m?js|/graphiql@|GraphiQL\.createFetcher|createElement\(\s*GraphiQL\b",
    "GraphQL Playground": r"GraphQLPlayground\.init|graphql-playground(?:-react)?[@/]",
    "Apollo Sandbox": r"embeddable-sandbox|EmbeddedSandbox\(",
    "Altair": r"AltairGraphQL\.init",
    "Voyager": r"GraphQLVoyager\.(?:init|renderVoyager)",
}
_ANY = tuple((name, re.compile(pattern)) for name, pattern in _CONSOLES.items())


def console_in(text: str) -> str:
    """The name of the console that a page is; empty for any other page."""
    scripts = "\n".join(_SCRIPT.findall(text[:_MOST]))
    return next((name for name, pattern in _ANY if pattern.search(scripts)), "")
