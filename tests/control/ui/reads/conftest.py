"""A node that speaks to the service of this process."""

from tests.control.testruns.conftest import create, http, new_node, node

__all__ = ["create", "http", "new_node", "node"]
