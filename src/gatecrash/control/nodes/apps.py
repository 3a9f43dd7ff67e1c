"""The app of nodes: what observes and tests on our behalf."""

from django.apps import AppConfig


class NodesConfig(AppConfig):
    """Nodes and their sessions."""

    name = "gatecrash.control.nodes"
    label = "nodes"
