"""A schema out of suggestions, asked of the reference implementation; nothing is ever carried out."""

import io
import json
from typing import Any

from graphql import build_schema, graphql_sync

from gatecrash.formats.capture import Malformed
from gatecrash.formats.descriptions.graphql_schema import read
from gatecrash.formats.descriptions.graphql_suggested import MOST_DOCUMENTS, schema_suggested
from gatecrash.formats.draft import Draft

SCHEMA = """
  enum Size { SMALL HIGH }
  input CrateInput { productId: ID!, quantity: Int!, note: String, size: Size, stamp: StampInput }
  input StampInput { date: String! }
  type Owner { id: ID!, email: String! }
  type Crate { id: ID!, weight: Int, owner: Owner }
  type Query { me: Owner, crates(search: String, size: Size): [Crate!]!, crate(id: ID!): Crate, xylophoneQuizzes: String }
  type Mutation { createCrate(input: CrateInput!): Crate, renameCrate(id: ID!, title: String!): Crate }
"""
"""`crate` is near to `cart`, which everybody guesses, and leads to the rest; nothing leads to `xylophoneQuizzes` and `weight`."""


def walked(answer: Any) -> tuple[dict[str, Any], list[str]]:
    """The schema that a walk comes to, and what it asked. answer: gives the errors to a document."""
    walk, asked = schema_suggested(), []
    try:
        asked.append(next(walk))
        while True:
            asked.append(walk.send(answer(asked[-1])))
    except StopIteration as end:
        return end.value, asked


def complaining(document: str) -> list[Any]:
    """As an endpoint answers whose every field fails when it is asked, which would be no complaint about its name."""
    result = graphql_sync(build_schema(SCHEMA), document, root_value=Failing())
    assert result.data is None
    assert result.errors
    return [error.formatted for error in result.errors]


class Failing:
    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name} was carried out")


def test_what_is_near_to_a_common_word_leads_to_its_schema() -> None:
    schema, asked = walked(complaining)
    assert len(asked) <= MOST_DOCUMENTS
    drafts = [each for each in read(io.BytesIO(json.dumps({"data": schema}).encode())) if isinstance(each, Draft)]
    messages = {message["query"].split()[1].partition("(")[0]: message for message in map(sent, drafts)}
    assert messages.keys() == {"Me", "Crates", "Crate", "CreateCrate", "RenameCrate"}
    assert messages["Me"]["query"] == "query Me { me { id email } }"
    assert "$search: String" in messages["Crates"]["query"]
    assert "crate(id: $id) { id owner { id email } }" in messages["Crate"]["query"]
    assert "$id: ID!, $title: String!" in messages["RenameCrate"]["query"]
    given = messages["CreateCrate"]["variables"]["input"]
    assert given.keys() == {"productId", "quantity", "note", "size", "stamp"}
    assert (given["quantity"], given["size"], given["stamp"].keys()) == (1, "HIGH", {"date"})


def sent(draft: Draft) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(draft.request.body)
    return message


def test_an_endpoint_that_suggests_nothing_is_asked_for_a_few_queries_and_no_mutation() -> None:
    for errors in ([{"message": 'Cannot query field "user" on type "Query".'}], [], [None]):
        schema, asked = walked(lambda _, errors=errors: errors)
        assert schema == {}
        assert len(asked) < 6
        assert all(document.startswith("query") for document in asked)


def test_one_that_suggests_ever_more_is_asked_no_more_than_so_often() -> None:
    count = iter(range(100_000))

    def babbling(_: str) -> list[Any]:
        names = ", ".join(f'"crate{next(count)}"' for _ in range(5))
        return [
            {"message": f'Cannot query field "{name}" on type "Query". Did you mean {names}?'}
            for name in ("a", "qzxvwkjq")
        ]

    _, asked = walked(babbling)
    assert len(asked) <= MOST_DOCUMENTS


def test_a_schema_of_suggestions_is_told_as_such() -> None:
    schema, _ = walked(complaining)
    document = json.dumps({"data": schema, "untold": True, "suggested": True}).encode()
    warning = next(read(io.BytesIO(document)))
    assert isinstance(warning, Malformed)
    assert "what it suggests" in warning.why


def test_queries_that_are_called_after_what_they_do_are_guessed_at_where_anything_is_suggested() -> None:
    more = SCHEMA.replace("me: Owner,", "me: Owner, readFiles(name: String!): String, systemStates: String,")

    def answer(document: str) -> list[Any]:
        return [error.formatted for error in graphql_sync(build_schema(more), document).errors or ()]

    schema, asked = walked(answer)
    queries = next(each for each in schema["__schema"]["types"] if each["name"] == "Query")
    assert {"readFiles", "systemStates"} <= {each["name"] for each in queries["fields"]}
    assert len(asked) <= MOST_DOCUMENTS
