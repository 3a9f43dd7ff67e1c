"""A GraphQL schema as an endpoint tells it: each query and mutation asked once, as a server takes it."""

import io
import json
from typing import Any

import graphql
import pytest

from gatecrash.core.point import Point
from gatecrash.core.points.walk import read as value_at
from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.descriptions.graphql_schema import QUERY, read, schema_of_none
from gatecrash.formats.draft import Draft

SCHEMA = graphql.build_schema(
    """
    scalar DateTime  scalar Upload
    enum Sort { NEWEST OLDEST }
    input Range { from: DateTime! to: DateTime  within: Range }
    input Filter { title: String  tags: [String!]  range: Range  sort: Sort = OLDEST }
    interface Node { id: ID! }
    union Found = Note | User
    type Note implements Node { id: ID! title: String! author: User! similar(to: Int!): [Note!]! history: [Note!] }
    type User implements Node { id: ID! email: String notes(first: Int = 3): [Note] }
    type Query { note(id: ID!): Note  notes(filter: Filter, first: Int = 7): [Note!]!  search(text: String!): [Found!]!
      node(id: ID!): Node  status: Sort  version: String! }
    type Mutation { rename(noteId: ID!, title: String!): Note  attach(note: ID!, file: Upload!): Note
      avatar(user: ID!, file: Upload): User }
    type Subscription { added: Note }
    """
)


def told(**beside: Any) -> bytes:
    return json.dumps({"data": graphql.graphql_sync(SCHEMA, QUERY).data, **beside}).encode()


def drafts(document: bytes | None = None) -> dict[str, Draft]:
    """By the field that each asks for."""
    found = [item for item in read(io.BytesIO(document or told())) if isinstance(item, Draft)]
    return {message(item)["query"].partition("{ ")[2].partition("(")[0].partition(" ")[0]: item for item in found}


def message(draft: Draft) -> Any:
    operations = value_at(draft.request, Point.parse(["post", "multipart", "operations"]))
    return json.loads(operations or draft.request.body)


def test_each_query_and_mutation_is_one_request_that_the_schema_calls_valid() -> None:
    found = drafts()
    assert list(found) == ["note", "notes", "search", "node", "status", "version", "rename", "attach", "avatar"]
    for draft in found.values():
        for asked in (message(draft), json.loads(draft.spare.body) if draft.spare else message(draft)):
            assert graphql.validate(SCHEMA, graphql.parse(asked["query"])) == []
            given = {name: value or "a file" for name, value in (asked.get("variables") or {}).items()}
            result = graphql.graphql_sync(SCHEMA, asked["query"], variable_values=given)
            assert not [error for error in result.errors or () if "ariable" in error.message]
    assert found["note"].request.method == "POST"
    assert found["note"].request.target == b"/graphql"


def test_all_arguments_are_variables_and_those_that_need_not_be_there_are_left_out_of_the_spare_one() -> None:
    notes = drafts()["notes"]
    assert message(notes)["variables"] == {
        "filter": {
            "title": "example",
            "tags": ["example"],
            "range": {
                "from": "2026-01-15T10:30:00Z",
                "to": "2026-01-15T10:30:00Z",
                "within": {
                    "from": "2026-01-15T10:30:00Z",
                    "to": "2026-01-15T10:30:00Z",
                    "within": {"from": "2026-01-15T10:30:00Z"},  # so deep, what is needed
                },
            },
            "sort": "OLDEST",
        },
        "first": 7,
    }
    assert notes.spare is not None
    assert "variables" not in json.loads(notes.spare.body)
    assert drafts()["rename"].spare is None


def test_plain_fields_are_asked_for_and_those_one_level_below() -> None:
    found = drafts()
    assert message(found["note"])["query"] == (
        "query Note($id: ID!) { note(id: $id) { id title author { id email } history { id title } } }"
    )
    assert message(found["search"])["query"].endswith(
        "{ search(text: $text) { ... on Note { id title } ... on User { id email } } }"
    )
    assert message(found["status"])["query"] == "query Status { status }"


def test_of_a_union_what_each_type_holds_is_asked_for_under_one_type_a_name() -> None:
    assert "... on Note { id title } ... on User { id email }" in message(drafts()["search"])["query"]
    schema = graphql.build_schema(
        """
        union Told = Bill | Fault | Other
        type Bill { number: Int! total: Float }  type Fault { number: String! why: String }  type Other { number: String }
        interface Node { id: ID! }  type Leaf implements Node { id: ID! colour: String }
        type Query { told: Told  node: Node }
        """
    )
    found = drafts(json.dumps({"data": graphql.graphql_sync(schema, QUERY).data}).encode())
    told_query, node_query = (message(found[name])["query"] for name in ("told", "node"))
    assert "{ told { ... on Bill { number total } ... on Fault { why } } }" in told_query
    assert "{ node { id ... on Leaf { colour } } }" in node_query
    assert [graphql.validate(schema, graphql.parse(query)) for query in (told_query, node_query)] == [[], []]


