"""What the walk through a site leaves alone, and which forms it sends to see what is behind them.

must_be_left(request)         of links, calls and forms alike
is_read(form)                 as a page: a search
is_sent(form)                 once, while the pages are read
is_page_of_a_form(request)    of an address that says a change
"""

import re

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.callers.password_changes import password_change, sets_password
from gatecrash.core.testing.authorization.objects.named import named_objects
from gatecrash.core.testing.effects.destruction import CHANGES_ACCOUNT, deletes, destroys, names_a_change
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.spoken import spoken_address
from gatecrash.core.testing.effects.writes import configures, sets_by_link
from gatecrash.core.testing.operations.one_script import asks_for_page, spoken_path
from gatecrash.core.testing.profiles.entrance import fields, registers
from gatecrash.core.words.named import Words
from gatecrash.core.words.names import parted

# Pages of forms that change something, which are only read: `/register`, `/users/7/edit`, and not `/users/7/ban`.
_PAGE_OF_A_FORM = re.compile(r"/(?:edit|new)/?$|^(?:/(?:v\d+|[^/\d]+))*/[a-z_-]+(?:\.[a-z]{2,5})?/?$", re.IGNORECASE)
# What needs a value beside the name of what it is done to.
_EDITS = Words(r"(?:edit|modify)(?:[_-][a-z]+)?|[a-z]+[_-](?:edit|modify)|(?:[a-z]+[_-])?update", re.IGNORECASE)
# By a link alone: what it turns on or off, the application itself perhaps.
_SWITCHES = Words(
    r"(?:^|[/._-])(?:toggle|switch|enable|disable|shut-?down|power-?off|restart|reboot)(?=[/._-]|$)", re.IGNORECASE
)
# By a form's button as well: what runs is there no more for whatever is read afterwards.
_STOPS = Words(r"(?:^|[/._-])(?:stop|halt|kill|terminate|expire|shut-?down|power-?off|reboot)(?![a-z])", re.IGNORECASE)


def must_be_left(request: Request) -> bool:
    """Whether it would end a session, delete, stop what runs, or set something for good."""
    harm = None if _sets_ones_own(request) else destroys(request)
    if harm not in (None, CHANGES_ACCOUNT) or deletes(request) or sets_by_link(request):
        return True
    spoken = spoken_address(request)
    return _STOPS.search(spoken) is not None or (is_safe(request) and _SWITCHES.search(spoken) is not None)


def _sets_ones_own(request: Request) -> bool:
    """Whether it sets the password of whoever is signed in, by its address and its fields: to what it is, before it is sent at all."""
    return not is_safe(request) and password_change(request, proven=True) is not None


def is_read(form: Request) -> bool:
    """Whether a form is asked as a page is: neither its address says a change, nor a field that it sets a password."""
    return is_safe(form) and not names_a_change(form) and not sets_password(form)


def is_sent(form: Request) -> bool:
    """Whether a form is sent to see what is behind it: it makes something new, and asks for nobody's password."""
    if is_safe(form) or destroys(form) is not None or names_a_change(form) or configures(form):
        return False
    return not fields(form) and not registers(form) and not sets_password(form)


def is_page_of_a_form(request: Request) -> bool:
    """Whether an address that says a change shows the form for it: it names nothing that could be changed at once, or what is
    edited and no value for it.
    """
    names_nothing = not request.query or asks_for_page(request)
    return (names_nothing and _PAGE_OF_A_FORM.search(spoken_path(request)) is not None) or _names_what_is_edited(
        request
    )


def _names_what_is_edited(request: Request) -> bool:
    """Whether a link leads to the form of one object: `/dog_edit.php?id=41`, `/editDog?dog=41`."""
    last = request.path.rstrip(b"/").rpartition(b"/")[2].decode("latin-1").partition(".")[0]
    if not is_safe(request) or _EDITS.fullmatch(parted(last)) is None or b"&" in (request.query or b""):
        return False
    return [one.point[0] for one in named_objects(request) if one.sure and one.point[0] != "header"] == ["get"]
