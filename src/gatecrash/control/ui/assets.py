"""Scripts and styles, served by the service itself: a digest in each address, so browsers may keep them for ever."""

import hashlib
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from whitenoise.middleware import WhiteNoiseMiddleware

ONE_YEAR = 365 * 24 * 3600


class Assets(WhiteNoiseMiddleware):
    """whitenoise over the apps' own folders: there is no build step, and nothing is collected."""

    def __init__(self, get_response: object) -> None:
        """Know every asset from the start."""
        super().__init__(get_response)
        self.max_age = ONE_YEAR
        self.files.clear()
        self.update_files_dictionary_from_finders()

    def update_files_dictionary_from_finders(self) -> None:
        """Take the assets of our own pages and htmx; the other apps' scripts are not served."""
        for name in SERVED:
            path = finders.find(name)
            assert path, name
            self.add_file_to_dictionary(f"{self.static_prefix}{name}", path)


SERVED = (
    "gatecrash/tokens.css",
    "gatecrash/frame.css",
    "gatecrash/components.css",
    "gatecrash/evidence.css",
    "gatecrash/gatecrash.js",
    "gatecrash/mark.svg",
    "django_htmx/htmx-2.min.js",
)


@cache
def address(name: str) -> str:
    """The address of an asset, with the digest of what it holds."""
    path = finders.find(name)
    assert isinstance(path, str), name
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]
    return f"{settings.STATIC_URL}{name}?v={digest}"
