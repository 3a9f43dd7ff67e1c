"""Complaints about a query count, those about a value do not."""

import pytest

from gatecrash.core.testing.oracles.errors.query import LDAP, NOSQL, XPATH, complaints


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (NOSQL, '{"error": "MongoServerError: unknown operator: $zbcd"}'),
        (NOSQL, "unknown top level operator: $zbcd. If you have a field name"),
        (LDAP, "Warning: ldap_search(): Search: Bad search filter in /var/www"),
        (LDAP, "javax.naming.directory.InvalidSearchFilterException: Unbalanced parenthesis"),
        (XPATH, "lxml.etree.XPathEvalError: Invalid predicate"),
        (XPATH, "Warning: SimpleXMLElement::xpath(): Invalid predicate"),
    ],
)
def test_a_broken_query_is_complained_of(kind, text):
    assert complaints(text, kind)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (NOSQL, "CastError: Cast to string failed for value"),
        (NOSQL, "name must be a string"),
        (LDAP, "no such user"),
        (LDAP, "Invalid expression a)(b: unbalanced parenthesis at position 1"),
        (XPATH, "invalid value"),
        (XPATH, ""),
    ],
)
def test_a_wrong_value_is_none(kind, text):
    assert not complaints(text, kind)