def test_what_names_something_is_a_hole_that_answers_may_fill() -> None:
    found = drafts()
    (hole,) = found["note"].holes
    assert (hole.name, value_at(found["note"].request, hole.point)) == ("note_id", b"1")
    assert [hole.name for hole in found["rename"].holes] == ["noteId"]
    assert found["version"].holes == ()
    schema = graphql.build_schema("type Query { notes(writerId: Int, shelfId: ID): [String] }")
    counted = drafts(json.dumps({"data": graphql.graphql_sync(schema, QUERY).data}).encode())["notes"]
    assert {hole.name: hole.counted for hole in counted.holes} == {"writerId": True, "shelfId": False}


def test_one_thing_is_asked_for_by_what_it_holds_itself() -> None:
    schema = graphql.build_schema(
        """
        type Bill { number: String! name: String! total: Float }  union Told = Bill
        type Query { told(number: String!, total: String): Told  bill(name: String!, page: Int!): Bill  bills(number: String!): [Bill] }
        type Mutation { makeBill(number: String!): Bill }
        """
    )
    found = drafts(json.dumps({"data": graphql.graphql_sync(schema, QUERY).data}).encode())
    names = {field: [hole.name for hole in draft.holes] for field, draft in found.items()}
    assert names == {"told": ["number"], "bill": ["bill_name"], "bills": [], "makeBill": []}


def test_a_file_that_must_be_there_is_sent_in_a_form_and_another_left_out() -> None:
    found = drafts()
    attached = found["attach"].request
    assert b"multipart/form-data; boundary=" in dict(attached.headers)[b"Content-Type"]
    assert message(found["attach"])["variables"] == {"note": "1", "file": None}
    assert value_at(attached, Point.parse(["post", "multipart", "map"])) == b'{"0": ["variables.file"]}'
    assert value_at(attached, Point.parse(["post", "multipart", "0", "filename"])) == b"example.txt"
    (hole,) = found["attach"].holes
    assert (hole.name, value_at(attached, hole.point)) == ("note", b"1")
    assert message(found["avatar"])["variables"] == {"user": "1"}


def test_a_default_of_null_is_none() -> None:
    schema = graphql.build_schema(
        """
        input Price { most: Float = null  least: Float = 2 }
        type Spade { id: ID! name: String }
        type Query { spades(name: String = null, price: Price = null, shed: String = "north"): [Spade] }
        """
    )
    found = drafts(json.dumps(graphql.graphql_sync(schema, QUERY).data).encode())["spades"]
    variables = message(found)["variables"]
    assert variables["price"] == {"most": 1.5, "least": 2}
    assert variables["name"] not in (None, "")
    assert [(hole.name, hole.loose) for hole in found.holes] == [("name", True)]


def test_the_endpoint_may_be_named_and_the_schema_may_stand_alone() -> None:
    assert drafts(told(endpoint="/api/graph"))["note"].request.target == b"/api/graph"
    alone = json.dumps(graphql.graphql_sync(SCHEMA, QUERY).data).encode()
    assert drafts(alone).keys() == drafts().keys()


@pytest.mark.parametrize("document", [b"{}", b'{"data": {"__schema": {"types": []}}}', b'{"data": {"tea": 1}}'])
def test_what_is_no_schema_is_refused(document: bytes) -> None:
    with pytest.raises(UnreadableCapture, match="introspection"):
        list(read(io.BytesIO(document)))


@pytest.mark.parametrize("field", [{}, {"name": "a"}, {"name": "a", "type": {"kind": "LIST"}}, {"name": 1, "type": 2}])
def test_a_field_that_cannot_be_read_costs_itself_alone(field: dict[str, Any]) -> None:
    text = {"kind": "SCALAR", "name": "String"}
    query = {"kind": "OBJECT", "name": "Query", "fields": [field, {"name": "version", "args": [], "type": text}]}
    document = {"__schema": {"queryType": {"name": "Query"}, "types": [query]}}
    broken, good = read(io.BytesIO(json.dumps(document).encode()))
    assert isinstance(broken, Malformed)
    assert isinstance(good, Draft)


PAGED = graphql.build_schema(
    """
    type Ticket { id: ID! title: String replies: ReplyConnection }
    type Edge { cursor: String node: Ticket }
    type TicketConnection { total: Int edges: [Edge] }
    type Reply { id: ID! text: String next: ReplyConnection }
    type ReplyConnection { nodes: [Reply] }
    type Done { ok: Boolean }
    input Change { id: ID! ownerId: ID tags: [ID!] title: String }
    type Query { allTickets(first: Int): TicketConnection  ticket(id: ID!): Ticket }
    type Mutation { openTicket(title: String!): Ticket  deleteTicket(id: ID!): Done  change(input: Change!): Ticket }
    """
)


