"""GraphQL on graphql-core, with and without its bounds."""

import json

import graphql

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, miss, posted, twin

SCHEMA = graphql.build_schema("type Query { tea(id: Int): Tea shop: String } type Tea { id: Int name: String }")
ROOT = {"tea": lambda info, **asked: {"id": asked.get("id"), "name": "Assam"}, "shop": "the shop"}


def asked(path: str) -> Request:
    body = json.dumps({"query": "{ tea(id: 3) { id name } }"}).encode()
    return posted(path, body, b"application/json")


def documents(given: Given) -> object:
    return json.loads(given.request.body)


def depth(node: object) -> int:
    """How deep a query goes."""
    below = [depth(each) for each in getattr(getattr(node, "selection_set", None), "selections", None) or ()]
    return 1 + max(below, default=0)


def run(document: object, *, introspection: bool = True, suggestions: bool = True, deepest: int | None = None) -> dict:
    if not isinstance(document, dict) or not isinstance(document.get("query"), str):
        return {"errors": [{"message": "one query, please"}]}
    try:
        parsed = graphql.parse(document["query"])
    except graphql.GraphQLError as error:
        return {"errors": [{"message": error.message}]}
    if deepest and max(depth(each) for each in parsed.definitions) > deepest:
        return {"errors": [{"message": "too deep"}]}
    if not introspection and ("__schema" in document["query"] or "__type(" in document["query"]):
        return {"errors": [{"message": "introspection is disabled"}]}
    result = graphql.graphql_sync(SCHEMA, document["query"], ROOT)
    told = {"data": result.data} if result.data is not None else {}
    if result.errors:
        shown = [each.message if suggestions else each.message.split(" Did you")[0] for each in result.errors]
        told["errors"] = [{"message": text} for text in shown]
    return told


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


@twin("graphql", request=asked)
def bounded(given: Given) -> Response:
    return answer(run(documents(given), introspection=False, suggestions=False, deepest=8))


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


@miss("graphql", request=asked)
def costly(given: Given) -> Response:
    """Aliases without a bound; each of the four is answered as it should be."""
    return answer(run(documents(given), introspection=False, suggestions=False, deepest=8))
