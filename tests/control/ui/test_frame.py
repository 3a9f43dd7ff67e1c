"""The frame of every page: the navigation by role, and the chosen colours."""

from types import SimpleNamespace

import pytest
from django.test import RequestFactory
from django.urls import reverse

from gatecrash import __version__
from gatecrash.control.ui.frame import NAVIGATION, frame


@pytest.mark.parametrize("is_admin", [True, False])
def test_the_navigation_shows_what_the_visitor_may_open(is_admin: bool) -> None:
    request = RequestFactory().get("/")
    request.visitor = SimpleNamespace(may_admin=is_admin)  # type: ignore[attr-defined]
    shown = frame(request)["navigation"]
    assert [title for title, _ in shown] == ["", "Detect", "Test", "Manage"]
    routes = {place.route for _, places in shown for place in places}
    assert ("users" in routes, "tokens" in routes, "nodes" in routes) == (is_admin, is_admin, True)


def test_every_place_has_an_address() -> None:
    assert all(reverse(place.route).startswith("/") for _, places in NAVIGATION for place in places)


@pytest.mark.parametrize(("cookie", "theme"), [("dark", "dark"), ("light", "light"), ("", ""), ('"><script>', "")])
def test_only_known_colours_reach_the_page(cookie: str, theme: str) -> None:
    request = RequestFactory().get("/")
    request.COOKIES["theme"] = cookie
    found = frame(request)
    assert (found["theme"], found["visitor"], found["version"]) == (theme, None, __version__)
