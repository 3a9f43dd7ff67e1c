"""Variables with which a GraphQL query asks for all that it can."""

import pytest

from gatecrash.core.testing.operations.unfiltered import unfiltered


@pytest.mark.parametrize(
    ("document", "values"),
    [
        ("{ notes { title } }", {}),
        ("query Notes($like: String, $of: [ID!]) { notes(like: $like) { title } }", {}),
        ("query Notes($public: Boolean!, $like: String!) { notes { title } }", {"public": True, "like": ""}),
        ("query Notes($limit: Int! = 20, $page:Int!, $perPage: Int!) { notes { title } }", {"page": 1, "perPage": 50}),
        ("query Notes($tags: [String!]!) { notes { title } }", {"tags": []}),
        ("query Note($id: ID!) { note(id: $id) { title } }", None),
        ("query Notes($where: NoteFilter!) { notes(where: $where) { title } }", None),
    ],
)
def test_values(document, values):
    assert unfiltered(document) == values
