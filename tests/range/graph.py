"""GraphQL on graphql-core, with and without its bounds."""

import html
import json
import re
from typing import Any
from urllib.parse import parse_qs

import graphql

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, miss, posted, twin

SCHEMA = graphql.build_schema("type Query { tea(id: Int): Tea shop: String } type Tea { id: Int name: String }")
ROOT = {"tea": lambda info, **asked: {"id": asked.get("id"), "name": "Assam"}, "shop": "the shop"}


def asked(path: str) -> Request:
    body = json.dumps({"query": "{ tea(id: 3) { id name } }"}).encode()
    return posted(path, body, b"application/json")


def switched(path: str) -> Request:
    """With a cookie by which the page keeps its console off."""
    request = asked(path)
    return Request("POST", request.target, (*request.headers, (b"Cookie", b"lang=en; console=off")), request.body)


def documents(given: Given) -> object:
    return json.loads(given.request.body)


def depth(node: object) -> int:
    """How deep a query goes."""
    below = [depth(each) for each in getattr(getattr(node, "selection_set", None), "selections", None) or ()]
    return 1 + max(below, default=0)


def breadth(node: object) -> int:
    """How many fields a query asks for."""
    return sum(1 + breadth(each) for each in getattr(getattr(node, "selection_set", None), "selections", None) or ())


def run(
    document: object,
    *,
    introspection: bool = True,
    suggestions: bool = True,
    deepest: int | None = None,
    most: int | None = None,
) -> dict:
    if not isinstance(document, dict) or not isinstance(document.get("query"), str):
        return {"errors": [{"message": "one query, please"}]}
    try:
        parsed = graphql.parse(document["query"])
    except graphql.GraphQLError as error:
        return {"errors": [{"message": error.message}]}
    if deepest and max(depth(each) for each in parsed.definitions) > deepest:
        return {"errors": [{"message": "too deep"}]}
    if most and max(breadth(each) for each in parsed.definitions) > most:
        return {"errors": [{"message": "too much at once"}]}
    if not introspection and ("__schema" in document["query"] or "__type(" in document["query"]):
        return {"errors": [{"message": "introspection is disabled"}]}
    result = graphql.graphql_sync(SCHEMA, document["query"], ROOT)
    told = {"data": result.data} if result.data is not None else {}
    if result.errors:
        shown = [each.message if suggestions else each.message.split(" Did you")[0] for each in result.errors]
        told["errors"] = [{"message": text} for text in shown]
    return told


def sound_or(given: Given, page: str) -> Response:
    """A page for browsers, and bounded answers for everybody else."""
    if given.request.method == "GET":
        return Response(200, ((b"Content-Type", b"text/html"),), f"<html><body>{page}</body></html>".encode())
    return answer(run(documents(given), introspection=False, suggestions=False, deepest=8, most=20))


@flaw("graphql", request=asked)
def open_to_all(given: Given) -> Response:
    document = documents(given)
    return answer([run(each) for each in document] if isinstance(document, list) else run(document))


@flaw("graphql", request=asked)
def introspection(given: Given) -> Response:
    return answer(run(documents(given), suggestions=False, deepest=8))


@flaw("graphql", request=asked)
def batches(given: Given) -> Response:
    document = documents(given)
    many = document if isinstance(document, list) else [document]
    made = [run(each, introspection=False, suggestions=False) for each in many]
    return answer(made if isinstance(document, list) else made[0])


@flaw("graphql", request=asked)
def any_number_of_aliases(given: Given) -> Response:
    return answer(run(documents(given), introspection=False, suggestions=False, deepest=8))


@flaw("graphql", request=asked)
def filtered_by_one_word(given: Given) -> Response:
    """What looks for `__schema` in a query lets the other door to the schema open."""
    if b"__schema" in given.request.body:
        return answer({"errors": [{"message": "introspection is disabled"}]})
    return answer(run(documents(given), suggestions=False, deepest=8, most=20))


@flaw("graphql", request=asked)
def filtered_by_its_spelling(given: Given) -> Response:
    """What compares the text of the usual question knows no other way to write it."""
    if re.search(rb"__schema ?\{|__type", given.request.body):
        return answer({"errors": [{"message": "introspection is disabled"}]})
    return answer(run(documents(given), suggestions=False, deepest=8, most=20))


@flaw("graphql", request=asked)
def filtered_where_posted(given: Given) -> Response:
    """Questions by GET go round the filter."""
    if given.request.method == "GET":
        asked_for = parse_qs((given.request.query or b"").decode()).get("query", [""])[0]
        return answer(run({"query": asked_for}, suggestions=False, deepest=8, most=20))
    return answer(run(documents(given), introspection=False, suggestions=False, deepest=8, most=20))


