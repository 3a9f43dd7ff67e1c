"""Pages of nodes: who is there, how they are, the commands to start one, and silent ones taken off the list."""

import time

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.api.roles import ADMIN, READ
from gatecrash.control.nodes import removing
from gatecrash.control.nodes.mapping import shown_node
from gatecrash.control.nodes.queries import by_presence, silent_builds, there
from gatecrash.control.ui import words
from gatecrash.control.ui.listing import listing
from gatecrash.control.ui.page import is_live, page
from gatecrash.core.reports.plural import plural

CLOCK_SECONDS = 60.0
DAY_SECONDS = 24 * 3600.0


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
        "old_builds": silent_builds(DAY_SECONDS, now).count(),
        "address": settings.PUBLIC_URL or request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "nodes/rows.html" if is_live(request) else "nodes/nodes.html", context)


@page(ADMIN, "POST")
def remove_node(request: HttpRequest, node_id: str) -> HttpResponse:
    """Take a silent node off the list."""
    row = there().filter(id=node_id).first()
    if row is None:
        raise Http404
    try:
        removing.remove(row, time.time())
    except FieldErrors as error:
        messages.warning(request, words.problem(error.problems["node_id"]))
    else:
        messages.success(request, f"The node “{row.name}” is removed. What it counted and tested stays.")
    return redirect("nodes")


@page(ADMIN, "POST")
def remove_builds(request: HttpRequest) -> HttpResponse:
    """Take off the nodes that builds of a pipeline left more than a day ago."""
    removed = removing.remove_builds(DAY_SECONDS, time.time())
    if removed:
        messages.success(request, f"{plural(removed, 'node')} of earlier builds removed.")
    else:
        messages.warning(request, "No node of an earlier build could be removed.")
    return redirect("nodes")


def clock_words(offset: float) -> str:
    """How far a node's clock, by which its traffic is counted, is off ours; empty where nobody need know."""
    if abs(offset) < CLOCK_SECONDS:
        return ""
    return f"{words.duration(abs(offset))} {'behind' if offset > 0 else 'ahead'}"