def test_the_rows_of_a_page_are_asked_for() -> None:
    asked = drafts(json.dumps({"data": graphql.graphql_sync(PAGED, QUERY).data}).encode())
    query = message(asked["allTickets"])["query"]
    assert graphql.validate(PAGED, graphql.parse(query)) == []
    assert "{ total edges { cursor node { id title replies { nodes { id text" not in query, "two levels are enough"
    assert "{ total edges { cursor node { id title" in query
    assert "replies { nodes { id text" in message(asked["ticket"])["query"]


def test_what_is_named_is_called_after_what_is_answered_or_what_the_verb_is_about() -> None:
    asked = drafts(json.dumps({"data": graphql.graphql_sync(PAGED, QUERY).data}).encode())
    assert {name: [hole.name for hole in one.holes] for name, one in asked.items()} == {
        "allTickets": [],
        "ticket": ["ticket_id"],
        "openTicket": [],
        "deleteTicket": ["ticket_id"],
        "change": ["ticket_id", "ownerId", "tag"],
    }
    assert {asked[name].thing for name in ("ticket", "openTicket", "deleteTicket", "change")} == {"ticket"}
    assert [value_at(asked["change"].request, hole.point) for hole in asked["change"].holes] == [b"1"] * 3


RELAY = """
    interface Node { id: ID! }
    type Note implements Node { id: ID! text: String }
    type NoteEdge { node: Note }
    type NoteConnection { edges: [NoteEdge] }
    type Card implements Node { id: ID! number: String holder: Person }
    type Person implements Node { id: ID! name: String }
    type Draft implements Node { id: ID! text: String }
    type Query { node(id: ID!): Node  person(id: ID!): Person  myNotes(first: Int): NoteConnection  cards: [Card!]!
      nodes(ids: [ID!]!): [Node]! }
"""


def test_a_payload_is_about_the_one_thing_in_it_and_never_about_what_its_client_reads_again() -> None:
    schema = graphql.build_schema(
        """
        type Order { id: ID!  note: String }
        type Noted { order: Order  clientMutationId: String }
        input Note { id: ID!  text: String!  clientMutationId: String }
        type Query { version: String }
        type Mutation { writeNote(input: Note!): Noted }
        """
    )
    found = drafts(json.dumps({"data": graphql.graphql_sync(schema, QUERY).data}).encode())["writeNote"]
    assert [hole.name for hole in found.holes] == ["order_id"]
    assert "clientMutationId" not in message(found)["query"]


def test_what_gives_things_of_any_kind_is_asked_for_each_kind_that_is_shown_without_an_identifier() -> None:
    schema = graphql.build_schema(RELAY)
    document = json.dumps({"data": graphql.graphql_sync(schema, QUERY).data}).encode()
    found = [one for one in read(io.BytesIO(document)) if isinstance(one, Draft)]
    asked = [(message(one)["query"], one.thing, [hole.name for hole in one.holes]) for one in found]
    assert all(graphql.validate(schema, graphql.parse(query)) == [] for query, _, _ in asked)
    assert [one for one in asked if "{ node(" in one[0]] == [
        ("query Node($id: ID!) { node(id: $id) { ... on Note { id text } } }", "note", ["note_id"]),
        (
            "query Node($id: ID!) { node(id: $id) { ... on Card { id number holder { id name } } } }",
            "card",
            ["card_id"],
        ),
    ], "nobody is told the identifier of a draft, and that of a person is asked for by one"
    assert [one[1:] for one in asked if "{ myNotes(" in one[0]] == [("note", [])]
    assert [one[1:] for one in asked if "{ nodes(" in one[0]] == [("node", ["note_id"])], (
        "of one kind, as nobody knows of which"
    )


def test_what_gives_things_of_any_kind_is_asked_for_once_where_nothing_shows_their_identifiers() -> None:
    schema = graphql.build_schema(RELAY.partition("type Query")[0] + "type Query { node(id: ID!): Node }")
    document = json.dumps({"data": graphql.graphql_sync(schema, QUERY).data}).encode()
    (one,) = read(io.BytesIO(document))
    assert isinstance(one, Draft)
    assert [hole.name for hole in one.holes] == ["node_id"]
    assert "... on Note { text }" in message(one)["query"]


