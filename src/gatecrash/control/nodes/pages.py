"""Pages of nodes: who is there, how they are, and the commands to start one."""

import time

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from gatecrash.control.api.roles import READ
from gatecrash.control.nodes.mapping import shown_node
from gatecrash.control.nodes.queries import by_presence
from gatecrash.control.ui import words
from gatecrash.control.ui.listing import listing
from gatecrash.control.ui.page import is_live, page

CLOCK_SECONDS = 60.0


@page(READ)
def nodes(request: HttpRequest) -> HttpResponse:
    """Every node of the client, the default one and those that are there first; their health comes anew every few seconds."""
    now = time.time()
    found = listing(request, by_presence(now))
    shown = [shown_node(node, now) | {"clock": clock_words(node.clock_offset)} for node in found.rows]
    context = {
        "list": found,
        "nodes": shown,
        "sends_by": next((node["proxy_address"] for node in shown if node["connected"] and node["proxy_address"]), ""),
        "address": settings.PUBLIC_URL or request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "nodes/rows.html" if is_live(request) else "nodes/nodes.html", context)


def clock_words(offset: float) -> str:
    """How far a node's clock, by which its traffic is counted, is off ours; empty where nobody need know."""
    if abs(offset) < CLOCK_SECONDS:
        return ""
    return f"{words.duration(abs(offset))} {'behind' if offset > 0 else 'ahead'}"
