"""Where a browser is that can run a site's scripts: Chromium, or one that is made of it.

browser_at("auto")      its path; None where there is none, or none is wanted. Raises UserError
"""

import shutil

from gatecrash.core.errors import UserError

AUTO, OFF = "auto", "off"
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")


def browser_at(wanted: str) -> str | None:
    """wanted: `auto` for one that is installed, `off` for none, or a path or name. Raises UserError where that is no program."""
    if wanted == OFF:
        return None
    if wanted == AUTO:
        return next(filter(None, map(shutil.which, _NAMES)), None)
    found = shutil.which(wanted)
    if found is None:
        raise UserError(
            f"{wanted} is no program that can be started. Name a Chromium or Chrome, or `off` for no browser."
        )
    return found
