"""A form on a page of each caller's own names whom it is about: `<input type=hidden name=user_id value=7>` for its
owner, 8 for the other.

Only words for somebody count: which branch or which draft a form is about says nothing of whose it is.
"""

import re

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.made_by_forms import Links
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.operations.one_script import asks_for_page
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.oracles.pages.form_fields import form_fields
from gatecrash.core.words.names import parted

_SOMEBODY = re.compile(
    r"(?:user|member|customer|client|patient|student|employee|account|profile|person)(?:_?(?:id|no|number|key|uuid|name))?|uid",
    re.IGNORECASE,
)


def is_named_by_own_form(asked: Request, mine: Response, theirs: Response, named: Named) -> bool:
    """Whether the field that a request names its object by holds this for the owner and another value for the other, in
    forms at one address that names nobody.

    asked: what both were answered to.
    """
    field = named.point[-1]
    if named.point[0] != "post" or _SOMEBODY.fullmatch(parted(field)) is None:
        return False
    if (asked.query is not None and not asks_for_page(asked)) or asked.body or named.value.encode() in asked.path:
        return False
    if not all(is_taken(each) and "html" in media_type(each) for each in (mine, theirs)):
        return False
    own, others = (set(form_fields(text_of(each)).get(field, ())) for each in (mine, theirs))
    return own == {named.value} and len(others) == 1 and others.isdisjoint({*own, ""})


def stands_in_forms_of_one(request: Request, named: Named, mine: Response, theirs: Response) -> bool:
    """Whether a page has a form for its owner with the object in a hidden field, as its deletion has, and none for the other."""
    if named.point[0] != "post":
        return False
    links = Links.of(request, named)
    return named.value in links.in_page(mine) - links.in_page(theirs)
