"""Sites that one script serves: `index.php?page=message&id=7` asks for a page, as `/message/7` does elsewhere.

page_asked(request)      the page, `message`; of `?module=orders&action=view` both words; empty where the address itself says it
spoken_path(request)     the path with the page behind it, as elsewhere one would be written: `/index.php/message`
names_page(name)         whether a parameter is called as those that say which page
asks_for_page(request)   whether the query says nothing but which page
"""

import re
from functools import lru_cache
from urllib.parse import parse_qsl

from gatecrash.core.message import Request

_MOST_FIELDS = 50
_LONGEST = 4096
# What the script of a site is called, or nothing.
_SCRIPT = re.compile(
    rb"(?:index|default|main|home|start|portal|app|site|go|front|board|forum)?(?:\.(?:php\d?|phtml|aspx?|jspx?|cgi|pl|cfm))?",
    re.IGNORECASE,
)
_NAMES_PAGE = re.compile(
    r"page|pg|p|do|act|action|op|mode|view|task|go|goto|show|section|sec|module|mod|area|screen|route|r|site|controller|c|a|m|content"
    r"|seite|pagina",
    re.IGNORECASE,
)
_PAGE = re.compile(r"[A-Za-z][\w-]{0,40}(?:[/.][A-Za-z][\w-]{0,40}){0,3}")
_ENDING = re.compile(r"\.(?:php\d?|html?|inc|tpl)$", re.IGNORECASE)


def page_asked(request: Request) -> str:
    """The page that the query asks a site's one script for, as it is written; several words with a slash between them."""
    query = request.query
    if not query or len(query) > _LONGEST or _SCRIPT.fullmatch(request.path.rpartition(b"/")[2]) is None:
        return ""
    return _page_in(query)


def spoken_path(request: Request) -> str:
    """A path that says what it is about: behind a site's one script the page that its query asks for."""
    page = page_asked(request)
    return request.path.decode("latin-1") + (f"/{page}" if page else "")


def asks_for_page(request: Request) -> bool:
    """Whether the query of a site's one script says which page is asked for, and nothing else."""
    query = (request.query or b"").decode("latin-1")
    return bool(page_asked(request)) and all(names_page(part.partition("=")[0]) for part in query.split("&"))


def names_page(name: str) -> bool:
    """Whether a parameter of a site's one script says which page is asked for."""
    return _NAMES_PAGE.fullmatch(name) is not None


@lru_cache(4096)
def _page_in(query: bytes) -> str:
    try:
        told = parse_qsl(query.decode("latin-1"), max_num_fields=_MOST_FIELDS)
    except ValueError:
        return ""
    pages = (_ENDING.sub("", value) for name, value in told if names_page(name))
    return "/".join(page for page in pages if _PAGE.fullmatch(page))