@twin("graphql", request=asked)
def filtered_at_both_doors(given: Given) -> Response:
    """Questions by GET are answered, and nothing tells of the schema."""
    asked_for = parse_qs((given.request.query or b"").decode()).get("query", [""])[0]
    document = {"query": asked_for} if given.request.method == "GET" else documents(given)
    return answer(run(document, introspection=False, suggestions=False, deepest=8, most=20))


@twin("graphql", request=asked)
def complains_of_each_directive(given: Given) -> Response:
    """An error each is all that such a server gives away; the rest has its bounds."""
    told = run(documents(given), introspection=False, suggestions=False, deepest=8, most=20)
    return answer(told | {"errors": told["errors"] * 400} if "errors" in told else told)


@flaw("graphql", request=asked)
def names_its_fields(given: Given) -> Response:
    """Nothing about the schema is answered, and what its fields are called is."""
    return answer(run(documents(given), introspection=False, deepest=8, most=20))


@flaw("graphql", request=asked)
def long_answers(given: Given) -> Response:
    """Nothing has a bound, and one answer is long, so that a hundred of them would be a burden."""
    told = run(documents(given), introspection=False, suggestions=False, deepest=8)
    return answer(told | {"extensions": {"trace": "." * 9000}})


@flaw("graphql", request=asked)
def shows_a_console(given: Given) -> Response:
    """Queries are bounded, and browsers are shown a console for them."""
    return sound_or(given, "<div id=c></div><script src='/static/graphiql.min.js'></script>")


@flaw("graphql", request=switched)
def shows_a_console_to_a_cookie(given: Given) -> Response:
    """The console is for those whose cookie says so, and the application's own says no."""
    on = b"console=on" in (given.request.first(b"Cookie") or b"")
    return sound_or(given, "<script src='/static/graphiql.min.js'></script>" if on else "<p>Switched off.</p>")


@twin("graphql", request=switched)
def has_no_console_for_any_cookie(given: Given) -> Response:
    return sound_or(given, "<p>Switched off.</p>")


@twin("graphql", request=switched)
def speaks_of_its_switch(given: Given) -> Response:
    """Shows what the cookie says, and loads nothing."""
    told = (given.request.first(b"Cookie") or b"").decode("latin-1")
    return sound_or(given, f"<p>Your graphiql.min.js is {html.escape(told)}</p><script src='/a.js'></script>")


@twin("graphql", request=asked)
def speaks_of_consoles(given: Given) -> Response:
    return sound_or(
        given, "<p>We took graphiql.min.js away; install GraphQL Playground.</p><script src='/a.js'></script>"
    )


@twin("graphql", request=asked)
def lands_browsers(given: Given) -> Response:
    """The page of a production server, which asks nothing by itself."""
    return sound_or(
        given, "<script>window.landingPage = {isProd: true}</script><script src='/landing/main.js'></script>"
    )


@twin("graphql", request=asked)
def bounded(given: Given) -> Response:
    return answer(run(documents(given), introspection=False, suggestions=False, deepest=8, most=20))


@twin("graphql", request=asked)
def bounded_by_what_it_costs(given: Given) -> Response:
    """A few aliases are nobody's business, a hundred cost too much; a wrong field is told by its place only."""
    told = run(documents(given), introspection=False, suggestions=False, deepest=12, most=60)
    return answer(
        told if "errors" not in told else {"errors": [{"message": "bad query"}]}, 200 if "errors" not in told else 400
    )


@twin("graphql", request=asked)
def persisted(given: Given) -> Response:
    known = documents(given) == {"query": "{ tea(id: 3) { id name } }"}
    return answer({"data": {"tea": {"id": 3, "name": "Assam"}}} if known else {"errors": [{"message": "not known"}]})


@twin("graphql", request=asked)
def echoes(given: Given) -> Response:
    return answer({"errors": [{"message": f"cannot run {documents(given)}"}]}, 400)


@twin("graphql", request=asked)
def no_graphql_at_all(given: Given) -> Response:
    """A search whose field happens to be named query."""
    return answer({"found": [], "data": None})


def asked_by_name(path: str) -> Request:
    return posted(path, b'{"documentId": "tea", "variables": {"id": 3}}', b"application/json")


def by_name(document: Any) -> dict:
    kept = isinstance(document, dict) and document.get("documentId") == "tea"
    if not kept or not isinstance(document.get("variables"), dict):
        return {"errors": [{"message": "not known"}]}
    result = graphql.graphql_sync(
        SCHEMA, "query ($id: Int) { tea(id: $id) { id name } }", ROOT, None, document["variables"]
    )
    return {"data": result.data} if not result.errors else {"errors": [{"message": "not known"}]}


@miss("graphql", request=asked_by_name)
def persisted_only(given: Given) -> Response:
    """Runs the queries that it keeps and no others, and those in lists of any length."""
    document = documents(given)
    return answer([by_name(each) for each in document] if isinstance(document, list) else by_name(document))
