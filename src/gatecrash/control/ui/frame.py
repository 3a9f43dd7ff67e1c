"""What every page's frame needs: who looks, where in the navigation, and which colours were chosen."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from gatecrash import __version__

THEMES = ("light", "dark")


@dataclass(frozen=True, slots=True)
class Place:
    """An entry of the navigation. route: the name of its address. icon: of `icons`. admin: for administrators only."""

    route: str
    words: str
    icon: str
    admin: bool = False


NAVIGATION: tuple[tuple[str, tuple[Place, ...]], ...] = (
    ("", (Place("dashboard", "Dashboard", "gauge"),)),
    (
        "Detect",
        (Place("inventory", "API inventory", "list"), Place("auth_parameters", "Auth parameters", "key")),
    ),
    (
        "Test",
        (
            Place("runs", "Test runs", "play"),
            Place("schedules", "Schedules", "clock"),
            Place("vulnerabilities", "Vulnerabilities", "alert"),
            Place("policies", "Policies", "sliders"),
            Place("auth_profiles", "Auth profiles", "person"),
            Place("records", "Test records", "box"),
        ),
    ),
    (
        "Manage",
        (
            Place("nodes", "Nodes", "node"),
            Place("webhooks", "Webhooks", "bell"),
            Place("tokens", "API tokens", "token", admin=True),
            Place("users", "Users", "users", admin=True),
            Place("audit", "Audit log", "log", admin=True),
            Place("settings", "Settings", "gear", admin=True),
        ),
    ),
)


def frame(request: HttpRequest) -> dict[str, Any]:
    """The context of every template; a page that failed early has no visitor."""
    who = getattr(request, "visitor", None)
    theme = request.COOKIES.get("theme", "")
    return {
        "visitor": who,
        "theme": theme if theme in THEMES else "",
        "version": __version__,
        "navigation": _navigation(is_admin=who is not None and who.may_admin),
    }


def _navigation(*, is_admin: bool) -> list[tuple[str, list[Place]]]:
    groups = ((title, [place for place in places if is_admin or not place.admin]) for title, places in NAVIGATION)
    return [(title, places) for title, places in groups if places]