def test_rights_that_need_not_be_asked_for_are_left_out_of_an_input() -> None:
    """An account made so is nobody in particular; what `mass_assignment` tries afterwards is news."""
    schema = graphql.build_schema(
        """
        input Account { name: String!  email: String!  isAdmin: Boolean  role: String  clientMutationId: String }
        input Rank { user: ID!  role: String }
        input Given { name: String!  email: String!  role: String! clientMutationId: String! }
        type Query { version: String }
        type Mutation { join(account: Account!): Boolean  promote(rank: Rank!): Boolean  give(given: Given!): Boolean }
        """
    )
    found = drafts(json.dumps({"data": graphql.graphql_sync(schema, QUERY).data}).encode())
    assert message(found["join"])["variables"]["account"].keys() == {"name", "email"}
    assert message(found["promote"])["variables"]["rank"].keys() == {"user", "role"}
    assert message(found["give"])["variables"]["given"].keys() == {"name", "email", "role", "clientMutationId"}


def test_arguments_that_are_rights_are_asked_for_as_low_as_they_are_where_they_may_be_left_out() -> None:
    schema = graphql.build_schema(
        """
        type Query { people(isAdmin: Boolean): [String!] }
        type Mutation { update(bio: String, isAdmin: Boolean, role: String): Boolean  approve(id: ID!, approved: Boolean!): Boolean }
        """
    )
    found = drafts(json.dumps({"data": graphql.graphql_sync(schema, QUERY).data}).encode())
    assert message(found["update"])["variables"] == {"bio": "example", "isAdmin": False, "role": "user"}
    assert message(found["approve"])["variables"] == {"id": "1", "approved": True}
    assert message(found["people"])["variables"] == {"isAdmin": True}


def test_what_is_made_up_is_nobody_elses_to_see() -> None:
    schema = graphql.build_schema(
        """
        input Note { text: String!  isPublic: Boolean!  pinned: Boolean }
        type Query { notes(public: Boolean): [String!] }
        type Mutation { add(note: Note!): Boolean  post(text: String!, public: Boolean = true, shared: Boolean): Boolean }
        """
    )
    found = drafts(json.dumps({"data": graphql.graphql_sync(schema, QUERY).data}).encode())
    assert message(found["add"])["variables"]["note"] == {"text": "example", "isPublic": False, "pinned": True}
    assert message(found["post"])["variables"] == {"text": "example", "public": True, "shared": False}
    assert message(found["notes"])["variables"] == {"public": True}


LISTS = graphql.build_schema(
    """
    input Text { eq: String  contains: String  in: [String!] }
    input Where { title: Text  tag: String  size: Int  ownerId: ID  AND: [Where!] }
    input Line { productId: ID!  count: Int }
    input Order { lines: [Line!]!  tagIds: [ID!] }
    type Item { id: ID!  title: String }
    type Edge { cursor: String!  node: Item! }  type Page { edges: [Edge!]! }
    type Query { items(where: Where, sortBy: String, first: Int, after: String, last: Int, before: String): Page!
      old(q: String!, limit: Int, since: String = "now"): [Item!]! }
    type Mutation { order(input: Order!): Item }
    """
)


def listed() -> dict[str, Draft]:
    return drafts(json.dumps({"data": graphql.graphql_sync(LISTS, QUERY).data}).encode())


def test_a_page_is_asked_for_whole_and_by_what_one_row_can_fit() -> None:
    items, old = listed()["items"], listed()["old"]
    where = {"title": {"eq": "example"}, "tag": "example", "size": 1, "ownerId": "1"}
    assert message(items)["variables"] == {"where": where, "sortBy": "id", "first": 50}
    assert message(old)["variables"]["limit"] == 50
    loose = {hole.name: "/".join(hole.point[5:]) for hole in items.holes if hole.loose}
    assert loose == {
        "title": "where/json_obj/title/json_obj/eq",
        "tag": "where/json_obj/tag",
        "sortBy": "sortBy",
    }
    assert not [hole for hole in old.holes if hole.loose]


def test_what_a_list_within_an_input_names_may_be_learned() -> None:
    (order,) = (each for name, each in listed().items() if name == "order")
    named = {hole.name: "/".join(hole.point[5:]) for hole in order.holes}
    assert named == {
        "productId": "input/json_obj/lines/json_array/0/json_obj/productId",
        "tagId": "input/json_obj/tagIds/json_array/0",
    }
    assert all(value_at(order.request, hole.point) == b"1" for hole in order.holes)


def test_of_an_endpoint_without_a_schema_only_the_type_of_its_queries_is_asked() -> None:
    document = json.dumps({"data": schema_of_none("Root"), "untold": True, "endpoint": "/api"}).encode()
    warning, draft = read(io.BytesIO(document))
    assert isinstance(warning, Malformed)
    assert isinstance(draft, Draft)
    assert (draft.request.target, message(draft)["query"]) == (b"/api", "query __typename { __typename }")
