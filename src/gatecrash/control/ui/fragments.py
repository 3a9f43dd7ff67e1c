"""Live parts of pages: rendered once for everybody who looks at the same state of the same thing.

A hundred open pages ask each second. Finding out that nothing is new costs one read; what is new is rendered by the first
who asks, and handed to the others of the same client.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from gatecrash.control.ui.visitor import visitor

MOST_KEPT = 256

_kept: OrderedDict[Hashable, str] = OrderedDict()
_lock = threading.Lock()


def nothing_new() -> HttpResponse:
    """The answer that leaves a live part as it is."""
    return HttpResponse(status=204)


def fragment(
    request: HttpRequest, template: str, state: tuple[Hashable, ...], context: Callable[[], dict[str, Any]]
) -> HttpResponse:
    """A live part, as one rendered for the same state, client and rights; else rendered now.

    state: whatever changes what the part shows. The template may hold nothing of a session: no token against forged
    forms, no message, no name.
    """
    who = visitor(request)
    key = (who.client.id, who.may_run, template, state)
    with _lock:
        text = _kept.get(key)
    if text is None:
        text = render_to_string(template, context(), request)
        assert "csrfmiddlewaretoken" not in text, f"{template} would hand one visitor's token to others"
        _keep(key, text)
    return HttpResponse(text)


def _keep(key: Hashable, text: str) -> None:
    with _lock:
        _kept[key] = text
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
