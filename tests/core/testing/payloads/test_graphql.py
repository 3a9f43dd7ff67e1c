"""Queries that read the schema, and no data."""

import graphql
import pytest
from tests.range.graph import SCHEMA

from gatecrash.core.testing.payloads.graphql import (
    BATCHED,
    DEEP,
    DEPTH,
    DUPLICATES,
    INTROSPECTION,
    MISSPELT,
    deep,
    duplicated,
)


@pytest.mark.parametrize("query", [INTROSPECTION, BATCHED, deep(DEEP), duplicated(BATCHED)])
def test_a_query_is_valid_on_any_schema(query):
    result = graphql.graphql_sync(SCHEMA, query)
    assert result.errors is None
    assert result.data


def test_the_misspelt_field_is_nearly_one():
    (error,) = graphql.graphql_sync(SCHEMA, MISSPELT).errors
    assert "Did you mean" in error.message


def test_depth_costs_nothing():
    assert deep(DEEP).count("ofType") == DEPTH
    assert graphql.graphql_sync(SCHEMA, deep(DEEP)).data == {"alias": {"name": "String", "ofType": None}}


def test_a_duplicated_field_is_asked_for_often_and_answered_once():
    query = duplicated(BATCHED)
    assert query.count("alias: __typename") == DUPLICATES
    assert graphql.graphql_sync(SCHEMA, query).data == {"alias": "Query"}
