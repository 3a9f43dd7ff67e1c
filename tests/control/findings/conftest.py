"""A node that reports findings to the service of this process."""

from tests.control.testruns.conftest import create, http, new_node, node, show

__all__ = ["create", "http", "new_node", "node", "show"]
