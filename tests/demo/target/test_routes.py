"""The table of operations answers for what it knows and what it does not."""

import httpx
from tests.plain_http import PLAIN


def test_unknown_paths_and_methods_are_told_apart(visitor: httpx.Client) -> None:
    assert visitor.get("/nowhere").status_code == 404
    assert (visitor.put("/teas").status_code, visitor.put("/teas").headers["Allow"]) == (405, "GET")


def test_the_document_asks_for_what_the_developers_believe(visitor: httpx.Client) -> None:
    document = visitor.get("/openapi.json").json()
    assert document["paths"]["/customers/{customer_id}"]["get"]["security"] == [{"bearer": []}]
    assert document["paths"]["/stock"]["get"]["security"] == [{"api_key": []}]
    assert document["paths"]["/teas"]["get"]["security"] == []


def test_a_name_that_somebody_lets_point_here_is_refused(address: str) -> None:
    answer = httpx.get(f"{address}/health", headers={"Host": "tea.example.com"}, **PLAIN)
    assert answer.status_code == 421
